/**
 * Makes the signature of a failure: the program and the masked cause line of its output. A signature depends on the
 * message alone, so the same failure gets the same id in any order of reading; `group-signatures.ts` merges
 * near-duplicates over all stored signatures. Every change of a rule needs a new version: signatures of different
 * versions are never compared, and stored ones cannot be recomputed, because the text is not kept; a call gets its new
 * signature when its transcript is read again, and the old rows lose their calls or age with them.
 */

import { hashText } from '../ids.ts';
import type { Signature } from '../model/signature.ts';
import { maskLine } from './masking.ts';
import { stripAnsi } from './strip-ansi.ts';

const SIGNATURE_VERSION = 2;

interface SignedCause {
  readonly signature: Signature;
  readonly causeLine: string;
}

export function toSignature(program: string, errorText: string): SignedCause | undefined {
  const causeLine = findCauseLine(errorText);
  return causeLine === undefined ? undefined : { signature: makeSignature(program, maskLine(causeLine)), causeLine };
}

/** The signature of a line that is a message by itself. */
export function toLineSignature(program: string, line: string): Signature {
  // The line has no end of its own; without one, a carriage return before it would seem to overwrite the line.
  return makeSignature(program, maskLine(toMessage(stripAnsi(line.includes('\r') ? `${line}\n` : line))));
}

/** A cache for the last program: messages come in groups, and hashing takes as long as masking the line. */
let made = { program: '', signatures: new Map<string, Signature>() };
const MAX_MADE = 5_000;

export function makeSignature(program: string, template: string): Signature {
  if (made.program !== program || made.signatures.size >= MAX_MADE) made = { program, signatures: new Map() };
  const known = made.signatures.get(template);
  if (known !== undefined) return known;
  const id = `sig${SIGNATURE_VERSION}_${hashText(`${program}\n${template}`)}`;
  const signature = { id, version: SIGNATURE_VERSION, template, program };
  made.signatures.set(template, signature);
  return signature;
}

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
  /^npm (?:ERR!|error) (?:code \w+$|errno|path|a complete log|lifecycle script|in workspace|location|command (?:failed|sh))/i,
  /^the command is terminated due to an error/i,
  /^(?:FAIL|PASS|OK)(?:\t|$)/,
  /^ok$/,
  /^=== (?:RUN|PAUSE|CONT|NAME)/,
  /^(?:at |from )\S/,
  /^traceback \(most recent call last\)/i,
  /^(?:throw|raise) /,
  /^<\/?[a-z_]+>$/,
];

/** Lines around the cause, used only if there is no other line. */
const AROUND: readonly RegExp[] = [
  // Successful tests.
  /^ok\s+\S+|^--- (?:PASS|SKIP)|^\?\s+\S+\s+\[no test files\]/,
  /^(?:\S+ ){0,3}(?:INFO|DEBUG|TRACE)\b|\d\d:\d\d:\d\d\S* +(?:INFO|DEBUG|TRACE)\b/,
  /^Finished in /,
  // The name of the package whose errors follow, and markers below a place.
  /^# \S+(?: \[\S+\])?$/,
  /^[\^~|\s-]+$/,
  // Source code in a stack trace or a linter's output.
  /^(?:\/\/|\/\*|\* )/,
  /^(?:func|function|return|if|for|while|switch|const|let|var|import|def|class|async|await|export|public|private|static|fn|pub)\b.*[{(;,:)]$/,
  /^[\w.]+(?:\[[^\]]*\])? :?= .*[({;,)]$/,
  /^[\w.]+\(.*[({,;]$/,
  /^[}\])]+[,;)]*$/,
];

const USAGE = /^(?:usage|options|flags|commands|arguments|available \w+|global \w+|examples?|aliases)\s*:/i;

/** Task runners put the task's name before every line. A log level is kept. */
const TASK = /^\[(?!(?:error|err|warn|warning|fatal|panic|crit|critical|info|debug)\])[a-z][\w:./@-]*\] +(?=\S)/i;

/** Strongest first. */
const KINDS: readonly RegExp[] = [
  // Errors of an agent's own edit tool; the user's code follows.
  /^(?:String to replace not found|Found \d+ matches of the string)/,
  // A program rejects its own command line.
  /\b(?:unknown|unrecogni[sz]ed|illegal|invalid|unexpected|unsupported|no such|bad) (?:\w+ ){0,2}(?:flag|option|argument|arguments|switch|command|subcommand|parameter|predicate|primary|choice|field)\b/i,
  /command not found|is not a \w+ command|flag provided but not defined|not recogni[sz]ed as an internal|missing script/i,
  // The usual form of an error.
  /^(?:[\w./@+-]+: )?(?:fatal|panic|error(?:\[\w+\]| TS\d+)?):/i,
  /^(?:npm (?:ERR!|error)|ERR_\w+|E: |✘|✖|●) ?\S/,
  /^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt)\b/,
  /no such file or directory|permission denied|not found|cannot |can't |could not |unable to /i,
  // A compiler, linter or test names the place.
  /^\S+?[:(]\d+(?:[:,]\d+)?\)?:? /,
  /^(?:--- FAIL|FAILED|not ok|✗|×)/,
  /\b(?:error|failed|failure|invalid|denied|refused|rejected|conflict)\b/i,
];

/**
 * Finds the line of an output that states the cause. Runners repeat a failure in their own words (`ERROR task failed`),
 * and programs print a usage text after one line of reason, so the first line of the strongest kind wins.
 */
export function findCauseLine(output: string): string | undefined {
  const lines = toLines(output);
  return findStrongest(lines) ?? lines.find((line) => !isAround(line)) ?? lines[0];
}

/** Finds a line only if it has the form of an error. */
export function findErrorLine(output: string): string | undefined {
  return findStrongest(toLines(output));
}

/** Removes a runner's prefix from a line and limits its length. */
function toMessage(line: string): string {
  const text = line.slice(0, MAX_LINE_CHARS).trim();
  return text.startsWith('[') ? text.replace(TASK, '') : text;
}

function isAround(line: string): boolean {
  return AROUND.some((around) => around.test(line));
}

function findStrongest(lines: readonly string[]): string | undefined {
  for (const kind of KINDS) {
    const found = lines.find((line) => kind.test(line) && !isAround(line));
    if (found !== undefined) return found;
  }
  return undefined;
}

function toLines(output: string): readonly string[] {
  const all = stripAnsi(output).split('\n');
  const near = all.length > HEAD_LINES + TAIL_LINES ? [...all.slice(0, HEAD_LINES), ...all.slice(-TAIL_LINES)] : all;
  const kept: string[] = [];
  let inUsage = false;
  for (const raw of near) {
    const line = toMessage(raw);
    if (USAGE.test(line)) inUsage = true;
    // Usage texts are indented; the first unindented line that is not a heading ends them.
    else if (line !== '' && !/^\s/.test(raw)) inUsage = false;
    if (line !== '' && !inUsage && !NOISE.some((noise) => noise.test(line))) kept.push(line);
  }
  return kept;
}
