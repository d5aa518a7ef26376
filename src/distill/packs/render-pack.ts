/**
 * A pack as Markdown that a person can read, too: known lessons, then one section for each episode, with ids that the
 * answer names. Every text is bounded. Texts of sessions stand in fences that they cannot close.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { PackedCall } from '../../base/model/pack.ts';
import { dropAbsent } from '../../base/records.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { toRelative } from '../../base/text/paths.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { stripAnsi } from '../../base/text/strip-ansi.ts';
import { toInputJson } from '../../base/triggers/call-view.ts';
import { renderAllTriggers } from '../../base/triggers/render-triggers.ts';
import type { PackEpisode } from './choose-episodes.ts';
import type { PackWords } from './choose-words.ts';

const COMMAND_CHARS = 1_200;
const NEXT_COMMAND_CHARS = 400;
const OUTPUT_CHARS = 1_200;
const NEXT_OUTPUT_CHARS = 160;
const SAID_CHARS = 500;
const MAX_DATES = 4;
/** So many failed calls make a way that worked worth telling. */
const MANY_TRIES = 3;

export interface RenderedEpisode {
  readonly text: string;
  /** The calls behind its ids. */
  readonly calls: Readonly<Record<string, readonly PackedCall[]>>;
}

/** `id`: `e1`. `toSession`: a short name for the session of a call. */
export function renderEpisode(
  id: string,
  { failing, all, next, later, tries, worked, said }: PackEpisode,
  toSession: (call: LiveCall) => string,
): RenderedEpisode {
  const calls: Record<string, readonly PackedCall[]> = { [id]: all.map(toPacked) };
  const name = (one: LiveCall, n: number): string => {
    calls[`${id}.${n}`] = [toPacked(one)];
    return `${id}.${n}`;
  };
  const after = next.map((call, n) => renderNext(name(call, n + 1), call));
  const far = later === undefined ? [] : [renderNext(name(later.call, next.length + 1), later.call, later.steps)];
  const lines = [
    `## ${id}: ${failing.tool === 'shell' ? 'shell' : `tool \`${failing.tool}\``} ${renderOutcome(failing)}`,
    '',
    `${failing.occurredAt.slice(0, 16).replace('T', ' ')}, session ${toSession(failing)}${renderFolder(failing)}${renderRepeats(all, failing)}`,
    '',
    ...renderInput(failing, COMMAND_CHARS),
    ...renderOutput(failing),
    ...(after.length === 0 ? ['Nothing was called after it.'] : ['Then:', ...after, ...far]),
    ...(tries < MANY_TRIES ? [] : [`It took ${tries} failed calls until it worked.`]),
    ...(said === undefined ? [] : ['', 'The user said next:', ...fence(toShortChars(said, SAID_CHARS))]),
    ...renderWorked(worked),
    '',
  ];
  return { text: `${lines.join('\n')}\n`, calls };
}

/** `id`: `u1`. What the user explained, after which call, and what the agent did then. */
export function renderWords(
  id: string,
  { text, after, next }: PackWords,
  toSession: (call: LiveCall) => string,
): RenderedEpisode {
  const calls = Object.fromEntries([
    [id, [toPacked(after)]],
    ...next.map((call, n) => [`${id}.${n + 1}`, [toPacked(call)]] as const),
  ]);
  const lines = [
    `## ${id}: the user said`,
    '',
    `${after.occurredAt.slice(0, 16).replace('T', ' ')}, session ${toSession(after)}, after this call:`,
    renderNext(id, after),
    '',
    ...fence(text),
    ...(next.length === 0 ? [] : ['Then:', ...next.map((call, n) => renderNext(`${id}.${n + 1}`, call))]),
    '',
  ];
  return { text: `${lines.join('\n')}\n`, calls };
}

function toPacked({ agent, sessionId, callId, evidence }: LiveCall): PackedCall {
  return { agent, sessionId, callId, ...dropAbsent({ file: evidence?.file }) };
}

function renderOutcome({ outcome, outcomeType, exitCode, masked }: LiveCall): string {
  if (outcome === 'denied') return outcomeType === 'user-refusal' ? 'refused by the user' : 'refused before it ran';
  if (outcomeType === 'timeout') return 'ran into its time limit';
  const code = exitCode === undefined || exitCode === 0 ? '' : ` with exit code ${exitCode}`;
  return masked ? 'failed, but the line hides its exit code' : `failed${code}`;
}

function renderFolder({ cwd, projectRoot }: LiveCall): string {
  if (cwd === undefined || projectRoot === undefined) return '';
  return `, in ${cwd === projectRoot ? 'the root of the project' : `the folder ${inline(toRelative(cwd, projectRoot), NEXT_OUTPUT_CHARS)}`}`;
}

function renderRepeats(all: readonly LiveCall[], failing: LiveCall): string {
  const others = all.filter((call) => call !== failing);
  if (others.length === 0) return '';
  const days = [...new Set(others.map(({ occurredAt }) => occurredAt.slice(0, 10)))];
  const sessions = new Set(all.map(({ sessionId }) => sessionId)).size;
  const more = days.length > MAX_DATES ? ' …' : '';
  const where = sessions === 1 ? 'same session' : `${sessions} sessions in all`;
  return `; failed like this ${others.length} ${others.length === 1 ? 'time' : 'times'} before (${days.slice(-MAX_DATES).join(', ')}${more}; ${where})`;
}

