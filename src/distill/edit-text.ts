/**
 * What a lesson says of a command that failed and of the one that worked: the edit between them. The objects of the two
 * calls stand in the example, which is evidence; the lesson itself names their kinds.
 */
import type { CommandEdit, EditStep } from '../base/command-edit.ts';
import { type Around, renderEdit, toEdit, toLasting } from '../base/find-edit.ts';
import { maskObjects } from '../base/object-kind.ts';
import { toShortChars } from '../base/short-text.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { toName } from './command-shape.ts';
import type { Culprit } from './culprit/culprit.ts';
import { findCure } from './culprit/cure-step.ts';
import { toExampleCommand, toShortCommand } from './to-short-command.ts';

const SUMMARY_CHARS = 160;
const REMEDY_CHARS = 180;
const COMMAND_CHARS = 120;
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

export interface Change {
  /** What is wrong, without a full stop: `\`gh pr diff\` has no \`--stat\``. */
  readonly claim: string;
  readonly failed: SimpleCommand;
  readonly fixing: SimpleCommand;
  /** What the failing command said. */
  readonly said: string;
  readonly tags: readonly string[];
  /** The steps that made the difference; all where it says nothing. */
  readonly isCure?: (step: EditStep) => boolean;
  /** Objects that the lesson is about. */
  readonly lasting?: readonly string[];
  /** The word that the error names: of the edit only the step that takes it away stays. */
  readonly culprit?: Culprit;
  readonly around?: Around;
  /** The edit, where the detector knows it better than the two commands tell. */
  readonly edit?: CommandEdit;
  /** What to do, where the edit cannot be told. */
  readonly otherwise?: string;
}

export function toEditText(change: Change): LessonText {
  const { claim, failed, fixing, said, tags } = change;
  const edit = change.edit ?? findLastingEdit(change);
  const how = findHow(change, edit);
  const summary = `${claim}: ${how}`;
  return {
    summary: how !== '' && summary.length <= SUMMARY_CHARS ? summary : claim,
    mistake: toMistake(failed, said, 'failed', fixing),
    remediation: toSentence(how === '' ? (change.otherwise ?? `look up how \`${toName(failed)}\` is used`) : how),
    tags,
    ...(edit === undefined ? {} : { edit }),
    example: toExample(failed, fixing, said),
  };
}

/** `\`gh pr diff <number> --stat\` failed: unknown flag: --stat`. */
export function toMistake(failed: SimpleCommand, said: string, how = 'failed', fixing?: SimpleCommand): string {
  // What both commands name is an object, also where it could be the value of an option.
  const shared = fixing?.args.map(({ value }) => value) ?? [];
  const message = toShortChars(maskObjects(said.replace(/^[:\s]+/, '').trim()), SAID_CHARS);
  return `\`${toShortCommand(failed, COMMAND_CHARS, shared)}\` ${how}${message === '' ? '' : `: ${message}`}`;
}

export function toExample(
  failed: SimpleCommand,
  fixing: SimpleCommand,
  said: string,
): NonNullable<LessonText['example']> {
  const message = toShortChars(said.replace(/^[:\s]+/, '').trim(), EXAMPLE_CHARS / 2);
  return {
    mistake: `\`${toExampleCommand(failed, EXAMPLE_CHARS)}\` failed${message === '' ? '' : `: ${message}`}`,
    fix: toExampleCommand(fixing, EXAMPLE_CHARS),
  };
}

export function toSentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function findLastingEdit({ failed, fixing, around, isCure, culprit, lasting = [] }: Change): CommandEdit | undefined {
  const edit = toEdit(failed, fixing, around);
  if (edit === undefined) return undefined;
  if (culprit !== undefined) {
    const cure = findCure(edit, culprit);
    return cure && toLasting(cure.edit, (word) => cure.lasting.includes(word));
  }
  const steps = edit.steps.filter((step) => isCure?.(step) ?? true);
  return steps.length === 0 ? undefined : toLasting({ ...edit, steps }, (word) => lasting.includes(word));
}

/** The edit; or the command that worked, where it is another one; or nothing, where neither can be told in short. */
function findHow({ failed, fixing, around, culprit }: Change, edit: CommandEdit | undefined): string {
  const told = edit === undefined ? undefined : renderEdit(edit, REMEDY_CHARS);
  if (told !== undefined) return told;
  // The command that worked also carries what the agent wanted of it that day: it is no advice where an edit was found.
  if (culprit !== undefined && toEdit(failed, fixing, around) !== undefined) return '';
  const given = new Set(failed.args.map(({ value }) => value));
  const words = fixing.args.map(({ value }) => value);
  // With a culprit, values of options are told by their kinds.
  const shared = culprit === undefined ? words.filter((word) => given.has(word)) : words;
  const other = toShortCommand(fixing, COMMAND_CHARS, shared);
  // Two calls whose objects alone differ have nothing to tell each other.
  return other === toShortCommand(failed, COMMAND_CHARS, shared) || !other.includes(' ') ? '' : `use \`${other}\``;
}
