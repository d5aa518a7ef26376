/**
 * Is the cause of a failure something that one repository contains: its targets, scripts, files? Then another repository
 * with the same failure has a lesson of its own, and the lesson never becomes one for every project. In doubt it is: a
 * lesson that is told in two projects does less harm than one that is wrong in all others.
 */
import type { LiveCall } from '../../base/model/call.ts';
import type { Finding } from '../../base/model/finding.ts';
import { toProgramTrigger } from '../../base/shell/command-words.ts';
import { parseCall, type ShellCall } from '../../base/shell/parse-command.ts';
import { findFacts, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { isListed } from '../../base/shell/programs/find-program.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { findScriptName } from '../../base/shell/sub-commands.ts';
import type { ProgramTrigger } from '../../base/triggers/trigger.ts';
import { PROGRAM_TOPICS } from '../lessons/hash-lesson.ts';

/** How programs say that they do not know a word of their own command line, whatever they are run on. */
const USAGE = [
  /\b(?:unknown|unrecogni[sz]ed|unexpected|invalid|illegal|unsupported|ambiguous|bad|undefined|deprecated|conflicting|duplicate)\b.*\b(?:options?|flags?|switch(?:es)?|arguments?|parameters?|(?:sub)?commands?|fields?|propert(?:y|ies)|operands?|values?|keys?|predicates?|primar(?:y|ies))\b/i,
  /\b(?:options?|flags?|switch(?:es)?|arguments?|parameters?|(?:sub)?commands?|fields?|operands?|values?)\b.*\b(?:unknown|unrecogni[sz]ed|not recogni[sz]ed|unexpected|invalid|illegal|not (?:supported|allowed|valid|defined|found)|requires?|required|missing|expected|cannot be used|mutually exclusive|must be|does not exist)\b/i,
  /\b(?:requires?|missing|expects?|expected|takes?|accepts?|too (?:many|few)|needs?)\b.*\b(?:options?|flags?|arguments?|args?|parameters?|operands?|values?)\b/i,
  /^(?:\(eval\)|\S*\b(?:z|ba|da|k)?sh)(?::\d+| line \d+)?: .*\b(?:no match(?:es found)?|unmatched|parse error|unexpected|event not found)\b/i,
  /\bnot an? \S+ (?:command|option|subcommand)\b|\bno such (?:option|flag|command|subcommand)\b|^\s*usage:/i,
];

type Cause = Pick<Finding, 'tags' | 'signature' | 'triggers'>;
type Failing = ShellCall & Pick<LiveCall, 'message'>;

/** Which programs there are is of the machine and of the project. */
const ABSENT_PROGRAM = /\bcommand not found\b/i;

/** `failing`: the call that failed, where it is known. */
export function isRepositoryCause(cause: Cause, failing: Failing | undefined): boolean {
  const { tags, triggers } = cause;
  // Every shell stays where its last `cd` went.
  if (tags.includes('topic:working-directory')) return false;
  if (runsOwnProgram(triggers, failing)) return true;
  if (tags.includes('topic:hang') && namesOptionsOnly(triggers)) return false;
  return !isUsage(cause, failing);
}

/**
 * Is it a known fix, and does a program, a shell or a tool of the agent say that it was called in the wrong way? Then
 * the fix is right in every project of the user from the first time on: it is shown only where the same error is. A
 * lesson that fires before the call waits until two repositories have shown the mistake.
 */
export function isKnownFixForAllProjects(cause: Cause, failing: Failing | undefined): boolean {
  const isFix = cause.triggers.failure === true && cause.tags.some((tag) => PROGRAM_TOPICS.has(tag));
  return isFix && !runsOwnProgram(cause.triggers, failing) && isUsage(cause, failing);
}

function isUsage({ signature, triggers: { tools = [], failure } }: Cause, failing: Failing | undefined): boolean {
  // The other tools are the agent's own, and what they refuse they refuse everywhere.
  if (failure === true && !tools.includes('shell')) return true;
  const said = [failing?.message, signature.template];
  return said.some((text) => text !== undefined && !ABSENT_PROGRAM.test(text) && USAGE.some((form) => form.test(text)));
}

/** A program waits in the same way wherever it is run; its operands are things of one project. */
function namesOptionsOnly({ programs = [] }: Finding['triggers']): boolean {
  const words = programs.flatMap(({ args }) => [...(args?.all ?? []), ...(args?.any ?? []), ...(args?.none ?? [])]);
  return programs.length > 0 && words.every(isOption);
}

/** A script of the repository, run by its path or by the name that the repository gives it. */
function runsOwnProgram({ programs = [] }: Finding['triggers'], call: ShellCall | undefined): boolean {
  if (programs.some(runsTask)) return true;
  const commands = call === undefined ? [] : parseCall(call);
  // A known fix names no program: then every command of the line may be meant.
  const meant =
    programs.length === 0 ? commands : commands.filter(({ program }) => programs.some(({ name }) => name === program));
  return meant.some(
    (one) => RELATIVE.test(one.text) || (programs.length === 0 && (runsTask(toProgramTrigger(one)) || runsScript(one))),
  );
}

/** `bun src/cli.ts`, `python tools/seed.py`, `bun agentv`. */
function runsScript(command: SimpleCommand): boolean {
  if (!isKnownAs(command.program, 'interpreter', 'shell', 'runner')) return false;
  const [first = ''] = toPositionals(command);
  const { tasks, groups, own } = findFacts(command.program) ?? {};
  const isOwn = [tasks, groups, own].some((words) => isListed(first, words));
  return /[/.]/.test(first) || findScriptName(command) !== undefined || (tasks !== undefined && !isOwn);
}

/** Does it run what the repository defines under a name? All words of `tox` and `nox` are such names. */
function runsTask({ name, sub = [] }: ProgramTrigger): boolean {
  if (findFacts(name)?.tasks === 'direct' || name === 'tox' || name === 'nox') return true;
  return isKnownAs(name, 'runner') && sub[0] === 'run';
}

/** `./tool`, `scripts/tool`: a path that begins in the repository. */
const RELATIVE = /^(?:\.{1,2}\/|[\w.-]+\/)/;
