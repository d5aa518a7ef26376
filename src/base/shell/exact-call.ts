/**
 * Decides whether two calls are the same call: the same tool, the same folder of the project and the same input. These
 * may differ: spaces, quotes that change nothing, the order of JSON fields, the place of the project on the disk, and
 * ids of sessions. A call that contains a secret has another key when it is stored (redacted) than when it starts.
 */

import { hashText } from '../ids.ts';
import type { ToolInput } from '../model/event.ts';
import type { ToolName } from '../model/tool.ts';
import { parseJson, toCanonicalJson } from '../records.ts';
import { toAbsolute, toRelative } from '../text/paths.ts';
import { toLiteral } from '../text/regex-literal.ts';
import { isPowerShell } from './power-shell.ts';

export interface ExactCall {
  readonly tool: ToolName;
  readonly rawTool: string;
  readonly input: Pick<ToolInput, 'command' | 'json'>;
  readonly cwd?: string | undefined;
}

/** Longer inputs are data, and capture cuts them. */
const MAX_CHARS = 4_000;
/** The result of an edit depends on a text that changes; the result of a web page or an agent, on the time. */
const CHANGING: ReadonlySet<ToolName> = new Set(['edit', 'write', 'web', 'task']);

/** A hash of the call; undefined for a call that is never the same again. `root`: the folder of the project. */
export function toExactKey({ tool, rawTool, input, cwd = '' }: ExactCall, root: string): string | undefined {
  const { command, json } = input;
  if (CHANGING.has(tool)) return undefined;
  if (tool === 'shell') {
    if (command === undefined || command.length > MAX_CHARS) return undefined;
    const { folder, line } = normalizeCommand(command, { rawTool, cwd, root });
    return hashText(`shell\n${folder}\n${line}${toSwitches(json)}`);
  }
  const fields = json.length > MAX_CHARS ? undefined : parseJson(json);
  if (fields === undefined) return undefined;
  const folder = toRelative(cwd, root);
  return hashText(`${rawTool}\n${folder}\n${maskIds(withoutRoot(toCanonicalJson(fields), root, folder))}`);
}

const SWITCH = /":\s*(?:true|-?\d|"[a-z]+(?:_[a-z]+)+")/;
/** The name of one of the values that a tool knows: `require_escalated`. */
const CONSTANT = /^[a-z]+(?:_[a-z]+)+$/;

/** Numbers and switches beside the command, such as a time limit or a sandbox: with others the call may work. */
function toSwitches(json: string): string {
  // Most calls have none, which shows without parsing.
  const fields = json.length > MAX_CHARS || !SWITCH.test(json) ? undefined : parseJson(json);
  const isSwitch = (value: unknown): boolean =>
    typeof value === 'number' || value === true || (typeof value === 'string' && CONSTANT.test(value));
  const switches = Object.entries(fields ?? {}).filter(([, value]) => isSwitch(value));
  return switches.length === 0 ? '' : `\n${toCanonicalJson(Object.fromEntries(switches))}`;
}

interface CommandPlace {
  readonly rawTool: string;
  readonly cwd: string;
  readonly root: string;
}

interface NormalCommand {
  /** The folder in which the line runs, relative to the project where it is inside. */
  readonly folder: string;
  readonly line: string;
}

const CHANGES_FOLDER = /^cd ([\w./@%+,-]+|'[^']+') && /;

/** How much of the output is shown, at the end of a line. */
const SHORTENS = /(?: ?2>&1)?(?: ?\| ?(?:head|tail|cat)(?: -(?:n ?)?\d+)?)*$/;
/** A longer end is more than that, and an expression with its anchor at the end looks at all that it is given. */
const MAX_END_CHARS = 120;

function dropShortening(line: string): string {
  const at = Math.max(0, line.length - MAX_END_CHARS);
  return line.slice(0, at) + line.slice(at).replace(SHORTENS, '');
}

/** `cd src && make x` in the project is `make x` in `src`. */
export function normalizeCommand(command: string, { rawTool, cwd, root }: CommandPlace): NormalCommand {
  let line = isPowerShell(command, rawTool) ? command.trim() : toCanonical(command);
  let at = cwd;
  for (let move = CHANGES_FOLDER.exec(line); move !== null; move = CHANGES_FOLDER.exec(line)) {
    at = toAbsolute((move[1] ?? '').replaceAll("'", ''), at);
    line = line.slice(move[0].length);
  }
  const folder = toRelative(at, root);
  return { folder: maskIds(folder), line: maskIds(withoutRoot(dropShortening(line), root, folder)) };
}

const PROJECT = '<project>';

/** In the root folder, `/repo/src/a.ts` and `src/a.ts` are the same word. */
function withoutRoot(text: string, root: string, folder: string): string {
  if (root.length < 2 || !text.includes(root)) return text;
  const inside = new RegExp(`(?<![\\w/.-]|<id>|<tmp>)${toLiteral(root)}(?=/|$|[\\s'";|&):,])`, 'g');
  const relative = text.replace(inside, PROJECT);
  return folder === '' ? relative.replaceAll(`${PROJECT}/`, '') : relative;
}

/** A quoted text of these characters alone means the same without quotes. */
const PLAIN = /^[\w./:=@%+,-]+$/;
/** What a shell replaces inside double quotes. */
const REPLACED = /[$`\\!']/;
/** In this order: blanks and line ends, an escaped character, a quoted text, the rest behind a quote without an end. */
const TOKEN = /(?:[ \t\r\n]|\\\n)+|\\.|'([^']*)'|"((?:[^"\\]|\\.)*)"|['"].*/gs;

/** One blank between words, and quotes only where they change something. The text of a here-document stays as it is. */
function toCanonical(command: string): string {
  const bare = command.trim();
  if (bare.includes('<<')) return bare;
  const canonical = bare.replace(TOKEN, (token: string, single?: string, double?: string) => {
    if (single !== undefined) return toQuoted(single);
    if (double !== undefined) return REPLACED.test(double) ? token : toQuoted(double);
    if (/^(?:\\[^\n]|["'])/.test(token)) return token;
    return token.replaceAll('\\\n', '').includes('\n') ? '\n' : ' ';
  });
  return canonical.trim();
}

function toQuoted(text: string): string {
  return PLAIN.test(text) ? text : `'${text}'`;
}

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
const TEMPORARY = /(?<=\/tmp\/|\/T\/)tmp[.\w-]{4,}/g;

/** Ids of sessions and temporary folders differ every day. A commit, a run or a date is often the object of the call. */
function maskIds(text: string): string {
  return text.replace(UUID, '<id>').replace(TEMPORARY, '<tmp>');
}
