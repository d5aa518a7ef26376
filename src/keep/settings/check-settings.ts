/**
 * Checks the settings from the text of their file and from the environment, and returns the values with their origins,
 * or every problem. Also resolves private folders to the paths that agents report.
 */

import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute } from 'node:path';
import { getNodeValue, type Node } from 'jsonc-parser';
import type { z } from 'zod';
import { DELIVERY_MODES } from '../../base/model/lesson.ts';
import type { Settings } from '../../base/model/settings.ts';
import { dropAbsent, isRecord } from '../../base/records.ts';
import { redact } from '../../base/secrets/redaction.ts';
import { toSchemaFault } from '../schemas/schema-texts.ts';
import { listProperties, parseJsonc, toLineNumber } from './jsonc-text.ts';
import {
  findFileOnlyReason,
  findNearestKey,
  findSettingKey,
  findSettingValue,
  IGNORED_VARIABLES,
  isSettingGroup,
  SETTING_KEYS,
} from './setting-keys.ts';
import type { SettingsProblem } from './settings-error.ts';
import { describeSetting, parseSetting, settingsSchema } from './settings-schema.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export type SettingOrigin =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly line: number }
  | { readonly kind: 'environment'; readonly variable: string };

export interface CheckedSettings {
  readonly problems: readonly SettingsProblem[];
  /** The values as written; absent if there is a problem. */
  readonly settings?: Settings;
  /** By the names of keys and groups; a missing entry means the default. */
  readonly origins: ReadonlyMap<string, SettingOrigin>;
  /** Values without effect, because their source may not set this key. */
  readonly ignored: readonly IgnoredSetting[];
}

export interface IgnoredSetting {
  readonly key: string;
  /** The source of the value: a variable, or a line of the file. */
  readonly variable?: string;
  readonly line?: number;
  /** `only your own settings file may name code to load` */
  readonly reason: string;
}

interface SettingsSource {
  /** Why the file may not be the user's own (`is inside a repository`), so that it may not set file-only keys. */
  readonly distrust?: string | undefined;
}

type Values = Record<string, unknown>;

const DEFAULT: SettingOrigin = { kind: 'default' };
const MAX_SHOWN = 60;
/** A limit, because an agent may be waiting and the file may be something else altogether. */
const MAX_PROBLEMS = 100;

export function checkSettings(text: string, env: Environment, source: SettingsSource = {}): CheckedSettings {
  const { root, problems: broken } = parseSettingsTree(text);
  const origins = new Map<string, SettingOrigin>();
  if (broken.length > 0) return { problems: broken, origins, ignored: [] };
  const problems: SettingsProblem[] = [];
  const values = takeObject(root, '', { text, origins, problems });
  const dropped = source.distrust === undefined ? [] : dropFileOnly(values, origins, source.distrust);
  const raised = takeEnvironment(values, env, origins);
  const ignored = [...dropped, ...listIgnoredVariables(env), ...raised];
  const parsed = settingsSchema.safeParse(values);
  if (!parsed.success) problems.push(...toValueProblems(parsed.error.issues, values, origins));
  problems.push(...listFolderProblems(values.privateProjects, origins));
  problems.sort((a, b) => (a.line ?? Number.POSITIVE_INFINITY) - (b.line ?? Number.POSITIVE_INFINITY));
  return { problems, origins, ignored, ...(parsed.success && problems.length === 0 ? { settings: parsed.data } : {}) };
}

interface SettingsTree {
  /** Absent for a file with only comments. */
  readonly root?: Node;
  /** Syntax problems that prevent reading the file. */
  readonly problems: readonly SettingsProblem[];
}

export function parseSettingsTree(text: string): SettingsTree {
  const { root, faults } = parseJsonc(text);
  if (faults.length > 0)
    return {
      problems: faults.map(({ line, reason }) => toSyntaxProblem(line, `is not JSON with comments (${reason})`)),
    };
  if (root === undefined || root.type === 'object') return { ...(root && { root }), problems: [] };
  return { problems: [toSyntaxProblem(toLineNumber(text, root.offset), 'is not an object')] };
}

function toSyntaxProblem(line: number, text: string): SettingsProblem {
  return { key: '', line, kind: 'syntax', text };
}

