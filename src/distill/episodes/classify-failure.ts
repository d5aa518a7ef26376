/**
 * Gives the class of a failed call: was the call a mistake, so that another call is the fix, or did a right call report
 * something? The signs are general: which program complained, of what kind it is, how far it got, whether its message is
 * about the words of the call, and what the next calls show. Signs that are certain come first.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Signature } from '../../base/model/signature.ts';
import { dropAbsent } from '../../base/records.ts';
import { findCheck, findFailingCommand } from '../../base/shell/intent.ts';
import { parseCall, parseCommand } from '../../base/shell/parse-command.ts';
import { isDoing, isLooking } from '../../base/shell/program-kinds.ts';
import { hasTrait, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import type { CheckKind } from '../../base/shell/programs/vocabulary.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import type { FailureClass } from '../../base/statistics/failures.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { OTHER_CATEGORY, toCategory } from '../../base/text/failure-category.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { hasPlace, hasTrace, isVerdict, isWorld } from './is-verdict.ts';

/** A failed call. The store keeps less of it than a session has in memory. */
export type Failure = { readonly tool: string; readonly signature?: Pick<Signature, 'program' | 'template'> } & Partial<
  Pick<
    LiveCall,
    | ('rawTool' | 'command' | 'program' | 'intentKey' | 'targetPath' | 'parameters' | 'cwd' | 'projectRoot')
    | ('outcome' | 'outcomeType' | 'exitCode' | 'hung' | 'message' | 'output')
  >
>;

/** `next`: the calls of the same context after it, as far as they are known. */
export function classifyFailure(failure: Failure, next: readonly LiveCall[] = []): FailureClass {
  const { tool, message = '', signature, outcome } = failure;
  const category = signature === undefined ? OTHER_CATEGORY : toCategory(signature);
  if (outcome === 'denied') return 'harness';
  if (category === 'stale_edit') return REFUSED_EDIT.test(message) ? 'harness' : 'edit-text';
  if (tool === 'shell') return classifyCommand(failure, category, next);
  if (category === 'network_error' || (category === OTHER_CATEGORY && isWorld(message))) return 'world';
  if (tool === 'web') return category === 'timeout' ? 'world' : 'exploration';
  if (LOOKING_TOOL.test(tool) && ABSENT.test(message)) return isInSubFolder(failure) ? 'command' : 'exploration';
  if (signature === undefined) return 'status';
  return category === 'wrong_usage' && !tool.startsWith('mcp:') ? 'harness' : 'command';
}

/** Another call is the fix. */
export function isMistake(of: FailureClass): boolean {
  return of === 'command' || of === 'harness';
}

