/** Converts triggers of other tools into ours: one for commands and one for files, because a call is either. */

import { ADAPTERS } from '../../agents/hooks.ts';
import type { ToolName } from '../../base/model/tool.ts';
import { dropAbsent } from '../../base/records.ts';
import type { TextTrigger, Triggers } from '../../base/triggers/trigger.ts';
import { toPlainLine } from '../../distill/gate/outside-text/to-plain-line.ts';
import type { Narrowing } from '../../distill/propose/self-reports/to-narrowing.ts';
import { toToolNames } from '../../distill/propose/self-reports/to-tool-names.ts';
import { toLinearPattern, toPathGlobs } from './foreign-patterns.ts';

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
