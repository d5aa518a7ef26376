/**
 * Decides whether a later call has the intent of a lesson, and lists the commands that a lesson recommends. Two calls have
 * the same intent by `isSameIntent` of `base/shell/intent.ts`; a lesson is no call, so its triggers and its remediation
 * say its intent: the program and sub-command that it fires on, also through a runner (`mise exec -- golangci-lint`), or
 * what it recommends. A lesson about no program takes its intent from the call on which it fired. A call that only asks
 * for help (`--help`) does not count, because it does nothing yet.
 */

import type { Call, LiveCall } from '../base/model/call.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { toOperands, toPlainSubCommand } from '../base/shell/command-words.ts';
import { findMainCommand, isSameIntent } from '../base/shell/intent.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../base/shell/parse-command.ts';
import { isProbe } from '../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import { unwrapRunner } from '../base/shell/sub-commands.ts';
import { endsWithPath, isSameBaseName } from '../base/text/paths.ts';
import { toLiteral } from '../base/text/regex-literal.ts';
import type { ProgramTrigger } from '../base/triggers/trigger.ts';

/** The call on which the lesson fired, as far as it is known. */
export type FiredCall = Pick<Call, 'tool' | 'rawTool' | 'targetPath' | 'intentKey' | 'inputSummary'> &
  Pick<LiveCall, 'command'>;

interface Asked {
  readonly lesson: Lesson;
  readonly call: LiveCall;
  readonly own: FiredCall | undefined;
  /** Does the lesson fire on the call? */
  readonly holds: () => boolean;
}

export function hasLessonIntent({ lesson, call, own, holds }: Asked): boolean {
  const { programs } = lesson.triggers;
  const run = listRun(call);
  const before = own === undefined ? [] : parseCall(own).flatMap(toThings);
  const meant = own?.targetPath === undefined ? before : [...before, own.targetPath];
  const isMeant = (program: ProgramTrigger, { command, isInner }: Run): boolean =>
    isAbout(program, command) && (isInner || !isAboutWords(program, lesson) || touches(command, meant) || holds());
  if (programs !== undefined && run.some((one) => programs.some((program) => isMeant(program, one)))) return true;
  if (programs === undefined && own !== undefined && isSameIntent(own, call)) return true;
  if (namesFile(lesson, call)) return true;
  return listRemedies(lesson).some((remedy) =>
    run.some(({ command }) =>
      follows(command, remedy, { programs: programs ?? [], meant, isWholeProgram: isAboutProgram(lesson) }),
    ),
  );
}

/**
 * Can a call show that an agent follows the lesson? Not if the lesson fires on every use of a sub-command and names no
 * other command: then a call can only show that the agent does not follow it.
 */
export function canBeFollowed(lesson: Lesson): boolean {
  const { programs, tools: _, ...others } = lesson.triggers;
  if (programs === undefined || Object.keys(others).length > 0) return true;
  return programs.every(hasOption) || listRemedies(lesson).length > 0;
}

/** The same sub-command with other options follows such a lesson. */
function hasOption({ args }: ProgramTrigger): boolean {
  return args?.none !== undefined || [...(args?.any ?? []), ...(args?.all ?? [])].some(isOption);
}

interface Run {
  readonly command: SimpleCommand;
  /** The command runs through a runner or by its path, so the agent uses another way. */
  readonly isInner: boolean;
}

function listRun(call: LiveCall): readonly Run[] {
  return parseCall(call)
    .filter((one) => !isProbe(one))
    .flatMap((one) => {
      const inner = unwrapRunner(one);
      const run = { command: one, isInner: one.text.includes(`/${one.program}`) };
      return inner === one ? [run] : [run, { command: inner, isInner: true }];
    });
}

function isAbout({ name, sub = [] }: ProgramTrigger, command: SimpleCommand): boolean {
  return command.program === name && beginsWith(toPositionals(command), toTriggerSubCommand(name, sub));
}

/** Without operands: `checkout` of the words `checkout main` of a trigger for git. */
function toTriggerSubCommand(program: string, sub: readonly string[]): readonly string[] {
  return toPlainSubCommand({ program, args: sub.map((value) => ({ value, text: value })), text: '' });
}

/** Is the lesson about operands, not options? Then the same command on another operand has another intent. */
function isAboutWords({ name, sub = [], args }: ProgramTrigger, { triggers: { command, line } }: Lesson): boolean {
  const words = [...(args?.any ?? []), ...(args?.all ?? [])];
  if (words.some((word) => !isOption(word)) || sub.length > toTriggerSubCommand(name, sub).length) return true;
  return words.length === 0 && args?.none === undefined && (command?.match ?? line?.match) !== undefined;
}

interface Fired {
  readonly programs: readonly ProgramTrigger[];
  /** The operands of the call on which the lesson fired. */
  readonly meant: readonly string[];
  /** The lesson is about a program as a whole. */
  readonly isWholeProgram: boolean;
}

