/**
 * Converts triggers of other tools into ours: one for commands and one for files, because a call is either; and their
 * regular expressions into patterns that run in linear time.
 */

import { ADAPTERS } from '../../agents/hooks.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import type { TextTrigger, Triggers } from '../../base/triggers/trigger.ts';
import { toPlainLine } from '../../distill/gate/outside-text/to-plain-line.ts';
import type { Narrowing } from '../../distill/propose/self-reports/to-narrowing.ts';
import { toToolNames } from '../../distill/propose/self-reports/to-tool-names.ts';
import { isLinearRegex } from '../../keep/schemas/linear-regex.ts';

interface ForeignConditions {
  readonly tools: readonly string[];
  /** Regular expressions. */
  readonly commands: readonly string[];
  readonly paths: readonly string[];
  readonly contents: readonly string[];
  readonly globs: readonly string[];
  /** Added to each trigger. */
  readonly narrowing?: Narrowing;
}

interface ForeignTriggers {
  readonly triggers: readonly Triggers[];
  readonly remarks: readonly string[];
}

const FILE_TOOLS: readonly ToolName[] = ['read', 'edit', 'write'];
const MAX_PATTERNS = 50;
const MAX_GLOB_CHARS = 300;
/** Pipes, redirections and the like, which only a whole command line has. */
const BEYOND_ONE = /\\\||&&|;|[<>]|\|\|/;
const PATH_KEY = '"(?:file_path|filePath|path|notebook_path|absolute_path)":"[^"]*';

export function toForeignTriggers(given: ForeignConditions): ForeignTriggers {
  const remarks: string[] = [];
  const remark = (line: string): void => void remarks.push(line);
  const tools = toTools(given.tools, remark);
  const command = toText(given.commands, remark);
  const content = toText(given.contents, remark);
  const files = keepFiles(toFiles(given, remark), tools, given.commands.length > 0, remark);
  const kinds = [given.commands, given.contents, [...given.paths, ...given.globs]];
  const triggers = [
    ...(command === undefined ? [] : [{ tools: ['shell'] as const, ...toCommandPart(command, given.commands) }]),
    ...(content === undefined && files.paths === undefined
      ? []
      : [{ tools: toFileTools(tools, content !== undefined), ...files, ...dropAbsent({ content }) }]),
  ];
  const { narrowing = {} } = given;
  if (triggers.length > 0) return { triggers: triggers.map((one) => ({ ...one, ...narrowing })), remarks };
  // If the file gave patterns or unknown tools, a tool or word alone would fire on calls that its author did not mean.
  const alone: Triggers = { ...(tools.length === 0 ? {} : { tools }), ...narrowing };
  const isAlone = kinds.every((patterns) => patterns.length === 0) && (tools.length > 0 || given.tools.length === 0);
  return { triggers: isAlone && Object.keys(alone).length > 0 ? [alone] : [], remarks };
}

function toTools(names: readonly string[], remark: (line: string) => void): readonly ToolName[] {
  const found = names.map((name) => [name, toToolNames([name])[0] ?? toMcp(name)] as const);
  for (const [name, tool] of found) if (tool === undefined) remark(`the tool ${quote(name)} is not a known tool`);
  return [...new Set(found.flatMap(([, tool]) => tool ?? []))];
}

function toMcp(name: string): ToolName | undefined {
  const tools = ADAPTERS.map((adapter) => adapter.readCall(name, {}, '').tool);
  return tools.find((tool) => tool.startsWith('mcp:') && toPlainLine(tool) === tool);
}

function toText(patterns: readonly string[], remark: (line: string) => void): TextTrigger | undefined {
  if (patterns.length > MAX_PATTERNS) remark(`only ${MAX_PATTERNS} of ${patterns.length} patterns are taken over`);
  const match: string[] = [];
  const unless: string[] = [];
  for (const pattern of patterns.slice(0, MAX_PATTERNS)) {
    const linear = toLinearPattern(pattern);
    if ('reason' in linear) remark(`left out the pattern ${quote(pattern)}: ${linear.reason}`);
    else if (linear.match.length + linear.unless.length === 0)
      remark(`left out the pattern ${quote(pattern)}: it matches everything`);
    else {
      match.push(...linear.match);
      unless.push(...linear.unless);
    }
  }
  return toTextTrigger(match, unless);
}

