/**
 * Decides whether a later call has the intent of a lesson, and lists the commands that a lesson recommends. A call
 * shares the intent if it runs the same program and sub-command, also through a runner (`mise exec -- golangci-lint`),
 * or does what the lesson recommends; a lesson about no program takes its intent from the call on which it fired. A
 * call that only asks for help (`--help`) does not count, because it does nothing yet.
 */

import type { Call, LiveCall } from '../base/model/call.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { findMainCommand, listIntents } from '../base/shell/intent.ts';
import { parseCommand } from '../base/shell/parse-command.ts';
import { isProbe } from '../base/shell/program-kinds.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import { throughRunner, toSubCommand } from '../base/shell/sub-commands.ts';
import { toLiteral } from '../base/text/regex-literal.ts';
import type { ProgramTrigger } from '../base/triggers/trigger.ts';

/** The call that the lesson spoke at, as far as it is known. */
export type Wanted = Pick<Call, 'tool' | 'targetPath' | 'intentKey' | 'inputSummary'> & Pick<LiveCall, 'command'>;

interface Asked {
  readonly lesson: Lesson;
  readonly call: LiveCall;
  readonly own: Wanted | undefined;
  /** Does the lesson speak at the call? */
  readonly holds: () => boolean;
}

export function sharesIntent({ lesson, call, own, holds }: Asked): boolean {
  const { programs } = lesson.triggers;
  const run = listRun(call);
  const before = own === undefined ? [] : toOperands(parseCommand(own.command ?? own.inputSummary ?? ''));
  const meant = own?.targetPath === undefined ? before : [...before, own.targetPath];
  const isMeant = (program: ProgramTrigger, { command, isInner }: Run): boolean =>
    isAbout(program, command) && (isInner || !isAboutWords(program, lesson) || touches(command, meant) || holds());
  if (programs !== undefined && run.some((one) => programs.some((program) => isMeant(program, one)))) return true;
  if (programs === undefined && own !== undefined && wantsSame(own, call)) return true;
  if (namesFile(lesson, call)) return true;
  return listRemedies(lesson).some((remedy) =>
    run.some(({ command }) =>
      follows(command, remedy, { programs: programs ?? [], meant, isWhole: isAboutProgram(lesson) }),
    ),
  );
}

/** Can it be seen that a lesson is followed? Of one that speaks at a deed as a whole, and says no other, only that it is not. */
export function canBeFollowed(lesson: Lesson): boolean {
  const { programs, tools: _, ...others } = lesson.triggers;
  if (programs === undefined || Object.keys(others).length > 0) return true;
  return programs.every(hasOption) || listRemedies(lesson).length > 0;
}

/** Done without it, the deed is another and the same. */
function hasOption({ args }: ProgramTrigger): boolean {
  return args?.none !== undefined || [...(args?.any ?? []), ...(args?.all ?? [])].some(isOption);
}

interface Run {
  readonly command: SimpleCommand;
  /** A runner runs it, or it is named by its path: done in another way. */
  readonly isInner: boolean;
}

function listRun({ tool, rawTool, command = '' }: LiveCall): readonly Run[] {
  if (tool !== 'shell') return [];
  return parseCommand(command, { rawTool })
    .filter((one) => !isProbe(one))
    .flatMap((one) => {
      const inner = throughRunner(one);
      const run = { command: one, isInner: one.text.includes(`/${one.program}`) };
      return inner === one ? [run] : [run, { command: inner, isInner: true }];
    });
}

function isAbout({ name, sub = [] }: ProgramTrigger, command: SimpleCommand): boolean {
  if (command.program !== name) return false;
  return beginsWith(toPositionals(command), toDeed(name, sub));
}

/** Of `git checkout main` the deed is `git checkout`. */
function toDeed(program: string, sub: readonly string[]): readonly string[] {
  return toSubCommand({ program, args: sub.map((value) => ({ value, text: value })), text: '' });
}

/** Not about how a thing is done, but about what it is done to: the same done to another thing is another deed. */
function isAboutWords({ name, sub = [], args }: ProgramTrigger, { triggers: { command, line } }: Lesson): boolean {
  const words = [...(args?.any ?? []), ...(args?.all ?? [])];
  if (words.some((word) => !isOption(word)) || sub.length > toDeed(name, sub).length) return true;
  return words.length === 0 && args?.none === undefined && (command?.match ?? line?.match) !== undefined;
}

interface Deed {
  readonly programs: readonly ProgramTrigger[];
  /** What the call that the lesson spoke at was done to. */
  readonly meant: readonly string[];
  readonly isWhole: boolean;
}

/** Is it about a program, whatever is done with it? Some triggers ask for its name in the text, too. */
function isAboutProgram({ triggers: { programs = [], command, tools: _, ...others } }: Lesson): boolean {
  if (Object.keys(others).length > 0 || programs.some(({ sub, args }) => sub !== undefined || args !== undefined))
    return false;
  if (command === undefined) return programs.length > 0;
  const names = new Set(programs.map(({ name }) => `(?:^|\\s)${toLiteral(name)}(?:\\s|$)`));
  return command.unless === undefined && (command.match ?? []).every((one) => names.has(one));
}

