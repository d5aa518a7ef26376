/**
 * Finds the line of an output that states the cause of a failure, and the message of a line without the marks that a
 * runner, a shell or a logger put before it. Both are functions of the text alone.
 */

import { stripAnsi } from './strip-ansi.ts';

/** Programs print the cause early or at the very end, so the middle of a long output is not searched. */
const HEAD_LINES = 300;
const TAIL_LINES = 100;
const MAX_LINE_CHARS = 500;

/** Lines of agents and task runners that say that something failed, but not why. */
const NOISE: readonly RegExp[] = [
  /^exit code:? \d+$/i,
  /^process exited with code \d+/i,
  /^(?:\[[^\]]*\] )?(?:ERROR task failed|\$ )/,
  /^(?:error:? )?command failed(?: with exit code)?[ :]/i,
  /^(?:error:? )?(?:script|recipe) .{0,80}(?:exited with|failed (?:on line|with exit)) /i,
  /^make(?:\[\d+\])?: \*\*\* \[[^\]]*\] error \d+/i,
  /^npm (?:ERR!|error) (?:code \w+$|errno|path|syscall|enoent this|a complete log|lifecycle script|in workspace|location|command (?:failed|sh))/i,
  /^the command is terminated due to an error/i,
  /^(?:FAIL|PASS|OK)(?:\t|$)/,
  /^ok$/,
  /^(?:#+ )?(?:error|failed|failure|stderr|stdout|output)[:!]?$/i,
  /^=== (?:RUN|PAUSE|CONT|NAME)/,
  /^(?:at |from )\S/,
  /^traceback \(most recent call last\)/i,
  /^(?:throw|raise) /,
  /^<\/?[a-z_]+>$/,
  // The command that a package runner runs, and its own version.
  /^(?:> \S+@\d\S* \S|[a-z]+ [a-z]+ v\d+\.\d+\.\d+\b)/,
  // What a host and `ssh` print before and after the command: its system, its rules, frames around them.
  /^[A-Z][\w/]*(?: [\w/]+){0,2} \d+(?:\.\d+)*(?: LTS)?(?: \([^()]*\))?$|^(?:Welcome to |Last login: |\*\* (?!\())/,
  /^(?:Pseudo-terminal will not be allocated|(?:Shared c|C)onnection to \S+ closed)/,
  /^[*#=_~-]{3,}$|^([*#|]).* \1$/,
  /^Picked up \w+: /,
];

/** A program reports that another program or a connection failed, which has already printed the reason. */
const SECOND_HAND: readonly RegExp[] = [
  /^fatal: Could not read from remote repository/,
  /^error: (?:failed to push some refs to|could not compile)/,
  /^ERROR: (?:failed to solve: )?process .* did not complete successfully/,
  /^ImportError while (?:importing|loading) /,
  /^\S+: error: (?:ld returned|linker command failed)/,
  /^(?:\[ERROR\] )?(?:Failed to execute goal|Execution failed for task|Build did NOT complete)/,
];

/** Lines around the cause, used only if there is no other line. */
const AROUND: readonly RegExp[] = [
  // Successful tests.
  /^ok\s+\S+|^--- (?:PASS|SKIP)|^\?\s+\S+\s+\[no test files\]|^[✓✔√]|^\(pass\)|^PASS(?:ED)?\b| \.\.\. ok$/,
  /^(?:\S+ ){0,3}\[?(?:INFO|DEBUG|TRACE)\b|\d\d:\d\d:\d\d\S* +(?:INFO|DEBUG|TRACE)\b/,
  /^Finished in /,
  // Warnings and advice, which programs print beside the error.
  /^(?:\S+:\d+: )?[A-Z]\w*Warning: |^\(Use `node --trace|^\w+ WARN\b/,
  /^(?:[\w./@+-]+: )?(?:warning|warn|notice|hint|note|tip|help|info|debug)\b ?[:\]]|^npm (?:warn|notice)\b|^\(node:\d+\) /i,
  // The command that a package runner runs.
  /^> (?!\d+ [|│])\S/,
  // States the exit code of a program.
  /\b(?:exit(?:ed)?|returned|ended|finished|completed)\b(?: \S+){0,3} (?:code|status)[: ] ?-?\d+\b|^(?:# )?exit status \d+$/i,
  // The name of the package whose errors follow, and markers below a place.
  /^# \S+(?: \[\S+\])?$/,
  /^[\^~|│\s-]+$/,
  // Source code in a stack trace or a linter's output.
  /^(?:\/\/|\/\*|\* )/,
  /^>? ?\d+ +[|│]|^Line [|│]$/,
  /^(?:func|function|return|if|for|while|switch|const|let|var|import|def|class|async|await|export|public|private|static|fn|pub)\b.*[{(;,:)]$/,
  /^[\w.]+(?:\[[^\]]*\])? :?= .*[({;,)]$/,
  /^[\w.]+\(.*[({,;]$/,
  /^[}\])]+[,;)]*$/,
  // The parts of a PowerShell error below its message.
  /^(?:\+ (?:CategoryInfo|FullyQualifiedErrorId) +:|\+ +~+$|At (?:line|.+\.ps1):\d+ char:\d+$)/,
];

const USAGE = /^(?:usage|options|flags|commands|arguments|available \w+|global \w+|examples?|aliases)\s*:/i;

/** Task runners put the task's name before every line. A log level is kept. */
const TASK = /^\[(?!(?:error|err|warn|warning|fatal|panic|crit|critical|info|debug)\])[a-z][\w:./@-]*\] +(?=\S)/i;

/** An agent's mark around the error of a tool. */
const TAG = /^<([a-z]+_[a-z_]+)>(.+?)(?:<\/\1>)?$/;

/** Strongest first. */
const KINDS: readonly RegExp[] = [
  // The agent ended the command, so its output until then does not contain the cause.
  /^(?:error: )?(?:the )?command (?:has )?timed out after \d/i,
  // Errors of an agent's own edit tool; the user's code follows.
  /^(?:String to replace not found|Found \d+ matches of the string)/,
  // A program rejects its own command line.
  /\b(?:unknown|unrecogni[sz]ed|illegal|invalid|unexpected|unsupported|no such|bad) (?:\w+ ){0,2}(?:flag|option|argument|switch|command|subcommand|parameter|predicate|primary|choice|field)s?\b/i,
  /command not found|is not a \w+ command|flag provided but not defined|not recogni[sz]ed as (?:an internal|the name of)|missing script/i,
  // The usual form of an error.
  /^(?:[\w./@+-]+: )?(?:fatal|panic|error(?:\[\w+\]| TS\d+)?):/i,
  /^(?:npm (?:ERR!|error)|ERR_\w+|E: |✘|✖|●) ?\S/,
  /^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt)\b/,
  /no such file or directory|permission denied|not found|cannot |can't |could not |couldn't |unable to |undefined reference /i,
  // A compiler, linter or test names the place.
  /^\S+?[:(]\d+(?:[:,]\d+)?\)?:? /,
  /^(?:--- FAIL|FAILED|not ok|✗|×)/,
  /\b(?:error|failed|failure|invalid|denied|refused|rejected|conflict)\b/i,
];

/** A line that only announces the error below it. */
const HEADING = /(?:\b|^)(?:errors?|exception|failed|failures?|issues?|problems?|reasons?)\)?:$/i;

/**
 * Finds the line of an output that states the cause. Runners repeat a failure in their own words (`ERROR task failed`),
 * and programs print a usage text after one line of reason, so the first line of the strongest kind wins.
 * `command` is the command line that printed it: a line that repeats a part of it is no cause.
 */
export function findCauseLine(output: string, command = ''): string | undefined {
  const lines = toLines(output);
  const own = command === '' ? lines : lines.filter((line) => !isEcho(line, command));
  const found =
    findWrapped(lines) ??
    findStrongest(own.filter((line) => !isSecondHand(line))) ??
    findStrongest(own) ??
    own.find((line) => !isAround(line) && !PROGRESS.test(line)) ??
    own.find((line) => !isAround(line)) ??
    lines[0];
  return found === undefined || !HEADING.test(found) ? found : withNext(found, lines);
}

/** Finds a line only if it has the form of an error. */
export function findErrorLine(output: string): string | undefined {
  return findStrongest(toLines(output));
}

/** Removes a runner's prefix from a line and limits its length. */
export function trimLine(line: string): string {
  const text = line.slice(0, MAX_LINE_CHARS).trim();
  if (text.startsWith('<')) return text.replace(TAG, '$2');
  return text.startsWith('[') ? text.replace(TASK, '') : text;
}

function withNext(heading: string, lines: readonly string[]): string {
  const next = lines.slice(lines.indexOf(heading) + 1).find((line) => !isAround(line));
  return next === undefined ? heading : `${heading} ${next}`.slice(0, MAX_LINE_CHARS);
}

const POWERSHELL_PLACE = /^At (?:line|.+\.ps1):\d+ char:\d+$/;
const MAX_WRAPPED = 6;

/** Windows PowerShell breaks a message at the width of its window; the place of the error follows. */
function findWrapped(lines: readonly string[]): string | undefined {
  const place = lines.findIndex((line) => POWERSHELL_PLACE.test(line));
  if (place < 1) return undefined;
  const from = lines.slice(0, place).findLastIndex((line) => / : /.test(line));
  const start = from < 0 ? place - 1 : from;
  return lines
    .slice(Math.max(start, place - MAX_WRAPPED), place)
    .join(' ')
    .slice(0, MAX_LINE_CHARS);
}

/** Before a command that is repeated; the name of an error is none. */
const LABEL = /^(?:(?!\w*(?:Error|Exception): )[A-Za-z]+: |[$>+] )/;
const MIN_ECHO_CHARS = 6;

/** A traced or reported command, or a line of the script that the call contains. */
function isEcho(line: string, command: string): boolean {
  if (command.includes(line)) return line.length >= MIN_ECHO_CHARS;
  const bare = line.replace(LABEL, '');
  return bare !== line && bare.length >= MIN_ECHO_CHARS && command.includes(bare);
}

/** States what a program is about to do, or its progress. */
const PROGRESS = /(?:\.{3}|…|\b\d{1,3}(?:\.\d+)?%)$/;

function isSecondHand(line: string): boolean {
  return SECOND_HAND.some((pattern) => pattern.test(line));
}

function isAround(line: string): boolean {
  return AROUND.some((around) => around.test(line));
}

const JSON_LINE = /^[[{]["{[]/;

function findStrongest(lines: readonly string[]): string | undefined {
  const bare = lines.map(toBare);
  for (const kind of KINDS) {
    const isOfKind = (line: string, i: number) => kind.test(line) && !isAround(line) && !isAround(lines[i] ?? '');
    const at = bare.findIndex(isOfKind);
    if (at < 0) continue;
    // An answer in JSON is data; a program that got it says the same in its own words.
    const spoken = JSON_LINE.test(bare[at] ?? '')
      ? bare.findIndex((line, i) => !JSON_LINE.test(line) && isOfKind(line, i))
      : at;
    return lines[spoken < 0 ? at : spoken];
  }
  return undefined;
}

function toLines(output: string): readonly string[] {
  const all = stripAnsi(output).split('\n');
  const near = all.length > HEAD_LINES + TAIL_LINES ? [...all.slice(0, HEAD_LINES), ...all.slice(-TAIL_LINES)] : all;
  const kept: string[] = [];
  let inUsage = false;
  for (const raw of near) {
    const line = trimLine(raw);
    if (USAGE.test(line)) inUsage = true;
    // Usage texts are indented; the first unindented line that is not a heading ends them.
    else if (line !== '' && !/^\s/.test(raw)) inUsage = false;
    if (line !== '' && !inUsage && !isNoise(line)) kept.push(line);
  }
  return kept;
}

function isNoise(line: string): boolean {
  const bare = toBare(line);
  return NOISE.some((noise) => noise.test(line) || (bare !== line && noise.test(bare)));
}

/** A time before the message, as loggers print it: `2026-01-02 03:04:05,678 `, `[03:04:05] `. */
const STAMP =
  /^\[?(?:\d{4}-\d\d-\d\d[T ])?\d\d:\d\d:\d\d[\d.,]*(?:Z|[+-]\d\d:?\d\d)?\]?:? +(?=\S)|^[IWEF]\d{4} \d\d:\d\d:\d\d\.\d+ +\d+ [\w.-]+:\d+\] /;
/** Marks before a message: pytest's `E   `, a gutter, a bullet, the step of a build. */
const MARK = /^(?:E {2,}|[│|>●•×✖✗✘*-]\s+|#\d+ (?:\d+\.\d+ )?)(?=\S)/;

/** The package and the task, or the service, that a runner of several puts before every line. */
const MEMBER = /^(?:[\w.-]+-\d+ +\| +|@?[\w.-]+\/[\w./-]+ [\w:-]+: |@?[\w./-]+:[a-z][\w:-]*: )(?=\S)/;

export function toBare(line: string): string {
  const first = line.charCodeAt(0);
  // Letters other than E begin most lines, and none of the other marks.
  if (first > 69 && first < 123 && first !== 91) return withoutMember(line);
  const late = line.replace(STAMP, '');
  return withoutMember(late.replace(MARK, ''));
}

function withoutMember(line: string): string {
  return line.includes(': ') || line.includes(' | ') ? line.replace(MEMBER, '') : line;
}
