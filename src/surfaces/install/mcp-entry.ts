/**
 * Our entry in a list of MCP servers, as text in JSON or TOML: finds, adds, updates and removes it, and leaves every other
 * byte alone. An entry of our name that starts another program belongs to the user, and is never changed.
 */

import { isDeepStrictEqual } from 'node:util';
import { getNodeValue, type Node } from 'jsonc-parser';
import { parse as parseToml, TomlError } from 'smol-toml';
import type { AgentMcp } from '../../base/contracts/agent-mcp.ts';
import { UserError } from '../../base/errors.ts';
import { isRecord } from '../../base/records.ts';
import {
  findLineBreak,
  findMembers,
  insertItem,
  listProperties,
  removeItem,
  replaceValue,
} from '../../keep/settings/jsonc-text.ts';
import { getSettingsRoot } from './hook-entries.ts';

/** The name of our server, and what it is started with. */
const SERVER_NAME = 'oncebitten';
export const SERVER_ARGUMENTS = ['mcp'];

type Entry = Readonly<Record<string, unknown>>;

/** A text with a list of servers. */
export interface ServerText {
  readonly text: string;
  /** For messages. */
  readonly file: string;
  readonly client: AgentMcp;
}

interface Format {
  /** What a file without any text stands for. */
  readonly blank: string;
  find(given: ServerText): unknown;
  /** The list of servers is there, whatever it contains. */
  hasList(given: ServerText): boolean;
  add(given: ServerText, entry: Entry): string;
  update(given: ServerText, entry: Entry): string;
  /** `isListTheirs`: the list stays, even if it becomes empty. */
  remove(given: ServerText, isListTheirs: boolean): string;
  /** Nothing but our entry was ever in it. */
  isEmpty(given: ServerText): boolean;
}

export function toFormat({ format }: AgentMcp): Format {
  return format === 'json' ? JSON_FORMAT : TOML_FORMAT;
}

/** Undefined if there is none, or only a server of the user that has the same name. */
export function findEntry(given: ServerText): Entry | undefined {
  const entry = toFormat(given.client).find(given);
  return isRecord(entry) && isOurs(entry) ? entry : undefined;
}

export function checkNameFree(given: ServerText): void {
  if (toFormat(given.client).find(given) === undefined || findEntry(given) !== undefined) return;
  throw toShapeError(
    given,
    `has another server named ${SERVER_NAME}`,
    'Rename that server, then run the command again.',
  );
}

/** From whatever data directory. Some clients have the command and its arguments in one list. */
function isOurs({ command, args }: Entry): boolean {
  const words = [command, args].flat();
  return /[/\\]bin[/\\]oncebitten$/.test(String(words[0])) && words[1] === SERVER_ARGUMENTS[0];
}

/** Keys that the user added stay as they are. */
export function isCurrent(entry: Entry, wanted: Entry): boolean {
  return Object.entries(wanted).every(([key, value]) => isDeepStrictEqual(entry[key], value));
}

const JSON_FORMAT: Format = {
  blank: '{}\n',
  find(given) {
    const [entry] = findMembers(getList(given), SERVER_NAME);
    return entry === undefined ? undefined : getNodeValue(entry);
  },
  hasList: (given) => getList(given) !== undefined,
  add(given, entry) {
    const list = getList(given);
    if (list !== undefined) return insertItem(given.text, list, { key: SERVER_NAME, value: entry });
    const root = getSettingsRoot(given.text, given.file);
    return insertItem(given.text, root, { key: given.client.key, value: { [SERVER_NAME]: entry } });
  },
  update(given, entry) {
    // One key after the other on a fresh tree, because each edit moves the rest of the text.
    return Object.entries(entry).reduce((text, [key, value]) => {
      const [node] = findMembers(getList({ ...given, text }), SERVER_NAME);
      if (node === undefined) return text;
      const [member] = findMembers(node, key);
      if (member === undefined) return insertItem(text, node, { key, value });
      return isDeepStrictEqual(getNodeValue(member), value) ? text : replaceValue(text, member, value);
    }, given.text);
  },
  remove(given, isListTheirs) {
    const list = getList(given);
    const entry = listProperties(list).find(({ name }) => name === SERVER_NAME);
    if (list === undefined || entry === undefined) return given.text;
    const isAlone = list.children?.length === 1 && !isListTheirs && !HAS_COMMENT.test(toText(given.text, list));
    return removeItem(given.text, isAlone && list.parent !== undefined ? list.parent : entry.node);
  },
  isEmpty: ({ text, file }) => listProperties(getSettingsRoot(text, file)).length === 0 && !HAS_COMMENT.test(text),
};