/** The value of a setting in the file; undefined if it is not set there. */
export function findFileValue(text: string, path: readonly string[]): unknown {
  let node = parseSettingsTree(text).root;
  for (const part of path) node = listProperties(node).findLast(({ name }) => name === part)?.value;
  return node === undefined ? undefined : getNodeValue(node);
}

/** Removes file-only settings from the values of a file that may not be the user's own. */
function dropFileOnly(
  values: Values,
  origins: Map<string, SettingOrigin>,
  distrust: string,
): readonly IgnoredSetting[] {
  return SETTING_KEYS.flatMap(({ name: key, path }) => {
    const reason = findFileOnlyReason(key);
    const origin = origins.get(key);
    const group = findGroup(values, path.slice(0, -1));
    if (reason === undefined || origin?.kind !== 'file' || group === undefined) return [];
    delete group[path.at(-1) ?? ''];
    origins.delete(key);
    return [{ key, line: origin.line, reason: `${reason}, and this one ${distrust}` }];
  });
}

function listIgnoredVariables(env: Environment): readonly IgnoredSetting[] {
  return IGNORED_VARIABLES.flatMap(({ name: key, variable }) => {
    const reason = findFileOnlyReason(key);
    if (reason === undefined || env[variable] === undefined) return [];
    return [{ key, variable, reason }];
  });
}

interface Taking {
  readonly text: string;
  readonly origins: Map<string, SettingOrigin>;
  readonly problems: SettingsProblem[];
}

/** Takes the known keys of an object in the file; unknown ones are problems. */
function takeObject(object: Node | undefined, group: string, taking: Taking): Values {
  const values: Values = {};
  const seen = new Map<string, number>();
  for (const { name: part, node, value } of listProperties(object)) {
    if (taking.problems.length >= MAX_PROBLEMS) break;
    const name = group === '' ? part : `${group}.${part}`;
    const line = toLineNumber(taking.text, node.offset);
    const first = seen.get(part);
    seen.set(part, first ?? line);
    if (first !== undefined) {
      taking.problems.push({ key: name, line, kind: 'twice', text: `appears twice, also in line ${first}` });
      continue;
    }
    if (name === '$schema') continue;
    if (!isSettingGroup(name) && findSettingKey(name) === undefined) {
      taking.problems.push(toUnknown(name, line));
      continue;
    }
    taking.origins.set(name, { kind: 'file', line });
    const isGroup = isSettingGroup(name) && value.type === 'object';
    values[part] = isGroup ? takeObject(value, name, taking) : getNodeValue(value);
  }
  return values;
}

function toUnknown(key: string, line: number): SettingsProblem {
  const nearest = findNearestKey(key);
  const hint = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  return { key, line, kind: 'unknown', text: `is not a setting${hint}`, ...dropAbsent({ nearest }) };
}

/**
 * A variable overrides the file. A group with another type is left as it is and rejected later. Returns the variables
 * that would allow stronger delivery modes than the file, because a project can set variables and the daemon serves all
 * projects.
 */
function takeEnvironment(
  values: Values,
  env: Environment,
  origins: Map<string, SettingOrigin>,
): readonly IgnoredSetting[] {
  const raised: IgnoredSetting[] = [];
  for (const { name, path, variables, fallback } of SETTING_KEYS) {
    const variable = variables.find((one) => env[one] !== undefined);
    if (variable === undefined) continue;
    const group = findGroup(values, path.slice(0, -1));
    if (group === undefined) continue;
    const [last = '', value] = [path.at(-1), parseSetting(path, env[variable] ?? '')];
    if (name === 'delivery.maxMode' && toModeRank(value) > toModeRank(group[last] ?? fallback)) {
      raised.push({ key: name, variable, reason: 'a variable may only lower the limit of your own settings file' });
      continue;
    }
    // No variable may make private folders public, so it only adds to the list.
    group[last] = name === 'privateProjects' ? addToList(group[last], value) : value;
    origins.set(name, { kind: 'environment', variable });
  }
  return raised;
}

/** -1 for an unknown mode, which is rejected later. */
function toModeRank(mode: unknown): number {
  return DELIVERY_MODES.findIndex((one) => one === mode);
}

