/**
 * Lets the user fix lessons with false alarms in a back-test: archive, edit or mute them one at a time by a key, or
 * copy the commands where there is no terminal.
 */

import type { KnownFalseAlarms } from '../../../loop/replay/backtest.ts';
import type { CommandInput, Terminal } from '../command.ts';
import { run as edit } from '../lessons/edit.ts';
import { runMute as mute, runUnmute as unmute } from '../lessons/mute.ts';
import { readCard, renderCard } from '../lessons/review/card.ts';
import { type Decision, decideByKeys, type KeyedReview } from '../lessons/review/decide-by-keys.ts';
import { runArchive as archive } from '../lessons/status.ts';
import { run as undo } from '../lessons/undo.ts';
import { toCount, toLine } from '../text.ts';

type Fix = 'archived' | 'edited' | 'muted';
type Fixed = Decision<Fix>;

/** Lessons that can still fire, each once, because two replayed lessons may be one in the store. */
export function listFixable(alarms: readonly KnownFalseAlarms[]): readonly KnownFalseAlarms[] {
  const open = alarms.filter(({ stored }) => stored !== undefined && stored.status !== 'archived');
  return [...new Map(open.toReversed().map((one) => [one.stored?.slug, one])).values()].reverse();
}

export function fixFalseAlarms(
  input: CommandInput,
  open: () => Terminal,
  alarms: readonly KnownFalseAlarms[],
): Promise<readonly Fixed[]> {
  const fixable = new Map(listFixable(alarms).map((one) => [one.stored?.slug ?? '', one]));
  const on = (slug: string, options: CommandInput['options'] = {}): CommandInput => ({
    ...{ ...input, arguments: [slug], options },
  });
  return decideByKeys<Fix>(open, {
    names: [...fixable.keys()],
    decisions: makeDecisions(on),
    renderCard: async (slug, columns) =>
      [...renderAlarms(fixable.get(slug), columns), renderCard(await readCard(input, slug), columns)].join('\n'),
    undo: async (slug, verdict) => void (await (verdict === 'muted' ? unmute(on(slug)) : undo(on(slug)))),
  });
}

type On = (slug: string, options?: CommandInput['options']) => CommandInput;

function makeDecisions(on: On): KeyedReview<Fix>['decisions'] {
  const reason = 'false alarms in a back-test';
  return {
    a: {
      ...{ label: 'archive', help: 'archive: it no longer fires', verdict: 'archived' },
      act: async (slug) => (await archive(on(slug, { reason }))) !== undefined,
    },
    e: {
      ...{ label: 'edit', help: 'edit it: its trigger and its text (opens your editor)' },
      ...{ verdict: 'edited', needsTerminal: true },
      act: async (slug) => ((await edit(on(slug))).json as { changed: readonly string[] }).changed.length > 0,
    },
    m: {
      ...{ label: 'mute', help: 'mute: silent until you unmute it; it keeps learning', verdict: 'muted' },
      act: async (slug) => (await mute(on(slug))) !== undefined,
    },
    s: { label: 'skip', help: 'skip: it stays as it is          n or space: the same', verdict: 'skipped' },
  };
}

function renderAlarms(alarms: KnownFalseAlarms | undefined, columns: number): readonly string[] {
  if (alarms === undefined) return [];
  const { falseAlarms, deliveries, example } = alarms;
  const what = toLine(example.what, Math.max(20, columns - 20));
  return [`wrong ${falseAlarms} of ${deliveries} times, last at: ${what}`, ''];
}

/** The exact commands, for use without a terminal. */
export function renderFixes(alarms: readonly KnownFalseAlarms[]): readonly string[] {
  const fixable = listFixable(alarms);
  if (fixable.length === 0)
    return [
      '',
      alarms.length === 0 ? 'There is no false alarm to fix.' : 'None of these lessons is active in your store.',
    ];
  const commands = fixable.flatMap(({ stored, summary }) => [
    '',
    `  # ${toLine(summary)}`,
    ...['lessons archive', 'lessons edit', 'lessons mute'].map((command) => `  oncebitten ${command} ${stored?.slug}`),
  ]);
  return ['', 'For each lesson, one of these commands; or one key in a terminal:', ...commands];
}

/** What can be done about false alarms, and what was. */
export function renderFixed(fixed: readonly Fixed[]): string {
  const count = (verdict: Fixed['verdict']): number => fixed.filter((one) => one.verdict === verdict).length;
  const parts = (['archived', 'edited', 'muted', 'skipped'] as const).flatMap((verdict) =>
    count(verdict) === 0 ? [] : [`${count(verdict)} ${verdict}`],
  );
  if (parts.length === 0) return 'Nothing was changed.';
  const changed = fixed.length - count('skipped');
  const undo = changed === 0 ? '' : ' Undo: oncebitten lessons undo <slug>, or oncebitten lessons unmute <slug>';
  return `${parts.join(', ')} of ${toCount(fixed.length, 'lesson')}.${undo}`;
}
