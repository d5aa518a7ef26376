/**
 * What the agent typed because it had been printed: sentences in an argument, and addresses. To obey an output makes its
 * words nobody else's. Options and names are no echo: programs offer them, and trying them shows whether they work.
 */
import type { LiveCall } from '../../base/call.ts';
import { isLocalHost } from './find-hosts.ts';
import { blankRuns, countWords } from './find-quoted.ts';
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
  /"((?:[^"\\]|\\[\s\S]){8,})"|'([^']{8,})'|<<-?\s*["']?\w+["']?[^\n]*\n([\s\S]+)$|((?:\p{L}{2,}[,.;:]?\s+){6,}\p{L}{2,})/gu;
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
    const isEcho = (text: string): boolean =>
      printed.some((one) => one.includes(text)) && !own.some((one) => one.includes(text));
    for (const text of [call.command, call.targetPath, call.cwd, call.rawTool]) {
      if (text === undefined) continue;
      const echoes = text === call.command ? findProse(text).filter((one) => isSpoken(one, isEcho, users)) : [];
      echoed.push(...echoes);
      const addresses = findAddresses(toSource(text)).filter(isEcho);
      led.push(...addresses);
      typed.push([...echoes, ...addresses].reduce((left, one) => left.replaceAll(one, '·'), toSource(text)));
    }
    printed.push(...toPrinted(call));
  }
  return { typed, echoed, led };
}

function findProse(command: string): readonly string[] {
  return [...command.matchAll(PROSE)].flatMap((match) => {
    if (CODE_BEFORE.test(command.slice(Math.max(0, match.index - 12), match.index))) return [];
    const text = toSource(match.slice(1).find((part) => part !== undefined) ?? '');
    return countWords(text) < MIN_WORDS ? [] : [text];
  });
}

/** It was printed before, or it speaks as no argument of a command does: then it comes from somewhere that we do not see. */
function isSpoken(text: string, isEcho: (run: string) => boolean, users: readonly string[]): boolean {
  if (blankRuns(text, isEcho) !== text) return true;
  return findPoison(text) === 'attack' && !users.some((one) => one.includes(text));
}

function findAddresses(text: string): readonly string[] {
  const found = [...text.matchAll(ADDRESS)].filter(([, host = '']) => !isLocalHost(host));
  return found.map(([address]) => address);
}
