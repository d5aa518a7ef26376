/** Keeps the pages current: the daemon says that something changed, and the open page asks again. */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { listen } from '../client.ts';

const AGAIN_MS = 5000;
const PACE_MS = 1500;
/** `doctor` tests the whole installation, so no page repeats it at every call of an agent. */
export const HEALTH_KEY = 'health';

export function LiveUpdates() {
  const queries = useQueryClient();
  useEffect(() => {
    const stop = new AbortController();
    let isDue = false;
    // A busy agent changes the data with every call; the page follows at a pace that people can read.
    const refresh = (): void => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== HEALTH_KEY });
      }, PACE_MS);
    };
    const run = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        await listen(refresh, stop.signal).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    };
    void run();
    return () => stop.abort();
  }, [queries]);
  return null;
}
