/**
 * Renders the warning before a call that failed in earlier sessions and has not worked since: how often, when, and with
 * which error. The error is a quotation of what a program printed. The warning reports what happened and orders nothing.
 */

import type { KnownCall } from '../base/model/knowledge.ts';
import { hideRandom } from '../base/secrets/secret-values.ts';
import { toShortChars } from '../base/text/short-text.ts';
import { renderDay } from './cure-text.ts';
import { toHarmlessLine } from './harmless-text.ts';

interface Warning {
  readonly what: 'command' | 'call';
  /** The failures in other sessions, oldest first. */
  readonly failures: readonly KnownCall[];
  /** The text of the known fix, see `renderCure`. */
  readonly cure?: string | undefined;
  /** The time of the call. */
  readonly now: string;
  readonly maxBytes: number;
}

const MAX_CAUSE_CHARS = 300;

/** Undefined if there is no room. */
export function renderMemory({ what, failures, cure, now, maxBytes }: Warning): string | undefined {
  const last = failures.at(-1);
  if (last === undefined) return undefined;
  const sessions = new Set(failures.map(({ agent, sessionId }) => `${agent}\n${sessionId}`)).size;
  const times = failures.length === 1 ? 'once' : `${failures.length} times`;
  const where = sessions === 1 ? 'an earlier session' : `${sessions} earlier sessions`;
  const day = renderDay(last.at, now);
  const when = day === undefined ? '' : failures.length === 1 ? `, ${day},` : ` (last ${day})`;
  const cause = toShortChars(hideRandom(toHarmlessLine(last.cause)).replaceAll('"', "'"), MAX_CAUSE_CHARS);
  const head = `This exact ${what} failed ${times} in ${where} of this project${when} and has not worked since.`;
  const quoted = cause === '' ? head : `${head} The error was: "${cause}"`;
  const forms = [...(cure === undefined ? [] : [`${quoted}\n${cure}`]), quoted, head];
  return forms.find((form) => Buffer.byteLength(form) <= maxBytes);
}

/** The notice for the user, who does not see the agent's text. */
export function renderMemoryNotice(what: string, text: string): string {
  const [first = ''] = text.split('\n', 1);
  return [
    `Oncebitten paused ${toHarmlessLine(what)}:`,
    `  ${toHarmlessLine(first)}`,
    '  switch these warnings off: oncebitten config set delivery.memory false',
  ].join('\n');
}
