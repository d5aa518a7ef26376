/** What is said beside the lessons where a call is held back or changed: to the agent, and to the user. */
import type { DeliveryMode, TokenReplacement } from '../base/lesson.ts';
import type { CompiledLesson } from '../base/manifest.ts';
import { OWN_REFUSAL } from '../base/own-refusal.ts';
import { toHarmless } from './to-harmless.ts';

type Named = Pick<CompiledLesson, 'slug' | 'summary'>;

/** The first lines for the agent. A refusal of ours is known by them. */
export function renderRefusal(mode: 'pause' | 'block'): string {
  return mode === 'block'
    ? `${OWN_REFUSAL}: the user wants calls like it refused.`
    : `${OWN_REFUSAL}, once. Nothing has run. Correct it by what follows; if it is right as it is, make the same call again: it will run.`;
}

export function renderRewrite({ from, to }: TokenReplacement): string {
  return `Oncebitten changed this call before it ran: \`${to}\` instead of \`${from}\`. If it has to run as it was, make the same call again.`;
}

/** For the user, who has not seen what the agent was told. */
export function renderNotice(mode: Exclude<DeliveryMode, 'note'>, what: string, lessons: readonly Named[]): string {
  const told = lessons.map(({ slug, summary }) => `  ${toHarmless(summary)}\n  silence it: oncebitten mute ${slug}`);
  return [`Oncebitten ${DONE[mode]} ${what}:`, ...told].join('\n');
}

const DONE = {
  pause: 'held back, once,',
  block: 'refused',
  rewrite: 'changed',
} as const;