function renderInput(call: LiveCall, max: number): readonly string[] {
  const { tool, command, targetPath, parameters } = call;
  if (tool === 'shell') return fence(cut(command ?? call.inputSummary ?? '', max), 'sh');
  const given = parameters ?? (targetPath === undefined ? {} : { path: targetPath });
  const json = Object.keys(given).length === 0 ? (call.inputSummary ?? '') : toInputJson(given);
  return fence(cut(json, max), 'json');
}

/** The cause and what stands around it: the beginning, the end, and the lines of the message. */
function renderOutput({ output, message = '' }: LiveCall): readonly string[] {
  const text = stripAnsi(output ?? message).trim();
  if (text === '') return ['It printed nothing.', ''];
  return ['Output:', ...fence(cutAround(text, message, OUTPUT_CHARS)), ''];
}

function renderNext(id: string, call: LiveCall, steps?: number): string {
  const what = call.tool === 'shell' ? (call.command ?? call.inputSummary ?? '') : renderOther(call);
  const far = steps === undefined ? '' : ` (${steps} calls later)`;
  const cause =
    call.outcome === 'failure' && call.message ? `\n  output: ${inline(call.message, NEXT_OUTPUT_CHARS)}` : '';
  return `- ${id} ${renderVerdict(call)}${far}: ${inline(what, NEXT_COMMAND_CHARS)}${cause}`;
}

function renderOther({ tool, targetPath, inputSummary }: LiveCall): string {
  return `${tool} ${targetPath ?? inputSummary ?? ''}`.trim();
}

/** Of a line whose last command hides the others, nobody knows whether they worked. */
function renderVerdict(call: LiveCall): string {
  if (!hasWorked(call)) return call.outcome === 'failure' ? 'FAILED' : call.outcome.toUpperCase();
  const commands = call.tool === 'shell' ? parseCall(call) : [];
  return commands.some(({ hidden }) => hidden === true) ? 'worked (in part unknown: a pipe or `;`)' : 'worked';
}

function renderWorked({ name, calls }: PackEpisode['worked']): readonly string[] {
  if (calls.length === 0) return [];
  return [
    '',
    `Calls of \`${name}\` that worked in this project:`,
    ...calls.map(({ command = '' }) => `- ${inline(command, NEXT_OUTPUT_CHARS)}`),
  ];
}

/** What exists already, so that an answer adds evidence instead of a second lesson. */
export function renderKnown(known: readonly { readonly id: string; readonly lesson: Lesson }[]): string {
  if (known.length === 0) return '';
  const lines = known.map(
    ({ id, lesson }) => `- ${id}: ${toLine(lesson.summary)}. Fires: ${toLine(renderAllTriggers(lesson.triggers))}`,
  );
  return `## Lessons that exist already\n\n${lines.join('\n')}\n\n`;
}

const KNOWN_CHARS = 240;

function toLine(text: string): string {
  return cut(text.replace(/\s+/g, ' ').replace(/[.\s]+$/, ''), KNOWN_CHARS);
}

interface PackHead {
  readonly id: string;
  readonly episodes: number;
  readonly from: string;
  readonly until: string;
}

export function renderHead({ id, episodes, from, until }: PackHead): string {
  const [first, last] = [from.slice(0, 10), until.slice(0, 10)];
  const when = first === last ? `on ${first}` : `from ${first} to ${last}`;
  return `# Pack ${id}\n\n${episodes} ${episodes === 1 ? 'kind' : 'kinds'} of failed calls of one project, ${when}, in the order of time.\n\n`;
}

/** A fence that is longer than any inside. */
function fence(given: string, language = ''): readonly string[] {
  const text = toSeen(given);
  const longest = Math.max(2, ...[...text.matchAll(/~{3,}/g)].map(([run]) => run.length));
  const marks = '~'.repeat(longest + 1);
  return [`${marks}${language}`, text, marks];
}

/** One line in backticks. */
function inline(text: string, max: number): string {
  const line = cut(
    toSeen(stripAnsi(text))
      .trim()
      .replace(/\s*\n\s*/g, ' ⏎ '),
    max,
  );
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** Without characters that nobody sees: a person reads the pack in a terminal, and a secret must not hide behind them. */
function toSeen(text: string): string {
  return text.replace(UNSEEN, '');
}

const UNSEEN = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The beginning and the end: a command names its program first, and often its object last. */
function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  const tail = Math.floor(max / 3);
  return `${text.slice(0, max - tail - 3)} … ${text.slice(-tail)}`;
}

function cutAround(text: string, message: string, max: number): string {
  if (text.length <= max) return text;
  const part = Math.floor(max / 3);
  const at = message === '' ? -1 : text.indexOf(message.slice(0, 60));
  if (at < 0 || at < part) return cut(text, max);
  const from = Math.max(part, at - Math.floor(part / 3));
  const rest = from + part >= text.length ? '' : `\n…\n${text.slice(Math.max(from + part, text.length - part))}`;
  return `${text.slice(0, part)}\n…\n${text.slice(from, from + part)}${rest}`;
}
