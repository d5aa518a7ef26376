/**
 * Takes what waited: facts of hooks that found no daemon, and journal segments of a daemon that died. A file goes when
 * its facts are in the store; taking one twice (killed in between) changes nothing. The text of those calls comes from
 * the transcripts that the facts name.
 */
import type { Fact } from '../../base/fact.ts';
import { listSpool, readFacts, removeSpooled } from '../../capture/read-spool.ts';
import type { Loop } from './loop.ts';

export interface Drain {
  (segments: readonly string[]): Promise<void>;
  /** All of this segment is in the store. */
  forget(segment: string): void;
}

export interface DrainParts {
  readonly dir: string;
  readonly loop: Pick<Loop, 'takeFacts'>;
  readonly scan: (agent: string, path: string) => Promise<unknown>;
}

export function makeDrain({ dir, loop, scan }: DrainParts): Drain {
  const drain = async (segments: readonly string[]): Promise<void> => {
    const transcripts = new Map<string, string>();
    for (const name of [...segments, ...listSpool(dir)]) {
      const facts = findFacts(dir, name);
      if (facts === undefined) continue;
      await loop.takeFacts(facts);
      removeSpooled(dir, name);
      for (const { agent, transcriptPath } of facts)
        if (transcriptPath !== undefined) transcripts.set(transcriptPath, agent);
    }
    for (const [path, agent] of transcripts) await scan(agent, path);
  };
  return Object.assign(drain, { forget: (segment: string) => removeSpooled(dir, segment) });
}

/** A file that cannot be read now is left for later; those behind it are not kept waiting. */
function findFacts(dir: string, name: string): readonly Fact[] | undefined {
  try {
    return readFacts(dir, name);
  } catch {
    return undefined;
  }
}