/** The remedy may be another program, or another sub-command: then it is the same deed when it is done to the same thing. */
function follows(command: SimpleCommand, remedy: SimpleCommand, { programs, meant, isWhole }: Deed): boolean {
  if (command.program !== remedy.program) return false;
  if (programs.some(({ name }) => name !== remedy.program && isVersion(name, remedy.program))) return true;
  if (!beginsWith(toPositionals(command), toSubCommand(remedy))) return false;
  // Where the program itself is the mistake, whatever is done with the other is done instead.
  if (isWhole && programs.every(({ name }) => name !== remedy.program)) return true;
  const isAnywhere = toPositionals(remedy)
    .slice(toSubCommand(remedy).length)
    .every((word) => HERE.test(word));
  return isAnywhere || touches(command, [...toOperands([remedy]), ...meant]);
}

function touches(command: SimpleCommand, things: readonly string[]): boolean {
  return toOperands([command]).some((one) => things.some((other) => isSame(one, other)));
}

function beginsWith(words: readonly string[], start: readonly string[]): boolean {
  return start.every((word, n) => words[n] === word);
}

/** `python3` of `python`, `pip` of `pip3.11`. */
function isVersion(a: string, b: string): boolean {
  return a.replace(/[\d.]+$/, '') === b.replace(/[\d.]+$/, '');
}

/** Here is everywhere. */
const HERE = /^(?:\.{0,2}\/?|-)$/;
/** The values of options, and lines. */
const NUMBER = /^[\d,$]+[a-z]?$/;

function toOperands(commands: readonly SimpleCommand[]): readonly string[] {
  return commands
    .flatMap((command) => toPositionals(command).slice(toSubCommand(command).length))
    .filter((word) => !HERE.test(word) && !NUMBER.test(word));
}

/** The same thing, or a file of the same name. */
function isSame(a: string, b: string): boolean {
  return a === b || toName(a) === toName(b);
}

/** The lesson says only which file is meant. */
function namesFile({ remediation }: Lesson, { tool, targetPath }: LiveCall): boolean {
  if (tool === 'shell' || targetPath === undefined) return false;
  const name = /^(?:Read )?`?([^\s`]+)`?$/.exec(remediation)?.[1];
  return name !== undefined && (targetPath === name || targetPath.endsWith(`/${name}`));
}

/** The same deed; of file tools the same file, one of its name elsewhere, or what is in it where it is a folder. */
function wantsSame(own: Wanted, call: LiveCall): boolean {
  if (own.tool !== call.tool) return false;
  if (own.tool === 'shell')
    return listIntents(own.intentKey ?? '').some((key) => listIntents(call.intentKey ?? '').includes(key));
  const [a, b] = [own.targetPath, call.targetPath];
  if (a === undefined || b === undefined) return own.intentKey !== undefined && own.intentKey === call.intentKey;
  return isSame(a, b) || b.startsWith(`${a}/`);
}

function toName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const CODE = /`([^`\n]+)`/g;
/** What is named so is what not to do. */
const AGAINST =
  /\b(?:never|not|don't|cannot|avoid|instead of|rather than|without)\b(?:(?!,\s*(?:use|run|call|do|but)\b)[^.;!\n])*$/i;
/** A program, behind variables that are set for it. */
const COMMAND = /^(?:[A-Za-z_]\w*=\S*\s+)*(?:\.{0,2}\/)?[a-z0-9_][\w.+/-]*(?:\s|$)/;
/** How people begin a sentence that says what to do. */
const SENTENCE =
  /^(?:use|using|run|do|try|never|always|avoid|prefer|instead|first|before|after|when|if|check|read|add|set|ask|remember|ensure|be|keep|see|put|call|give|write|look|the|a|an|this|that|it|you|we|please|only|no|not|don't|just|and|or|make sure|wait)\b/i;
const MAX_WORDS = 12;

type Advice = Pick<Lesson, 'remediation' | 'origin' | 'triggers'>;

/**
 * What a lesson says to do, as commands: the code in its words, or all of them where they are a command. Of several in a row
 * those that are done to what the lesson is about, else the first that does more than prepare.
 */
export function listRemedies(lesson: Advice): readonly SimpleCommand[] {
  const { remediation } = lesson;
  const code = Array.from(remediation.matchAll(CODE)).filter(({ index }) => !AGAINST.test(remediation.slice(0, index)));
  const texts = remediation.includes('`') ? code.map(([, text = '']) => text) : isCommand(lesson) ? [remediation] : [];
  // Kinds of objects are no words of a command, and an option alone is none.
  const commands = texts.map((text) => text.replace(/<[a-z]+>|…/g, '').trim()).filter((text) => COMMAND.test(text));
  return commands.flatMap((text) => findMeant(text, lesson));
}

/** What was observed is one unless it is said in words; what was written is one only where it can be nothing else. */
function isCommand({ remediation, origin }: Advice): boolean {
  if (!COMMAND.test(remediation)) return false;
  if (origin.kind === 'episode') return true;
  return (
    !SENTENCE.test(remediation) &&
    !/[\w)`'"][.!?:,](?:\s|$)/.test(remediation) &&
    remediation.split(/\s+/).length <= MAX_WORDS
  );
}

function findMeant(text: string, { triggers }: Advice): readonly SimpleCommand[] {
  const commands = parseCommand(text).filter(({ program }) => program !== '');
  const own = commands.filter(({ program }) => triggers.programs?.some(({ name }) => name === program));
  const main = findMainCommand(text);
  return own.length > 0 ? own.slice(-1) : main === undefined ? [] : [main];
}
