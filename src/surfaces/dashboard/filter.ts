/** The filter that every page has, as it stands in the address. */

import { useSearch } from '@tanstack/react-router';

export interface Filter {
  /** `7d`, `2026-01-31`; absent: all time. */
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
  readonly agent?: string;
  readonly model?: string;
  readonly category?: string;
  /** The text that a list is searched for. */
  readonly q?: string;
}

const KEYS = ['since', 'until', 'project', 'agent', 'model', 'category', 'q'] as const;

/** Whatever else stands in the address is dropped. */
export function toFilter(search: Readonly<Record<string, unknown>>): Filter {
  const given = KEYS.map((key) => [key, search[key]] as const);
  const isGiven = ([, value]: (typeof given)[number]): boolean =>
    (typeof value === 'string' || typeof value === 'number') && value !== '';
  return Object.fromEntries(given.filter(isGiven).map(([key, value]) => [key, String(value)]));
}

export function useFilter(): Filter {
  return useSearch({ strict: false }) as Filter;
}

/** The time, project, agent and model that every page is about. */
export function useRange(): Omit<Filter, 'category' | 'q'> {
  return pick(useFilter(), 'since', 'until', 'project', 'agent', 'model');
}

/** The parts of the filter that an operation understands. */
export function pick<K extends keyof Filter>(filter: Filter, ...keys: readonly K[]): Pick<Filter, K> {
  return Object.fromEntries(keys.filter((key) => filter[key] !== undefined).map((key) => [key, filter[key]])) as Pick<
    Filter,
    K
  >;
}
