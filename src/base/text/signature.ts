/**
 * Makes the signature of a failure: the program that failed and the masked cause line of its output. It is a function
 * of the call and its cause line alone, so the same failure gets the same id in any order of reading, and a stored
 * failure can be signed again from its message; `group-signatures.ts` merges near-duplicates over all stored
 * signatures. Every change of a rule needs a new version: signatures of different versions are never compared, and
 * `keep/migrations/sign-again.ts` signs stored failures of an older version again.
 */

import { hashText } from '../ids.ts';
import type { Signature } from '../model/signature.ts';
import type { ToolName } from '../model/tool.ts';
import { dropAbsent } from '../records.ts';
import { findFailingCommand } from '../shell/intent.ts';
import { parseCall, parseCommand } from '../shell/parse-command.ts';
import { findFacts, isKnownAs } from '../shell/programs/all-facts.ts';
import { isOption, type SimpleCommand } from '../shell/simple-command.ts';
import { toSubCommand, unwrapRunner } from '../shell/sub-commands.ts';
import { findCauseLine, toBare, trimLine } from './cause-line.ts';
import { MASK } from './mask-word.ts';
import { maskLine } from './masking.ts';
import { toBaseName } from './paths.ts';
import { stripAnsi } from './strip-ansi.ts';

export const SIGNATURE_VERSION = 6;

interface SignedCause {
  readonly signature: Signature;
  readonly causeLine: string;
}

/** A failed call, as far as its signature depends on it. */
interface FailedCall {
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly command?: string;
  /** The program whose exit code the line hid. */
  readonly hiddenProgram?: string;
}

/** A stored or remembered call, to be signed again. */
export function toFailedCall(
  call: FailedCall & { masked?: boolean; signature?: Pick<Signature, 'program'> },
): FailedCall {
  const { tool, rawTool, command, masked, signature } = call;
  const hiddenProgram = masked === true ? signature?.program : undefined;
  return { tool, rawTool, ...dropAbsent({ command, hiddenProgram }) };
}

export function signCall(call: FailedCall, errorText: string): SignedCause | undefined {
  const causeLine = findCauseLine(errorText, call.command);
  return causeLine === undefined ? undefined : { signature: signCallLine(call, causeLine), causeLine };
}

/** The signature of a failed call whose cause line is known. */
export function signCallLine(call: FailedCall, causeLine: string): Signature {
  const { tool, command, hiddenProgram } = call;
  // An agent's words about a file that it may not change are the same for both.
  if (tool !== 'shell' || command === undefined)
    return toLineSignature(hiddenProgram || (tool === 'write' ? 'edit' : tool), causeLine);
  const commands = parseCall(call);
  const failing = findFailingCommand(commands, causeLine);
  const program = hiddenProgram || (failing && unwrapRunner(failing).program) || tool;
  return sign(withoutVersion(program), toPlain(causeLine), { commands, command });
}

export function toSignature(program: string, errorText: string): SignedCause | undefined {
  const causeLine = findCauseLine(errorText);
  return causeLine === undefined ? undefined : { signature: toLineSignature(program, causeLine), causeLine };
}

