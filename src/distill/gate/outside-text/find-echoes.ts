/**
 * What the agent typed because it had been printed: sentences in an argument, and addresses. To obey an output makes its
 * words nobody else's. Options and names are no echo: programs offer them, and trying them shows whether they work.
 */
import type { LiveCall } from '../../../base/model/call.ts';
import { isLocalHost } from '../risky-remedies/find-hosts.ts';
import { countWords, findQuoted, isPrinted, joinTexts, type Sources } from './find-quoted.ts';
import type { MayHold } from './make-run-filter.ts';
import { isAttack } from './poison-shapes.ts';
import { toSource } from './to-source.ts';

interface Echoes {
  /** What the calls were given, in the form that is searched, without the echoes. */
  readonly typed: readonly string[];
  /** Sentences that stand in a lesson by nobody's will. */
  readonly echoed: readonly string[];
  /** Addresses that somebody else chose. */
  readonly led: readonly string[];
}

/** An argument in quotes, the text of a here-document, or a row of words without any sign of a command. */
const PROSE =
  /"((?:[^"\\]|\\[\s\S]){8,})"|'([^']{8,})'|<<-?\s*["']?(?<end>\w+)["']?[^\n]*\n([\s\S]*?)(?:\n\s*\k<end>\b|$)|((?:\p{L}{2,30}[,.;:]?\s{1,4}){6,60}\p{L}{2,30})/gu;
/** Code for another shell or interpreter stands in quotes, too. */
const CODE_BEFORE = /\s-\w{0,4}[ce]\s*$/;
const MIN_WORDS = 3;
const ADDRESS = /\b[a-z][a-z0-9+.-]{1,20}:\/\/(?:[^\s/@'"`<>]*@)?([^\s/:?#'"`<>)\]},;]+)[^\s'"`<>)\]},;]*/gi;

interface Outputs {
  /** What all the calls printed, in their order, as one text. */
  readonly printed: readonly string[];
  readonly toPrinted: (call: LiveCall) => readonly string[];
  /** Of what all the calls printed. */
  readonly mayHold: MayHold;
}

/** `users`: what people said. It is theirs wherever else it stands. */
export function findEchoes(
  calls: readonly LiveCall[],
  users: readonly string[],
  { printed, toPrinted, mayHold }: Outputs,
): Echoes {
  const [typed, echoed, led]: [string[], string[], string[]] = [[], [], []];
  const said = joinTexts(users);
  /** Of what was printed by then. */
  let printedEnd = 0;
  for (const call of calls) {
    const given = toGiven(call);
    // What most calls were given is neither prose nor an address.
    const isPlain = given.every(({ prose, addresses }) => prose.length + addresses.length === 0);
    const before = printed.map((text) => text.slice(0, printedEnd));
    const sources = { printed: before, mayHold, typed: isPlain ? [] : [...said, ...joinTexts(typed)] };
    for (const { source, prose, addresses } of given) {
      const echoes = prose.flatMap((one) => findParts(one, sources, users));
      const places = addresses.filter((one) => isPrinted(one, sources));
      echoed.push(...echoes);
      led.push(...places);
      typed.push([...echoes, ...places].reduce((left, one) => left.replaceAll(one, '·'), source));
    }
    for (const text of toPrinted(call)) printedEnd += text.length + 1;
  }
  return { typed, echoed, led };
}

interface Given {
  /** In the form that is searched. */
  readonly source: string;
  readonly prose: readonly Prose[];
  readonly addresses: readonly string[];
}

interface Prose {
  readonly text: string;
  /** It speaks as no argument does. */
  readonly isAttack: boolean;
}

/** The next window has most of the calls again. */
const givenTo = new WeakMap<LiveCall, readonly Given[]>();

/** What the call was given, text by text. */
function toGiven(call: LiveCall): readonly Given[] {
  const known = givenTo.get(call);
  if (known !== undefined) return known;
  const given = [call.command, call.targetPath, call.cwd, call.rawTool].flatMap((text) => {
    if (text === undefined) return [];
    const source = toSource(text);
    return [{ source, prose: text === call.command ? findProse(text) : [], addresses: findAddresses(source) }];
  });
  givenTo.set(call, given);
  return given;
}

function findProse(command: string): readonly Prose[] {
  return [...command.matchAll(PROSE)].flatMap((match) => {
    if (CODE_BEFORE.test(command.slice(Math.max(0, match.index - 12), match.index))) return [];
    const [, double, single, , here, plain] = match;
    const text = toSource(double ?? single ?? here ?? plain ?? '');
    return countWords(text) < MIN_WORDS ? [] : [{ text, isAttack: isAttack(text) }];
  });
}

/** What was printed before; all of it where it speaks as no argument does: then it comes from where we do not see. */
function findParts({ text, isAttack }: Prose, sources: Sources, users: readonly string[]): readonly string[] {
  if (isAttack && !users.some((one) => one.includes(text))) return [text];
  return findQuoted(text, sources)
    .filter(({ words }) => words >= MIN_WORDS)
    .map(({ start, end }) => text.slice(start, end));
}

function findAddresses(text: string): readonly string[] {
  const found = [...text.matchAll(ADDRESS)].filter(([, host = '']) => !isLocalHost(host));
  return found.map(([address]) => address);
}
