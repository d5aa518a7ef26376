/**
 * The lines that we put around lessons: the first line of a refusal and of a changed call, the notice for the user, and
 * the trailer, which programs read.
 */

import { OWN_REFUSAL } from '../base/contracts/agent-adapter.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../base/model/lesson.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import { toHarmless, toHarmlessLine } from '../base/text/harmless-text.ts';

type Named = Pick<CompiledLesson, 'slug' | 'summary'>;

/** The first line of a refusal for the agent, by which we recognize our refusals; shortened if the budget is small. */
export function renderRefusal(mode: 'pause' | 'block', budgetBytes: number): string {
  return mode === 'block'
    ? choose(budgetBytes, `${OWN_REFUSAL}: the user wants such calls refused.`, OWN_REFUSAL)
    : choose(
        budgetBytes,
        `${OWN_REFUSAL}, once. Nothing has run. Correct the call as described below. If it is right, repeat it: then it runs.`,
        `${OWN_REFUSAL}, once: a repeat runs.`,
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
    `Oncebitten ran ${what}. A repeat runs unchanged.`,
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

interface Trailed {
  readonly lesson: Pick<CompiledLesson, 'slug' | 'why'>;
  readonly mode: DeliveryMode;
  readonly score: number;
}

/**
 * The trailer: the last line of a delivered text, which tells programs which lessons were shown and why. The same call
 * gives the same bytes, so a trailer contains no delivery ids and no times.
 */
export function renderTrailer(trailed: readonly Trailed[]): string {
  const shown = trailed.map(({ lesson, mode, score }) => {
    return { lesson: lesson.slug, mode, score, why: toHarmless(lesson.why ?? '') };
  });
  // The JSON must neither end the comment nor open a tag.
  const json = JSON.stringify({ shown }).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e');
  return `<!-- oncebitten: ${json} -->`;
}

export interface TrailerEntry {
  /** The slug. */
  readonly lesson: string;
  readonly mode: DeliveryMode;
}

const QUOTE = String.raw`\\*"`;
const TRAILER_BEGIN = 'oncebitten: {';
const ENTRY = new RegExp(['lesson', ':', '([^"\\\\]+)', ',', 'mode', ':', '(\\w+)', ''].join(QUOTE), 'g');
/** A trailer is one line, also where it is quoted. */
const TRAILER_END = /-->|\n/;
/** Longer than any trailer within the budget. */
const MAX_TRAILER_CHARS = 16_384;

/** Finds the trailers in a text, also where they are quoted as JSON in a transcript. */
export function parseTrailers(text: string): readonly TrailerEntry[] {
  const entries: TrailerEntry[] = [];
  for (let at = text.indexOf(TRAILER_BEGIN); at !== -1; at = text.indexOf(TRAILER_BEGIN, at + 1)) {
    const rest = text.slice(at, at + MAX_TRAILER_CHARS);
    const trailer = rest.slice(0, rest.search(TRAILER_END) + 1);
    for (const [, lesson = '', name] of trailer.matchAll(ENTRY)) {
      const mode = DELIVERY_MODES.find((one) => one === name);
      if (mode !== undefined) entries.push({ lesson, mode });
    }
  }
  return entries;
}
