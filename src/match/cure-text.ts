/**
 * Renders what an agent reads about a known failure: the cure, with the error of its call (how the same error was solved
 * before, in how many sessions and when, and the call at hand with the cure applied), and the warning before a call that
 * failed. Both report what happened and order nothing. Each of their parts is shown whole or left out.
 */

import type { Cure } from '../base/model/cure.ts';
import type { KnownCall } from '../base/model/knowledge.ts';
import { toSessionKey } from '../base/model/session.ts';
import { hideRandom } from '../base/secrets/secret-values.ts';
import { applyEdit, type CommandEdit } from '../base/shell/command-edit.ts';
import { isAdvised } from '../base/shell/is-advised.ts';
import { isPlainWord } from '../base/shell/object-kind.ts';
import { isPowerShell } from '../base/shell/power-shell.ts';
import { toHarmless, toHarmlessLine } from '../base/text/harmless-text.ts';
import { toAbsolute } from '../base/text/paths.ts';
import { toShortChars } from '../base/text/short-text.ts';
import { isAbout, type KnownCure } from './cure-book.ts';

interface FailedCall {
  readonly command?: string;
  readonly rawTool?: string;
  readonly output: string;
  /** The folder of the project. */
  readonly root?: string;
}

const MAX_BYTES = 600;

/** `now`: the time of the failure. Undefined if the error itself names the remedy, or if there is no room. */
export function renderCure(known: KnownCure, failing: FailedCall, now: string): string | undefined {
  const [cure] = known.cures;
  const { advice } = known;
  const solution = toHarmlessLine(advice?.replace(/\.$/, '') ?? known.text);
  if (cure === undefined || solution === '') return undefined;
  // Two cures worked equally often: nobody knows which of them this call needs.
  const isOne = known.text === cure.text;
  if (isOne && advice === undefined && (isAdvised(cure, failing) || !isAbout(cure, failing.command))) return undefined;
  // Before a call runs, there is no error to compare with.
  const met =
    failing.output === '' ? 'An earlier failure was solved this way:' : 'The same error was solved before, this way:';
  const sentence = `${met} ${solution}.`;
  const record = `${isOne || advice !== undefined ? 'This' : 'Each of them'} worked in ${renderRecord(known, now)}.`;
  const applied = isOne && advice === undefined ? findApplied(cure, failing) : undefined;
  const forms = [
    ...(applied === undefined ? [] : [`${sentence} ${record}\nApplied to this call:\n  ${applied}`]),
    `${sentence} ${record}`,
    sentence,
  ];
  return forms.find((form) => Buffer.byteLength(form) <= MAX_BYTES);
}

function renderRecord({ sessions, lastAt }: KnownCure, now: string): string {
  const count = sessions === 1 ? '1 session' : `${sessions} sessions`;
  const day = renderDay(lastAt, now);
  if (day === undefined) return count;
  return sessions === 1 ? `${count}, ${day}` : `${count}, last ${day}`;
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** `on 3 Nov`, with the year if it is another one. */
function renderDay(at: string, now: string): string | undefined {
  const [day, today] = [new Date(at), new Date(now)];
  if (Number.isNaN(day.getTime())) return undefined;
  const year = day.getUTCFullYear() === today.getUTCFullYear() ? '' : ` ${day.getUTCFullYear()}`;
  const [date, other] = [day, today].map((one) => `on ${one.getUTCDate()} ${MONTHS[one.getUTCMonth()]}`);
  return year === '' && date === other ? 'today' : `${date}${year}`;
}

/** The call with the cure applied. A line that would have to be changed to be shown is left out. */
function findApplied({ edit }: Cure, failing: FailedCall): string | undefined {
  const { command, rawTool = '', output } = failing;
  if (edit === undefined || command === undefined || isPowerShell(command, rawTool)) return undefined;
  const applied = toMoved(edit, failing) ?? applyEdit(edit, command.trim(), false, output);
  return applied === undefined || applied.includes('\n') || toHarmless(applied) !== applied ? undefined : applied;
}

/** The line after a move to the folder, which is named as it is seen from the root of the project. */
function toMoved({ steps: [step, ...more] }: CommandEdit, { command = '', root = '' }: FailedCall): string | undefined {
  const [head, folder] = step !== undefined && 'first' in step && more.length === 0 ? step.first : [];
  if (head !== 'cd' || typeof folder !== 'string' || !(folder.startsWith('/') || root.startsWith('/')))
    return undefined;
  const path = toAbsolute(folder, root);
  return isPlainWord(path) ? `cd ${path} && ${command.trim()}` : undefined;
}

interface Warning {
  readonly what: 'command' | 'call';
  /** The very call failed. Otherwise the same command failed in another folder, or `program` was absent. */
  readonly isSame: boolean;
  /** The program of this call that the failed call did not find. */
  readonly program?: string | undefined;
  /** The failures in other sessions, oldest first. */
  readonly failures: readonly KnownCall[];
  /** The text of the known fix, see `renderCure`. */
  readonly cure?: string | undefined;
  /** The time of the call. */
  readonly now: string;
  readonly maxBytes: number;
}

const MAX_CAUSE_CHARS = 300;

/**
 * Renders the warning before a call that failed in earlier sessions and has not worked since: how often, when, and with
 * which error. The error is a quotation of what a program printed. Undefined if there is no room.
 */
export function renderMemory({ what, isSame, program, failures, cure, now, maxBytes }: Warning): string | undefined {
  const last = failures.at(-1);
  if (last === undefined) return undefined;
  const sessions = new Set(failures.map(toSessionKey)).size;
  const times = failures.length === 1 ? 'once' : `${failures.length} times`;
  const where = sessions === 1 ? 'an earlier session' : `${sessions} earlier sessions`;
  const day = renderDay(last.at, now);
  const when = day === undefined ? '' : failures.length === 1 ? `, ${day},` : ` (last ${day})`;
  const cause = toShortChars(hideRandom(toHarmlessLine(last.cause)).replaceAll('"', "'"), MAX_CAUSE_CHARS);
  const failed = `failed ${times} in ${where} of this project${when} and`;
  const head = isSame
    ? `This exact ${what} ${failed} has not worked since.`
    : program === undefined
      ? `This ${what}, in another folder, ${failed} has not worked since.`
      : `Commands that call ${isPlainWord(program) ? `\`${program}\`` : 'this program'} ${failed} none has worked since.`;
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
