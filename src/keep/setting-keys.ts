/** Every setting as a row: its name with dots, where it stands in the file, its environment variables, its default. */
import { DEFAULT_SETTINGS, ENVIRONMENT_PREFIX, toEnvironmentName } from '../base/settings.ts';

export interface SettingKey {
  /** `store.url` */
  readonly name: string;
  readonly path: readonly string[];
  /** Ours first, then the names that predecessors had for it. Empty for a setting that only the file may set. */
  readonly variables: readonly string[];
  /** The variable that a file-only setting would have: it is ignored, and its user is told why. */
  readonly ignoredVariable?: string;
  readonly fallback: unknown;
}

/**
 * Settings that load code, or name a place to send data to or sessions to learn from. Only the user's own settings file may set them: variables
 * are often set by a project (an agent's project settings, direnv), and a project must not run code in the daemon,
 * receive other projects' data, or teach other projects' agents with sessions that never took place.
 */
const FILE_ONLY: Readonly<Record<string, string>> = {
  detectorPlugins: 'name code to load',
  'store.url': 'name a place to send data to',
  ...Object.fromEntries(
    Object.keys(DEFAULT_SETTINGS.scanPaths).map((agent) => [`scanPaths.${agent}`, 'name sessions to learn from']),
  ),
};

/** Why only the user's own settings file may set a key. Undefined for all other keys. */
export function findFileOnlyReason(name: string): string | undefined {
  const power = FILE_ONLY[name];
  return power === undefined ? undefined : `only your own settings file may ${power}`;
}

/** Names known from the predecessors, where they cost nothing. */
const FORMER_VARIABLES: Readonly<Record<string, readonly string[]>> = {
  'retention.enabled': ['AGENT_MEMORY_OUTCOME_PRUNE_ENABLED'],
  'retention.textDays': ['AGENT_MEMORY_OUTCOME_RETENTION_DAYS'],
  'retention.perProject': ['AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT'],
};

export const SETTING_KEYS: readonly SettingKey[] = listKeys(DEFAULT_SETTINGS, [], ENVIRONMENT_PREFIX);

/** Names that stand for several keys: `store`, `scoring.confidence`. */
export const SETTING_GROUPS: readonly string[] = [
  ...new Set(SETTING_KEYS.flatMap(({ path }) => path.slice(0, -1).map((_, end) => path.slice(0, end + 1).join('.')))),
];

const BY_NAME = new Map(SETTING_KEYS.map((key) => [key.name, key]));
const GROUPS = new Set(SETTING_GROUPS);

export function findSettingKey(name: string): SettingKey | undefined {
  return BY_NAME.get(name);
}

export function isSettingGroup(name: string): boolean {
  return GROUPS.has(name);
}

export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands at a path, in settings or in a part of them. */
export function findSettingValue(settings: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (value, part) => (isPlainObject(value) && Object.hasOwn(value, part) ? value[part] : undefined),
    settings,
  );
}

function listKeys(defaults: object, path: readonly string[], prefix: string): readonly SettingKey[] {
  return Object.entries(defaults).flatMap(([part, fallback]) => {
    const here = [...path, part];
    const variable = toEnvironmentName(prefix, part);
    if (isPlainObject(fallback)) return listKeys(fallback, here, variable);
    const name = here.join('.');
    if (Object.hasOwn(FILE_ONLY, name))
      return [{ name, path: here, variables: [], ignoredVariable: variable, fallback }];
    return [{ name, path: here, variables: [variable, ...(FORMER_VARIABLES[name] ?? [])], fallback }];
  });
}
