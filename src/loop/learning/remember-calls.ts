/**
 * Keeps the memory of failed calls up to date: remembers them by their exact form, and settles those that a later working
 * call may have repaired. Sessions of one time are read one after the other, so a call may be stored after a later call
 * that settles it; therefore the latest change of each thing is kept for a while.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import { toRemembered } from '../../match/call-memory.ts';

type MemoryStore = Pick<Store, 'saveRemembered' | 'settleRemembered' | 'listRemembered'>;

interface CallRememberer {
  /** True if the memory changed. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

/** More failed calls of one project than this are not looked through; the oldest stay as they are. */
const MAX_OPEN = 2_000;
const MAX_PROJECTS = 100;
const MAX_THINGS = 20_000;

export function makeCallRememberer(store: MemoryStore): CallRememberer {
  /** By project: each thing that a working call touched, and when. */
  const changes = new Map<string, Map<string, string>>();
  const note = ({ projectId, touches = [], occurredAt }: LiveCall): void => {
    const things = changes.get(projectId) ?? new Map<string, string>();
    changes.set(projectId, things);
    for (const thing of touches) {
      const before = things.get(thing) ?? '';
      // Deleted first, so that the map is in order of use.
      things.delete(thing);
      things.set(thing, before > occurredAt ? before : occurredAt);
    }
    dropOldest(things, MAX_THINGS);
    dropOldest(changes, MAX_PROJECTS);
  };
  return {
    async take(calls) {
      const failed = calls.flatMap((call) => toRemembered(call) ?? []);
      const worked = calls.filter(({ touches }) => touches !== undefined);
      for (const call of worked) note(call);
      if (failed.length + worked.length === 0) return false;
      await store.saveRemembered(failed);
      const projectIds = [...new Set([...failed, ...worked].map(({ projectId }) => projectId))];
      const open = await store.listRemembered({ projectIds, limit: MAX_OPEN });
      const things = projectIds.flatMap((id) => changes.get(id) ?? []);
      const settled = open.filter(({ needs, at }) =>
        needs.some((need) => things.some((touched) => (touched.get(need) ?? '') > at)),
      );
      const now = calls.reduce((last, { occurredAt }) => (occurredAt > last ? occurredAt : last), '');
      if (settled.length > 0) await store.settleRemembered(settled, now);
      return failed.length + settled.length > 0;
    },
  };
}
