/**
 * The table of settings: dotted name, path in the file, environment variables and default of each key; and the nearest
 * key to a mistyped name.
 */

import { DEFAULT_SETTINGS, ENVIRONMENT_PREFIX, toEnvironmentName } from '../../base/model/settings.ts';
import { isRecord } from '../../base/records.ts';
import { toEditDistance } from '../../base/text/edit-distance.ts';

export interface SettingKey {
  /** `store.url` */
  readonly name: string;
  readonly path: readonly string[];
  /** Our own first, then names that predecessors had. Empty for a file-only setting. */
  readonly variables: readonly string[];
  /** The variable that a file-only setting would have; it is ignored, and the user is told why. */
  readonly ignoredVariable?: string;
  readonly fallback: unknown;
}

/**
 * Settings that load code, or name a place to send data to, a reader of it or sessions to learn from. Only the user's
 * own settings file may set them. Projects often set variables (an agent's project settings, direnv), and a project
 * must not run code in the daemon, receive other projects' data, or teach other projects' agents with invented
 * sessions.
 */
const FILE_ONLY: Readonly<Record<string, string>> = {
  detectorPlugins: 'choose code to load',
  'store.url': 'choose where your data is sent',
  models: 'let a language model read your failed calls',
  scanPaths: 'choose the sessions to learn from',
};

/** Why only the user's own settings file may set a key or a group. Undefined for all others. */
export function findFileOnlyReason(name: string): string | undefined {
  const power = FILE_ONLY[name] ?? FILE_ONLY[name.split('.')[0] ?? ''];
  return power === undefined ? undefined : `only your own settings file may ${power}`;
}

/** Names that predecessors used, supported where it costs nothing. */
const FORMER_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'retention.enabled': ['AGENT_MEMORY_OUTCOME_PRUNE_ENABLED'],
  'retention.textDays': ['AGENT_MEMORY_OUTCOME_RETENTION_DAYS'],
  'retention.perProject': ['AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT'],
};

export const SETTING_KEYS: readonly SettingKey[] = listKeys(DEFAULT_SETTINGS, [], ENVIRONMENT_PREFIX);

/** Names of groups: `store`, `scoring.confidence`. */
export const SETTING_GROUPS: readonly string[] = [
  ...new Set(SETTING_KEYS.flatMap(({ path }) => path.slice(0, -1).map((_, end) => path.slice(0, end + 1).join('.')))),
];

/** Variables without effect, each with its file-only key or group. */
export const IGNORED_VARIABLES: readonly { readonly name: string; readonly variable: string }[] = [
  ...SETTING_KEYS.flatMap(({ name, ignoredVariable: variable }) =>
    variable === undefined ? [] : [{ name, variable }],
  ),
  ...SETTING_GROUPS.filter((name) => findFileOnlyReason(name) !== undefined).map((name) => ({
    name,
    variable: toEnvironmentName(ENVIRONMENT_PREFIX, name),
  })),
];

const BY_NAME = new Map(SETTING_KEYS.map((key) => [key.name, key]));
const GROUPS = new Set(SETTING_GROUPS);

export function findSettingKey(name: string): SettingKey | undefined {
  return BY_NAME.get(name);
}

export function isSettingGroup(name: string): boolean {
  return GROUPS.has(name);
}

/** The value at a path in settings or in a part of them. */
export function findSettingValue(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (isRecord(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    settings,
  );
}

function listKeys(defaults: object, path: readonly string[], prefix: string): readonly SettingKey[] {
  return Object.entries(defaults).flatMap(([part, fallback]) => {
    const here = [...path, part];
    const variable = toEnvironmentName(prefix, part);
    if (isRecord(fallback)) return listKeys(fallback, here, variable);
    const name = here.join('.');
    if (findFileOnlyReason(name) !== undefined)
      return [{ name, path: here, variables: [], ignoredVariable: variable, fallback }];
    return [{ name, path: here, variables: [variable, ...(FORMER_VARIABLES[name] ?? [])], fallback }];
  });
}

/** A name in the wrong group counts as further away than a typo in the right one. */
const OTHER_GROUP = 0.5;
const MAX_CHARS = 100;

interface Candidate {
  readonly name: string;
  readonly whole: string;
  readonly last: string;
  readonly variables: readonly string[];
}

const CANDIDATES: readonly Candidate[] = [
  ...SETTING_KEYS.map(({ name, variables, ignoredVariable }) => ({
    name,
    variables: ignoredVariable === undefined ? variables : [ignoredVariable],
  })),
  ...SETTING_GROUPS.map((name) => ({ name, variables: [] })),
].map(({ name, variables }) => ({ name, variables, whole: toPlain(name), last: toLast(name) }));

/** The setting that was probably meant by an unknown name, also in another group. */
export function findNearestKey(given: string): string | undefined {
  if (given.length > MAX_CHARS) return undefined;
  const byVariable = CANDIDATES.find(({ variables }) => variables.includes(given));
  if (byVariable !== undefined) return byVariable.name;
  const [whole, last] = [toPlain(given), toLast(given)];
  const ranked = CANDIDATES.map(({ name, ...candidate }) => ({
    name,
    far: Math.min(
      toNearness(whole, candidate.whole),
      toNearness(last, candidate.last) + OTHER_GROUP,
      toNearness(last, candidate.whole) + OTHER_GROUP,
    ),
  })).toSorted((a, b) => a.far - b.far);
  const [best] = ranked;
  return best === undefined || best.far === Number.POSITIVE_INFINITY ? undefined : best.name;
}

/** Infinite if more than a third differs, because then it is another word. */
function toNearness(given: string, known: string): number {
  const most = Math.floor(Math.max(given.length, known.length) / 3);
  if (Math.abs(given.length - known.length) > most) return Number.POSITIVE_INFINITY;
  const far = toEditDistance(given, known);
  return far <= most ? far : Number.POSITIVE_INFINITY;
}

/** `min_score` and `min-score` are `minScore`. */
function toPlain(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, '');
}

function toLast(name: string): string {
  return toPlain(name.slice(name.lastIndexOf('.') + 1));
}