/** The agent refuses the edit, whatever text the file has. */
const REFUSED_EDIT = /\bhas not been read\b|\bNo changes to make\b/;
const LOOKING_TOOL = /^(?:read|grep|glob)$|^mcp:.*(?:get|list|search|query|read|find|fetch)/;
/** Something is not where it was looked for. */
const ABSENT =
  /\bno such\b|\bnot ?found\b|\b(?:does not|doesn't) (?:exist|have)\b|\b(?:could not|couldn't|cannot|can't) (?:find|access|resolve)\b|\bENOENT\b|on disk, but not in|error opening|\bno (?:symbol|match|manual entry|\S+ found)|\bunknown (?:column|table)|\b404\b/i;

interface Facts {
  readonly failure: Failure;
  readonly category: string;
  readonly message: string;
  readonly output: string;
  /** The command of the line that failed. */
  readonly failed?: SimpleCommand;
  readonly check?: CheckKind;
  /** It shows files, logs or pages, and any text may be among them. */
  readonly isShowing: boolean;
}

/** Undefined where it cannot tell. */
type Rule = (facts: Facts) => FailureClass | undefined;

/** What follows says more than a judgement in a text, and decides where the text says nothing. */
function classifyCommand(failure: Failure, category: string, next: readonly LiveCall[]): FailureClass {
  const facts = toFacts(failure, category);
  for (const rule of RULES) {
    const of = rule(facts);
    if (of !== undefined) return of === 'verdict' ? (findByNext(facts, next) ?? of) : of;
  }
  return findByNext(facts, next) ?? 'command';
}

function toFacts(failure: Failure, category: string): Facts {
  const { message = '', output = message, intentKey = '' } = failure;
  const failed = findFailed(failure);
  const [, kind] = /^check (\w+)/.exec(intentKey) ?? [];
  const check = (failed && findCheck(failed)) ?? (kind as CheckKind | undefined);
  const isShowing = failed !== undefined && (isLooking(failed) || hasTrait(failed, 'shows', 'http'));
  return { failure, category, message, output, isShowing, ...dropAbsent({ failed, check }) };
}

function findFailed(failure: Failure): SimpleCommand | undefined {
  const { rawTool = '', command, program = failure.signature?.program ?? '', message = '' } = failure;
  if (command !== undefined) return findFailingCommand(parseCommand(command, { rawTool }), message);
  return program === '' ? undefined : { program, args: [], text: program };
}

/** `timeout` ended the program, the file is no program, there is no such program. */
const NOT_RUN: ReadonlySet<number> = new Set([124, 126, 127]);
const OUT_OF_TIME = /^(?:error: )?(?:the )?command (?:has )?timed out after \d/i;
const SHELL_SAYS = /^(?:\S*: line \d+|\(eval\)|\S*\b(?:ba|z|da|k)?sh):/;

/** The shell did not start the program, or the program did not end by itself. */
const findUnended: Rule = ({ failure, message }) => {
  if (failure.hung === true || OUT_OF_TIME.test(message) || NOT_RUN.has(failure.exitCode ?? 0)) return 'command';
  return SHELL_SAYS.test(message) && !/\bno such process\b/i.test(message) ? 'command' : undefined;
};

/** A patch, or a script that replaces text, does not find the text. */
const NO_TEXT = /\bpatch (?:does not apply|failed)\b|\bhunks? (?:#\d+ )?FAILED\b/i;
const WRITES = /\bwrite(?:_text|FileSync)?\(/;

const findEditText: Rule = ({ failure, message, output, failed }) => {
  if (NO_TEXT.test(output)) return 'edit-text';
  const isScript = failed !== undefined && isInline(failed) && WRITES.test(failure.command ?? '');
  return isScript && /^AssertionError\b/.test(message) ? 'edit-text' : undefined;
};

/** Two changes of one place have to be merged, two lines of work went on without each other, or nothing has changed. */
const STATE_OF_WORK =
  /^CONFLICT \(|\bmerge conflict\b|\bcould not apply [0-9a-f]{6,}|\bneeds merge\b|\((?:fetch first|non-fast-forward)\)|not possible to fast-forward|^nothing (?:added )?to commit\b|^the previous cherry-pick is now empty/im;
/** The thing is there or done already, or there is nothing to do. */
const DONE =
  /\balready (?!used by|checked out|in use|allocated)|AlreadyExists|: File exists$|\bup[- ]to[- ]date\b|\bno(?:thing| \S+(?: \S+)?) (?:to (?:abort|add|apply|commit|continue|do|merge|pop|push|remove|save|stop|update|upgrade)|in progress)\b/i;
/** What should end or go is gone. */
const ENDS =
  /^(?:-[dD]|(?:--)?(?:stop|p?kill|rm|remove|delete|down|abort|close|pop|drop|unload|uninstall|disable)(?:-\w+)?)$/;
const GONE =
  /\bno such (?!file)|\bcan't find\b|\bnot (?:found|running|started|loaded)\b|\bno .{1,40}\b(?:found|exists?)\b/i;

const findStateOfWork: Rule = ({ message, output, failed, check, isShowing }) => {
  if (check !== undefined || (isShowing && output.split('\n').length > MAX_REFUSAL_LINES)) return undefined;
  if (STATE_OF_WORK.test(output) || (DONE.test(message) && !hasPlace(output))) return 'status';
  const words = failed === undefined ? [] : [failed.program, ...failed.args.slice(0, 2).map(({ value }) => value)];
  return GONE.test(message) && words.some((word) => ENDS.test(word)) ? 'status' : undefined;
};

/** A program does not know the words of the call. */
const USAGE: ReadonlySet<string> = new Set(['wrong_usage', 'config_error']);
/** A check does not have what it needs to begin. */
const LACKS =
  /\b(?:unknown|missing|denied|no such|no module|timed out|not (?:found|available|installed|set)|(?:could not|couldn't|cannot|can't) (?:find|open|determine|locate|continue)|could not read|(?:does not|doesn't)(?: \w+)*? (?:contain|have|exist|support)|there is no|required?|requires)\b/i;

/** A check judged the code, also one that a script or a hook of git ran; or code of the project failed as it ran. */
const findVerdict: Rule = (facts) => {
  const { category, message, output, failed, check, isShowing } = facts;
  const isAbout = isAboutCall(failed, message, output);
  const isMissing = check === undefined && category === 'missing_dependency';
  const hasJudged = !isShowing && !isMissing && !isAbout && isVerdict(output);
  // A test may be about a connection; a build that is about one did not judge.
  if (check !== 'test' && !isShowing && isOfWorld(category, message)) return 'world';
  const isUsage = USAGE.has(category) && !hasPlace(output);
  if (isUsage || (failed !== undefined && isAboutOption(message, failed))) return 'command';
  if (hasJudged) return 'verdict';
  if (check !== undefined) {
    const isRefusal = isOneLine(facts.failure.output) || LACKS.test(message) || isAbout;
    return isRefusal && !hasPlace(output) ? undefined : 'verdict';
  }
  return !isShowing && !isMissing && hasTrace(output) ? 'verdict' : undefined;
};

function isAboutOption(message: string, { args }: SimpleCommand): boolean {
  return args.some(({ value }) => isOption(value) && isNamedIn(message, value));
}

/** The message quotes a word of the call, and nothing names a place in the code. */
function isAboutCall(failed: SimpleCommand | undefined, message: string, output: string): boolean {
  if (failed === undefined || hasPlace(output) || output.split('\n').length > MAX_REFUSAL_LINES) return false;
  const isQuoted = (value: string): boolean => /['"`‘“]/.test(message[message.indexOf(value) - 1] ?? '');
  return failed.args.some(({ value }) => value.length > 2 && message.includes(value) && isQuoted(value));
}

const MAX_REFUSAL_LINES = 6;

/** A check that ran prints more than the one line with which it refuses to. Some agents report an output twice. */
function isOneLine(output: string | undefined): boolean {
  const lines = output?.replace(/^exit code:? \d+\s*/i, '').split('\n');
  return lines !== undefined && new Set(lines.map((line) => line.trim()).filter((line) => line !== '')).size <= 1;
}

/** A service asks for another login. */
const LOGIN =
  /\b(?:token|session|credentials?|certificate|login)s?\b[^.\n]{0,30}\bexpired\b|\bexpired ?token\b|\bre-?authenticat|\bbad credentials\b|\b(?:HTTP 401|401 Unauthorized)\b/i;

/** A call that does more than to show texts of others failed for the sake of a service, a lock or a port. */
const findWorld: Rule = ({ category, message, output, check, isShowing }) => {
  if (isOfWorld(category, message)) return 'world';
  if (check !== undefined || isShowing || isClosed(category, message)) return undefined;
  const isShort = output.split('\n').length <= MAX_SHORT_LINES;
  return isShort && (LOGIN.test(output) || isWorld(output)) ? 'world' : undefined;
};

function isOfWorld(category: string, message: string): boolean {
  if (category === 'network_error' || LOGIN.test(message)) return true;
  return !isClosed(category, message) && isWorld(message);
}

/** A lock that is not there, or that the user may not open, is held by nobody. */
function isClosed(category: string, message: string): boolean {
  return category === 'access_denied' || category === 'missing_path' || /permission denied/i.test(message);
}

/** In a longer output, any text may be among the lines. */
const MAX_SHORT_LINES = 10;

/** Nothing was printed that tells a mistake. */
const findReport: Rule = ({ failure, message, output, failed }) => {
  const silent = isUnfound(failed, failure) ? 'exploration' : 'status';
  const isNamed = failed !== undefined && message.startsWith(`${failed.program}: `);
  if (failure.signature === undefined || !(isNamed || isTelling(failure.signature.template))) return silent;
  if (failed === undefined) return undefined;
  // Another machine may have printed more than the command did.
  const isRemote = hasTrait(failed, 'elsewhere');
  const isRefusal = REFUSAL.test(message) && output.split('\n').length <= MAX_REFUSAL_LINES;
  const isComplaint = isNamed || findErrorLine(output) !== undefined || (isRemote && isRefusal);
  if (!isComplaint && (isLooking(failed) || isRemote)) return silent;
  return hasTrait(failed, 'hub', 'registry') && NONE.test(message) ? 'status' : undefined;
};

const REFUSAL = /\b(?:not|no|must|cannot)\b/i;

/** A service has the thing that it was asked about, and nothing of the kind that was asked for. */
const NONE = /^(?:npm error 404 )?no \S+(?: \S+)? (?:found|reported)|^gh: (?!Not Found).*\(HTTP 404\)/i;

/** Its code tells trouble with a file, and its message was thrown away: `ls a b 2>/dev/null`. */
function isUnfound(failed: SimpleCommand | undefined, { exitCode = 0 }: Failure): boolean {
  return failed !== undefined && exitCode > 1 && isKnownAs(failed.program, 'lists', 'searches', 'views');
}

const ASKING = /^(?:show|view|info|inspect|docs?|why|search|logs?|ls|(?:get|head|list|describe)(?:-\S+)?)$/;
/** A filter asks for a part that the data does not have, or gets other data. */
const OTHER_DATA = /\bcannot (?:iterate over|index)\b|\bparse error\b/i;
/** A registry has no such package or version, a code host no such thing. */
const NO_VERSION =
  /\bno matching (?:version|distribution|manifest)\b|\bmanifest unknown\b|\b(?:not|be found) in (?:this )?registry\b|\bE404\b|\bcould not find a version\b|\bNot Found \(HTTP 404\)|\bunknown revision v\d/i;
/** A name that a script asked for is not there. */
const NO_NAME = /\bNo module named '\w+\.|\bCannot find (?:module|package)\b|\bERR_PACKAGE_PATH_NOT_EXPORTED\b/;
/** The script itself is wrong, or lacks a package. Any other error of it is about the names and data that it looks at. */
const WRONG_SCRIPT = /\b(?:Syntax|Indentation|Tab|Name|Reference|ModuleNotFound)Error\b/;

const findLookup: Rule = ({ failure, message, output, failed }) => {
  if (failed === undefined) return undefined;
  if (isInline(failed) && (NO_NAME.test(message) || (ERROR_NAME.test(message) && !WRONG_SCRIPT.test(message))))
    return 'exploration';
  if (hasTrait(failed, 'filters') && OTHER_DATA.test(message)) return 'exploration';
  if (hasTrait(failed, 'registry', 'hub') && NO_VERSION.test(output)) return 'exploration';
  if (!ABSENT.test(message)) return undefined;
  // A file that an asking program needs is not what it was asked for.
  if (isAskingFor(failed) && !/no such file/i.test(message)) return 'exploration';
  const isLookup = isLooking(failed) || isKnownAs(/^([\w.-]+): /.exec(message)?.[1] ?? '', 'looks');
  if (!isLookup) return undefined;
  return isInSubFolder(failure) ? 'command' : 'exploration';
};

const ERROR_NAME = /\b[A-Z]\w*(?:Error|Exception)\b/;

/** Asks for one thing by its name: `kubectl describe pod web`, `psql -c "select …"`, `go doc x`, `Get-Content a`. */
function isAskingFor(failed: SimpleCommand): boolean {
  if (hasTrait(failed, 'console')) return true;
  const words = [failed.program.toLowerCase(), ...toPositionals(failed)];
  const at = words.slice(0, 3).findIndex((word) => ASKING.test(word));
  return at >= 0 && words.length > at + 1;
}

/** `python -c '…'`: the agent tries something out. */
function isInline(failed: SimpleCommand): boolean {
  const { program, args, text } = unwrapRunner(failed);
  const isGiven = args.length === 0 || args.some(({ value }) => /^(?:-[cep]?|--eval|--print)$/.test(value));
  return isKnownAs(program, 'interpreter') && (isGiven || /<<-?\s*['"]?\w/.test(text));
}

const RULES: readonly Rule[] = [
  findUnended,
  findEditText,
  findStateOfWork,
  findVerdict,
  findWorld,
  findReport,
  findLookup,
];

/** The shell stands in a folder of the project, so a path from the root of the project leads nowhere. */
function isInSubFolder({ cwd, projectRoot, command = '', targetPath = '', parameters }: Failure): boolean {
  if (cwd === undefined || projectRoot === undefined || !cwd.startsWith(`${projectRoot}/`)) return false;
  return !/(?:^|[\s"'=])[/~]/.test(`${command} ${targetPath} ${parameters?.path ?? ''}`);
}

/**
 * The very same call worked later: because the code had changed, because another command had to run first, or because
 * nothing of it was wrong. Undefined if it did not, or if nobody knows.
 */
function findByNext({ failure, check }: Facts, next: readonly LiveCall[]): FailureClass | undefined {
  const worked = next.filter(hasWorked);
  const at = worked.findIndex(({ command, cwd }) => command === failure.command && cwd === failure.cwd);
  if (failure.command === undefined || at < 0) return undefined;
  const between = worked.slice(0, at);
  if (between.some(({ tool }) => tool === 'edit' || tool === 'write')) return 'verdict';
  const ran = between.flatMap(parseCall).filter((one) => isDoing(one) || (isEditing(one) && !hasTrait(one, 'reads')));
  if (ran.some((one) => isPreparation(one, check))) return 'command';
  return ran.some(isEditing) ? undefined : 'world';
}

/** A formatter changes files, and so may git and a script. */
function isEditing(one: SimpleCommand): boolean {
  return findCheck(one) === 'lint' || one.program === 'git' || isKnownAs(one.program, 'interpreter');
}

/** It may have made what the failed call needs: installs, builds, starts or removes something. */
function isPreparation(one: SimpleCommand, check: CheckKind | undefined): boolean {
  if (isEditing(one) || hasTrait(one, 'shows', 'http')) return false;
  const kind = findCheck(one);
  return kind === undefined || (kind === 'build' && check !== 'build');
}

/** Says that something failed, not what. */
const EMPTY_WORDS = new Set(
  'exit status code error errors fail failed failure warning package issue issues problem problems line file test tests found with from the and for'.split(
    ' ',
  ),
);
const WORD = /\p{L}{3,}/gu;

/** Is there a word in it that tells it from any other failure? */
export function isTelling(template: string): boolean {
  const words = template.replaceAll(MASK, ' ').toLowerCase().match(WORD) ?? [];
  return words.some((word) => !EMPTY_WORDS.has(word));
}
