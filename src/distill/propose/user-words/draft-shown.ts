/**
 * A rule that the calls around the words show, whatever the words are: the user says something for good right after a call
 * and names a word of it, and the next calls go without that word; or names a word that the next calls have and the last
 * ones lacked. The words only have to hold for good; which of the calls' words they name decides the rest.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOptions, toPlainSubCommand, toTypedProgram } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking, isProbe } from '../../../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { endsWithPath, toBaseName } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import type { Language, Role } from './cue-words.ts';
import {
  type Around,
  type Draft,
  draftEdited,
  draftOrder,
  draftWith,
  EDITS,
  list,
  toCommandThing,
  toDraft,
  toFile,
  toGlob,
} from './draft.ts';
import { findCues, findLanguage } from './find-cues.ts';
import { findThings, type Known, toName } from './named-things.ts';
import type { Rule } from './read-words.ts';

/** The words hold for good, or blame. */
const LASTING: readonly Role[] = ['firm', 'never', 'not-behind', 'remind', 'blame', 'before'];
const BANNING: readonly Role[] = ['never', 'not', 'not-behind'];
/** "…, ok?" asks nothing. */
const ASKED = /(?<!, ?\p{L}{1,12})[?？]\W*$/u;
/** "Sorry, I should have said so: never x" */
const CLAUSE = /(?<=[:;])\s+|\s+[–—]\s+/;
/** A user speaks of the last calls, and the next ones answer. */
const MAX_COMMANDS = 6;

/** With the clause that says it; empty where the calls show nothing. */
export function draftShown(sentences: readonly string[], around: Around, known: Known): readonly ShownDraft[] {
  const message = sentences.join(' ');
  const words = listWords(around);
  // Most prompts name nothing of the calls, and need not be read.
  const isAbout = (text: string): boolean => words.some((word) => text.includes(word));
  const own = sentences.filter((one) => !ASKED.test(one) && isAbout(one));
  if (own.length === 0) return [];
  const language = findLanguage(findThings(message, known).masked);
  const hear = (clause: string): Said => ({ clause, message, roles: listRoles(clause, known, language) });
  const clauses = own.flatMap((one) => one.split(CLAUSE)).filter(isAbout);
  const tries = [
    ...clauses.map((clause) => [clause, draftFromCommands] as const),
    ...[...clauses, ...own].map((clause) => [clause, draftFromFiles] as const),
  ];
  for (const [clause, make] of tries) {
    const said = hear(clause);
    const draft = make(said, around);
    if (draft !== undefined) return [[{ words: clause, marks: said.roles, when: [] }, draft]];
  }
  return [];
}

/** The words of the last and the next calls, and the names of edited files. */
function listWords({ before, after, edited, editedAfter }: Around): readonly string[] {
  const commands = [...listDone(before).slice(-MAX_COMMANDS), ...listDone(after).slice(0, MAX_COMMANDS)];
  const files = [...edited, ...editedAfter].map(toBaseName);
  return [
    ...new Set([...commands.flatMap(({ program, args }) => [program, ...args.map(({ value }) => value)]), ...files]),
  ].filter((word) => word.length > 1);
}

function isLasting({ roles }: Said): boolean {
  return LASTING.some((role) => roles.has(role));
}

type ShownDraft = readonly [Pick<Rule, 'words' | 'marks' | 'when'>, Draft];

interface Said {
  readonly clause: string;
  /** All sentences. */
  readonly message: string;
  readonly roles: ReadonlySet<Role>;
}

function listRoles(clause: string, known: Known, language: Language): ReadonlySet<Role> {
  return new Set(findCues(findThings(clause, known).masked, language).map(({ role }) => role));
}

function draftFromCommands(said: Said, { before, after }: Around): Draft | undefined {
  if (said.roles.has('void')) return undefined;
  const was = listDone(before).slice(-MAX_COMMANDS).toReversed();
  const now = listDone(after).slice(0, MAX_COMMANDS);
  for (const wrong of was) {
    const same = now.find((one) => isSameWork(wrong, one));
    const draft = isLasting(said)
      ? (draftFirst(said, wrong, now) ?? (same && draftAdded(said, wrong, same)) ?? draftGone(said, wrong, now))
      : draftGone(said, wrong, now);
    if (draft !== undefined) return draft;
  }
  return undefined;
}

/** What does something: to look around is nothing that a user corrects. */
function listDone(calls: readonly LiveCall[]): readonly SimpleCommand[] {
  return calls
    .filter(({ tool }) => tool === 'shell')
    .flatMap(parseCall)
    .filter((one) => one.piped !== true && !isLooking(one) && !isProbe(one));
}

function isSameWork(one: SimpleCommand, other: SimpleCommand): boolean {
  return one.program === other.program && toPlainSubCommand(one)[0] === toPlainSubCommand(other)[0];
}

