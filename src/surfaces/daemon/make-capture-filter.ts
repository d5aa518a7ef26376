/**
 * What may be taken in, from wherever it is told: not from private folders, not what happened while paused, and nothing
 * that was forgotten. The hook looks away by itself; a transcript, a spool or another machine's journal does not.
 */
import { UserError } from '../../base/errors.ts';
import type { Fact } from '../../base/fact.ts';
import { makeIsForgotten } from '../../base/forgotten.ts';
import { isPrivate } from '../../base/is-private.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { isPaused } from '../../base/switches.ts';
import { makeSwitchReader } from '../hook/read-switches.ts';
import { makeProjectFinder } from './make-project-finder.ts';

export interface FilterParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly switchesFile: string;
}

export interface Sighted {
  readonly sessionId: string;
  readonly at: string;
  readonly cwd?: string;
}

/** Rejects while the switch file is broken: nobody can tell what may be taken, and it must not count as read. */
export type OpenFilter = () => Promise<(told: Sighted) => boolean>;

const REMEMBER_MS = 1_000;

export function makeCaptureFilter(parts: FilterParts): OpenFilter {
  const { store, switchesFile } = parts;
  const readSwitches = makeSwitchReader(switchesFile);
  const toProjectId = makeProjectFinder();
  let forgotten = makeIsForgotten([]);
  let askedMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const switches = readSwitches();
    if (switches.broken) throw broken(switchesFile);
    if (performance.now() - askedMs > REMEMBER_MS) {
      forgotten = makeIsForgotten(await store.listForgotten());
      askedMs = performance.now();
    }
    return ({ sessionId, at, cwd }) => {
      // Asked each time: settings change while we run.
      if (isPrivate(cwd, parts.settings.privateProjects)) return false;
      const told = { sessionId, at, cwd, projectId: toProjectId(cwd ?? '') };
      return !isPaused(switches, told) && !forgotten(told);
    };
  };
}

/** Without the sessions that may not be spoken of in it. */
export function filterFacts(facts: readonly Fact[], isOurs: (told: Sighted) => boolean): readonly Fact[] {
  return facts.filter(isOurs).map((fact) => {
    if (fact.kind !== 'briefed') return fact;
    return { ...fact, dead: fact.dead.filter(({ lastSeenAt, ...session }) => isOurs({ ...session, at: lastSeenAt })) };
  });
}

function broken(file: string): UserError {
  return new UserError({
    subject: file,
    reason: 'is broken, so nobody can tell what is paused; until then nothing is captured or said',
    next: 'say it again with oncebitten pause, or end all pauses with oncebitten resume',
  });
}