/** Is the lesson about a program, whatever its words are? Some triggers also ask for the program's name in the text. */
function isAboutProgram({ triggers: { programs = [], command, tools: _, ...others } }: Lesson): boolean {
  if (Object.keys(others).length > 0 || programs.some(({ sub, args }) => sub !== undefined || args !== undefined))
    return false;
  if (command === undefined) return programs.length > 0;
  const names = new Set(programs.map(({ name }) => `(?:^|\\s)${toLiteral(name)}(?:\\s|$)`));
  return command.unless === undefined && (command.match ?? []).every((one) => names.has(one));
}

/** A remedy that is another program or sub-command has the lesson's intent if it works on the same object. */
function follows(command: SimpleCommand, remedy: SimpleCommand, { programs, meant, isWholeProgram }: Fired): boolean {
  if (command.program !== remedy.program) return false;
  if (programs.some(({ name }) => name !== remedy.program && isVersion(name, remedy.program))) return true;
  if (!beginsWith(toPositionals(command), toPlainSubCommand(remedy))) return false;
  // If the program itself is the mistake, every use of the other program replaces it.
  if (isWholeProgram && programs.every(({ name }) => name !== remedy.program)) return true;
  const isAnywhere = toOperands(remedy).every((word) => HERE.test(word));
  return isAnywhere || touches(command, [...toThings(remedy), ...meant]);
}

/** Does the command have one of these operands, or a file of the same name elsewhere? */
function touches(command: SimpleCommand, things: readonly string[]): boolean {
  return toThings(command).some((one) => things.some((other) => isSameBaseName(one, other)));
}

function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, n) => words[n] === word);
}

/** `python3` of `python`, `pip` of `pip3.11`. */
function isVersion(a: string, b: string): boolean {
  return a.replace(/[\d.]+$/, '') === b.replace(/[\d.]+$/, '');
}

/** The current folder and standard input do not identify an object. */
const HERE = /^(?:\.{0,2}\/?|-)$/;
/** Numbers are values of options, or line numbers. */
const NUMBER = /^[\d,$]+[a-z]?$/;

/** The operands that identify the object of a command. */
function toThings(command: SimpleCommand): readonly string[] {
  return toOperands(command).filter((word) => !HERE.test(word) && !NUMBER.test(word));
}

/** Does the remediation name the file of the call and nothing else? */
function namesFile({ remediation }: Lesson, { tool, targetPath }: LiveCall): boolean {
  if (tool === 'shell' || targetPath === undefined) return false;
  const name = /^(?:Read )?`?([^\s`]+)`?$/.exec(remediation)?.[1];
  return name !== undefined && endsWithPath(targetPath, name);
}

const CODE = /`([^`\n]+)`/g;
/** Code after such words is what not to do. */
const AGAINST =
  /\b(?:never|not|don't|cannot|avoid|instead of|rather than|without)\b(?:(?!,\s*(?:use|run|call|do|but)\b)[^.;!\n])*$/i;
/** A program, with or without variables before it. */
const COMMAND = /^(?:[A-Za-z_]\w*=\S*\s+)*(?:\.{0,2}\/)?[a-z0-9_][\w.+/-]*(?:\s|$)/;
/** A text that begins like this is a sentence, not a command. */
const SENTENCE =
  /^(?:use|using|run|do|try|never|always|avoid|prefer|instead|first|before|after|when|if|check|read|add|set|ask|remember|ensure|be|keep|see|put|call|give|write|look|the|a|an|this|that|it|you|we|please|only|no|not|don't|just|and|or|make sure|wait)\b/i;
const MAX_WORDS = 12;

type Advice = Pick<Lesson, 'remediation' | 'origin' | 'triggers'>;

/**
 * The commands that a lesson recommends: the code in its remediation, or the whole remediation if it is a command. Of a
 * line with several commands, the last one with a program of the lesson, else the main command.
 */
export function listRemedies(lesson: Advice): readonly SimpleCommand[] {
  const { remediation } = lesson;
  const code = Array.from(remediation.matchAll(CODE)).filter(({ index }) => !AGAINST.test(remediation.slice(0, index)));
  const texts = remediation.includes('`') ? code.map(([, text = '']) => text) : isCommand(lesson) ? [remediation] : [];
  // `<path>` stands for an operand, and an option alone is not a command.
  const commands = texts.map((text) => text.replace(/<[a-z]+>|…/g, '').trim()).filter((text) => COMMAND.test(text));
  return commands.flatMap((text) => listMeant(text, lesson));
}

/** A remediation from an episode is a command if it looks like one; a person's must not look like anything else. */
function isCommand({ remediation, origin }: Advice): boolean {
  if (!COMMAND.test(remediation)) return false;
  if (origin.kind === 'episode') return true;
  return (
    !SENTENCE.test(remediation) &&
    !/[\w)`'"][.!?:,](?:\s|$)/.test(remediation) &&
    remediation.split(/\s+/).length <= MAX_WORDS
  );
}

function listMeant(text: string, { triggers }: Advice): readonly SimpleCommand[] {
  const commands = parseCommand(text, ANY_SHELL).filter(({ program }) => program !== '');
  const own = commands.filter(({ program }) => triggers.programs?.some(({ name }) => name === program));
  const main = findMainCommand(commands);
  return own.length > 0 ? own.slice(-1) : main === undefined ? [] : [main];
}
