/**
 * Decides whether the triggers of a lesson hold for a call: every part that is present must hold, and no exception may.
 * If they do not hold, the result says which part failed first, for `explain`. The conversation is checked last, because
 * it is in a file. HOT: runs while an agent waits.
 */
import type { CompiledLesson } from '../model/manifest.ts';
import { isProgram } from '../shell/programs/find-program.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { hasWord, toPositionals } from '../shell/simple-command.ts';
import { toAbsolute } from '../text/paths.ts';
import type { CallView } from './call-view.ts';
import { checkConversation } from './check-conversation.ts';
import { beginsOutside, feedsInterpreter } from './command-texts.ts';
import { readsPath } from './read-paths.ts';
import { testRegex } from './regex.ts';
import { type ConditionQuestion, isConditionMet, renderCondition, toQuestion } from './session-conditions.ts';
import {
  type Exceptions,
  isInPlace,
  type ProgramTrigger,
  renderProgram,
  type TextTrigger,
  type Triggers,
} from './trigger.ts';

export type TriggerCheck = { readonly holds: true } | { readonly holds: false; readonly because: string };

const HOLDS: TriggerCheck = { holds: true };

/** Why triggers do not hold. A function if the words take time to render, because only `explain` reads them. */
type Reason = string | (() => string);

/** The globs and keywords of the triggers, compiled. */
type PathRegexes = Pick<CompiledLesson, 'pathRegexes' | 'exceptRegexes' | 'forms'>;

export interface CheckOptions {
  /**
   * Checks only what the call itself shows and counts conditions on the sub-agent and the conversation as met. For past
   * calls, which do not record these, so a lesson fires on them at least as often as it would have live.
   */
  readonly callOnly?: boolean;
}

export function checkTriggers(
  triggers: Triggers,
  regexes: PathRegexes,
  call: CallView,
  { callOnly = false }: CheckOptions = {},
): TriggerCheck {
  const { unless } = triggers;
  const reason =
    (triggers.failure === true ? 'is shown with an error, not before a call' : undefined) ??
    checkTool(triggers, call) ??
    (callOnly ? undefined : checkSubagent(triggers, call)) ??
    (unless && checkExceptions(unless, regexes.exceptRegexes ?? [], call)) ??
    checkCommand(triggers, call) ??
    checkFile(triggers, regexes.pathRegexes ?? [], call) ??
    checkSession(triggers, call) ??
    (callOnly ? undefined : checkConversation(triggers, call, regexes.forms));
  return reason === undefined ? HOLDS : new Failed(reason);
}

function checkTool({ tools }: Triggers, { tool }: CallView): Reason | undefined {
  if (tools === undefined || tools.includes(tool)) return undefined;
  return () => `is about ${tools.join(', ')}, the call is ${tool}`;
}

function checkSubagent({ subagents, unless }: Triggers, { subagentType = '' }: CallView): Reason | undefined {
  if (subagents !== undefined && !subagents.includes(subagentType))
    return `is for the sub-agents ${subagents.join(', ')}`;
  return unless?.subagents?.includes(subagentType) ? `is not for the sub-agent ${subagentType}` : undefined;
}

/** Exceptions count anywhere in the line: `nvm use 20 && npm test` may make the second command harmless. */
function checkExceptions(
  { tools, programs, paths }: Exceptions,
  exceptRegexes: readonly string[],
  { tool, commands, path }: CallView,
): Reason | undefined {
  if (tools?.includes(tool)) return `is not about ${tool}`;
  if (programs !== undefined && commands.some((command) => anyProgram(programs, command)))
    return `${programs.map(renderProgram).join(' or ')} makes it harmless`;
  if (paths !== undefined && path !== undefined && exceptRegexes.some((regex) => testRegex(regex, path)))
    return `is not about ${paths.join(' or ')}`;
  return undefined;
}

/** Program and regex must match the same simple command, because two halves of a pipeline are not one mistake. */
function checkCommand(triggers: Triggers, call: CallView): Reason | undefined {
  const { programs, command, line, directory } = triggers;
  if (line !== undefined && (call.tool !== 'shell' || !textHolds(line, call.line ?? '')))
    return lacks('the command line');
  if (programs === undefined && command === undefined) return undefined;
  const near = directory === undefined ? call.commands : toUnmoved(call.commands);
  const all = programs === undefined ? near : near.filter((one) => anyProgram(programs, one));
  if (all.length === 0)
    return () => `no command here is ${programs?.map(renderProgram).join(' or ') ?? 'a shell command'}`;
  const named = directory === undefined ? all : all.filter((one) => isInPlace(directory, one, call.cwd ?? ''));
  if (named.length === 0) return 'the call runs in another folder';
  const around = programs === undefined ? call : undefined;
  if (command === undefined || named.some((one) => commandHolds(command, one, around))) return undefined;
  return lacks('the command');
}

