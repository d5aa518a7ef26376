/**
 * Gives the class of a failed call: was the call a mistake, so that another call is the fix, or did a right call report
 * something? The signs are general: which program complained, of what kind it is, whether its message is about the
 * words of the call, and what the next calls show. Signs that are certain come first.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { Signature } from '../../base/model/signature.ts';
import { dropAbsent } from '../../base/records.ts';
import { findCheck, findFailingCommand } from '../../base/shell/intent.ts';
import { parseCall, parseCommand } from '../../base/shell/parse-command.ts';
import { isDoing, isLooking } from '../../base/shell/program-kinds.ts';
import { hasTrait, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import type { FailureClass } from '../../base/statistics/failures.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { OTHER_CATEGORY, toCategory } from '../../base/text/failure-category.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { isNamedIn } from './cure-step.ts';
import { isVerdict, isWorld } from './is-verdict.ts';

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
  if (category === 'stale_edit') return UNREAD.test(message) ? 'harness' : 'edit-text';
  if (tool === 'shell') return classifyCommand(failure, category) ?? classifyByNext(failure, next);
  if (isOfWorld(category, message)) return 'world';
  if (tool === 'web') return 'exploration';
  if (LOOKING_TOOLS.has(tool) && ABSENT.test(message)) return isInSubFolder(failure) ? 'command' : 'exploration';
  if (signature === undefined) return 'status';
  return category === 'wrong_usage' && !tool.startsWith('mcp:') ? 'harness' : 'command';
}

/** Another call is the fix. */
export function isMistake(of: FailureClass): boolean {
  return of === 'command' || of === 'harness';
}

const UNREAD = /\bhas not been read\b/;
const LOOKING_TOOLS: ReadonlySet<string> = new Set(['read', 'grep', 'glob']);
/** Something is not where it was looked for. */
const ABSENT =
  /no such file|not found|(?:does not|doesn't) exist|can(?:not|'t) (?:find|access)|\bENOENT\b|on disk, but not in/i;

interface Facts {
  readonly failure: Failure;
  readonly category: string;
  readonly message: string;
  readonly output: string;
  /** The command of the line that failed. */
  readonly failed?: SimpleCommand;
  readonly isCheck: boolean;
  /** It shows files, logs or pages, and any text may be among them. */
  readonly isShowing: boolean;
}

/** Undefined where it cannot tell. */
type Rule = (facts: Facts) => FailureClass | undefined;

function classifyCommand(failure: Failure, category: string): FailureClass | undefined {
  const { message = '', output = message, intentKey = '' } = failure;
  const failed = findFailed(failure);
  const isCheck = intentKey.startsWith('check ') || (failed !== undefined && findCheck(failed) !== undefined);
  const isShowing = failed !== undefined && (isLooking(failed) || hasTrait(failed, 'shows', 'http'));
  const facts = { failure, category, message, output, isCheck, isShowing, ...dropAbsent({ failed }) };
  for (const rule of RULES) {
    const of = rule(facts);
    if (of !== undefined) return of;
  }
  return undefined;
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
  return SHELL_SAYS.test(message) ? 'command' : undefined;
};

