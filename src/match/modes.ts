/**
 * Decides the delivery mode of a lesson (note, pause, rewrite or block), and renders the messages to the agent and the
 * user about a paused, refused or changed call. The mode goes no further than the lesson, the user's settings and the
 * agent allow.
 */

import { OWN_REFUSAL } from '../base/contracts/agent-adapter.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../base/model/lesson.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import { toHarmlessLine } from './harmless-text.ts';

interface Limits {
  /** The limit that the user set. */
  readonly maxMode: DeliveryMode;
  /** The modes that the agent supports. */
  readonly modes: readonly DeliveryMode[];
  /** The correction is certain for this very call. */
  readonly canRewrite: boolean;
}

export function decideMode(
  { mode }: Pick<CompiledLesson, 'mode'>,
  { maxMode, modes, canRewrite }: Limits,
): DeliveryMode {
  const may = (wanted: DeliveryMode): boolean => modes.includes(wanted) && toRank(wanted) <= toRank(maxMode);
  if (mode === 'note') return 'note';
  if (mode === 'block' && may('block')) return 'block';
  // A lesson that blocks does not rewrite.
  if (mode === 'rewrite' && canRewrite && may('rewrite')) return 'rewrite';
  return may('pause') ? 'pause' : 'note';
}

function toRank(mode: DeliveryMode): number {
  return DELIVERY_MODES.indexOf(mode);
}

type Named = Pick<CompiledLesson, 'slug' | 'summary'>;

/** The first line of a refusal for the agent, by which we recognize our refusals; shortened if the budget is small. */
export function renderRefusal(mode: 'pause' | 'block', budgetBytes: number): string {
  return mode === 'block'
    ? choose(budgetBytes, `${OWN_REFUSAL}: the user wants calls like it refused.`, OWN_REFUSAL)
    : choose(
        budgetBytes,
        `${OWN_REFUSAL}, once. Nothing has run. Correct it as described below. If it is right, repeat the same call: it will run.`,
        `${OWN_REFUSAL}, once: made again, it runs.`,
      );
}

/** The line about a rewritten call for the agent. */
export function renderRewrite(
  { from, to }: { readonly from: string; readonly to: string },
  budgetBytes: number,
): string {
  const what = `\`${to}\` instead of \`${from}\``;
  return choose(
    budgetBytes,
    `Oncebitten changed this call before it ran: ${what}. To run it unchanged, repeat the original call.`,
    `Oncebitten: ${what}. Made again, it runs as it is.`,
  );
}

/** The long form, if it leaves at least half of the budget to the lesson. */
function choose(budgetBytes: number, long: string, short: string): string {
  return 2 * Buffer.byteLength(long) <= budgetBytes ? long : short;
}

/** The notice for the user, who does not see the agent's text. Text from outside cannot add a line to it. */
export function renderNotice(mode: Exclude<DeliveryMode, 'note'>, what: string, lessons: readonly Named[]): string {
  return [
    `Oncebitten ${DONE[mode]} ${toHarmlessLine(what)}:`,
    ...lessons.map(
      ({ slug, summary }) => `  ${toHarmlessLine(summary)}\n  mute it: oncebitten lessons mute ${toHarmlessLine(slug)}`,
    ),
  ].join('\n');
}

const DONE = {
  pause: 'paused',
  block: 'refused',
  rewrite: 'changed',
} as const;