function checkFile(triggers: Triggers, pathRegexes: readonly string[], call: CallView): Reason | undefined {
  const { paths, reads, content } = triggers;
  const { path } = call;
  if (reads !== undefined && !reads.some((one) => readsPath(one, call)))
    return () => `reads nothing in ${reads.join(' or ')}`;
  if (paths !== undefined && (path === undefined || !pathRegexes.some((regex) => testRegex(regex, path))))
    return () => `no file here matches ${paths.join(' or ')}`;
  if (content === undefined) return undefined;
  if (call.content === undefined) return 'the call writes no text';
  return textHolds(content, call.content) ? undefined : lacks('the new text');
}

/** The commands up to the first `cd`, including it, because that `cd` still runs in the folder of the call. */
function toUnmoved(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const moved = commands.findIndex(({ program }) => isProgram(program, 'moves'));
  return moved < 0 ? commands : commands.slice(0, moved + 1);
}

function checkSession({ input, session }: Triggers, call: CallView): Reason | undefined {
  if (input !== undefined && !textHolds(input, call.json ?? '')) return lacks('the input');
  if (session === undefined) return undefined;
  const path = call.path === undefined ? undefined : toAbsolute(call.path, call.cwd);
  const asked = session.unless.flatMap((condition) => toQuestion(condition, path) ?? []);
  const { past, commands } = call;
  const isBefore = (one: ConditionQuestion): boolean => past !== undefined && past(one) !== false;
  const met = asked.find((one) => isConditionMet(one.meant, { commands }) || isBefore(one));
  return met && `already done, or unknown: ${renderCondition(met.meant)}`;
}

function anyProgram(programs: readonly ProgramTrigger[], command: SimpleCommand): boolean {
  return programs.some((program) => programHolds(program, command));
}

/** Is this simple command the one that a trigger names, by program, words and text? */
export function isNamedCommand({ programs, command: text }: Triggers, command: SimpleCommand): boolean {
  if (programs !== undefined && !anyProgram(programs, command)) return false;
  return text === undefined || textHolds(text, command.text);
}

export function programHolds({ name, sub, words, args }: ProgramTrigger, command: SimpleCommand): boolean {
  if (command.program !== name) return false;
  if (sub !== undefined || words !== undefined) {
    const given = toPositionals(command);
    if (given.length < (words ?? 0) || sub?.some((word, i) => given[i] !== word)) return false;
  }
  if (args?.none?.some((word) => hasWord(command, word))) return false;
  if (args?.all !== undefined && !args.all.every((word) => hasWord(command, word))) return false;
  return args?.any === undefined || args.any.some((word) => hasWord(command, word));
}

/**
 * If the trigger names a program, every word of its command may match. If not, the match must begin outside plain
 * texts: `echo "rm -rf"` is not about `rm -rf`.
 */
function commandHolds({ match, unless = [] }: TextTrigger, command: SimpleCommand, around?: CallView): boolean {
  const { text } = command;
  if (!textHolds({ unless }, text)) return false;
  const isDone = (one: string, { commands, line }: CallView): boolean =>
    beginsOutside(one, command, () => feedsInterpreter(command, commands, line));
  return match?.some((one) => testRegex(one, text) && (around === undefined || isDone(one, around))) ?? true;
}

function textHolds({ match, unless }: TextTrigger, text: string): boolean {
  if (unless?.some((regex) => testRegex(regex, text))) return false;
  return match === undefined || match.some((regex) => testRegex(regex, text));
}

function lacks(what: string): string {
  return `${what} does not match`;
}

/** A class, because an object literal with a getter costs more than the check of a lesson. */
class Failed {
  readonly holds = false;
  private readonly reason: Reason;

  constructor(reason: Reason) {
    this.reason = reason;
  }

  get because(): string {
    return typeof this.reason === 'string' ? this.reason : this.reason();
  }
}
