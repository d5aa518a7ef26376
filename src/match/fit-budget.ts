/** Chooses what is shown at one call: at most so many lessons in at most so many bytes. The first always fits. */
import type { Settings } from '../base/settings.ts';
import type { Match } from './match-lessons.ts';

export interface Shown {
  readonly match: Match;
  readonly text: string;
}

const SEPARATOR = '\n\n';

export function fitBudget(
  matches: readonly Match[],
  limits: Pick<Settings, 'injectionBudgetBytes' | 'maxLessonsPerInjection'>,
): readonly Shown[] {
  const shown: Shown[] = [];
  let left = limits.injectionBudgetBytes;
  for (const match of matches.slice(0, limits.maxLessonsPerInjection)) {
    const text = [match.lesson.text, match.lesson.summary].find((one) => Buffer.byteLength(one) <= left);
    if (text === undefined && shown.length > 0) continue;
    const fitting = text ?? cutToBytes(match.lesson.summary, left);
    shown.push({ match, text: fitting });
    left -= Buffer.byteLength(fitting) + SEPARATOR.length;
  }
  return shown;
}

export function joinShown(shown: readonly Shown[]): string {
  return shown.map((one) => one.text).join(SEPARATOR);
}

/** Cuts between characters, never inside one. */
function cutToBytes(text: string, bytes: number): string {
  const cut = Buffer.from(text).subarray(0, Math.max(0, bytes)).toString('utf8');
  return cut.endsWith('\ufffd') ? cut.replace(/\ufffd+$/, '') : cut;
}