/** "`A` before `B`": the next line does both, in this order. */
function draftFirst({ clause, roles }: Said, wrong: SimpleCommand, now: readonly SimpleCommand[]): Draft | undefined {
  const at = now.findIndex((one) => isSameWork(wrong, one));
  const first = now.slice(0, Math.max(at, 0)).find((one) => names(clause, toName(one)));
  if (!roles.has('before') || first === undefined || !names(clause, toName(wrong))) return undefined;
  return draftOrder(toCommandThing(toName(first)), toCommandThing(toName(wrong)));
}

/** The next call of the same work has an option that the words name. */
function draftAdded({ clause }: Said, wrong: SimpleCommand, right: SimpleCommand): Draft | undefined {
  const added = toOptions(right).filter((option) => !toOptions(wrong).includes(option) && names(clause, option));
  return added.length === 0 ? undefined : draftWith(wrong, added);
}

/** The words name the call by a word that is no word of a sentence, and no later call has all that they name. */
function draftGone(said: Said, wrong: SimpleCommand, now: readonly SimpleCommand[]): Draft | undefined {
  const { clause, message, roles } = said;
  if (!BANNING.some((role) => roles.has(role))) return undefined;
  const words = [wrong.program, ...wrong.args.map(({ value }) => value)];
  const named = [...new Set(words.filter((word) => names(clause, word)))];
  const [instead] = now
    .flatMap((one) => findForm(one, message) ?? [])
    .filter((form) => !toName(wrong).startsWith(form));
  const isOther = instead !== undefined && !now.some(({ program }) => program === wrong.program);
  // "Don't call make" is about the program if the words also say what to call.
  const isPlain = named.every((word) => /^[a-z]+$/i.test(word)) && !(isOther && roles.has('want'));
  const isWhole = names(clause, toName(wrong)) && toName(wrong).includes(' ');
  if (named.length === 0 || (isPlain && !isWhole) || !(isOther || isLasting(said))) return undefined;
  const isLeft = now.some((one) =>
    [...named, wrong.program].every((word) => one.program === word || one.args.some(({ value }) => value === word)),
  );
  if (isLeft) return undefined;
  const others = named.filter((word) => word !== wrong.program);
  const shown = [wrong.program, ...words.slice(1).filter((word) => others.includes(word))].join(' ');
  // "The hook should never run npm test" is about the hook.
  if (instead === undefined && !others.some(isOption)) return undefined;
  const ban = `\`${shown}\``;
  const triggers = { tools: ['shell'], programs: [toNamed(wrong, others)] } as const;
  return instead === undefined
    ? toDraft(`Do not run ${ban}`, 'Leave it out, or ask the user first', triggers)
    : toDraft(`Use \`${instead}\` instead of ${ban}`, `Use \`${instead}\``, triggers);
}

/** The longest beginning of the command that the text names. */
function findForm(command: SimpleCommand, text: string): string | undefined {
  const words = toPositionals(command);
  const heads = [toTypedProgram(command), command.program];
  const forms = words.flatMap((_, i) => heads.map((head) => [head, ...words.slice(0, words.length - i)].join(' ')));
  return [...forms, ...heads].find((form) => names(text, form));
}

/** The first words as the sub-command, the others wherever they stand. */
function toNamed({ program, ...command }: SimpleCommand, named: readonly string[]): ProgramTrigger {
  const lead = toPositionals({ program, ...command });
  const count = lead.findIndex((word) => !named.includes(word));
  const sub = command.args.some(({ value }, i) => i === 0 && isOption(value))
    ? []
    : lead.slice(0, count < 0 ? lead.length : count);
  const all = named.filter((word) => !sub.includes(word));
  return { name: program, ...(sub.length > 0 && { sub }), ...(all.length > 0 && { args: { all } }) };
}

/** A file that the words name changes after them, with one that was edited before. */
function draftFromFiles(said: Said, { edited, editedAfter }: Around): Draft | undefined {
  const { clause, roles } = said;
  if (roles.has('void') || !isLasting(said)) return undefined;
  const due = editedAfter.filter((path) => !edited.includes(path) && namesFile(clause, path));
  const named = edited.filter((path) => namesFile(clause, path));
  const left = named.filter((path) => !editedAfter.includes(path)).map(toFile);
  if (roles.has('never') && roles.has('change') && left.length > 0)
    return toDraft(`Do not edit ${list(left)}`, 'Leave it as it is, or ask the user first', {
      tools: EDITS,
      paths: left.map(toGlob),
    });
  // What was left out once is no rule.
  if (!roles.has('firm') && !roles.has('when') && !(roles.has('remind') && named.length > 0)) return undefined;
  const changed = named.length > 0 ? named : edited.length === 1 ? edited : [];
  return due.length === 0 ? undefined : draftEdited(changed.map(toFile), due.map(toFile));
}

function namesFile(clause: string, path: string): boolean {
  return (clause.match(/[\w@./+-]*\w/g) ?? []).some((word) => /\./.test(word) && endsWithPath(path, word));
}

/** As a whole word. */
function names(text: string, word: string): boolean {
  return word.length > 1 && new RegExp(`(?<![\\w./-])${toLiteral(word)}(?![\\w/-]|\\.\\w)`, 'i').test(text);
}
