/**
 * What a lesson says of a command that failed and of the one that worked: the edit between them. The objects of the two
 * calls stand in the example, which is evidence; the lesson itself names their kinds.
 */

import { hideRandom } from '../../base/secrets/secret-values.ts';
import type { CommandEdit } from '../../base/shell/command-edit.ts';
import { toCommandName } from '../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../base/shell/intent.ts';
import { maskObjects } from '../../base/shell/object-kind.ts';
import { isOption, type SimpleCommand } from '../../base/shell/simple-command.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { toPairedQuotes, toShortChars } from '../../base/text/short-text.ts';
import { type Culprit, type CulpritRole, toFailedName } from '../episodes/find-culprit.ts';
import { toSameRun } from '../episodes/runs-program.ts';
import { findTeachableEdit, type Pointer } from '../episodes/teachable-edit.ts';
import { renderEdit } from './render-edit.ts';
import { toEditedCommand, toExampleCommand, toLeadName, toShortCommand } from './to-short-command.ts';

export const SUMMARY_CHARS = 160;
export const REMEDY_CHARS = 180;
export const COMMAND_CHARS = 120;
const SAID_CHARS = 140;
const EXAMPLE_CHARS = 120;

export interface LessonText {
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  readonly tags: readonly string[];
  /** The remedy, for the next call. */
  readonly edit?: CommandEdit;
  /** The two calls as they were, for the evidence. */
  readonly example?: { readonly mistake: string; readonly fix: string };
}

interface Change {
  /** What is wrong, without a full stop: `\`gh pr diff\` has no \`--stat\``. */
  readonly complaint: string;
  readonly failed: SimpleCommand;
  readonly fixing: SimpleCommand;
  /** What the failing command said. */
  readonly said: string;
  readonly tags: readonly string[];
  /** What the error points at. No other difference between the two commands is told. */
  readonly points: Pointer;
  /** What to do if the edit cannot be put into words. */
  readonly otherwise?: string;
}

export function toEditText(change: Change): LessonText {
  const { complaint, failed, fixing, said, tags } = change;
  const edit = findTeachableEdit(change);
  const how = findHow(change, edit);
  const summary = `${complaint}: ${how}`;
  return {
    summary: how !== '' && summary.length <= SUMMARY_CHARS ? summary : complaint,
    mistake: toMistake(failed, said, 'failed', fixing),
    remediation: toSentence(
      how === ''
        ? (change.otherwise ?? `look up how \`${toCommandName(failed)}\` is used`)
        : addCommand(how, edit && toEditedCommand(edit, failed, COMMAND_CHARS)),
    ),
    tags,
    ...(edit === undefined ? {} : { edit }),
    example: toExample(failed, fixing, said),
  };
}

/** `\`gh pr diff <number> --stat\` failed: unknown flag: --stat`. */
export function toMistake(failed: SimpleCommand, said: string, how = 'failed', fixing?: SimpleCommand): string {
  // A value that the error does not name is an object, also where it could be a word of the program's own.
  const given = failed.args.map(({ value }) => value).filter((word) => !isNamedIn(said, word));
  const shared = [...given, ...(fixing?.args.map(({ value }) => value) ?? [])];
  const message = toShortChars(hideRandom(maskObjects(toQuotable(toSaid(said)))), SAID_CHARS);
  return `\`${toShortCommand(failed, COMMAND_CHARS, shared)}\` ${how}${message === '' ? '' : `: ${message}`}`;
}

export function toExample(
  failed: SimpleCommand,
  fixing: SimpleCommand,
  said: string,
): NonNullable<LessonText['example']> {
  const message = toShortChars(hideRandom(toQuotable(said)), EXAMPLE_CHARS / 2);
  return {
    mistake: `\`${toExampleCommand(failed, EXAMPLE_CHARS)}\` failed${message === '' ? '' : `: ${message}`}`,
    fix: toExampleCommand(fixing, EXAMPLE_CHARS),
  };
}