/** The signature of a line that is a message by itself. */
export function toLineSignature(program: string, line: string): Signature {
  return sign(program, toPlain(line));
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

function toPlain(line: string): string {
  // The line has no end of its own; without one, a carriage return before it would seem to overwrite the line.
  return trimLine(stripAnsi(line.includes('\r') ? `${line}\n` : line));
}

const VERSIONED = /^([a-z]+)[\d.]+$/;

/** Another version of a program fails for the same reason. */
function withoutVersion(program: string): string {
  const [, name = ''] = VERSIONED.exec(program) ?? [];
  return findFacts(name) === undefined ? program : name;
}

/** The command line of the call that failed. */
interface Line {
  readonly command: string;
  readonly commands: readonly SimpleCommand[];
}

const TIMED_OUT = /\bcommand (?:has )?timed out\b/i;
/** Where a shell loses track of a line depends on the shell and on the rest of the line, not on the mistake. */
const SHELL_SYNTAX = /^(?:syntax error\b|parse error\b|unmatched ["'`]|unexpected EOF\b|Unterminated quoted string\b)/;
/** Zsh takes `=word` for the path of a program. */
const UNEXPANDED = /^\S+ not found$/;
/** A program begins its message with its own name, sometimes with its path; npm does so without a colon. */
const SPEAKER = /^(?:((?:[\w.+@~-]*[/\\])*([\w.+-]+)) ?: |npm (?:ERR!|error) )(?=\S)/;

function sign(program: string, line: string, call?: Line): Signature {
  const bare = toBare(line);
  const byShell = SHELL_HINT.test(bare) ? toShellMessage(bare) : undefined;
  const message = byShell?.message ?? toMessage(bare);
  if (byShell?.missing === undefined && TIMED_OUT.test(message)) return makeSignature(program, 'command timed out');
  const ofShell = byShell && signShellMessage(byShell, call);
  if (ofShell !== undefined) return ofShell;
  const { speaker, text } = toStatement(message, program, call);
  const template = maskLine(call === undefined ? text : maskOwnWords(text, call));
  const isOwn = speaker !== undefined || byShell !== undefined;
  const said = (isOwn ? SYSTEM_ERROR : REFUSAL).exec(template)?.[0].toLowerCase();
  const isBlamed = speaker !== undefined && (call === undefined || !isSubCommand(call, speaker));
  const blamed = isBlamed ? withoutVersion(speaker) : (byShell?.program ?? program);
  return makeSignature(call === undefined ? blamed : (findRuntime(text) ?? blamed), said ?? toCause(template));
}

/** What the shell says of a line, where the program that it was to run does not matter. */
function signShellMessage({ message, missing }: ShellMessage, call: Line | undefined): Signature | undefined {
  if (missing !== undefined) return makeSignature(missing, 'command not found');
  if (SHELL_SYNTAX.test(message)) return makeSignature('shell', 'syntax error');
  if (UNEXPANDED.test(message)) return makeSignature('shell', `${MASK} not found`);
  return call && findNotRun(message, call);
}

/** The program that begins a message with its name, and the message behind it. */
function toStatement(
  message: string,
  program: string,
  call?: Line,
): { readonly speaker?: string; readonly text: string } {
  const [spoken, , name] = SPEAKER.exec(message) ?? [];
  if (spoken === undefined) return { text: message };
  const isSpeaker = name === undefined || name === program || (call !== undefined && hasProgram(call, name));
  return isSpeaker ? { speaker: name ?? 'npm', text: message.slice(spoken.length) } : { text: message };
}

/** The runtime of a language misses a module, whichever program it runs. */
const RUNTIMES: readonly (readonly [runtime: string, message: RegExp])[] = [
  ['python', /\bNo module named\b/],
  ['node', /^(?!.*\bTS\d{4}\b).*\bCannot find (?:module|package)\b/],
];

function findRuntime(message: string): string | undefined {
  return RUNTIMES.find(([, said]) => said.test(message))?.[0];
}

/** What the system says. Programs and shells put other words around it, in another order on each system. */
const SYSTEM_ERRORS = [
  ...['no such file or directory', 'not a directory', 'is a directory', 'permission denied', 'file exists'],
  ...['operation not permitted', 'directory not empty', 'read-only file system', 'no space left on device'],
  ...['file name too long', 'too many open files', 'too many levels of symbolic links', 'device or resource busy'],
  ...['text file busy', 'invalid cross-device link', 'exec format error', 'argument list too long', 'no such process'],
  ...['address already in use', 'input/output error', 'resource temporarily unavailable', 'bad file descriptor'],
].join('|');
const SYSTEM_ERROR = new RegExp(`(?:${SYSTEM_ERRORS})(?=$|:)`, 'i');
/** A sandbox or a read-only disk, which refuses a program all that it tries, in whatever words the program says so. */
const REFUSAL = /\b(?:operation not permitted|read-only file system)\b/i;
/** The operation and the object follow in the words of a language: `no such file or directory, open 'x'`. */
const AFTER_SYSTEM_ERROR = new RegExp(`((?:${SYSTEM_ERRORS}))(?:: <\\*>|, \\w+ <\\*>(?: -> <\\*>)?| <\\*>)[.,]?$`, 'i');

const OBJECT_FIRST = new RegExp(`^(.+): (${SYSTEM_ERRORS})$`, 'i');
const OBJECT_LAST = new RegExp(`^(${SYSTEM_ERRORS}): (.+)$`, 'i');

/** A shell could not run a program that the call names by its path. */
function findNotRun(message: string, { commands }: Line): Signature | undefined {
  const [, object, said = ''] = OBJECT_FIRST.exec(message) ?? [];
  const [, reason = said, name = object ?? ''] = object === undefined ? (OBJECT_LAST.exec(message) ?? []) : [];
  const program = toBaseName(name);
  if (program === '' || program === name || !commands.some((one) => one.program === program)) return undefined;
  const isMissing = reason.toLowerCase() === 'no such file or directory';
  return isMissing ? makeSignature(program, 'command not found') : makeSignature('shell', reason.toLowerCase());
}

function isSubCommand({ commands }: Line, word: string): boolean {
  return commands.some((one) => one.program !== word && toSubCommand(one).includes(word));
}

/** As a program of the line, or as a word of a command that runs elsewhere: `ssh host "psql -c …"`. */
function hasProgram({ command, commands }: Line, name: string): boolean {
  if (commands.some((one) => one.program === name || unwrapRunner(one).program === name)) return true;
  const at = command.indexOf(name);
  return at >= 0 && !/[\w./-]/.test(command[at - 1] ?? ' ') && /[\s"'`;|&)]|^$/.test(command[at + name.length] ?? '');
}

/**
 * The name of a shell, of its own command (`(eval):cd:1: `) and the place in its script, before its message; a task
 * runner may come first.
 */
const SHELL =
  /^(?:.{1,60}: )?(?:\(eval\)|(?:\/[\w.-]+)*\/?-?(?:ba|z|da|k|fi|a)?sh)(?::([a-z]+))?(?::(?: ?-c:)?(?: ?line)? ?\d+)?: ?(?:-c: )?(?:line \d+: )?/;
const SHELL_HINT = /sh:|\(eval\)|not (?:found|recogni[sz]ed)|ENOENT|No such file|spawn/;
/** Each names the program that is missing. */
const MISSING: readonly RegExp[] = [
  /^(?:error: )?command not found: (.+)$/i,
  /^(?:error: )?(.+): command not found$/,
  /^'?(.+?)'? is not recogni[sz]ed as an internal or external command/,
  /^(?:\S+ ?: )?The term '(.+?)' is not recogni[sz]ed as (?:a|the) name of/,
  /exec: "?([^":]+)"?: executable file not found in/,
  /^(?:\S*\/)?(?:env|xargs): [‘'`"]?([^’'":]+)[’'"]?: No such file or directory$/,
  /failed to run command [‘'"]([^’'"]+)[’'"]: No such file or directory$/,
  /\bspawn (\S+) ENOENT\b/,
  /\bFailed to spawn: `([^`]+)`/,
  /\bCommand "([^"]+)" not found\b/,
];
/** `foo: not found` is about a program only if a shell says so. */
const MISSING_BY_SHELL = /^(.+): not found$|^Unknown command: (.+)$/;
const PROGRAM = /^[\w./\\~+@-]+$/;

interface ShellMessage {
  readonly program: string;
  readonly message: string;
  /** The program that the shell, or a runner, did not find. */
  readonly missing?: string;
}

/** A message of the shell itself: no program of the call had a say in it. */
function toShellMessage(bare: string): ShellMessage | undefined {
  const [prefix = '', builtin] = SHELL.exec(bare) ?? [];
  const message = bare.slice(prefix.length);
  for (const pattern of prefix === '' ? MISSING : [...MISSING, MISSING_BY_SHELL]) {
    const [, first, second] = pattern.exec(message) ?? [];
    const name = (first ?? second)?.trim();
    if (name !== undefined)
      return { program: 'shell', message, missing: PROGRAM.test(name) ? toBaseName(name) : 'shell' };
  }
  return prefix === '' ? undefined : { program: builtin ?? 'shell', message };
}

const JSON_MESSAGE = /"(?:message|error_description|detail|error|msg|reason)"\s*:\s*"((?:[^"\\]|\\.){3,})"/;

/** The message of an answer in JSON. */
function toMessage(bare: string): string {
  const first = bare.charCodeAt(0);
  if (first === 123 || (first === 91 && bare.charCodeAt(1) === 123)) {
    const found = JSON_MESSAGE.exec(bare)?.[1];
    // Details follow on other lines.
    if (found !== undefined) return found.split('\\n', 1)[0]?.replaceAll('\\"', '"') ?? bare;
  }
  return bare;
}

const SENTENCE_END = /[a-z)\]'"`>][.!?] +(?=[A-Z(])/;
const MIN_WORDS = 3;
/** `a.ts(3,5): error`, `a.ts:3:5 - error`: compilers put a place in one of these ways. */
const PLACE = /^<\*>(?:\(<\*>\):| -) (?=error\b|warning\b)/;
/** Words in brackets that explain what stands before them. */
const ASIDE = / \((?:[^\s()]+ ){2,}[^()]*\)/g;
/** Where in a text it is wrong. */
const POSITION = /(?<!:),? (?:(?:at|near|on|from) )?line <\*>(?:,? (?:column|col|char|character|position) <\*>)?/g;
/** The object that a complaint ends with, and a number behind it. */
const LAST_OBJECT = /(?<=\S \S+ \S+)(?:(?::(?: <\*>)+)? \(<\*>\)|:(?: <\*>)+)$/;
/** What a program moves where: `main -> main`. */
const MOVED = /\S+ -> \S+/;
/** What a parser would have taken instead: `unexpected end of file, expecting ']' or ','`. */
const EXPECTING = /(?<=\bunexpected .{1,40}), expecting .{1,80}?(?= at |$)/;
/** The name of a variable, in the words of JavaScript engines. */
const SUBJECT =
  /^((?:[A-Z]\w*Error: )?)[\w.$[\]<*>()?#]+(?= is not (?:a function|a constructor|defined|iterable|an object)\b)/;

/** The part of a program that speaks: `GraphQL: Could not resolve`. The name of an error stays. */
const PART = /^(?![A-Z]+:|\w*(?:Error|Exception|Warning|Failed|Failure):)[A-Z][A-Za-z]+: (?=[A-Z][a-z]+ [a-z]+ \S)/;

/** Template -> the cause that it states. Templates are few, lines are many. */
const causes = new Map<string, string>();

function toCause(template: string): string {
  const known = causes.get(template);
  if (known !== undefined) return known;
  if (causes.size >= MAX_MADE) causes.clear();
  const cause = findCause(template);
  causes.set(template, cause);
  return cause;
}

/** The name that a program gives to a cause of its own, before the words about it. */
const NAMED_CAUSE = /^ERR_[A-Z]+_[A-Z_]+(?= )/;

/** A template without asides, positions, details and advice. */
function findCause(template: string): string {
  const [named] = NAMED_CAUSE.exec(template) ?? [];
  if (named !== undefined) return named;
  const isDiagnostic = template.startsWith(MASK);
  // Brackets of a compiler say what is wrong.
  const plain = isDiagnostic ? template.replace(PLACE, `${MASK} `) : template.replace(PART, '').replaceAll(ASIDE, '');
  const text = plain
    .replaceAll(POSITION, '')
    .replace(EXPECTING, '')
    .replace(MOVED, `${MASK} -> ${MASK}`)
    .replace(SUBJECT, `$1${MASK}`)
    .replace(AFTER_SYSTEM_ERROR, '$1');
  return withoutEnd(withoutEnd(toFirstSentence(text)).replace(LAST_OBJECT, '')) || template;
}

function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '.:;,! '.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Advice and details follow the sentence that states the cause. */
function toFirstSentence(template: string): string {
  const at = template.search(SENTENCE_END);
  const first = template.slice(0, at + 2);
  return at < 0 || first.split(' ', MIN_WORDS).length < MIN_WORDS ? template : first;
}

const EDGES = /^([([{<"'`]*)(.*?)([)\]}>"'`.,:;!?]*)$/s;
/** A short or plain word may be a word of the message. */
const PLAIN_WORD = /^(?:[A-Za-z]+|..?)$/;
const MIN_COMMAND_CHARS = 8;
/** `name:0`, `owner@host`, `a,b`. */
const PARTS = /[:=,@]/;

/** Masks the words that the message took from the call: its values, not its programs, sub-commands and options. */
function maskOwnWords(message: string, { command, commands }: Line): string {
  const values = listValues(commands, SYSTEM_ERROR.test(message));
  let text = command.length >= MIN_COMMAND_CHARS ? message.replaceAll(command, MASK) : message;
  for (const value of values) if (value.includes(' ') && text.includes(value)) text = text.replaceAll(value, MASK);
  const words = maskEcho(text.split(' '), command);
  return words
    .map((word, i) => {
      // Brackets may be part of a value: `pkg[extra]`.
      const [, open = '', core = '', close = ''] = values.has(word) ? ['', '', word, ''] : (EDGES.exec(word) ?? []);
      if (!values.has(core)) return word;
      // Beside a colon, at the end and before an aside it is an object.
      const next = words[i + 1];
      const isObject =
        close.startsWith(':') || words[i - 1]?.endsWith(':') === true || next === undefined || next.startsWith('(');
      return PLAIN_WORD.test(core) && !isObject ? word : open + MASK + close;
    })
    .join(' ');
}

/** Fewer words of the command may be words of the message. */
const MIN_ECHO_WORDS = 4;

/** Masks a part of the command that the message repeats. */
function maskEcho(words: readonly string[], command: string): readonly string[] {
  const typed = new Set(command.split(/\s+/));
  const isTyped = (word: string) => typed.has(word) || typed.has(word.replace(/[.,:;]$/, ''));
  const masked: string[] = [];
  for (let at = 0; at < words.length; ) {
    let end = at;
    while (end < words.length && isTyped(words[end] ?? '')) end++;
    if (end - at >= MIN_ECHO_WORDS) masked.push(MASK + (/[.,:;]$/.exec(words[end - 1] ?? '')?.[0] ?? ''));
    else masked.push(...words.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return masked;
}

/** A word that looks like a sub-command is a file if the message is about one: `cat notes`. */
function listValues(commands: readonly SimpleCommand[], isAboutFile: boolean): ReadonlySet<string> {
  const all = commands.flatMap((command) => {
    const own = isAboutFile ? [] : toSubCommand(command);
    const isRemote = isKnownAs(command.program, 'elsewhere');
    return command.args.flatMap(({ value }) => [
      ...toValues(value, own.includes(value)),
      // The line that another machine runs.
      ...(isRemote && value.includes(' ') ? listValues(parseCommand(value, { rawTool: '' }), isAboutFile) : []),
    ]);
  });
  return new Set(all);
}

function toValues(word: string, isSubCommand: boolean): readonly string[] {
  // A quoted text that begins with a dash is no option.
  if (word.includes(' ')) return [word];
  const isNamed = isSubCommand || isOption(word);
  const value = isNamed ? word.slice(word.indexOf('=') + 1 || word.length) : word;
  return [value, ...value.split(PARTS)].filter((part) => part !== '' && !isOption(part));
}
