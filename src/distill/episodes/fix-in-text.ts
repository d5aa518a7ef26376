/**
 * Two calls of the same program may differ only inside a text that the program runs or evaluates: a query, a filter, a
 * script. What changed there is the fix if the error names a word that went, or complains about the form of the text.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { isSameSubCommand } from '../../base/shell/intent.ts';
import type { Argument, SimpleCommand } from '../../base/shell/simple-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { isInterpreter, unwrapRunner } from '../../base/shell/sub-commands.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { isHarmfulWord } from '../gate/risky-remedies/is-forcing.ts';
import { type Attempt, isCheck } from './find-attempt.ts';
import { type Hunk, listHunks } from './find-edit.ts';
import { type Made, TEXT_CHARS, type Told } from './find-tool-cure.ts';

export function toTextFix(attempt: Attempt): Told | undefined {
  const { failing, failed, fixing, command } = attempt;
  // A script of a general language is code that was written for the occasion.
  if (isCheck(failed) || isInterpreter(unwrapRunner(failed).program) || !isSameSubCommand(failed, command))
    return undefined;
  const text = toUnescaped(attempt) ?? toChanged(attempt);
  return text === undefined || text.length > TEXT_CHARS || SHELL_SAYS.test(failing.message ?? '')
    ? undefined
    : { kind: 'form', text, line: fixing.command ?? '' };
}

/** A shell that cannot read the line has not begun to run the program. */
const SHELL_SAYS = /^(?:\S*: line \d+|\(eval\)|\w*sh(?::\d+)?):/;

/**
 * The error shows the text as the program got it: with a backslash that the call did not type. The tool that runs the
 * shell put it there, so no quotes help.
 */
