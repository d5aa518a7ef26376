/** The filter as it stands in the address. `router.tsx` says which pages have it. */

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
  /** How the failures are grouped. */
  readonly group?: string;
  /** What the failures are sorted by. */
  readonly sort?: string;
  /** `true`: failures that no other call would have avoided, too. */
  readonly all?: string;
  /** The status of the listed lessons. */
  readonly status?: string;
}

const EVERYWHERE = ['since', 'until', 'project', 'agent', 'model', 'category'] as const;
/** What one page is told; it does not go along to the next one. */
const ONE_PAGE = ['q', 'group', 'sort', 'all', 'status'] as const;
const KEYS = [...EVERYWHERE, ...ONE_PAGE] as const;

/** Whatever else stands in the address is dropped. */
export function toFilter(search: Readonly<Record<string, unknown>>): Filter {
  const given = KEYS.map((key) => [key, search[key]] as const);
  const isGiven = ([, value]: (typeof given)[number]): boolean =>
    ['string', 'number', 'boolean'].includes(typeof value) && value !== '';
  return Object.fromEntries(given.filter(isGiven).map(([key, value]) => [key, String(value)]));
}

export function useFilter(): Filter {
  return useSearch({ strict: false }) as Filter;
}

/** The time, project, agent, model and category that the page is about. */
export function useRange(): Pick<Filter, (typeof EVERYWHERE)[number]> {
  return pick(useFilter(), ...EVERYWHERE);
}

/** The part of an address that goes along to the next page. */
export function keepRange(search: object): Pick<Filter, (typeof EVERYWHERE)[number]> {
  return pick(search as Filter, ...EVERYWHERE);
}

/** The parts of the filter that an operation understands. */
export function pick<K extends keyof Filter>(filter: Filter, ...keys: readonly K[]): Pick<Filter, K> {
  return Object.fromEntries(keys.filter((key) => filter[key] !== undefined).map((key) => [key, filter[key]])) as Pick<
    Filter,
    K
  >;
}