function addToList(list: unknown, more: unknown): unknown {
  return Array.isArray(list) && Array.isArray(more) ? [...new Set([...list, ...more])] : more;
}

function findGroup(values: Values, path: readonly string[]): Values | undefined {
  let group = values;
  for (const part of path) {
    if (group[part] === undefined) group[part] = {};
    const next: unknown = group[part];
    if (!isRecord(next)) return undefined;
    group = next as Values;
  }
  return group;
}

function toValueProblems(
  issues: readonly z.core.$ZodIssue[],
  values: Values,
  origins: ReadonlyMap<string, SettingOrigin>,
): readonly SettingsProblem[] {
  const found = issues.map((issue): SettingsProblem => {
    const parts = issue.path.map(String);
    const path = toKeyPath(parts);
    const key = path.join('.');
    const entry = parts.length > path.length ? `entry ${Number(parts[path.length]) + 1}: ` : '';
    const is = renderIs(key, findSettingValue(values, path));
    const isOwn = issue.code === 'custom' || entry !== '';
    const text = isOwn ? toSchemaFault({ issues: [issue] }).reason : `must be ${describeSetting(path).type}${is}`;
    return { key, kind: 'value', text: `${entry}${text}`, ...toPlace(key, origins) };
  });
  return [...new Map(found.map((one) => [`${one.key} ${one.text}`, one])).values()];
}

/** The part of an issue's path that names a setting or a group, without the index in a list. */
function toKeyPath(parts: readonly string[]): readonly string[] {
  const end = parts.findIndex((_, i) => findSettingKey(parts.slice(0, i + 1).join('.')) !== undefined);
  return end < 0 ? parts : parts.slice(0, end + 1);
}

/** An entry that makes nothing private must be reported, because its author believes otherwise. */
function listFolderProblems(entries: unknown, origins: ReadonlyMap<string, SettingOrigin>): readonly SettingsProblem[] {
  if (!Array.isArray(entries)) return [];
  return entries.flatMap((entry: unknown) => {
    const fault = typeof entry === 'string' ? findEntryFault(entry) : undefined;
    if (fault === undefined) return [];
    const text = `${JSON.stringify(entry)}: ${fault}, so this entry makes nothing private`;
    return [{ key: 'privateProjects', kind: 'folder' as const, text, ...toPlace('privateProjects', origins) }];
  });
}

function toPlace(key: string, origins: ReadonlyMap<string, SettingOrigin>): Pick<SettingsProblem, 'line' | 'variable'> {
  const origin = origins.get(key) ?? DEFAULT;
  if (origin.kind === 'file') return { line: origin.line };
  return origin.kind === 'environment' ? { variable: origin.variable } : {};
}

/** An address may contain a password in any form. */
function renderIs(key: string, value: unknown): string {
  if (value === undefined || key.startsWith('store') || (typeof value === 'object' && value !== null)) return '';
  const shown = redact(JSON.stringify(value));
  return `, is ${shown.length <= MAX_SHOWN ? shown : `${shown.slice(0, MAX_SHOWN)}…`}`;
}

/**
 * The private folders as agents report them: `~` is the home, a trailing slash is dropped, and a link also stands for
 * its target. An unrecognized folder would be captured.
 */
export function toPrivateFolders(given: readonly string[]): readonly string[] {
  return [...new Set(given.flatMap(toPaths))];
}

/** Why an entry names no folder; undefined if it names one. An unresolved entry must not be ignored silently. */
function findEntryFault(given: string): string | undefined {
  const path = expandHome(given);
  if (/^\$|\$\{|%\w+%/.test(given) && !existsSync(path)) return 'variables are not expanded here';
  if (!isAbsolute(path)) return 'is not an absolute path';
  if (/[*?[\]{}]|\$\w/.test(path) && !existsSync(path)) return 'patterns and variables are not expanded';
  return undefined;
}

function expandHome(given: string): string {
  return given.replace(/^~(?=$|[/\\])/, homedir());
}

function toPaths(given: string): readonly string[] {
  const path = expandHome(given).replace(/(?<=.)\/+$/, '');
  try {
    return [path, realpathSync(path)];
  } catch {
    return [path];
  }
}
