/**
 * What the agent typed because it had been printed: sentences in an argument, and addresses. To obey an output makes its
 * words nobody else's. Options and names are no echo: programs offer them, and trying them shows whether they work.
 */
import type { LiveCall } from '../../base/call.ts';
import { isLocalHost } from './find-hosts.ts';
import { countWords, findQuoted, isPrinted, type Sources } from './find-quoted.ts';
import { findPoison } from './poison-shapes.ts';
import { toSource } from './to-source.ts';

export interface Echoes {
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

/** `users`: what people said. It is theirs wherever else it stands. */
export function findEchoes(
  calls: readonly LiveCall[],
  users: readonly string[],
  toPrinted: (call: LiveCall) => readonly string[],
): Echoes {
  const [typed, printed, echoed, led]: [string[], string[], string[], string[]] = [[], [], [], []];
  for (const call of calls) {
    const own = [...users, ...typed];
    for (const text of [call.command, call.targetPath, call.cwd, call.rawTool]) {
      if (text === undefined) continue;
      const source = toSource(text);
      const prose = text === call.command ? findProse(text) : [];
      const echoes = prose.flatMap((one) => findParts(one, { printed, typed: own }, users));
      const addresses = findAddresses(source).filter((one) => isPrinted(one, { printed, typed: own }));
      echoed.push(...echoes);
      led.push(...addresses);
      typed.push([...echoes, ...addresses].reduce((left, one) => left.replaceAll(one, '·'), source));
    }
    printed.push(...toPrinted(call));
  }
  return { typed, echoed, led };
}

function findProse(command: string): readonly string[] {
  return [...command.matchAll(PROSE)].flatMap((match) => {
    if (CODE_BEFORE.test(command.slice(Math.max(0, match.index - 12), match.index))) return [];
    const [, double, single, , here, plain] = match;
    const text = toSource(double ?? single ?? here ?? plain ?? '');
    return countWords(text) < MIN_WORDS ? [] : [text];
  });
}

/** What was printed before; all of it where it speaks as no argument does: then it comes from where we do not see. */
function findParts(text: string, sources: Sources, users: readonly string[]): readonly string[] {
  if (findPoison(text) === 'attack' && !users.some((one) => one.includes(text))) return [text];
  return findQuoted(text, sources)
    .filter(({ words }) => words >= MIN_WORDS)
    .map(({ start, end }) => text.slice(start, end));
}

function findAddresses(text: string): readonly string[] {
  const found = [...text.matchAll(ADDRESS)].filter(([, host = '']) => !isLocalHost(host));
  return found.map(([address]) => address);
}
