/**
 * Do a lesson's triggers hold for a call? Triggers are gates: every part that is present must hold, and no exception. The
 * answer names the first part that silences, for `explain`. What the call itself tells is asked first, what was said last.
 */
import type { CompiledLesson } from '../model/manifest.ts';
import { isProgram } from '../shell/programs/find-program.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import { hasWord, toPositionals } from '../shell/simple-command.ts';
import { toAbsolute } from '../text/posix-path.ts';
import type { CallView } from './call-view.ts';
import { checkTalk } from './check-talk.ts';
import { beginsOutside, feedsInterpreter } from './command-texts.ts';
import { testRegex } from './regex.ts';
import { type Asked, isMet, renderCondition, toAsked } from './session-conditions.ts';
import type { Exceptions, ProgramTrigger, TextTrigger, Triggers } from './trigger.ts';
import { isInPlace } from './trigger.ts';

export type TriggerVerdict = { readonly holds: true } | { readonly holds: false; readonly because: string };

const HOLDS: TriggerVerdict = { holds: true };

/** The globs and keywords of the triggers, compiled. */
type PathRegexes = Pick<CompiledLesson, 'pathRegexes' | 'exceptRegexes' | 'forms'>;

export interface CheckOptions {
  /**
   * Only what a call shows by itself: who made it and what was said is left out, as if it held. For calls of the past,
   * which do not tell: a lesson that asks for it then speaks at more of them than it would have, never at fewer.
   */
  readonly callOnly?: boolean;
}

export function checkTriggers(
  triggers: Triggers,
  regexes: PathRegexes,
  call: CallView,
  { callOnly = false }: CheckOptions = {},
): TriggerVerdict {
  const { tools, unless } = triggers;
  if (tools !== undefined && !tools.includes(call.tool)) {
    return no(() => `speaks about ${tools.join(', ')}, the call is ${call.tool}`);
  }
  return (
    (callOnly ? undefined : checkSpeaker(triggers, call)) ??
    (unless && checkExceptions(unless, regexes.exceptRegexes ?? [], call)) ??
    checkCommand(triggers, call) ??
    checkFile(triggers, regexes.pathRegexes ?? [], call) ??
    checkSession(triggers, call) ??
    (callOnly ? undefined : toSilence(checkTalk(triggers, call, regexes.forms))) ??
    HOLDS
  );
}

function checkSpeaker({ subagents, unless }: Triggers, { subagentType = '' }: CallView): TriggerVerdict | undefined {
  if (subagents !== undefined && !subagents.includes(subagentType))
    return no(`speaks to the sub-agents ${subagents.join(', ')}`);
  return unless?.subagents?.includes(subagentType) ? no(`is not for the sub-agent ${subagentType}`) : undefined;
}

/** Anywhere in the line: `nvm use 20 && npm test` may make the second harmless. */
function checkExceptions(
  { tools, programs, paths }: Exceptions,
  exceptRegexes: readonly string[],
  { tool, commands, path }: CallView,
): TriggerVerdict | undefined {
  if (tools?.includes(tool)) return no(`is not about ${tool}`);
  if (programs !== undefined && commands.some((command) => anyProgram(programs, command)))
    return no(`${programs.map(renderProgram).join(' or ')} makes it harmless`);
  if (paths !== undefined && path !== undefined && exceptRegexes.some((regex) => testRegex(regex, path)))
    return no(`is not about ${paths.join(' or ')}`);
  return undefined;
}

/** Program and regex must hold on the same simple command: two halves of a pipeline are not one mistake. */
function checkCommand(triggers: Triggers, call: CallView): TriggerVerdict | undefined {
  const { programs, command, line, directory } = triggers;
  if (line !== undefined && (call.tool !== 'shell' || !textHolds(line, call.line ?? '')))
    return lacks('the command line');
  if (programs === undefined && command === undefined) return undefined;
  const near = directory === undefined ? call.commands : toUnmoved(call.commands);
  const all = programs === undefined ? near : near.filter((one) => anyProgram(programs, one));
  if (all.length === 0)
    return no(() => `no command here is ${programs?.map(renderProgram).join(' or ') ?? 'a shell command'}`);
  const named = directory === undefined ? all : all.filter((one) => isInPlace(directory, one, call.cwd ?? ''));
  if (named.length === 0) return no('the call is made in another place');
  if (
    command === undefined ||
    named.some((one) => commandHolds(command, one, programs === undefined ? call : undefined))
  )
    return undefined;
  return lacks('the command');
}