const REASON_CHARS = 90;
/** More words of a message than of ours would be a quotation. */
const REASON_WORDS = 12;
export const FEW_WORDS = 7;

/**
 * What the program said, in short and without its own name: `unknown flag: --stat`. Undefined where it has no short form.
 * Of a longer message, its begin is shown.
 */
export function toShortMessage(said: string, program: string, maxWords = REASON_WORDS): string | undefined {
  const bare = maskObjects(toQuotable(toSaid(said)))
    .replace(/^(?:\(eval\):\d+|\w*sh(?::\d+)?|(?:[^"]*: )?line \d+): /, '')
    .replace(new RegExp(`^(?:<path>|${toLiteral(program)}): (?:line \\d+: )?`), '')
    .replace(/^(?:\W*(?:fatal|error|err):)+|^[^\w<'"]+/i, '')
    .trim();
  const reason = (bare.split(/; |\. /)[0] ?? '').replace(/[.:]$/, '');
  const words = reason.split(/\s+/);
  const isShort = reason.length <= REASON_CHARS && words.length <= maxWords;
  const short = isShort ? reason : `${words.slice(0, FEW_WORDS).join(' ')} …`;
  const isTold = short.length <= REASON_CHARS && /[a-z]{3}/i.test(short) && !ADVISING.test(short);
  return isTold ? short.replace(/["`]/g, "'") : undefined;
}

/** What speaks to its reader is not repeated. */
const ADVISING = /\b(?:must|should|please|use|try|run|(?<!-)only|you)\b/i;

/** The message of an error that a program prints as JSON. */
export function toSaid(message: string): string {
  return /^\s*[{[]/.test(message) ? (/"(?:message|error)" ?: ?"([^"]+)"/.exec(message)?.[1] ?? '') : message;
}

function toQuotable(said: string): string {
  return toPairedQuotes(said.replace(/^[:\s]+/, '').trim());
}

export function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** What to do, and the failed command with that done to it. */
export function addCommand(how: string, command: string | undefined): string {
  const isIncluded = command === undefined || how.includes(`\`${command}\``);
  return isIncluded ? how : `${how}: \`${command}\``;
}

/** The edit; or the command that worked, where it is another one; or nothing, where neither can be told in short. */
function findHow({ failed, fixing }: Change, edit: CommandEdit | undefined): string {
  const rendered = edit === undefined ? undefined : renderEdit(edit, REMEDY_CHARS);
  if (rendered !== undefined) return rendered;
  // The command that worked also carries what the agent wanted of it that day: of the same one that is no advice.
  if (isSameSubCommand(failed, fixing)) return '';
  const other = toShortCommand(fixing, COMMAND_CHARS);
  // Two calls whose objects alone differ have nothing to tell each other.
  return other === toShortCommand(failed, COMMAND_CHARS) || !other.includes(' ') ? '' : `use \`${other}\``;
}

/**
 * A corrected command in plain words. Only the agent's own commands and the few words in which the program named the
 * culprit go into the text: the rest of an output is evidence, it must never read like an instruction. Undefined where the
 * two commands do not show what to do without the word: "do it otherwise" is no lesson.
 */
export function toLessonText(culprit: Culprit, fixing: SimpleCommand, setUp?: string): LessonText | undefined {
  const { role, command: failed, message: said } = culprit;
  const fix = toRemedy(culprit, fixing);
  const tags = toTags(culprit, fixing, setUp);
  const isProgram = role === 'program';
  const text = toEditText({
    complaint: toComplaint(culprit),
    failed,
    fixing: fix,
    said,
    tags,
    points: isProgram ? { program: true, message: said } : { culprit },
    otherwise: toOtherwise(culprit, fix),
  });
  if (setUp === undefined) return text.remediation === '' ? undefined : text;
  // The program was found because the line said where.
  const how = `run \`${setUp}\` first, in the same line`;
  const { edit: _, ...rest } = text;
  return { ...rest, summary: `${toComplaint(culprit)}: ${how}`, remediation: toSentence(how) };
}

/** What follows from the message alone, and where the fix has the value of the option. */
function toOtherwise({ role, word, embedded, command }: Culprit, fixing: SimpleCommand): string {
  if (role === 'program') return `find out first where \`${word}\` is`;
  if (role !== 'option') return embedded ? `leave out \`${word}\`` : '';
  const given = command.args[command.args.findIndex((arg) => arg.value === word) + 1]?.value ?? '';
  const at = given === '' || isOption(given) ? -1 : fixing.args.findIndex((arg) => arg.value === given);
  if (at < 0 || isOption(fixing.args[at - 1]?.value ?? '')) return `leave out \`${word}\``;
  const moved = findMoved(command, fixing);
  const value = moved === undefined ? ' and give its value' : ', give its value';
  const rest = moved === undefined ? '' : ` and the earlier plain argument with \`${moved}\``;
  return `leave out \`${word}\`${value} as a plain argument${rest}`;
}

/** The option with which the fix gives what was a plain argument. */
function findMoved(failed: SimpleCommand, fixing: SimpleCommand): string | undefined {
  const plain = failed.args.filter(({ value }, i) => !isOption(value) && !isOption(failed.args[i - 1]?.value ?? ''));
  const had = failed.args.map(({ value }) => value);
  const [option] = fixing.args.flatMap(({ value }, i) => {
    const before = fixing.args[i - 1]?.value ?? '';
    return isOption(before) && !had.includes(before) && plain.some((one) => one.value === value) ? [before] : [];
  });
  return option;
}

const TOPICS: Readonly<Record<CulpritRole, string>> = {
  program: 'missing-program',
  'sub-command': 'cli-command',
  option: 'cli-flag',
  value: 'cli-value',
  word: 'missing-target',
};

/** A command or a program that is not there. */
export const NOT_THERE: readonly string[] = [TOPICS.program, TOPICS['sub-command']].map((topic) => `topic:${topic}`);

/** Words that a program takes or not, whatever it is asked to work on. */
export const UNKNOWN_WORDS: readonly string[] = [TOPICS.option, TOPICS['sub-command']].map((topic) => `topic:${topic}`);

/** No call after the failure was its fix. */
export const UNMENDED = 'topic:unmended';

/** The only ground of the lesson is a pair of calls. */
export const REPAIRED = 'topic:repair';

/** What is on the machine was not on the PATH of this session: another one may well have it. */
export const LOST_PATH = 'topic:search-path';

export function toTags({ role, word, command }: Culprit, fixing?: SimpleCommand, setUp = ''): readonly string[] {
  const isOnMachine = fixing?.program === word && /^(?:~|\/)/.test(fixing.text);
  const isLost = role === 'program' && (isOnMachine || setUp.includes('PATH='));
  return [`tool:${command.program}`, isLost ? LOST_PATH : `topic:${TOPICS[role]}`];
}

/** Of a missing program the way to run it is the lesson, not what it was asked the next time. */
function toRemedy({ role, command }: Culprit, fixing: SimpleCommand): SimpleCommand {
  const operands = command.args.map(({ value }) => value).filter((word) => !isOption(word));
  const hasOperand = fixing.args.some(({ value }) => operands.includes(value));
  return role === 'program' && !hasOperand ? toSameRun(fixing, command) : fixing;
}

export function toComplaint(culprit: Culprit): string {
  const { role, word, option, command } = culprit;
  const name = role === 'sub-command' || role === 'word' ? toFailedName(culprit) : toLeadName(command, word);
  switch (role) {
    case 'program':
      return `\`${word}\` is not on the PATH here`;
    case 'sub-command':
      return `\`${name}\` has no command \`${word}\``;
    case 'option':
      return `\`${name}\` has no \`${word}\``;
    case 'value':
      return `\`${name} ${option}\` does not take \`${word}\``;
    case 'word':
      return `\`${name}\` finds no \`${word}\` here`;
  }
}