function toTextTrigger(match: readonly string[], unless: readonly string[]): TextTrigger | undefined {
  if (match.length + unless.length === 0) return undefined;
  return {
    ...(match.length === 0 ? {} : { match: [...new Set(match)] }),
    ...(unless.length === 0 ? {} : { unless: [...new Set(unless)] }),
  };
}

/** A pattern is about one simple command, unless it contains pipes and the like. */
function toCommandPart(text: TextTrigger, patterns: readonly string[]): Pick<Triggers, 'command' | 'line'> {
  return patterns.some((pattern) => BEYOND_ONE.test(pattern)) ? { line: text } : { command: text };
}

function toFiles(
  { paths, globs }: ForeignConditions,
  remark: (line: string) => void,
): Pick<Triggers, 'paths' | 'input'> {
  const unless: string[] = [];
  const found = globs.slice(0, MAX_PATTERNS).filter((glob) => isGlob(glob, remark));
  for (const pattern of paths.slice(0, MAX_PATTERNS)) {
    const linear = toLinearPattern(pattern);
    const match = 'reason' in linear ? [] : linear.match.flatMap((one) => toPathGlobs(one));
    if ('reason' in linear) remark(`left out the pattern ${quote(pattern)}: ${linear.reason}`);
    else if (match.length === 0 || match.includes(undefined))
      remark(`left out the pattern ${quote(pattern)}: no glob says the same`);
    else {
      found.push(...match.flatMap((glob) => glob ?? []));
      unless.push(...linear.unless.map(toPathUnless));
    }
  }
  if (found.length === 0) return {};
  return { paths: [...new Set(found)], ...(unless.length === 0 ? {} : { input: { unless: [...new Set(unless)] } }) };
}

/** Globs have no "unless", so the exception goes to the tool's input, which names the file. */
function toPathUnless(source: string): string {
  const bare = source.replace(/^\^/, '');
  return `${PATH_KEY}(?:${bare.endsWith('$') && !bare.endsWith('\\$') ? `${bare.slice(0, -1)}"` : bare})`;
}

function isGlob(glob: string, remark: (line: string) => void): boolean {
  if (/^[*/.]*$/.test(glob)) remark(`left out the files ${quote(glob)}: that is every file`);
  else if (glob.length > MAX_GLOB_CHARS || toPlainLine(glob) !== glob)
    remark(`left out the files ${quote(glob)}: that is no path`);
  else return true;
  return false;
}

/** Calls of search tools name no file, so paths cannot match them. */
function keepFiles(
  files: Pick<Triggers, 'paths' | 'input'>,
  tools: readonly ToolName[],
  hasCommands: boolean,
  remark: (line: string) => void,
): Pick<Triggers, 'paths' | 'input'> {
  if (files.paths === undefined) return files;
  const others = tools.filter((tool) => !FILE_TOOLS.includes(tool) && !(tool === 'shell' && hasCommands));
  if (others.length === 0) return files;
  const isAll = others.length === tools.length;
  const names = others.join(', ');
  remark(
    isAll
      ? `left out the paths, because calls of ${names} name no file that a path could match`
      : `left out the tool ${names}, because its calls name no file that a path could match`,
  );
  return isAll ? {} : files;
}

function toFileTools(tools: readonly ToolName[], isContent: boolean): readonly ToolName[] {
  const usual = isContent ? FILE_TOOLS.slice(1) : FILE_TOOLS;
  const named = tools.filter((tool) => usual.includes(tool));
  return named.length === 0 ? usual : named;
}

function quote(text: string): string {
  const plain = toPlainLine(text);
  return `\`${plain.length <= 80 ? plain : `${plain.slice(0, 79)}…`}\``;
}

/**
 * Converts regular expressions of imported lessons into linear-time patterns and path globs, which a hook may run while
 * an agent waits. A negative look-ahead becomes an `unless` pattern, which may silence the lesson slightly more often
 * than the original, never less often. A pattern without a linear-time form is rejected with the reason.
 */
interface LinearPattern {
  /** Alternatives; empty if the pattern only says what must not match. */
  readonly match: readonly string[];
  readonly unless: readonly string[];
}

interface Unusable {
  readonly reason: string;
}

