/**
 * Gives the class of a failed call: was the call a mistake, so that another call is the fix, or did a right call report
 * something? The signs are general: which program complained, of what kind it is, how far it got, whether its message is
 * about the words of the call, and what the next calls show. Signs that are certain come first.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { isHookRun } from '../../base/model/tool.ts';
import { isLooking, isProbe } from '../../base/shell/program-kinds.ts';
import { hasTrait, isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../base/shell/sub-commands.ts';
import type { FailureClass } from '../../base/statistics/failures.ts';
import { findErrorLine } from '../../base/text/cause-line.ts';
import { OTHER_CATEGORY, toCategory } from '../../base/text/failure-category.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { findGivenParameter } from './changed-parameter.ts';
import { type Facts, type Failure, type Rule, toFacts } from './classes/failure-facts.ts';
import { findByNext, isReordered } from './classes/find-by-next.ts';
import { findAlike } from './find-attempt.ts';
import { hasPlace, hasTrace, isVerdict, isWorld } from './is-verdict.ts';

/** `next`: the calls of the same context after it, as far as they are known. */
export function classifyFailure(failure: Failure, next: readonly LiveCall[] = []): FailureClass {
  const { tool, message = '', output = message, signature, outcome } = failure;
  const category = signature === undefined ? OTHER_CATEGORY : toCategory(signature);
  // Nobody chose to run the user's hook, so no other call is the fix.
  if (isHookRun(failure)) return 'world';
  if (outcome === 'denied' || isRefused(failure)) return 'harness';
  if (category === 'stale_edit' || (isEditTool(failure) && OTHER_TEXT.test(output)))
    return REFUSED_EDIT.test(message) ? 'harness' : 'edit-text';
  return tool === 'shell' ? classifyCommand(failure, category, next) : classifyTool(failure, category);
}

/** The agent's shell tool reports an error and no exit code, and time was not up: it refused to run the command. */
function isRefused({ tool, outcomeType, exitCode, hung, message = '' }: Failure): boolean {
  if (tool !== 'shell' || outcomeType !== 'error-flag' || exitCode !== undefined) return false;
  return hung !== true && !OUT_OF_TIME.test(message);
}

function classifyTool(failure: Failure, category: string): FailureClass {
  const { tool, message = '', output = message, signature } = failure;
  if (UNSTARTED_TOOL.test(message)) return 'command';
  if (category === 'network_error' || (category === OTHER_CATEGORY && isWorld(output))) return 'world';
  if (category === 'timeout' && (tool === 'web' || /\brequest timed out\b/i.test(message))) return 'world';
  if (tool === 'web') return 'exploration';
  if (LOOKING_TOOL.test(tool) && ABSENT.test(message)) return isInSubFolder(failure) ? 'command' : 'exploration';
  if (signature === undefined) return 'status';
  return category === 'wrong_usage' && !tool.startsWith('mcp:') ? 'harness' : 'command';
}

/** A program that the tool itself consists of is gone, as with a shell command that is not there: use another tool. */
const UNSTARTED_TOOL = /\bposix_spawn\b|\bspawn \S+ E[A-Z]{3,}/;

/** Another call is the fix. */
export function isMistake(of: FailureClass): boolean {
  return of === 'command' || of === 'harness';
}

/** The agent refuses the edit, whatever text the file has. */
const REFUSED_EDIT = /\bhas not been read\b|\bNo changes to make\b/;
/** An edit tool speaks of the text that it looked for: it is not there, not the only one, or has changed. */
const OTHER_TEXT =
  /\bmatch(?:es|ed|ing)?\b|\boccurrences?\b|\bverbatim\b|\bunique\b|\bhunks?\b|\bcontext\b|\b(?:search|old)[ _]?(?:string|str|text|block)\b|\bstring to replace\b|\b(?:modified|changed) since\b/i;
const EDITS = /edit|replace|patch|diff/i;

function isEditTool({ tool, rawTool = '' }: Failure): boolean {
  return tool === 'edit' || ((tool === 'other' || tool.startsWith('mcp:')) && EDITS.test(rawTool));
}