const HAS_COMMENT = /\/[/*]/;

function toText(text: string, { offset, length }: Node): string {
  return text.slice(offset, offset + length);
}

function getList(given: ServerText): Node | undefined {
  const { text, file, client } = given;
  const lists = findMembers(getSettingsRoot(text, file), client.key);
  if (lists.length > 1) throw toShapeError(given, `has "${client.key}" twice`);
  if (lists[0] !== undefined && lists[0].type !== 'object')
    throw toShapeError(given, `has a "${client.key}" that is not an object`);
  return lists[0];
}

const TOML_FORMAT: Format = {
  blank: '',
  find: (given) => findServers(given)?.[SERVER_NAME],
  hasList: (given) => findServers(given) !== undefined,
  add(given, entry) {
    const { text, client } = given;
    const eol = findLineBreak(text);
    const rows = Object.entries(entry).map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : `${eol}${eol}`;
    const block = [`[${client.key}.${SERVER_NAME}]`, ...rows, ''].join(eol);
    return checkToml({ ...given, text: `${text}${gap}${block}` }, { ...findServers(given), [SERVER_NAME]: entry });
  },
  update(given, entry) {
    return TOML_FORMAT.add({ ...given, text: TOML_FORMAT.remove(given, true) }, entry);
  },
  remove(given, isListTheirs) {
    const { text, client } = given;
    const { [SERVER_NAME]: _, ...others } = findServers(given) ?? {};
    const lines = text.split(/(?<=\n)/);
    const header = new RegExp(`^\\s*\\[\\s*${client.key}\\s*\\.\\s*"?${SERVER_NAME}"?\\s*[.\\]]`);
    const from = lines.findIndex((line) => header.test(line));
    if (from < 0) throw toShapeError(given, `has a server ${SERVER_NAME} that is not in a table of its own`, BY_HAND);
    let end = lines.findIndex((line, n) => n > from && /^\s*\[/.test(line) && !header.test(line));
    if (end < 0) end = lines.length;
    // Comments behind our entry are the user's: they belong to the next table, or end the file.
    while (end > from + 1 && /^\s*(?:#|$)/.test(lines[end - 1] ?? '')) end--;
    const start = from > 0 && lines[from - 1]?.trim() === '' ? from - 1 : from;
    const rest = [...lines.slice(0, start), ...lines.slice(end)].join('');
    return checkToml({ ...given, text: rest }, isListTheirs || Object.keys(others).length > 0 ? others : {});
  },
  isEmpty: ({ text }) => text.trim() === '',
};

const BY_HAND = 'Change this by hand. Nothing was changed.';

/** A change that reaches further than our entry, in a file that is written in an unusual way, is not made. */
function checkToml(given: ServerText, wanted: object): string {
  try {
    if (isDeepStrictEqual({ ...findServers(given) }, { ...wanted })) return given.text;
  } catch {
    // The changed text is not valid: an inline table, for example, cannot have a table of its own beside it.
  }
  throw toShapeError(given, `has "${given.client.key}" in a form that Oncebitten cannot change safely`, BY_HAND);
}

function findServers(given: ServerText): Entry | undefined {
  const { [given.client.key]: servers } = parseTables(given);
  if (servers === undefined || isRecord(servers)) return servers;
  throw toShapeError(given, `has "${given.client.key}" that is not a table`);
}

function parseTables(given: ServerText): Entry {
  try {
    return toPlain(parseToml(given.text, { integersAsBigInt: 'asNeeded' })) as Entry;
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw toShapeError(given, `is not valid TOML at line ${cause.line}`);
  }
}

/** Tables as ordinary objects, so that they can be compared. */
function toPlain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toPlain);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, toPlain(one)]));
}

function toShapeError(
  { file }: ServerText,
  reason: string,
  next = 'Correct that, then run the command again. Nothing was changed.',
): UserError {
  return new UserError({ subject: file, reason, next });
}
