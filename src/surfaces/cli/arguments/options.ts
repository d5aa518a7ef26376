/**
 * Reads the values of options that several commands have: one of several words (`getChoice`), times and spans, the
 * filter of calls (`--agent`, `--since`, `--project`), the file that `--out` names, and the confirmation that `--yes`
 * replaces.
 */

import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Store } from '../../../base/contracts/store.ts';
import { dropAbsent } from '../../../base/records.ts';
import { checkAgentId } from '../agent-names.ts';
import type { CommandInput } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { quoteWord, toLine, toMinute } from '../text.ts';
import { findProjects } from './projects.ts';

/** `what`: the option or argument that the word was given for. `noun`: what the word should be, if `what` does not say it. */
export function getChoice<T extends string>(
  what: string,
  text: string,
  words: readonly T[],
  noun = what.replace('--', ''),
): T {
  const known = words.find((word) => word === text);
  if (known !== undefined) return known;
  throw usageError(`${what} ${toLine(text, 40)}`, `is not a known ${noun}`, `use one of: ${words.join(', ')}`);
}

/** The same of an option that may be left out. */
export function findChoice<T extends string>(
  what: string,
  text: unknown,
  words: readonly T[],
  noun?: string,
): T | undefined {
  return typeof text === 'string' ? getChoice(what, text, words, noun) : undefined;
}

/** What `--agent`, `--model`, `--since`, `--until` and `--project` say. */
export async function toCallFilter({ options, cwd }: CommandInput, store: Store) {
  const given = options as Readonly<Record<string, string | undefined>>;
  const { agent, model } = given;
  const project = options.project as string | true | undefined;
  if (agent !== undefined) checkAgentId(agent);
  const since = given.since === undefined ? undefined : toSince(given.since, '--since', Date.now());
  const until = given.until === undefined ? undefined : toEnd(given.until, Date.now());
  if (since !== undefined && until !== undefined && since >= until) {
    throw usageError(
      `--since ${given.since} --until ${given.until}`,
      'is a time range that ends before it begins',
      'give --since the earlier time',
    );
  }
  const projectIds = project === undefined ? undefined : (await findProjects(store, project, cwd)).ids;
  return dropAbsent({ agent, model, since, until, projectIds });
}

/** A day is meant with its evening. */
function toEnd(text: string, nowMs: number): string {
  const at = toTime(text, '--until', nowMs);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(Date.parse(at) + 86_400_000).toISOString() : at;
}

const UNITS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };
/** The clock of the machine that named the time may be ahead. */
const CLOCKS_MS = 60_000;
/** A user who wants a longer time leaves the option out. */
const MAX_MS = 10 * 365 * 86_400_000;

/** The ISO time so long after `nowMs`. */
export function toUntil(span: string, option: string, nowMs: number): string {
  const ms = parseSpan(span);
  if (ms === undefined || ms === 0 || ms > MAX_MS) {
    throw usageError(`${option} ${span}`, 'is not a duration', 'use 30m, 2h, 1d or 2w');
  }
  return new Date(nowMs + ms).toISOString();
}

/** A past time. A future one is refused, because an empty list would look like an answer. */
export function toSince(text: string, option: string, nowMs: number): string {
  const at = toTime(text, option, nowMs);
  if (Date.parse(at) <= nowMs + CLOCKS_MS) return at;
  throw usageError(
    `${option} ${text}`,
    `is in the future; it is now ${toMinute(new Date(nowMs).toISOString())} UTC`,
    'give a past time, or a duration: 2h, 7d',
  );
}

/** A time, or so long ago. */
function toTime(text: string, option: string, nowMs: number): string {
  const ms = parseSpan(text);
  if (ms !== undefined && ms <= nowMs) return new Date(nowMs - ms).toISOString();
  const at = parseTime(text.trim());
  if (!Number.isNaN(at)) return new Date(at).toISOString();
  throw usageError(
    `${option} ${text}`,
    'is neither a duration nor a time',
    'use 2h, 7d, 2026-01-31 or 2026-01-31T12:00 (UTC)',
  );
}

const TIME = /^(\d{4}-\d\d(?:-\d\d)?)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|[+-]\d\d:\d\d)?)?$/i;

/** NaN if the text is no time. */
function parseTime(text: string): number {
  const [, date, time, zone = 'Z'] = TIME.exec(text) ?? [];
  if (date === undefined) return Number.NaN;
  return Date.parse(time === undefined ? date : `${date}T${time}${zone.toUpperCase()}`);
}

function parseSpan(text: string): number | undefined {
  const [, count, unit] = /^(\d+(?:\.\d+)?)\s*([mhdw])$/.exec(text.trim()) ?? [];
  return count === undefined || unit === undefined ? undefined : Math.round(Number(count) * (UNITS[unit] ?? 0));
}

/** The file that `--out` names, as a whole path. An existing file is replaced only with `--force`. */
export function getOutFile(out: string, { options, cwd }: Pick<CommandInput, 'options' | 'cwd'>): string {
  if (out === '') throw usageError('--out', 'is empty', 'give the name of a file');
  const file = resolve(cwd, out);
  const refuse = (reason: string, next: string) => userError(file, reason, next);
  const folder = dirname(file);
  if (!existsSync(folder)) throw refuse('its folder does not exist', `create it: mkdir -p ${quoteWord(folder)}`);
  const there = statSync(file, { throwIfNoEntry: false });
  if (there?.isDirectory()) throw refuse('is a folder, but a file is needed', 'name a file: --out FILE');
  if (there !== undefined && options.force !== true)
    throw refuse('already exists', 'name another file, or replace it with --force');
  return file;
}

interface Confirmation {
  /** Ends with what a yes does: `Type yes to remove it`. */
  readonly question: string;
  readonly command: string;
  /** What the command does that needs a yes. */
  readonly reason: string;
}

/** Whether the user wants it: says so with `--yes`, or in a terminal. Refuses where nobody can be asked. */
export async function isConfirmed(
  { options, ask }: CommandInput,
  { question, command, reason }: Confirmation,
): Promise<boolean> {
  if (options.yes === true) return true;
  if (ask !== undefined) return (await ask(`${question}: `)).trim().toLowerCase() === 'yes';
  throw userError(command, reason, 'see the change with --dry-run, then add --yes');
}

/** A question whose answer is no, unless the user types yes. Without a terminal it is no. */
export async function saysYes({ ask }: Pick<CommandInput, 'ask'>, question: string): Promise<boolean> {
  return ask !== undefined && /^y(?:es)?$/i.test((await ask(`${question} [y/N] `)).trim());
}
