/**
 * Stores waiting facts: spool files of hooks that found no daemon, and journal segments of a daemon that died. A file is
 * removed once its facts are in the store; storing it twice after a kill changes nothing. The text of these calls comes
 * from the transcripts that the facts name.
 */
import { readSpooled, type Spooled } from '../capture/journal/read-facts.ts';
import { listSpool, removeSpooled } from '../capture/journal/spool-files.ts';
import type { Loop } from './learn.ts';

interface Drain {
  /** Stores these segments, earlier ones that failed, and the spool. Rejects if some of it must wait. */
  (segments: readonly string[]): Promise<void>;
  /** Called when the whole segment is in the store. */
  forget(segment: string): void;
}

interface DrainParts {
  readonly dir: string;
  readonly loop: Pick<Loop, 'takeFacts'>;
  readonly scan: (agent: string, path: string) => Promise<unknown>;
}

const FILES_AT_ONCE = 50;
/** If this many files fail in a row, the files are not the cause. */
const MAX_FAILURES = 3;

export function makeDrain({ dir, loop, scan }: DrainParts): Drain {
  /** Segments to read from their file. The folder is not listed, because it contains the current segment. */
  const segments = new Set<string>();
  /** Files that failed are tried last, so that a bad file does not block the others. */
  const failures = new Map<string, number>();
  const transcripts = new Map<string, string>();

  const takeTogether = async (names: readonly string[]): Promise<void> => {
    const files = names.map((name) => ({ name, ...findSpooled(dir, name) })).filter((file) => !file.hasLater);
    const facts = files.flatMap((file) => file.facts ?? []);
    if (facts.length > 0) await loop.takeFacts(facts);
    for (const { name } of files.filter((file) => file.facts !== undefined)) {
      removeSpooled(dir, name);
      failures.delete(name);
      segments.delete(name);
    }
    for (const { agent, transcriptPath } of facts)
      if (transcriptPath !== undefined) transcripts.set(transcriptPath, agent);
  };
  const takeOneByOne = async (names: readonly string[]): Promise<void> => {
    const errors: unknown[] = [];
    for (const name of names) {
      if (errors.length >= MAX_FAILURES) break;
      await takeTogether([name]).catch((error) => {
        failures.set(name, (failures.get(name) ?? 0) + 1);
        errors.push(error);
      });
    }
    if (errors.length > 0) throw errors[0];
  };
  const drain = async (added: readonly string[]): Promise<void> => {
    for (const name of added) segments.add(name);
    const toFailures = (name: string): number => failures.get(name) ?? 0;
    const names = [...segments, ...listSpool(dir)].toSorted((a, b) => toFailures(a) - toFailures(b));
    for (let i = 0; i < names.length; i += FILES_AT_ONCE) {
      const some = names.slice(i, i + FILES_AT_ONCE);
      await takeTogether(some).catch(() => takeOneByOne(some));
    }
    await readTranscripts(transcripts, scan);
  };
  return Object.assign(drain, { forget: (segment: string) => removeSpooled(dir, segment) });
}

/** Each transcript separately, because one may be missing. */
async function readTranscripts(transcripts: Map<string, string>, scan: DrainParts['scan']): Promise<void> {
  for (const [path, agent] of [...transcripts]) {
    transcripts.delete(path);
    await scan(agent, path).catch(() => {
      // The transcript is missing or not readable; the end of its session is the next chance.
    });
  }
}

/** A file that cannot be read now is left for later; the next files do not wait for it. */
function findSpooled(dir: string, name: string): Partial<Spooled> {
  try {
    return readSpooled(dir, name);
  } catch {
    return {};
  }
}