/** Two changes of one place have to be merged, two lines of work went on without each other, or nothing has changed. */
const STATE_OF_WORK =
  /^CONFLICT \(|\bmerge conflict\b|\bcould not apply [0-9a-f]{6,}|\bneeds merge\b|\((?:fetch first|non-fast-forward)\)|not possible to fast-forward|^nothing (?:added )?to commit\b|^the previous cherry-pick is now empty/im;
/** The thing is there or done already, or it is not there any more, or something else has to come first. */
const DONE =
  /\balready (?!used by|checked out|in use)|AlreadyExists|: File exists$|\bup[- ]to[- ]date\b|\bno(?:thing| \S+(?: \S+)?) (?:to (?:abort|add|apply|commit|continue|do|merge|pop|push|remove|stop|update|upgrade)|in progress)\b|\bno such (?:container|process|pid)\b|\bprocess\b.{0,20}\bnot found\b|\bnot (?:running|started|loaded)\b|\bcurrent state\b|\bpatch (?:does not apply|failed)\b/i;

const findStateOfWork: Rule = ({ message, output, isCheck, isShowing }) =>
  !isCheck && !isShowing && (STATE_OF_WORK.test(output) || DONE.test(message)) ? 'status' : undefined;

/** A program does not know the words of the call. */
const USAGE: ReadonlySet<string> = new Set(['wrong_usage', 'config_error']);
/** Of a check: it could not begin. */
const NOT_BEGUN: ReadonlySet<string> = new Set([
  ...['missing_path', 'not_found', 'missing_dependency', 'access_denied', 'network_error', 'timeout'],
]);

/** A check judged the code, also one that a script or a hook of git ran. */
const findVerdict: Rule = ({ failure, category, message, output, failed, isCheck, isShowing }) => {
  const hasJudged = !isShowing && isVerdict(output) && !isAboutOperand(failed, message, output);
  const isUsage = USAGE.has(category) || (failed !== undefined && isAboutOption(message, failed));
  const hasBegun = !(
    isUsage ||
    NOT_BEGUN.has(category) ||
    isOneLine(failure.output) ||
    isRefused(failed, message) ||
    isAboutOperand(failed, message, output)
  );
  if (isCheck && (hasJudged || hasBegun)) return 'verdict';
  if (isUsage) return 'command';
  return hasJudged ? 'verdict' : undefined;
};

function isAboutOption(message: string, { args }: SimpleCommand): boolean {
  return args.some(({ value }) => isOption(value) && isNamedIn(message, value));
}

/** The message quotes a word of the call, and nothing names a place in the code. */
function isAboutOperand(failed: SimpleCommand | undefined, message: string, output: string): boolean {
  if (failed === undefined || PLACE.test(output) || output.split('\n').length > MAX_REFUSAL_LINES) return false;
  return failed.args.some(({ value }) => /['"`‘“]/.test(message[message.indexOf(value) - 1] ?? '') && value.length > 2);
}

const PLACE = /\.\w+[:(]\d+|\bline \d+/i;
const MAX_REFUSAL_LINES = 6;

/** The runner does not have what it was asked to run. */
function isRefused(failed: SimpleCommand | undefined, message: string): boolean {
  return LACKS.test(message) && failed?.args.some(({ value }) => isNamedIn(message, value)) === true;
}

const LACKS = /\b(?:unknown|missing|does not (?:contain|have|exist)|no such|not found|could not (?:find|read))\b/i;

/** A check that ran prints more than the one line with which it refuses to. Some agents report an output twice. */
function isOneLine(output: string | undefined): boolean {
  const lines = output?.replace(/^exit code:? \d+\s*/i, '').split('\n');
  return lines !== undefined && new Set(lines.map((line) => line.trim()).filter((line) => line !== '')).size <= 1;
}

/** A service asks for another login. */
const LOGIN =
  /\b(?:token|session|credentials?|certificate|login)s?\b[^.\n]{0,30}\bexpired\b|\bexpired ?token\b|\bre-?authenticat|\bbad credentials\b|\b(?:HTTP 401|401 Unauthorized)\b/i;

/** A call that does more than to show texts of others failed for the sake of a service, a lock or a port. */
const findWorld: Rule = ({ category, message, output, isCheck, isShowing }) => {
  if (isOfWorld(category, message) || LOGIN.test(message)) return 'world';
  return !isCheck && !isShowing && (LOGIN.test(output) || isWorld(toComplaints(output))) ? 'world' : undefined;
};

/** The lines that a program marks as an error. */
function toComplaints(output: string): string {
  const lines = output.split('\n', MAX_LINES);
  return lines.filter((line) => COMPLAINT.test(line)).join('\n');
}

const MAX_LINES = 200;
const COMPLAINT = /^\W*(?:[\w.+-]+: )?(?:npm |\w+ )?(?:error|err!|fatal|warning|caused by|e|graphql|failed)\b/i;

/** A service has nothing of the kind that it was asked for. */
const NONE = /^no \S+(?: \S+)? (?:found|reported|match)|\b(?:HTTP|error) 404\b/i;

/** Nothing was printed that tells a mistake. */
const findReport: Rule = ({ failure, message, output, failed }) => {
  const silent = isUnfound(failed, failure) ? 'exploration' : 'status';
  const isNamed = failed !== undefined && message.startsWith(`${failed.program}: `);
  if (failure.signature === undefined || !(isNamed || isTelling(failure.signature.template))) return silent;
  if (failed === undefined) return undefined;
  const isComplaint = isNamed || findErrorLine(output) !== undefined;
  if (!isComplaint && (isLooking(failed) || hasTrait(failed, 'elsewhere'))) return silent;
  return isAsking(failed) && NONE.test(message) ? 'status' : undefined;
};

const ASKING = new Set(['view', 'show', 'info', 'search', 'list', 'status', 'checks', 'api']);
const ASKING_FOR = /^(?:show|view|info|describe|inspect|doc|docs|why|search|logs?|get(?:-\S+)?|head-\S+|list-\S+)$/;

/** Asks a service about its things: `gh pr view`, `npm view`. */
function isAsking(failed: SimpleCommand): boolean {
  return hasTrait(failed, 'hub', 'registry') && failed.args.some(({ value }) => ASKING.has(value));
}

/** Asks for one thing by its name: `kubectl describe`, `go doc`, `Get-Content`. */
function isAskingFor(failed: SimpleCommand): boolean {
  return (
    /^(?:get|test|select|find|measure)-\w/i.test(failed.program) ||
    toPositionals(failed)
      .slice(0, 2)
      .some((word) => ASKING_FOR.test(word))
  );
}

/** Its code tells trouble with a file, and its message was thrown away: `ls a b 2>/dev/null`. */
function isUnfound(failed: SimpleCommand | undefined, { exitCode = 0 }: Failure): boolean {
  return failed !== undefined && exitCode > 1 && isKnownAs(failed.program, 'lists', 'searches', 'views');
}

/** A name that a script asked for is not there, or the data has another shape. */
const NO_NAME =
  /\bAttributeError\b|\b(?:Key|Index)Error\b|\bNoMethodError\b|\bcannot import name\b|\bNo module named '\w+\.|\bis not (?:a function|a constructor|iterable|subscriptable)\b|\bCannot read propert(?:y|ies) of\b|\bCannot find (?:module|package)\b|\bERR_PACKAGE_PATH_NOT_EXPORTED\b/;
/** A filter asks for a part that the data does not have. */
const NO_FIELD = /\bcannot (?:iterate over|index)\b/i;
/** A registry has no such package or version. */
const NO_VERSION =
  /\bno matching (?:version|distribution|manifest)\b|\bmanifest unknown\b|\b(?:not|be found) in (?:this )?registry\b|\bE404\b|\bcould not find a version\b|\bunknown revision v\d/i;
/** Nothing of that name is there. */
const UNKNOWN_NAME =
  /\bno such\b|\bnot ?found\b|\b(?:does not|doesn't) (?:exist|have)\b|\b(?:could not|couldn't|cannot|can't) (?:find|resolve)\b|\bno (?:symbol|match)|\bis not valid for\b|\b404\b/i;

const findLookup: Rule = ({ failure, message, output, failed }) => {
  if (failed === undefined) return undefined;
  if (isInline(failed) && NO_NAME.test(message)) return 'exploration';
  if (hasTrait(failed, 'filters') && NO_FIELD.test(message)) return 'exploration';
  if (hasTrait(failed, 'registry') && NO_VERSION.test(output)) return 'exploration';
  if (isAskingFor(failed) && UNKNOWN_NAME.test(message)) return 'exploration';
  const isLookup = isLooking(failed) || isKnownAs(/^([\w.-]+): /.exec(message)?.[1] ?? '', 'looks');
  if (!isLookup || !ABSENT.test(message)) return undefined;
  return isInSubFolder(failure) ? 'command' : 'exploration';
};

/** `python -c '…'`: the agent tries something out. */
function isInline(failed: SimpleCommand): boolean {
  const { program, args, text } = unwrapRunner(failed);
  const isGiven = args.length === 0 || args.some(({ value }) => /^(?:-[cep]?|--eval|--print)$/.test(value));
  return isKnownAs(program, 'interpreter') && (isGiven || /<<-?\s*['"]?\w/.test(text));
}

const RULES: readonly Rule[] = [findUnended, findStateOfWork, findVerdict, findWorld, findReport, findLookup];

/** The shell stands in a folder of the project, so a path from the root of the project leads nowhere. */
function isInSubFolder({ cwd, projectRoot, command = '', targetPath = '', parameters }: Failure): boolean {
  if (cwd === undefined || projectRoot === undefined || !cwd.startsWith(`${projectRoot}/`)) return false;
  return !/(?:^|[\s"'=])[/~]/.test(`${command} ${targetPath} ${parameters?.path ?? ''}`);
}

function isOfWorld(category: string, message: string): boolean {
  return category === 'network_error' || (category === OTHER_CATEGORY && isWorld(message));
}

/** The very same call worked later: because the code had changed, or because nothing of it was wrong. */
function classifyByNext(failure: Failure, next: readonly LiveCall[]): FailureClass {
  const at = next.findIndex(
    ({ command, cwd, outcome }) => command === failure.command && cwd === failure.cwd && outcome === 'success',
  );
  if (failure.command === undefined || at < 0) return 'command';
  const between = next.slice(0, at);
  const isEdited = between.some(({ tool, outcome }) => (tool === 'edit' || tool === 'write') && outcome === 'success');
  if (isEdited) return 'verdict';
  return between.some((one) => parseCall(one).some(isDoing)) ? 'command' : 'world';
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
