/**
 * Triggers in words: why a lesson fired (a few words beside the lesson), a list of lessons (no regular expressions, because
 * they make a list hard to read), and the description of one lesson (every condition).
 */

import { toShortChars } from '../text/short-text.ts';
import type { Triggers } from './trigger.ts';
import { listParts } from './trigger-parts.ts';

const MAX_WHY_CHARS = 80;

/** What of a call the triggers name: `program gh pr diff, option --stat`. */
export function renderWhy(triggers: Triggers): string {
  const named = listParts(triggers).flatMap(({ row, values }) => row.why?.(values, triggers) ?? []);
  const parts = [...Map.groupBy(named, ([label]) => label)].flatMap(([label, alike]) => {
    const values = [...new Set(alike.flatMap(([, all = []]) => all))];
    if (values.length > 0) return [`${label} ${values.join(' or ')}`];
    return alike.every(([, all]) => all === undefined) ? [label] : [];
  });
  const { tools } = triggers;
  const why = parts.join(', ') || (tools === undefined ? 'any call' : `tool ${tools.join(' or ')}`);
  // If there is no room for the first value, there is room for its label.
  return toShortChars(why, MAX_WHY_CHARS) || (why.split(' ', 1)[0] ?? '');
}

export function renderTriggers(triggers: Triggers): string {
  const { programs, tools } = triggers;
  if (programs?.length === 0) return 'nothing yet';
  const render = (isTalk: boolean): readonly string[] =>
    listParts(triggers)
      .filter(({ row }) => (row.isTalk === true) === isTalk)
      .flatMap(({ row, values }) => row.brief?.(values, triggers) ?? []);
  const about = render(false);
  const every = tools === undefined ? 'every call' : `every ${tools.join(' or ')} call`;
  return [...(about.length > 0 ? about : [every]), ...render(true)].join(', ');
}

/** With every condition. */
export function renderAllTriggers(triggers: Triggers): string {
  const details = listParts(triggers).flatMap(({ row, values }) => row.detail?.(values) ?? []);
  return [renderTriggers(triggers), ...details].join(', ');
}