function checkFile(triggers: Triggers, pathRegexes: readonly string[], call: CallView): TriggerVerdict | undefined {
  const { paths } = triggers;
  if (paths !== undefined) {
    const { path } = call;
    if (path === undefined || !pathRegexes.some((regex) => testRegex(regex, path))) {
      return no(() => `no file here matches ${paths.join(' or ')}`);
    }
  }
  if (triggers.content !== undefined) {
    if (call.content === undefined) return no('the call writes no text');
    if (!textHolds(triggers.content, call.content)) return lacks('the new text');
  }
  return undefined;
}

/** Up to the first `cd`, which is itself still made from where the call is. */
function toUnmoved(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const moved = commands.findIndex(({ program }) => isProgram(program, 'moves'));
  return moved < 0 ? commands : commands.slice(0, moved + 1);
}

function checkSession({ input, session }: Triggers, call: CallView): TriggerVerdict | undefined {
  if (input !== undefined && !textHolds(input, call.json ?? '')) return lacks('the input');
  if (session === undefined) return undefined;
  const path = call.path === undefined ? undefined : toAbsolute(call.path, call.cwd);
  const asked = session.unless.flatMap((condition) => toAsked(condition, path) ?? []);
  const { past, commands } = call;
  const isBefore = (one: Asked): boolean => past !== undefined && past(one) !== false;
  const met = asked.find((one) => isMet(one.meant, { commands }) || isBefore(one));
  return met && no(`in this session already, or nobody can tell: ${renderCondition(met.meant)}`);
}

function anyProgram(programs: readonly ProgramTrigger[], command: SimpleCommand): boolean {
  return programs.some((program) => programHolds(program, command));
}

function programHolds({ name, sub, words, args }: ProgramTrigger, command: SimpleCommand): boolean {
  if (command.program !== name) return false;
  if (sub !== undefined || words !== undefined) {
    const given = toPositionals(command);
    if (given.length < (words ?? 0) || sub?.some((word, i) => given[i] !== word)) return false;
  }
  if (args?.none?.some((word) => hasWord(command, word))) return false;
  if (args?.all !== undefined && !args.all.every((word) => hasWord(command, word))) return false;
  return args?.any === undefined || args.any.some((word) => hasWord(command, word));
}

/** Of a named program every word may be meant; where none is named, `echo "rm -rf"` in the call around is not about `rm -rf`. */
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

function renderProgram({ name, sub, args }: ProgramTrigger): string {
  const words = [name, ...(sub ?? []), ...(args?.all ?? []), ...(args?.any === undefined ? [] : [args.any.join('|')])];
  return `\`${words.join(' ')}\`${args?.none === undefined ? '' : ` without ${args.none.join(', ')}`}`;
}

function lacks(what: string): TriggerVerdict {
  return no(`${what} lacks what the lesson is about, or has what makes it harmless`);
}

function toSilence(because: string | undefined): TriggerVerdict | undefined {
  return because === undefined ? undefined : no(because);
}

/** Given as a function where it is costly: only `explain` asks for it. */
function no(because: string | (() => string)): TriggerVerdict {
  return new Silence(because);
}

/** A class, because a getter of a single object is made anew with each: that costs more than to check a lesson. */
class Silence {
  readonly holds = false;
  private readonly why: string | (() => string);

  constructor(why: string | (() => string)) {
    this.why = why;
  }

  get because(): string {
    return typeof this.why === 'string' ? this.why : this.why();
  }
}
