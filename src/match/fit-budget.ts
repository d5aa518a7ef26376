/** Chooses what is shown at one call: at most so many lessons in at most so many bytes. The first always fits. */
import type { Settings } from '../base/settings.ts';
import type { Match } from './match-lessons.ts';

export interface Shown {
  readonly match: Match;
  readonly text: string;
}

const SEPARATOR = '\n\n';

/** `claim` is asked only for a lesson that will be shown: one that is claimed and stays unsaid would be lost. */
export function fitBudget(
  matches: readonly Match[],
  limits: Pick<Settings, 'injectionBudgetBytes' | 'maxLessonsPerInjection'>,
  claim: (match: Match) => boolean,
): readonly Shown[] {
  const shown: Shown[] = [];
  let left = limits.injectionBudgetBytes;
  for (const match of matches) {
    if (shown.length === limits.maxLessonsPerInjection) break;
    const text = findFitting(match, left) ?? (shown.length === 0 ? cutToBytes(match.lesson.summary, left) : undefined);
    // Nothing to say, and so nothing to claim: a budget of no bytes is a way to switch lessons off.
    if (text === undefined || text === '' || !claim(match)) continue;
    shown.push({ match, text });
    left -= Buffer.byteLength(text) + SEPARATOR.length;
  }
  return shown;
}

function findFitting({ lesson }: Match, bytes: number): string | undefined {
  return [lesson.text, lesson.summary].find((text) => Buffer.byteLength(text) <= bytes);
}

export function joinShown(shown: readonly Shown[]): string {
  return shown.map((one) => one.text).join(SEPARATOR);
}

/** Cuts between characters, never inside one. */
function cutToBytes(text: string, bytes: number): string {
  const all = Buffer.from(text);
  let end = Math.max(0, bytes);
  while (isInsideCharacter(all[end])) end--;
  return all.toString('utf8', 0, end);
}

function isInsideCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
