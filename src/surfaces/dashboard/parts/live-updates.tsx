/**
 * Keeps the pages current: the daemon says that something changed, and the open page asks again. While the daemon does not
 * answer, a line above every page says so, because what the page shows may be old.
 */

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { listen, Problem } from '../client.ts';
import { isTokenAccepted } from '../token.ts';
import { Sentence } from './words.tsx';

const AGAIN_MS = 2000;
/** The daemon ends an open feed at times; the next one begins at once. */
const NEXT_MS = 200;
const PACE_MS = 1500;
/** `doctor` tests the whole installation, so no page repeats it at every call of an agent. */
export const HEALTH_KEY = 'health';

const AWAY = 'The daemon does not answer. Start it with `oncebitten open`.';
const RENEWED = 'The daemon was started anew and no longer knows this tab. Open the dashboard with `oncebitten open`.';

export function LiveUpdates() {
  const queries = useQueryClient();
  const [trouble, setTrouble] = useState<string>();
  useEffect(() => {
    const stop = new AbortController();
    let isDue = false;
    let isAway = false;
    // A busy agent changes the data with every call; the page follows at a pace that people can read.
    const refresh = (): void => {
      if (isDue) return;
      isDue = true;
      setTimeout(() => {
        isDue = false;
        void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== HEALTH_KEY });
      }, PACE_MS);
    };
    const hear = (): void => {
      if (isAway) void queries.invalidateQueries();
      else refresh();
      isAway = false;
      setTrouble(undefined);
    };
    const run = async (): Promise<void> => {
      while (!stop.signal.aborted) {
        const error: unknown = await listen(hear, stop.signal).catch((reason) => reason);
        if (stop.signal.aborted) return;
        if (error instanceof Problem) {
          isAway = true;
          setTrouble(findTrouble(error));
        }
        await new Promise((resolve) => setTimeout(resolve, error instanceof Problem ? AGAIN_MS : NEXT_MS));
      }
    };
    void run();
    return () => stop.abort();
  }, [queries]);
  return (
    <div role="status" aria-live="polite" className={trouble === undefined ? 'sr' : 'away'}>
      {trouble !== undefined && <Sentence text={`${trouble} This page shows what was known before.`} />}
    </div>
  );
}

/** A tab that never had a token reads in the page itself what to do. */
function findTrouble({ status }: Problem): string | undefined {
  if (status !== 401) return AWAY;
  return isTokenAccepted() ? RENEWED : undefined;
}