function toUnescaped({ failing, failed, command }: Attempt): string | undefined {
  for (const [, sign = '', rest = ''] of (failing.output ?? '').matchAll(/\\([!$`#])([^\n]{2,8})/g)) {
    const isTyped = failed.text.includes(sign + rest) && !failed.text.includes(`\\${sign}`);
    if (isTyped && !command.text.includes(sign))
      return `write the text without \`${sign}\`, because the tool that runs the shell turns it into \`\\${sign}\``;
  }
  return undefined;
}

function toChanged({ failing, failed, command }: Attempt): string | undefined {
  const found = findPair(failed, command);
  if (found === undefined) return undefined;
  const { name, pair } = found;
  const { message = '' } = failing;
  const hunks = listHunks(...pair);
  const kept = new Set(pair[1].map(({ value }) => toBare(value)));
  const isPointedAt = ({ value }: Argument): boolean => !kept.has(toBare(value)) && isQuoted(message, toBare(value));
  const named = hunks.filter(({ from }) => from.some(isPointedAt));
  const meant = named.length > 0 ? named : SYNTAX.test(message) ? hunks : [];
  const wrapped = meant === hunks ? renderWrapped(hunks, pair[0]) : undefined;
  const changes: readonly (string | undefined)[] =
    wrapped ?? meant.map((hunk) => renderNamed(hunk, pair[0]) ?? renderChange(hunk));
  // Which words the error rejects, it says itself.
  const isLess = named.length > 0 && meant.every(({ to }) => to.length === 0);
  if (changes.length === 0 || changes.length > MAX_CHANGES || changes.includes(undefined) || isLess) return undefined;
  return `in ${name === '' ? 'the text in quotes' : `the value of \`${name}\``}, ${changes.join(' and ')}`;
}

const MAX_CHANGES = 2;
const MAX_TOKENS = 400;
/** Most of the text is the same: with another text, the agent asked for something else. */
const MIN_SHARED = 0.75;
/** The program could not read the text. */
const SYNTAX = /\bsyntax|\bpars(?:e|ing)\b|\bcompil(?:e|ation)\b|\bunexpected\b|\bunterminated\b|\bunmatched\b/i;

/** A word of a text may as well be a word of the message: the message has to put it in quotes. */
function isQuoted(message: string, word: string): boolean {
  return word.length > 1 && /\w/.test(word) && new RegExp(`["'\`‘“]${toLiteral(word)}(?![\\w-])`).test(message);
}

/** The tokens of the only text that both have and that differs. */
function findPair(
  failed: SimpleCommand,
  command: SimpleCommand,
): { readonly name: string; readonly pair: [readonly Argument[], readonly Argument[]] } | undefined {
  const [before, after] = [failed, command].map(listTexts);
  const pairs = (before ?? []).flatMap(({ key, value }) => {
    const other = after?.find((one) => one.key === key);
    const name = key.trim().split(/ +/).at(-2)?.replace(/=$/, '') ?? '';
    return other === undefined || other.value === value
      ? []
      : [[toTokens(value), toTokens(other.value), name] as const];
  });
  const [pair, ...more] = pairs;
  if (pair === undefined || more.length > 0) return undefined;
  const [from, to, name] = pair;
  if (Math.max(from.length, to.length) > MAX_TOKENS) return undefined;
  const shared = from.length - listHunks(from, to).reduce((sum, hunk) => sum + hunk.from.length, 0);
  return (2 * shared) / (from.length + to.length) < MIN_SHARED ? undefined : { name, pair: [from, to] };
}

/** With the option or the name that it is the value of, or its number among the other texts. */
function listTexts({ args }: SimpleCommand): readonly { readonly key: string; readonly value: string }[] {
  const counted = new Map<string, number>();
  return args.flatMap(({ value }, i) => {
    if (value.length < MIN_TEXT || !/[\s(){}|;]/.test(value)) return [];
    const before = args[i - 1]?.value ?? '';
    const name = `${isOption(before) ? before : ''} ${/^[\w-]+=/.exec(value)?.[0] ?? ''}`;
    const n = counted.get(name) ?? 0;
    counted.set(name, n + 1);
    return [{ key: `${name} ${n}`, value }];
  });
}

const MIN_TEXT = 6;
const TOKEN = /"(?:[^"\\\n]|\\.){0,60}"|'[^'\n]{0,60}'|[A-Za-z_][\w-]*|\d+|[!=<>]=|<>|&&|\|\||\S/g;

function toTokens(text: string): readonly Argument[] {
  return (text.match(TOKEN) ?? []).map((value) => ({ value, text: value }));
}

/** Without its quotes. */
function toBare(token: string): string {
  return token.length > 2 && /^(["']).*\1$/s.test(token) ? token.slice(1, -1) : token;
}

const MAX_TOLD = 6;

/** The value of a name, such as `owner: "acme"`: whatever wrong value the next call gives it. */
function renderNamed({ from, to, at }: Hunk, tokens: readonly Argument[]): string | undefined {
  const [name = '', sign = ''] = tokens.slice(Math.max(0, at - 2), at).map(({ value }) => value);
  const isOne = from.length === 1 && to.length === 1 && [from[0], to[0]].every((one) => /^["']/.test(one?.value ?? ''));
  if (!isOne || !/^[A-Za-z_]\w*$/.test(name) || !/^[:=]$/.test(sign) || renderChange({ from, to, at }) === undefined)
    return undefined;
  return `use \`${name}${sign === ':' ? ': ' : ' = '}${to[0]?.value}\``;
}

/** All that came are signs around parts of the text: the shortest part that they are around. */
function renderWrapped(hunks: readonly Hunk[], tokens: readonly Argument[]): readonly string[] | undefined {
  const added = hunks.map(({ from, to }) => (from.length === 0 ? renderTokens(to) : ''));
  const [open = '', close = ''] = added;
  const isAround = hunks.length > MAX_CHANGES && added.every((one, i) => one === (i % 2 === 0 ? open : close));
  if (!isAround || hunks.length % 2 === 1 || !/^[([{]$/.test(open) || !/^[)\]}]$/.test(close)) return undefined;
  const parts = hunks.flatMap(({ at }, i) => (i % 2 === 0 ? [tokens.slice(at, hunks[i + 1]?.at)] : []));
  const [part = []] = parts.toSorted((a, b) => a.length - b.length);
  return [`put parts such as \`${renderTokens(part)}\` in \`${open}${close}\``];
}

function renderChange({ from, to }: Hunk): string | undefined {
  const [gone, come] = [from, to].map(renderTokens);
  if (gone === undefined || come === undefined || from.length > MAX_TOLD || to.length > MAX_TOLD) return undefined;
  const had = new Set(from.map(({ value }) => value));
  if (to.some(({ value }) => !had.has(value) && isHarmfulWord(value))) return undefined;
  // Words in a row may be a sentence, which the note would repeat.
  if (/`/.test(gone + come) || /(?:[A-Za-z]+ ){3}/.test(come)) return undefined;
  if (come === '') return `leave out \`${gone}\``;
  return gone === '' ? `add \`${come}\`` : `replace \`${gone}\` with \`${come}\``;
}

/** `body(count: 8)`, not `body ( count : 8 )`. */
function renderTokens(tokens: readonly Argument[]): string {
  const spaced = tokens.map(({ value }) => value).join(' ');
  return spaced.replace(/ (?=[),:;.\]}])|(?<=[([{.]) |(?<=\w) (?=\()/g, '');
}

/** How much of a text on both sides of a sign tells it from other texts. */
const NEAR_CHARS = 8;
const MAX_STEPS = 6;

/**
 * The shell replaces `$…` and runs back quotes, unless single quotes are around them. A later line has the very same
 * text in single quotes, and worked. Such a line often cannot be parsed, so its text is compared.
 */
export function findSingleQuoted(
  { command = '', output = '', message = '' }: LiveCall,
  next: readonly LiveCall[],
): Made | undefined {
  for (const [at, { tool, outcome, command: later = '' }] of next.slice(0, MAX_STEPS).entries()) {
    if (tool !== 'shell' || outcome !== 'success' || toProgramWord(later) !== toProgramWord(command)) continue;
    const name = findReserved(command, later, message);
    if (name !== undefined) return { at, kind: 'form', text: `give the variable another name than \`${name}\`` };
    const other = findOtherQuotes(command, later);
    if (other !== undefined) return { at, kind: 'form', text: `put the text in ${other} quotes`, line: later };
    const quoted = findShielded(command, later, output);
    if (quoted !== undefined) return { at, kind: 'form', text: quoted, line: later };
  }
  return undefined;
}

/** The advice to put a text in the single quotes that the later line has around it. */
function findShielded(line: string, later: string, output: string): string | undefined {
  for (const [, text = ''] of later.matchAll(/'([^'\n]{6,2000})'/g)) {
    const sign = findReplaced(text, line, output);
    if (sign === undefined) continue;
    const where = isInDouble(line, text, sign) ? 'in double quotes' : 'without quotes';
    const kind = /\s/.test(text) ? 'text' : 'word';
    const [name, does] = sign === '$' ? ['`$`', 'replaces it'] : ['a back quote', 'runs it as a command'];
    return `put the ${kind} that contains ${name} in single quotes, because ${where} the shell ${does}`;
  }
  return undefined;
}

function isInDouble(line: string, text: string, sign: string): boolean {
  const before = line.slice(0, line.indexOf(toNear(text, sign)));
  return (before.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
}

/** The sign in the text for which the shell put something else. */
function findReplaced(text: string, line: string, output: string): '`' | '$' | undefined {
  if (isBareIn(line, text, '`')) return HAS_RUN.test(output) ? '`' : undefined;
  return isBareIn(line, text, '$') && isEmptied(line, text, output) ? '$' : undefined;
}

/** A shell found no program of that name, may not run it, or cannot read the line. */
const HAS_RUN =
  /\bnot found\b|\bdenied\b|\bno such file\b|\bun(?:matched|terminated|expected)\b|\b(?:parse|syntax) error\b|\bbad \w+\b/i;

/** The shell rejects an assignment, and the later line assigns the same to another name. */
function findReserved(line: string, later: string, message: string): string | undefined {
  if (!SHELL_SAYS.test(message)) return undefined;
  if (PATH_LOST.test(message) && isPathUsed(line) && /\b(?:for|read)\b/.test(later) && !isPathUsed(later))
    return 'path';
  const [before, after] = [line, later].map((text) => [...text.matchAll(ASSIGNED)]);
  const kept = new Set(after?.map(([, name]) => name));
  const reserved = before?.find(
    ([, name = '', value]) =>
      isNamedIn(message, name) && !kept.has(name) && after?.some(([, , other]) => other === value),
  );
  return reserved?.[1];
}

const PATH_LOST = /\bzsh\b.*\bcommand not found\b|^\(eval\).*\bcommand not found\b/;

/** In zsh, the variable `path` is the PATH. */
function isPathUsed(line: string): boolean {
  return /\bfor path in\b|(?:^|[\s;])path=|\bread (?:-\w+ )*path\b/.test(line);
}

const ASSIGNED = /(?<=^|[\s;&|(])([A-Za-z_]\w*)=([^\s;&|]+)/g;

/** The same line with other quotes around its texts. */
function findOtherQuotes(line: string, later: string): 'single' | 'double' | undefined {
  const toBare = (text: string): string => text.replace(/["'\\]/g, '');
  if (line === later || toBare(line) !== toBare(later)) return undefined;
  const sign = [...later].find((one, i) => one !== line[i]);
  const had = [...line].find((one, i) => one !== later[i]);
  if (sign === "'" && had === '"') return 'single';
  return sign === '"' && had === "'" ? 'double' : undefined;
}

/** The first program of a line, behind the folder that it goes to. */
export function toProgramWord(line: string): string {
  const word = /^(?:cd [^&;|]+(?:&&|;)\s*)?(?:[A-Za-z_]\w*=[^\s;$`"'()]*\s+)*(\S*)/.exec(line.trim())?.[1] ?? '';
  // `x=$(mktemp …)` begins with no program.
  return /[=$(]/.test(word) ? '' : word;
}

/** Does the line have the sign between the same characters, outside of single quotes? */
function isBareIn(line: string, text: string, sign: string): boolean {
  const near = toNear(text, sign);
  if (!text.includes(sign) || near.length < NEAR_CHARS || !line.includes(near)) return false;
  return ![...line.matchAll(/'([^'\n]*)'/g)].some(([, quoted = '']) => quoted.includes(near));
}

function toNear(text: string, sign: string): string {
  const at = text.indexOf(sign);
  return text.slice(Math.max(0, at - NEAR_CHARS), at + 1 + NEAR_CHARS);
}

/** The error names what is left of the text once the shell has put nothing for the names in it. */
function isEmptied(line: string, text: string, output: string): boolean {
  const emptied = text.replaceAll(/\$\w+/g, '');
  return line.includes(text) && emptied !== text && output.includes(emptied);
}
