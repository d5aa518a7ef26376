/**
 * What may be taken in, from wherever it is told: not from private folders, not what happened while paused, and nothing
 * that was forgotten. The hook looks away by itself; a transcript, a spool or another machine's journal does not.
 */
import { UserError } from '../../base/errors.ts';
import type { Fact } from '../../base/fact.ts';
import { type Forgotten, makeIsForgotten } from '../../base/forgotten.ts';
import { type ProjectAlias, toAllIds } from '../../base/project-alias.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { isPaused } from '../../base/switches.ts';
import { makeSwitchReader } from '../hook/read-switches.ts';
import { type AwayJudge, makeAwayJudge, type Sighted } from './make-away-judge.ts';
import { makeProjectFinder } from './make-project-finder.ts';

export interface FilterParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly switchesFile: string;
  /** Where sessions that began away are marked. */
  readonly awayDir?: string;
}

/** Rejects while the switch file is broken: nobody can tell what may be taken, and it must not count as read. */
export type OpenFilter = (told: readonly Sighted[]) => Promise<(told: Sighted) => boolean>;

const REMEMBER_MS = 1_000;

/** Nothing is private, paused or forgotten: nobody need look. */
export const TAKES_ALL = (): boolean => true;

export function makeCaptureFilter(parts: FilterParts): OpenFilter {
  const { store, switchesFile } = parts;
  const readSwitches = makeSwitchReader(switchesFile);
  const findProject = makeProjectFinder();
  const judge = makeAwayJudge(parts.awayDir);
  let list: readonly Forgotten[] = [];
  let forgotten = makeIsForgotten(list);
  let aliases: readonly ProjectAlias[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  return async (told) => {
    const switches = readSwitches();
    if (switches.broken) throw broken(switchesFile);
    if (performance.now() - askedMs > REMEMBER_MS) {
      list = await store.listForgotten();
      forgotten = makeIsForgotten(list);
      aliases = await store.listProjectAliases();
      askedMs = performance.now();
    }
    // Asked each time: settings change while we run.
    const wishes = { privateFolders: parts.settings.privateProjects, switches };
    const isIdle = judge.isIdle(wishes);
    if (!isIdle) await learnBeginnings(judge, store, told);
    if (isIdle && switches.pauses.length === 0 && list.length === 0) {
      // The settings may change while a session runs: where it began has to be known by then.
      for (const sight of told) judge.isAway(sight, wishes);
      return TAKES_ALL;
    }
    return (sight) => {
      const { sessionId, at, cwd, project } = sight;
      const here = findProject(cwd ?? '').id;
      // A clone or worktree that is gone is as private, paused or forgotten as the others of its repository.
      const projectIds = toAllIds(aliases, project === undefined || project.id === here ? [here] : [here, project.id]);
      if (judge.isAway(sight, wishes, { projectIds })) return false;
      return projectIds.every((projectId) => {
        const place = { sessionId, at, cwd, projectId };
        return !isPaused(switches, place) && !forgotten(place);
      });
    };
  };
}

/** Of sessions that are new here: what the transcript says, else the store, else the earliest sight there is. */
async function learnBeginnings(judge: AwayJudge, store: Store, told: readonly Sighted[]): Promise<void> {
  for (const sight of told.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    if (judge.isKnown(sight)) continue;
    judge.learn(sight, (await store.findSession(sight.agent, sight.sessionId))?.cwd);
  }
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