const LOOKING_TOOL = /^(?:read|grep|glob)$|^mcp:.*(?:get|list|search|read|find|fetch)/;
/** Something is not where it was looked for. */
const ABSENT =
  /\bno such\b|not ?(?:be )?found\b|\b(?:does not|doesn't) (?:exist|have)\b|\b(?:could not|couldn't|cannot|can't) (?:find|access|resolve)\b|\bENOENT\b|on disk, but not in|error opening|\bno (?:symbol|match|manual entry|available|\S+ found|(?:\w+ ){1,3}(?:for|named|with))\b|\bnot a known\b|\b(?:bad|unknown|invalid) (?:object|revision)\b|\b404\b|\bout of range\b/i;

/** What follows says more than a judgement or a trouble in a text, and decides where the text says nothing. */
function classifyCommand(failure: Failure, category: string, next: readonly LiveCall[]): FailureClass {
  if (findGivenParameter(failure, next) !== undefined) return 'command';
  const facts = toFacts(failure, category, next);
  if (isReordered(facts)) return 'command';
  for (const rule of RULES) {
    const of = rule(facts);
    // What the user has to do about the world is to log in. All else goes by itself.
    if (of === 'verdict' || (of === 'world' && LOGGED_OUT.test(facts.message))) return findByNext(facts) ?? of;
    if (of !== undefined) return of;
  }
  return findByNext(facts) ?? 'command';
}

/** The file is no program, there is no such program. */
const NOT_RUN: ReadonlySet<number> = new Set([126, 127]);
/** It was built for another kind of machine. */
const FOREIGN_PROGRAM = /\bexec format error\b|\bcannot execute binary file\b/i;
const OUT_OF_TIME = /^(?:error: )?(?:the )?command (?:has )?timed out after \d/i;
const SHELL_SAYS = /^(?:[^\s.]*: line \d+|\(eval\)|[^\s.]*\b(?:ba|z|da|k)?sh):/;
/** PowerShell does not understand the line. */
const UNREADABLE = /^ParserError: |\bCategoryInfo +: ParserError\b/m;
/** PowerShell and cmd.exe know no program of this name. */
const UNKNOWN_PROGRAM = /\bis not recognized as (?:an? (?:name of|internal)|the name of)\b/;

function isProgramSearch(failed: SimpleCommand | undefined): boolean {
  return failed !== undefined && isKnownAs(failed.program, 'locates');
}

/** 128 and a signal: the user or the line itself ended it (INT, TERM); it crashed (ABRT, FPE, SEGV). */
const ENDED: ReadonlySet<number> = new Set([130, 143]);
const CRASHED: ReadonlySet<number> = new Set([134, 136, 139]);

/** The command waits for other work, or says how far that is: its exit code tells the state. */
const REPORTS = /^(?:checks|status|(?:wait|watch|await|poll)(?:-\w+)*)$/;
const WATCHES = /^--(?:watch|wait|follow)(?:=|$)/;
/** Somebody stopped it. */
const STOPPED = /\^C\s*$/;
/** The program speaks of the call, or of trouble on the way. */
const COMPLAINT =
  /^(?:error|fatal|usage|unknown|invalid|missing|could not|cannot|failed to)\b|\b(?:flag|option|argument)s?\b/i;

const findReportOfState: Rule = ({ failure, category, message, output, failed, check }) => {
  if (failed === undefined || check !== undefined || !isReporting(failed)) return undefined;
  const { exitCode = 0 } = failure;
  if (ENDED.has(exitCode) || STOPPED.test(output) || OUT_OF_PATIENCE.test(message)) return 'status';
  if (USAGE.has(category) || isOfWorld(category, message) || NOT_RUN.has(exitCode) || SHELL_SAYS.test(message))
    return undefined;
  return COMPLAINT.test(message) || message.startsWith(`${failed.program}: `) ? undefined : 'status';
};

function isReporting(failed: SimpleCommand): boolean {
  const words = [failed.program, ...toPositionals(failed).slice(0, 2)];
  return words.some((word) => REPORTS.test(word)) || failed.args.some(({ value }) => WATCHES.test(value));
}

/** The shell did not start the program, or the program did not end by itself. */
/** It asks again and again until something is there, and time was up. */
const POLLS = /\b(?:until|while)\b[\s\S]*;\s*do\b[\s\S]*\bsleep\b/;
const MAX_POLL_CHARS = 1_000;
const TO_FILE = /(?:^|\s)(?:1|&)?>{1,2}\s*[^\s&]/;
/** What should end or be waited for has ended. */
const ENDED_ALREADY = /\bno such (?:process|job)\b|\bno current job\b|\bnot a child of this shell\b/i;

const findUnended: Rule = ({ failure, message, output, failed, check }) => {
  const { exitCode = 0, command = '', hung } = failure;
  // `timeout 8 server` shows how it starts, which is no hang; its output may go to a file.
  const isShown = output.trim() !== '' || TO_FILE.test(command);
  const isWatched = check === undefined && /\btimeout\b/.test(command) && isShown;
  const isOutOfTime = exitCode === 124 || hung === true || OUT_OF_TIME.test(message);
  if (ENDED_ALREADY.test(message) || (isOutOfTime && POLLS.test(command.slice(0, MAX_POLL_CHARS)))) return 'status';
  if (exitCode === 124) return isWatched ? 'status' : 'command';
  if (isOutOfTime || NOT_RUN.has(exitCode) || FOREIGN_PROGRAM.test(message)) return 'command';
  if (ENDED.has(exitCode) || (exitCode > 128 && /\bkill\b/.test(command))) return 'status';
  if (CRASHED.has(exitCode)) return 'verdict';
  if (UNREADABLE.test(output) || UNKNOWN_PROGRAM.test(message))
    return isProgramSearch(failed) ? 'exploration' : 'command';
  return SHELL_SAYS.test(message) ? 'command' : undefined;
};

/** The system says no to the process, whatever it asks for: rights, a sandbox, a read-only disk. No time mends that. */
const FORBIDDEN = /permission denied|operation not permitted|read-only file system/i;

const findForbidden: Rule = ({ message }) => (FORBIDDEN.test(message) && !hasPlace(message) ? 'command' : undefined);

/** A program that is made of the project's source, or that a line built into a folder for such. */
const OWN_RUN = /^(?:go|cargo|dotnet) run \S|^(?:\/tmp|(?:\.[\\/])?(?:target|build|dist|bin|out))[\\/]\S/;

function isOwnRun({ text }: SimpleCommand): boolean {
  return OWN_RUN.test(text);
}

/**
 * The project's own program does not know a word, and is never run with other words: somebody looked at what it says to
 * such a word.
 */
const findTriedOut: Rule = ({ category, output, failed, worked }) => {
  if (failed === undefined || !isOwnRun(failed)) return undefined;
  if (!USAGE.has(category) && !USAGE_TEXT.test(output)) return undefined;
  return worked.some((call) => findAlike(failed, call) !== undefined) ? undefined : 'status';
};

const USAGE_TEXT = /^(?:\w+: )?usage\b/i;

/** The program prints how to use it: it did not understand the call, or was asked. */
const findUsage: Rule = ({ output, failed }) => {
  if (failed === undefined || !USAGE_TEXT.test(output)) return undefined;
  return isProbe(failed) ? 'status' : 'command';
};

/** A shell of Unix took the backslashes of a path away: `ls D:\\a` lists `D:a`. */
const findLostBackslash: Rule = ({ message, failed }) =>
  failed?.args.some(({ text, value }) => /^[^'"]*\\\w/.test(text) && value !== text && message.includes(value))
    ? 'command'
    : undefined;

/** No commit or no object has this number. Nobody can know before. */
const NO_OBJECT = /\b(?:unknown revision|bad (?:object|revision)|short object id|not a valid object name)\b/i;
const OBJECT_ID = /(?<![\w-])[0-9a-f]{7,40}(?![\w-])/;

const findNoObject: Rule = ({ message, output, failed }) =>
  failed !== undefined && isLooking(failed) && NO_OBJECT.test(output) && OBJECT_ID.test(message)
    ? 'exploration'
    : undefined;

/** A patch does not find the text. */
const NO_TEXT = /\bpatch (?:does not apply|failed)\b|\bhunks? (?:#\d+ )?FAILED\b/i;

const findEditText: Rule = ({ output }) => (NO_TEXT.test(output) ? 'edit-text' : undefined);

/** Two changes of one place have to be merged, two lines of work are apart or not joined, or nothing has changed. */
const STATE_OF_WORK =
  /^CONFLICT \(|\bmerge conflict\b|\bcould not apply [0-9a-f]{6,}|\bneeds merge\b|\((?:fetch first|non-fast-forward)\)|not possible to fast-forward|^nothing (?:added )?to commit\b|^the previous cherry-pick is now empty|\bis still (?:in progress|running|pending|queued)\b|\bno upstream configured\b|\bnot mergeable\b/im;
/** The thing is there or done already, or there is nothing to do. */
const DONE =
  /\balready (?!used by|checked out|in use|allocated)|AlreadyExists|: File exists$|\bup[- ]to[- ]date\b|\bno(?:thing| \S+(?: \S+)?) (?:to (?:abort|add|apply|commit|continue|do|merge|pop|push|remove|save|stop|update|upgrade)|in progress)\b/i;
/** What should end or go is gone. */
const ENDS =
  /^(?:-[dD]|(?:--)?(?:stop|p?kill|rm|remove|delete|down|abort|close|pop|drop|unload|uninstall|disable)(?:-\w+)?)$/;
const GONE =
  /\bno such (?!file)|\bcan't find\b|\bis not a working tree\b|\bnot (?:found|running|started|loaded)\b|\bno .{1,40}\b(?:found|exists?)\b/i;

const findStateOfWork: Rule = ({ message, output, failed, check, isShowing }) => {
  if (check !== undefined) return undefined;
  if (STATE_OF_WORK.test(isShowing ? message : output) || (DONE.test(message) && !hasPlace(output))) return 'status';
  const words = failed === undefined ? [] : [failed.program, ...failed.args.slice(0, 2).map(({ value }) => value)];
  return GONE.test(message) && words.some((word) => ENDS.test(word)) ? 'status' : undefined;
};

/** Somebody has to start or to stop a service of this machine; another machine may answer later. */
const OF_THIS_MACHINE =
  /\blocalhost\b|\b127\.0\.0\.1\b|\b0\.0\.0\.0\b|::1\b|\.sock\b|\bsocket "|\bdaemon running\b|\bEADDRINUSE\b|\baddress already in use\b|\bport\b.* (?:in use|allocated)\b/i;

/** Somebody else has the lock, or left it. */
const LOCK = /\.lock['"]?: file exists|\b(?:acquir\w+|get|obtain) (?:\S+ ){0,3}lock\b|\banother \w+ process\b/i;

const findLock: Rule = ({ message, check }) => (check === undefined && LOCK.test(message) ? 'world' : undefined);

const OUT_OF_PATIENCE = /\btime(?:d[ -])?out\b|\bdeadline exceeded\b/i;

/** A service or a lock was in the way. A test may be about a connection; any other check that meets one did not judge. */
const findWorld: Rule = ({ category, message, output, check, failed }) => {
  if (check === 'test' && (isVerdict(output) || hasPlace(output))) return undefined;
  if (!isOfWorld(category, message, output)) return undefined;
  // A request tells whether the service is there.
  const isRequest = failed !== undefined && hasTrait(failed, 'http');
  if (!OF_THIS_MACHINE.test(isRequest ? `${failed.text}\n${message}` : message)) return 'world';
  return isRequest ? 'status' : 'command';
};

/** A few lines are the answer of one program. */
function isShort(output: string): boolean {
  return output.trim().split('\n').length <= MAX_ANSWER_LINES;
}

const MAX_ANSWER_LINES = 6;

/** Somebody has to log in, again. */
const LOGGED_OUT =
  /\bbad credentials\b|\b(?:token|session|login|credentials?) (?:is |has |have |was )?expired\b|\bnot logged in\b/i;

function isOfWorld(category: string, message: string, output = ''): boolean {
  if (LOGGED_OUT.test(message)) return true;
  // A lock that is not there, or that the user may not open, is held by nobody.
  const isClosed = category === 'access_denied' || category === 'missing_path';
  return category === 'network_error' || (!isClosed && (isWorld(message) || (isShort(output) && isWorld(output))));
}

/** A program does not know the words of the call. */
const USAGE: ReadonlySet<string> = new Set(['wrong_usage', 'config_error']);
/** A module that the importing file names by its place is a part of the project. */
const OWN_MODULE = /['"`](?:\.{1,2}|[@~])\//;

/**
 * A check judged the code, also one that a script or a hook of git ran; or code of the project failed as it ran. A check
 * that prints no judgement has not judged.
 */
const findVerdict: Rule = (facts) => {
  const { failure, category, message, output, check, isShowing } = facts;
  if (USAGE.has(category) && !hasPlace(output) && !(check === 'test' && isVerdict(output))) return 'command';
  if (check !== undefined && isUnstarted(facts)) return 'command';
  const isMissing = check === undefined && category === 'missing_dependency' && !OWN_MODULE.test(message);
  if (isShowing || isMissing) return undefined;
  if (isVerdict(output) || hasTrace(output) || (check === 'lint' && hasListed(facts))) return 'verdict';
  if (check === undefined) return undefined;
  // Of a stored failure only the message is known.
  return hasPlace(output) || namesFile(message, failure) || failure.output === undefined ? 'verdict' : undefined;
};

/** The complaint is about a file of the project. */
function namesFile(message: string, { projectRoot = '' }: Failure): boolean {
  const at = projectRoot === '' ? -1 : message.indexOf(projectRoot);
  return at >= 0 && /^[\\/][^\s'"`]*\.\w+/.test(message.slice(at + projectRoot.length));
}

/** What a formatter would change. */
const DIFFERENCE = /^(?:@@ -\d|diff \S+ \S+$)/m;

/** A linter that prints a list and complains of nothing in its call has judged. */
function hasListed({ failure: { exitCode }, message, output }: Facts): boolean {
  if (DIFFERENCE.test(output)) return true;
  const isList = output.trim().split('\n').length > 2;
  return exitCode === 1 && isList && !COMPLAINT.test(message) && !ABSENT.test(message) && !NO_INPUT.test(message);
}

/** A check found nothing to check, or nothing under a name that the call gives it, so it judged nothing. */
function isUnstarted({ message, output, failed }: Facts): boolean {
  if (failed === undefined || hasPlace(message)) return false;
  if (isUnbuilt(output)) return true;
  if (NO_INPUT.test(message)) return true;
  const names = toPositionals(failed).map((word) => word.replace(/^\.\/|\/(?:\.{3})?$/g, ''));
  if (names.some((name) => isQuotedIn(message, name)) && !hasPlace(output)) return true;
  if (!ABSENT.test(message)) return false;
  return names.some((name) => name.length >= MIN_NAME_CHARS && message.includes(name));
}

/** `go test` could not build the test, says why, and no file of the project is to blame. */
function isUnbuilt(output: string): boolean {
  return (
    NOT_BUILT.test(output) && !hasPlace(output) && output.split('\n').some((line) => /^(?!FAIL|#|ok\b)\S/.test(line))
  );
}

const NOT_BUILT = /\[(?:build|setup) failed\]/;

function isQuotedIn(message: string, name: string): boolean {
  return [`'${name}'`, `"${name}"`, `\`${name}\``].some((quoted) => message.includes(quoted));
}

const NO_INPUT = /\bexcludes? all\b|\bno (?:\S+ )?(?:files|tests|packages|inputs)\b|\bmatched no\b/i;
const MIN_NAME_CHARS = 3;

/** Nothing was printed that tells a mistake. */
const findReport: Rule = ({ failure, message, output, failed, check }) => {
  const ofCheck = check !== undefined && output.trim() !== '' ? 'verdict' : 'status';
  const silent = isUnfound(failed, failure) ? 'exploration' : ofCheck;
  const isNamed = failed !== undefined && message.startsWith(`${failed.program}: `);
  if (failure.signature === undefined || !(isNamed || isTelling(failure.signature.template))) return silent;
  if (failed === undefined) return undefined;
  // Another machine may have printed more than the command did.
  const isRemote = hasTrait(failed, 'elsewhere');
  const isComplaint = isNamed || findErrorLine(output) !== undefined;
  if (!isComplaint && (isLooking(failed) || isRemote || isOwnRun(failed))) return silent;
  return undefined;
};

/** Its code tells trouble with a file, and its message was thrown away: `ls a b 2>/dev/null`. */
function isUnfound(failed: SimpleCommand | undefined, { exitCode = 0, command = '' }: Failure): boolean {
  if (failed === undefined) return false;
  if (exitCode > 1) return isKnownAs(failed.program, 'lists', 'searches', 'views');
  // On a Mac this is the code of any trouble.
  return /2>\s*\/dev\/null/.test(command) && isKnownAs(failed.program, 'lists', 'views');
}

const ASKING = /^(?:show|view|info|inspect|docs?|why|search|logs?|ls|(?:get|head|list|describe)(?:-\S+)?)$/;
/** A filter asks for a part that the data does not have, or gets other data. */
const OTHER_DATA = /\bcannot (?:iterate over|index)\b|\bparse error\b/i;
/** A name that a script asked for is not there. */
const NO_NAME = /\bNo module named '\w+\.|\bCannot find (?:module|package)\b|\bERR_PACKAGE_PATH_NOT_EXPORTED\b/;
/** The script itself is wrong, or lacks a package. Any other error of it is about the names and data that it looks at. */
const WRONG_SCRIPT = /\b(?:Syntax|Indentation|Tab|Name|Reference|ModuleNotFound)Error\b/;

const findLookup: Rule = ({ failure, message, failed }) => {
  if (failed === undefined) return undefined;
  if (isInline(failed) && (NO_NAME.test(message) || (ERROR_NAME.test(message) && !WRONG_SCRIPT.test(message))))
    return 'exploration';
  if (hasTrait(failed, 'filters') && OTHER_DATA.test(message)) return 'exploration';
  if (!ABSENT.test(message)) return undefined;
  const isLookup = isLooking(failed) || isKnownAs(/^([\w.-]+): /.exec(message)?.[1] ?? '', 'looks');
  if (!isLookup) return undefined;
  return isInSubFolder(failure) ? 'command' : 'exploration';
};

/** It asked for something that is not there. A file that an asking program needs is not what it was asked for. */
const findAsked: Rule = ({ message, failed }) => {
  if (failed === undefined || !ABSENT.test(message) || /no such file/i.test(message)) return undefined;
  if (hasTrait(failed, 'hub', 'registry') && NONE.test(message)) return 'status';
  return isAskingFor(failed) || hasTrait(failed, 'http') ? 'exploration' : undefined;
};

/** A service has the thing that it was asked about, and nothing of the kind that was asked for. */
const NONE = /^(?:npm error 404 )?no \S+(?: \S+)? (?:found|reported)/i;

const ERROR_NAME = /\b[A-Z]\w*(?:Error|Exception)\b/;

/** Asks for one thing by its name: `kubectl describe pod web`, `go doc x`, `Get-Content a`. */
function isAskingFor(failed: SimpleCommand): boolean {
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
  findReportOfState,
  findUnended,
  findForbidden,
  findTriedOut,
  findUsage,
  findNoObject,
  findLostBackslash,
  findEditText,
  findLock,
  findStateOfWork,
  findWorld,
  findAsked,
  findVerdict,
  findReport,
  findLookup,
];

/** The shell stands in a folder of the project, so a path from the root of the project leads nowhere. */
function isInSubFolder({ cwd, projectRoot, command = '', targetPath = '', parameters }: Failure): boolean {
  if (
    cwd === undefined ||
    projectRoot === undefined ||
    !/^[\\/]/.test(cwd.slice(projectRoot.length)) ||
    !cwd.startsWith(projectRoot)
  )
    return false;
  return !/(?:^|[\s"'=])(?:[/~]|[A-Za-z]:[\\/])/.test(`${command} ${targetPath} ${parameters?.path ?? ''}`);
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
