/**
 * An agent reads its files when a session begins: then it is looked whether promoted lessons came or went since, with a
 * branch or by hand. In the worker, while nobody waits.
 */
import type { Store } from '../../base/store.ts';
import type { Sight } from './keep-sessions.ts';
import { listStanding } from './list-standing.ts';

/** So many sessions are remembered. */
const MAX_KNOWN = 1_000;

export interface StandingWatch {
  /** True when lessons must be compiled again. */
  take(sights: readonly Sight[]): Promise<boolean>;
}

export function makeStandingWatch(store: Store): StandingWatch {
  const known = new Set<string>();
  let last: string | undefined;
  return {
    async take(sights) {
      // What is read from history is over.
      const live = sights.filter(({ source }) => source === 'hook');
      const fresh = live.map(({ agent, sessionId }) => `${agent}\n${sessionId}`).filter((key) => !known.has(key));
      if (fresh.length === 0) return false;
      if (known.size > MAX_KNOWN) known.clear();
      for (const key of fresh) known.add(key);
      const standing = (await listStanding(store)).map(({ id }) => id).join(' ');
      // Of what was compiled before this process nothing is known.
      const isChanged =
        last === undefined ? (await store.listPromotions({ state: 'applied' })).length > 0 : standing !== last;
      last = standing;
      return isChanged;
    },
  };
}