const MAX_CHARS = 1_000;
/** Maximum nesting of groups. Deeper patterns are not written by people and would overflow the stack. */
const MAX_DEPTH = 20;
/** Look-arounds, which not every engine supports. */
const LOOK = /\(\?<?[=!]/;
/** Patterns that match every text. */
const ANYTHING = /^\^?(?:\.[*+]\??)?\$?$/;

export function toLinearPattern(given: string): LinearPattern | Unusable {
  const source = toSource(given);
  const fault = findFault(source);
  if (fault !== undefined) return { reason: fault };
  if (!LOOK.test(source) && isLinearRegex(source))
    return ANYTHING.test(source) ? { match: [], unless: [] } : { match: [source], unless: [] };
  const branches = splitPattern(source);
  if (branches.flat().some(({ kind }) => kind === 'look')) return { reason: NOT_LINEAR };
  const match = branches.map(toMatch).filter((one) => !ANYTHING.test(one));
  const unless = [...new Set(branches.flatMap(listUnless))];
  const isLinear = [...match, ...unless].every((one) => one !== '' && isLinearRegex(one));
  return isLinear ? { match, unless } : { reason: NOT_LINEAR };
}

const NOT_LINEAR = 'it cannot be said as a linear-time regular expression (look-around, backreference or large count)';

function findFault(source: string): string | undefined {
  if (source === '') return 'it is empty';
  if (source.length > MAX_CHARS) return `it is longer than ${MAX_CHARS} characters`;
  if (toPlainLine(source) !== source) return 'it has characters that cannot be seen';
  if (/\(/.test(source) && countDepth(source) > MAX_DEPTH) return 'its groups are nested too deeply';
  try {
    new RegExp(source);
    return undefined;
  } catch {
    return 'it is no regular expression';
  }
}

function countDepth(source: string): number {
  let [depth, most] = [0, 0];
  for (const char of source) {
    if (char === '(') depth++;
    if (char === ')') depth--;
    most = Math.max(most, depth);
  }
  return most;
}

function toMatch(pieces: readonly Piece[]): string {
  return pieces.map(({ kind, source }) => (kind === 'text' ? source : '')).join('');
}

function listUnless(pieces: readonly Piece[]): readonly string[] {
  return pieces.flatMap(({ kind, source }, at) =>
    kind === 'not-ahead' ? [toUnless(toMatch(pieces.slice(0, at)), source)] : [],
  );
}

/** `^(?!.*--foo)git push` fires unless `--foo` appears; `git push(?!.*--foo)` unless it appears behind `git push`. */
function toUnless(before: string, source: string): string {
  const isFirst = before === '' || before === '^';
  const bare = source.replace(/^\.\*\??/, '');
  if (isFirst && bare !== source) return bare;
  return `${before}${splitPattern(source).length > 1 ? `(?:${source})` : source}`;
}

/** Resolves the flags of `/x/i` and `(?i)x`. */
function toSource(given: string): string {
  const [, inner, flags] = /^\/(.+)\/([dgimsuvy]*)$/.exec(given) ?? [];
  const source = inner !== undefined && flags !== undefined && flags !== '' ? inner : given;
  const bare = source.replace(/^\(\?i\)/, '');
  const ignoresCase = bare !== source || (source !== given && flags?.includes('i') === true);
  return ignoresCase ? toAnyCase(bare) : bare;
}

/** Letters in both cases, outside of escapes, classes and the heads of groups. */
function toAnyCase(source: string): string {
  return source.replace(/\\.|\[(?:\\.|[^\]\\])*\]?|\(\?(?:<?[=!]|:)|[a-z]/gi, (token) => {
    if (/^[a-z]$/i.test(token)) return `[${token.toLowerCase()}${token.toUpperCase()}]`;
    if (!token.startsWith('[') || !token.endsWith(']') || token.includes('\\')) return token;
    const [, not = '', inner = ''] = /^\[(\^?)(.*)\]$/.exec(token) ?? [];
    return `[${not}${[...new Set([inner, inner.toLowerCase(), inner.toUpperCase()])].join('')}]`;
  });
}

const TOKEN =
  /\.\*\??|\.\+\??|\[\^\\?\/\][*+]\??|\\[wd][*+]\??|\[[^\]]*\]|\((?:\?:)?[^()]*\)\??|\\?.\?|\\[\s\S]|[\s\S]/g;
const LITERAL = /^[\w @%=:,~/-]$/;
const GLOB_SIGNS = /[*?[\]{}\\]/;

/**
 * Converts a regular expression on paths into globs with the same meaning, one per alternative. Undefined if an
 * alternative has no such glob. Look-aheads are removed before.
 */
export function toPathGlobs(source: string): readonly string[] | undefined {
  const globs = splitPattern(source).map((pieces) => toPathGlob(pieces.map((piece) => piece.source).join('')));
  return globs.includes(undefined) ? undefined : globs.flatMap((glob) => glob ?? []);
}

/** A glob without a leading `/` matches at any depth. */
function toPathGlob(given: string): string | undefined {
  // `(^|/)` is the usual way to begin a file name.
  const source = given.replace(/^\((?:\?:)?\^\|\\?\/\)/, '^');
  const isBegin = source.startsWith('^');
  const isEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(source);
  const inner = source.slice(isBegin ? 1 : 0, isEnd ? -1 : undefined);
  const glob = toGlob(inner);
  if (glob === undefined || glob === '' || /^\**$/.test(glob)) return undefined;
  const begin = isBegin || glob.startsWith('*') ? '' : '**';
  return `${begin}${glob}${isEnd || glob.endsWith('**') ? '' : '**'}`;
}

function toGlob(source: string): string | undefined {
  let glob = '';
  for (const [token] of source.matchAll(TOKEN)) {
    const part = toPart(token);
    if (part === undefined) return undefined;
    glob += part;
  }
  return glob;
}

function toPart(token: string): string | undefined {
  if (/^\.[*+]/.test(token)) return '**';
  if (token.startsWith('[^') && /[*+]\??$/.test(token)) return '*';
  if (/^\\[wd][*+]/.test(token)) return '*';
  if (token.length > 1 && token.startsWith('(')) return toOptions(token);
  if (token.length > 1 && token.endsWith('?') && !token.startsWith('[')) return toOptional(token.slice(0, -1));
  if (token.startsWith('[') && token.length > 2) return /[\\^]/.test(token) ? undefined : token;
  if (token === '.') return '?';
  if (token === '\\d') return '[0-9]';
  if (token === '\\/') return '/';
  if (token.startsWith('\\')) return toLiteral(token.slice(1));
  return LITERAL.test(token) ? token : undefined;
}

/** The literal character of an escape; undefined for classes such as `\d`. */
function toLiteral(sign: string): string | undefined {
  return sign === '' || /\w/.test(sign) || GLOB_SIGNS.test(sign) ? undefined : sign;
}

function toOptional(token: string): string | undefined {
  const one = toPart(token);
  return one === undefined || /[,{}]/.test(one) ? undefined : `{${one},}`;
}

function toOptions(token: string): string | undefined {
  const isOptional = token.endsWith('?');
  const inner = token.replace(/^\((?:\?:)?/, '').replace(/\)\??$/, '');
  if (inner.startsWith('?')) return undefined;
  const options = inner.split('|').map(toGlob);
  if (options.some((one) => one === undefined || /[,{}]/.test(one))) return undefined;
  return `{${[...options, ...(isOptional ? [''] : [])].join(',')}}`;
}

/** A piece of a regular expression, enough structure to remove look-arounds. */
interface Piece {
  readonly kind: 'text' | 'not-ahead' | 'look';
  /** The content of a look-ahead, otherwise the source itself. */
  readonly source: string;
}

/** The alternatives of a pattern, each as its pieces. */
function splitPattern(source: string): readonly (readonly Piece[])[] {
  const branches: Piece[][] = [[]];
  let text = '';
  const add = (piece?: Piece): void => {
    const branch = branches.at(-1);
    if (text !== '') branch?.push({ kind: 'text', source: text });
    if (piece !== undefined) branch?.push(piece);
    text = '';
  };
  for (let at = 0; at < source.length; ) {
    const end = findEnd(source, at);
    const token = source.slice(at, end);
    at = end;
    if (token === '|') {
      add();
      branches.push([]);
    } else if (token.startsWith('(?!')) add({ kind: 'not-ahead', source: token.slice(3, -1) });
    else if (/^\(\?(?:=|<[=!])/.test(token)) add({ kind: 'look', source: token });
    else text += token;
  }
  add();
  return branches;
}

/** The index after the group, class, escape or character that begins here. */
function findEnd(source: string, at: number): number {
  if (source[at] === '\\') return at + 2;
  if (source[at] === '[') return findClassEnd(source, at);
  if (source[at] !== '(') return at + 1;
  let end = at + 1;
  while (end < source.length && source[end] !== ')') end = findEnd(source, end);
  return end + 1;
}

function findClassEnd(source: string, at: number): number {
  let end = at + 1;
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1;
  return end + 1;
}
