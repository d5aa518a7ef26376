/**
 * The rule that words and calls show together, where the words alone are not understood. The message names a thing that was
 * done before it and one that is done right after it, and says somewhere that something is wrong, or how it always is: what
 * changed from the one to the other is the rule.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toOperands } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toBaseName } from '../../../base/text/paths.ts';
import type { Before } from './draft-rule.ts';
import type { Thing } from './named-things.ts';
import { isCompanion, NOTHING } from './read-clause.ts';
import type { Message, Reading, Rule } from './read-rules.ts';
import type { Role } from './rule-words.ts';
import { isSameFile, toFile } from './thing-triggers.ts';

/** Edits and commands after the words, until the next message. */
export interface After {
  readonly calls: readonly LiveCall[];
  readonly edited: readonly string[];
}

const WEAK: readonly Role[] = ['must', 'also', 'remind', 'after'];
const STRONG: readonly Role[] = [
  'not',
  'never',
  'always',
  'instead-of',
  'standing',
  'ours',
  'hands-off',
  'blame',
  'stale',
];
const LASTING: readonly Role[] = [...STRONG, 'without', 'sync', 'case', 'put', 'allowed-behind', 'not-behind'];

export function showRule({ readings, rules }: Message, before: Before, after: After): Rule | undefined {
  const told = readings.filter(({ isVoid }) => !isVoid);
  const says = (roles: readonly Role[]): boolean =>
    told.some((one) => one.isUnread || roles.some((role) => one.signs.has(role)));
  const named = readings.flatMap((one) => one.named);
  // What is only asked for is a task.
  const asked = rules.flatMap(({ force, wanted, unwanted }) => [...unwanted, ...(force === 'none' ? wanted : [])]);
  const seen = { named, asked, told, before, after, isLasting: says(LASTING) };
  return !says([...LASTING, ...WEAK, 'did']) ? undefined : (findMoved(seen) ?? findTogether(seen) ?? findKept(seen));
}

interface Seen {
  readonly named: readonly Thing[];
  readonly asked: readonly Thing[];
  readonly told: readonly Reading[];
  readonly before: Before;
  readonly after: After;
  readonly isLasting: boolean;
}

function toRule({ told, named }: Seen, fields: Partial<Rule>): Rule {
  const words = (told.find((one) => one.named.length > 0) ?? told[0])?.words ?? '';
  const empty = {
    verbs: new Set<never>(),
    open: new Set<never>(),
    signs: new Set<never>(),
    roles: new Set<never>(),
    others: 0,
  };
  return { ...NOTHING, ...empty, words, named, force: 'standing', ...fields };
}

function isIn(things: readonly Thing[], path: string): boolean {
  return things.some(({ kind, text }) => kind === 'file' && isSameFile(path, text));
}

/** A new file, and after the words one of the same name in a folder that they name. */
function findMoved(seen: Seen): Rule | undefined {
  const { named, before, after } = seen;
  const words = after.calls.flatMap(parseCall).flatMap(toOperands);
  for (const path of before.written) {
    const name = toBaseName(path);
    const to = [...after.edited, ...words].find(
      (other) => other !== path && other.endsWith(`/${name}`) && !isSameFile(path, other),
    );
    const folder =
      to === undefined
        ? undefined
        : named.find(({ text }) => text.endsWith('/') && isSameFile(to, text) && !isSameFile(path, text));
    const from = path.slice(0, -name.length);
    if (folder !== undefined && from !== '')
      return toRule(seen, { roles: new Set(['put']), wanted: [folder], unwanted: [toFile(from)] });
  }
  return undefined;
}

/** Words about two files, of which the agent had edited one, and then edits the other: they belong together. */
function findTogether(seen: Seen): Rule | undefined {
  const { named, asked, before, after, isLasting } = seen;
  const had = before.edited.filter((path) => isIn(named, path));
  const left = after.edited.filter((path) => isIn(named, path) && !before.edited.includes(path) && !isIn(asked, path));
  const isPair = had.length > 0 && left.length > 0 && after.edited.every((path) => !had.includes(path));
  if (!isPair || !(isLasting || [...had, ...left].some(isCompanion))) return undefined;
  return toRule(seen, { force: 'blame', wanted: left.map(toFile), done: had.map(toFile) });
}

/** A file that was edited, is named, and is left alone from then on. */
function findKept(seen: Seen): Rule | undefined {
  const { named, asked, told, before, after } = seen;
  const isSaid = told.some(({ signs }) => signs.has('never') || signs.has('hands-off') || signs.has('not'));
  const kept = before.edited.filter((path) => isIn(named, path) && !isIn(asked, path) && !after.edited.includes(path));
  const isUndone = after.calls.some((call) => kept.some((path) => (call.command ?? '').includes(toBaseName(path))));
  const run = after.calls.flatMap(parseCall).filter((one) => isNamed(named, one));
  const instead = after.edited.filter((path) => isIn(named, path));
  if (!isSaid || kept.length !== 1 || (!isUndone && run.length + instead.length === 0)) return undefined;
  const wanted = [...run.map(toThing), ...instead.map(toFile)];
  return toRule(seen, { roles: new Set(['hands-off']), unwanted: kept.map(toFile), wanted });
}

function isNamed(things: readonly Thing[], one: SimpleCommand): boolean {
  return things.some(
    ({ kind, command }) =>
      kind === 'command' &&
      command?.program === one.program &&
      command.args.every(({ value }) => one.args.some((arg) => arg.value === value)),
  );
}

const MAX_TEXT_CHARS = 60;

function toThing(command: SimpleCommand): Thing {
  const text = command.text.length <= MAX_TEXT_CHARS ? command.text : toCommandName(command);
  return { kind: 'command', text, at: 0, end: 0, command };
}
