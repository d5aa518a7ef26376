/**
 * Finds a known cure for a failure: what got past a failure with the same signature in earlier sessions of the project.
 * Of several cures, the one that worked in most sessions is told, then the latest; where two worked equally often, both.
 */
import type { Cure, CuredFailure } from '../base/model/cure.ts';
import type { EditWord } from '../base/shell/command-edit.ts';
import { BASH, parseCommand } from '../base/shell/parse-command.ts';
import { isLooking } from '../base/shell/program-kinds.ts';
import { endsWithPath } from '../base/text/paths.ts';

export interface KnownCure {
  /** What to do, without a full stop. */
  readonly text: string;
  /** In how many sessions it worked. */
  readonly sessions: number;
  readonly lastAt: string;
  /** What to do in the words of a person; they are told instead of the text. */
  readonly advice?: string;
  /** What taught it, the latest first. */
  readonly cures: readonly Cure[];
}

/** The failures of all projects that have a cure. */
export interface CuredFailures {
  /** Is there any failure of this project? */
  has(projectId: string): boolean;
  find(failure: Pick<CuredFailure, 'projectId' | 'signatureId'>): CuredFailure | undefined;
}

export function openCuredFailures(failures: readonly CuredFailure[]): CuredFailures {
  const byKey = new Map(failures.map((one) => [toKey(one), one]));
  const projects = new Set(failures.map(({ projectId }) => projectId));
  return {
    has: (projectId) => projects.has(projectId) || projects.has(''),
    find: (failure) => byKey.get(toKey(failure)) ?? byKey.get(toKey({ ...failure, projectId: '' })),
  };
}

function toKey({ projectId, signatureId }: Pick<CuredFailure, 'projectId' | 'signatureId'>): string {
  return `${projectId}\n${signatureId}`;
}

/**
 * Of the cures of one failure, the one to tell. `command`: the failed line, if it is known. An example is told only where
 * nothing better is known.
 */
export function chooseCure(cures: readonly Cure[], command?: string): KnownCure | undefined {
  const [best, second] = listKnownCures(cures.filter((cure) => isAbout(cure, command)));
  if (best === undefined || second === undefined || second.sessions < best.sessions) return best;
  return { ...best, text: `${best.text}, or ${second.text}` };
}

/** What got past one failure, by text: what worked in most sessions first, then the latest. */
export function listKnownCures(cures: readonly Cure[]): readonly KnownCure[] {
  const exact = cures.filter(({ kind }) => kind !== 'form');
  const groups = Map.groupBy(exact.length > 0 ? exact : cures, ({ text }) => text.replace(OBJECT, '$1<>'));
  return [...groups.values()].map(toKnown).sort(compare);
}

/** An edit of a word that the line does not have is about another mistake with the same message. */
export function isAbout({ kind, text, edit }: Cure, command: string | undefined): boolean {
  if (command === undefined) return true;
  if (edit === undefined) return kind !== 'form' || command.includes(findMeant(text));
  const isHere = (word: EditWord): boolean => typeof word !== 'string' || command.includes(word);
  // The shell complains of a pattern, whatever the program; but a look wants its pattern without quotes.
  const isOfShell = edit.steps.some(
    (step) => 'first' in step || ('quote' in step && !parseCommand(command, BASH).some(isLooking)),
  );
  if (edit.program !== '*' && !isOfShell && !isHere(edit.program)) return false;
  return edit.steps.every((step) => {
    if ('list' in step) return step.list.some(isHere);
    if ('first' in step) return !goesTo(command, step.first);
    return !('from' in step) || step.at === 0 || step.from.every(isHere);
  });
}

/** What a line must have for the words of a cure to be about it. */
function findMeant(text: string): string {
  const [, replaced, contained] = /, replace `([^`]+)`|that contains `([^`]+)`/.exec(text) ?? [];
  return replaced ?? contained ?? (text.includes('contains a back quote') ? '`' : '');
}

/** Does the line go to the folder already? */
function goesTo(command: string, [head, folder]: readonly EditWord[]): boolean {
  const moves = [...command.matchAll(/(?:^|[\s;&|(])cd\s+["']?([^\s"';&|)]+)/g)];
  return head === 'cd' && typeof folder === 'string' && moves.some(([, to = '']) => endsWithPath(to, folder));
}

/** The same edit may have been made to a `<path>` and to a `<name>`, and a variable may have been set to two places. */
const OBJECT = /<\w+>|((?<=`)[A-Z_]\w*=)\/[^`]*/g;

function toKnown(cures: readonly Cure[]): KnownCure {
  const latest = cures.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const sessions = new Set(cures.map(({ sessionId }) => sessionId)).size;
  return { text: latest[0]?.text ?? '', sessions, lastAt: latest[0]?.at ?? '', cures: latest };
}

function compare(a: KnownCure, b: KnownCure): number {
  return b.sessions - a.sessions || (a.lastAt < b.lastAt ? 1 : -1);
}
