/**
 * Decides which facts and digests may be stored, whatever their source: not those from private folders, from a pause,
 * or from data that the user forgot. The hook skips private and paused sessions by itself, but a transcript, a spool or
 * the journal of another machine does not. While the switch file is broken the filter throws, because nobody can tell
 * what is paused and the source must not count as read.
 */

import type { Store } from '../../base/contracts/store.ts';
import { UserError } from '../../base/errors.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Fact } from '../../base/model/fact.ts';
import { type KeptReport, toReportCallId } from '../../base/model/finding.ts';
import { type ProjectAlias, toAllIds } from '../../base/model/project.ts';
import type { Settings } from '../../base/model/settings.ts';
import { isPaused } from '../../base/model/switches.ts';
import { compareTexts, dropAbsent } from '../../base/records.ts';
import { type Forgotten, makeIsForgotten } from '../../base/storage/forgotten.ts';
import { type Digest, mapCalls } from '../digest-events.ts';
import { makeProjectFinder } from '../projects/find-project.ts';
import { type AwayJudge, makeAwayJudge } from './away-judge.ts';
import type { SessionSighting } from './private-sessions.ts';
import { makeSwitchReader } from './switches.ts';

interface FilterParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly switchesFile: string;
  /** Folder with the marks of sessions that began in a private or paused place. */
  readonly awayDir?: string;
}

/** Rejects while the switch file is broken. */
export type ReadRules = (sights: readonly SessionSighting[]) => Promise<(sight: SessionSighting) => boolean>;

/** Cache time, because links, repositories and what is forgotten change. */
const REMEMBER_MS = 1_000;

/** Used if nothing is private, paused or forgotten. */
const TAKES_ALL = (): boolean => true;

export function makeCaptureFilter(parts: FilterParts): ReadRules {
  const { store, switchesFile } = parts;
  const readSwitches = makeSwitchReader(switchesFile);
  const findProject = makeProjectFinder();
  const judge = makeAwayJudge(parts.awayDir);
  let list: readonly Forgotten[] = [];
  let forgotten = makeIsForgotten(list);
  let aliases: readonly ProjectAlias[] = [];
  let askedMs = Number.NEGATIVE_INFINITY;
  return async (sights) => {
    const switches = readSwitches();
    if (switches.broken) throw broken(switchesFile);
    if (performance.now() - askedMs > REMEMBER_MS) {
      list = await store.listForgotten();
      forgotten = makeIsForgotten(list);
      aliases = await store.listProjectAliases();
      askedMs = performance.now();
    }
    // Read each time, because settings change while the daemon runs.
    const wishes = { privateFolders: parts.settings.privateProjects, switches };
    const isIdle = judge.isIdle(wishes);
    if (!isIdle) await learnBeginnings(judge, store, sights);
    if (isIdle && switches.pauses.length === 0 && list.length === 0) {
      // Record where sessions began now, because the settings may change later.
      for (const sight of sights) judge.isPrivateOrPaused(sight, wishes);
      return TAKES_ALL;
    }
    return (sight) => {
      const { sessionId, at, cwd, project } = sight;
      const here = findProject(cwd ?? '').id;
      // A clone or worktree that is gone is as private, paused or forgotten as the others of its repository.
      const projectIds = toAllIds(aliases, project === undefined || project.id === here ? [here] : [here, project.id]);
      if (judge.isPrivateOrPaused(sight, wishes, { projectIds })) return false;
      return projectIds.every((projectId) => {
        const place = { sessionId, at, cwd, projectId };
        return !isPaused(switches, place) && !forgotten(place);
      });
    };
  };
}

/** Finds where unknown sessions began: from the transcript, the store, or the earliest sight. */
async function learnBeginnings(judge: AwayJudge, store: Store, sights: readonly SessionSighting[]): Promise<void> {
  for (const sight of sights.toSorted((a, b) => compareTexts(a.at, b.at))) {
    if (judge.isKnown(sight)) continue;
    judge.learn(sight, (await store.findSession(sight.agent, sight.sessionId))?.cwd);
  }
}

/** Also removes sessions that may not be mentioned from the remaining facts. */
export function filterFacts(facts: readonly Fact[], mayStore: (sight: SessionSighting) => boolean): readonly Fact[] {
  return facts.filter(mayStore).map((fact) => {
    if (fact.kind !== 'briefed') return fact;
    return {
      ...fact,
      dead: fact.dead.filter(({ lastSeenAt, ...session }) => mayStore({ ...session, at: lastSeenAt })),
    };
  });
}

function broken(file: string): UserError {
  return new UserError({
    subject: file,
    reason: 'is broken, so Oncebitten cannot tell what is paused; it captures nothing and shows no lesson',
    next: 'set your pauses again with oncebitten pause, or end all pauses with oncebitten resume',
  });
}

/** The parts of a digest that may be stored. */
export function filterDigest(digest: Digest, mayStore: (sight: SessionSighting) => boolean): Digest {
  if (mayStore === TAKES_ALL) return digest;
  const { sights, calls, findings, reports, ends, contextEnds, places, cures, repeatable } = digest;
  const mayStoreCall = (call: LiveCall): boolean => mayStore(toSighting(call));
  const ourReports = reports.filter(({ file, ...report }) =>
    mayStore({
      ...report,
      project: { id: report.projectId },
      ...dropAbsent({ transcriptPath: file }),
    }),
  );
  // A draft may be based on a report alone, without a call.
  const others = new Set(reports.filter((report) => !ourReports.includes(report)).map(toReportKey));
  return {
    sights: sights.filter(mayStore),
    calls: mapCalls(calls, (some) => some.filter(mayStoreCall)),
    findings: findings.filter(
      ({ finding, window }) =>
        !others.has(`${finding.sessionId} ${finding.failingCallId}`) &&
        window
          .filter(({ callId }) => callId === finding.failingCallId || callId === finding.fixingCallId)
          .every(mayStoreCall),
    ),
    reports: ourReports,
    ends: ends.filter(mayStore),
    contextEnds: contextEnds.filter(mayStore),
    places: places.filter(mayStore),
    // Only ids: the calls of other people's folders are gone.
    repeatable,
    cures: cures.filter(({ projectId, folders, file, ...cure }) =>
      folders.every((cwd) =>
        mayStore({ ...cure, project: { id: projectId }, ...dropAbsent({ cwd, transcriptPath: file }) }),
      ),
    ),
  };
}

function toReportKey({ sessionId, reportId }: KeptReport): string {
  return `${sessionId} ${toReportCallId(reportId)}`;
}

/** The sight of a call. */
export function toSighting({ agent, sessionId, occurredAt, cwd, evidence, projectId }: LiveCall): SessionSighting {
  return {
    agent,
    sessionId,
    at: occurredAt,
    project: { id: projectId },
    ...dropAbsent({ cwd, transcriptPath: evidence?.file }),
  };
}
