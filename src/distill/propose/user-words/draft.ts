/** A draft of a lesson, the calls around the words that it comes from, and the forms that several kinds of rules share. */

import type { LiveCall } from '../../../base/model/call.ts';
import type { LessonType } from '../../../base/model/lesson.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import type { Role } from './cue-words.ts';
import { type Thing, toCommand, toName } from './named-things.ts';
import type { Rule } from './read-words.ts';
import {
  isSameFile,
  list,
  toGlob,
  toLackTriggers,
  toRan,
  toSession,
  toTaskTrigger,
  toTrigger,
  toTriggers,
} from './thing-triggers.ts';

export interface Draft {
  readonly summary: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly type: LessonType;
}

/** What happened before the words and after them, files seen from the root of the project where that is known. */
export interface Around {
  /** Oldest first. */
  readonly before: readonly LiveCall[];
  readonly after: readonly LiveCall[];
  readonly edited: readonly string[];
  /** The edited ones that the prompt names; where it names none, all. */
  readonly meant: readonly string[];
  readonly editedAfter: readonly string[];
}

export const EDITS = ['edit', 'write'] as const;

const RECENT = 6;

export function has({ marks }: Rule, ...roles: readonly Role[]): boolean {
  return roles.some((role) => marks.has(role));
}

export function toDraft(summary: string, remediation: string, triggers: Triggers): Draft {
  return { summary, remediation, triggers, type: 'requirement' };
}

/** The latest commands that the user saw. */
export function listRecent(calls: readonly LiveCall[]): readonly SimpleCommand[] {
  return calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .filter(({ piped }) => piped !== true);
}

/** The latest command that a thing names, also behind a runner. */
export function findRun({ command }: Thing, calls: readonly LiveCall[]): SimpleCommand | undefined {
  if (command === undefined) return undefined;
  const trigger = toTrigger(command);
  return listRecent(calls).findLast((one) => programHolds(trigger, one) || programHolds(trigger, unwrapRunner(one)));
}

/** `prisma db push` as the session ran it: `npx prisma db push`. */
export function withRunner(thing: Thing, calls: readonly LiveCall[]): Thing {
  const { program = '' } = thing.command ?? {};
  const run = calls
    .flatMap(parseCall)
    .findLast((one) => one.program !== program && unwrapRunner(one).program === program);
  const command = run && toCommand(`${run.text.split(` ${program}`, 1)[0]} ${thing.text}`);
  return command === undefined ? thing : { ...thing, command };
}

export function isEdited({ kind, text }: Thing, edited: readonly string[]): boolean {
  return kind === 'file' && edited.some((path) => isSameFile(path, text));
}

/** A command that has to have these options, or words like `NAME=value` before it. */
export function draftWith(command: SimpleCommand, options: readonly string[]): Draft {
  const names = options.map((text) => (/^\w/.test(text) ? text : (text.split(/[= ]/, 1)[0] ?? text)));
  const shown = options.join(' ');
  return toDraft(
    `Run \`${toName(command)}\` with \`${shown}\``,
    `Add \`${shown}\``,
    toLackTriggers([toTaskTrigger(command)], names),
  );
}

/** Something is due before a command. */
export function draftOrder(needed: readonly Thing[], moments: readonly Thing[]): Draft | undefined {
  const isSelf = needed.some((one) => moments.some((other) => toRan(one) === toRan(other)));
  if (needed.length === 0 || moments.length === 0 || isSelf) return undefined;
  const programs = toTriggers(moments).programs?.map(({ args: _, ...trigger }) => trigger) ?? [];
  if (programs.length === 0) return undefined;
  const triggers: Triggers = { tools: ['shell'], programs, session: toSession(needed) };
  return toDraft(`${toDoing(needed)} before ${list(moments)}`, `${toDoing(needed)} first`, triggers);
}

/** Something is due with a change of a file. */
export function draftEdited(changed: readonly Thing[], things: readonly Thing[]): Draft | undefined {
  const left = changed.filter((one) => !things.some(({ kind, text }) => kind === 'file' && isSameFile(one.text, text)));
  if (left.length === 0 || things.length === 0) return undefined;
  const triggers: Triggers = { tools: EDITS, paths: [...new Set(left.map(toGlob))] };
  const remedy = `also ${areFiles(things) ? 'update' : 'run'} ${list(things)}`;
  return {
    ...toDraft(`When you change ${list(left, 'or')}, ${remedy}`, `A${remedy.slice(1)}`, triggers),
    type: areFiles(things) ? 'checklist' : 'requirement',
  };
}

export function toDoing(things: readonly Thing[]): string {
  return `${areFiles(things) ? 'Update' : 'Run'} ${list(things)}`;
}

function areFiles(things: readonly Thing[]): boolean {
  return things.every(({ kind }) => kind === 'file');
}
