/** The lessons that spoke where nothing was wrong, one at a time, by keys: archive, edit or mute. */
import type { KnownFalseAlarms } from '../../replay/full-backtest.ts';
import type { CommandInput, Terminal } from '../command.ts';
import { run as archive } from '../commands/lessons-archive.ts';
import { run as edit } from '../commands/lessons-edit.ts';
import { run as undo } from '../commands/lessons-undo.ts';
import { run as mute } from '../commands/mute.ts';
import { run as unmute } from '../commands/unmute.ts';
import { toLine } from '../to-line.ts';
import { type Decision, decideByKeys, type KeyedReview } from './decide-by-keys.ts';
import { readCard } from './read-card.ts';
import { renderCard } from './render-card.ts';

export type Fix = 'archived' | 'edited' | 'muted';
export type Fixed = Decision<Fix>;

/** Those that can still speak, each once: two lessons of a replay may be one of the store. */
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
      ...{ label: 'archive', help: 'archive: it does not speak any more', verdict: 'archived' },
      act: async (slug) => (await archive(on(slug, { reason }))) !== undefined,
    },
    e: {
      ...{ label: 'edit', help: 'edit it: where it speaks, and what it says (opens your editor)' },
      ...{ verdict: 'edited', needsTerminal: true },
      act: async (slug) => ((await edit(on(slug))).json as { changed: readonly string[] }).changed.length > 0,
    },
    m: {
      ...{ label: 'mute', help: 'mute: silent until you unmute it; it goes on learning', verdict: 'muted' },
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
