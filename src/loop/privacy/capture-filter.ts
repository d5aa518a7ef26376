/**
 * Decides which facts and digests may be stored, whatever their source: not those from private folders, from a pause,
 * or from data that the user forgot. The hook skips private and paused sessions by itself, but a transcript, a spool or
 * the journal of another machine does not. While the switch file is broken the filter throws, because nobody can tell
 * what is paused and the source must not count as read. `makeAwayJudge` answers for live events and remembers where
 * sessions began.
 */

import { dropOldest, remember } from '../../base/bounded-memory.ts';
import type { Store } from '../../base/contracts/store.ts';
import { UserError } from '../../base/errors.ts';
import type { LiveCall } from '../../base/model/call.ts';
import type { Fact } from '../../base/model/fact.ts';
import { type KeptReport, toReportCallId } from '../../base/model/finding.ts';
import { type ProjectAlias, toAllIds } from '../../base/model/project.ts';
import { toSessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import { isPaused, type Switches } from '../../base/model/switches.ts';
import { dropAbsent } from '../../base/records.ts';
import { type Forgotten, makeIsForgotten } from '../../base/storage/forgotten.ts';
import { findFirstFolder } from '../../capture/transcripts/session-files.ts';
import { type Digest, mapCalls } from '../digest-events.ts';
import { makeProjectFinder } from '../projects/find-project.ts';
import {
  type AwayRules,
  addMark,
  findAway,
  isAnywhereFine,
  isBeginning,
  isMarkedAway,
  readMarks,
  type SessionName,
  type Sighted,
  toAwayRules,
  toWhereabouts,
} from './private-sessions.ts';
import { makeSwitchReader } from './switches.ts';

interface FilterParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly switchesFile: string;
  /** Folder with the marks of sessions that began in a private or paused place. */
  readonly awayDir?: string;
}

/** Rejects while the switch file is broken. */
export type OpenFilter = (told: readonly Sighted[]) => Promise<(told: Sighted) => boolean>;

/** Cache time, because links, repositories and what is forgotten change. */
const REMEMBER_MS = 1_000;

/** Used if nothing is private, paused or forgotten. */
const TAKES_ALL = (): boolean => true;

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
    // Read each time, because settings change while the daemon runs.
    const wishes = { privateFolders: parts.settings.privateProjects, switches };
    const isIdle = judge.isIdle(wishes);
    if (!isIdle) await learnBeginnings(judge, store, told);
    if (isIdle && switches.pauses.length === 0 && list.length === 0) {
      // Record where sessions began now, because the settings may change later.
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

/** Finds where unknown sessions began: from the transcript, the store, or the earliest sight. */
async function learnBeginnings(judge: AwayJudge, store: Store, told: readonly Sighted[]): Promise<void> {
  for (const sight of told.toSorted((a, b) => (a.at < b.at ? -1 : Number(a.at > b.at)))) {
    if (judge.isKnown(sight)) continue;
    judge.learn(sight, (await store.findSession(sight.agent, sight.sessionId))?.cwd);
  }
}

/** Also removes sessions that may not be mentioned from the remaining facts. */
export function filterFacts(facts: readonly Fact[], isOurs: (told: Sighted) => boolean): readonly Fact[] {
  return facts.filter(isOurs).map((fact) => {
    if (fact.kind !== 'briefed') return fact;
    return { ...fact, dead: fact.dead.filter(({ lastSeenAt, ...session }) => isOurs({ ...session, at: lastSeenAt })) };
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
export function filterDigest(digest: Digest, isOurs: (sight: Sighted) => boolean): Digest {
  if (isOurs === TAKES_ALL) return digest;
  const { sights, calls, findings, reports, ends, contextEnds, places, cures, repeatable } = digest;
  const isOurCall = (call: LiveCall): boolean => isOurs(toSighted(call));
  const ourReports = reports.filter(({ file, ...report }) =>
    isOurs({
      ...{ ...report, project: { id: report.projectId } },
      ...dropAbsent({ transcriptPath: file }),
    }),
  );
  // A draft may be based on a report alone, without a call.
  const others = new Set(reports.filter((report) => !ourReports.includes(report)).map(toReportKey));
  return {
    sights: sights.filter(isOurs),
    calls: mapCalls(calls, (some) => some.filter(isOurCall)),
    findings: findings.filter(
      ({ finding, window }) =>
        !others.has(`${finding.sessionId} ${finding.failingCallId}`) &&
        window
          .filter(({ callId }) => callId === finding.failingCallId || callId === finding.fixingCallId)
          .every(isOurCall),
    ),
    reports: ourReports,
    ends: ends.filter(isOurs),
    contextEnds: contextEnds.filter(isOurs),
    places: places.filter(isOurs),
    // Only ids: the calls of other people's folders are gone.
    repeatable,
    cures: cures.filter(({ projectId, folders, file, ...cure }) =>
      folders.every((cwd) =>
        isOurs({ ...cure, project: { id: projectId }, ...dropAbsent({ cwd, transcriptPath: file }) }),
      ),
    ),
  };
}

function toReportKey({ sessionId, reportId }: KeptReport): string {
  return `${sessionId} ${toReportCallId(reportId)}`;
}

/** The sight of a call. */
export function toSighted({ agent, sessionId, occurredAt, cwd, evidence, projectId }: LiveCall): Sighted {
  return {
    ...{ agent, sessionId, at: occurredAt, project: { id: projectId } },
    ...dropAbsent({ cwd, transcriptPath: evidence?.file }),
  };
}

/** What is private and paused now. */
interface Wishes {
  readonly privateFolders: readonly string[];
  readonly switches: Switches;
}

interface AwayJudge {
  /**
   * `how.marks`: mark a session that begins in a private or paused place on disk. `how.projectIds`: further ids of its
   * project.
   */
  isAway(
    sight: Sighted,
    wishes: Wishes,
    how?: { readonly marks?: boolean; readonly projectIds?: readonly string[] },
  ): boolean;
  /** True if nothing is private or paused, so that the beginnings of sessions do not matter. */
  isIdle(wishes: Wishes): boolean;
  isKnown(session: SessionName): boolean;
  /** Records where an unknown session began; `stored` is the folder in the store. */
  learn(sight: Sighted, stored?: string): void;
}

interface Beginning {
  readonly cwd: string | undefined;
  /** The folder is only where the session was first seen; it may have begun elsewhere. */
  readonly isGuess: boolean;
  readonly marks: readonly string[];
}

const MAX_SESSIONS = 10_000;
const MAX_FOLDERS = 1_000;

/**
 * Decides for the daemon and for scans whether an event is private or paused, and remembers where sessions began. A
 * session that began in a private folder or a paused project is skipped wherever it moves; so is everything that happens
 * in such a folder.
 */
export function makeAwayJudge(awayDir: string | undefined): AwayJudge {
  const beginnings = new Map<string, Beginning>();
  const findRules = makeRuleFinder();
  const findWhereabouts = remember(toWhereabouts, MAX_FOLDERS, REMEMBER_MS);

  const learn = (sight: Sighted, stored?: string): Beginning => {
    const told = isBeginning(sight) ? sight.cwd : toldByTranscript(sight);
    const beginning: Beginning = {
      cwd: told ?? stored ?? sight.cwd,
      isGuess: told === undefined,
      marks: awayDir === undefined ? [] : readMarks(awayDir, sight),
    };
    dropOldest(beginnings, MAX_SESSIONS);
    // Without a folder or mark, a later event may still say where it began.
    if (beginning.cwd !== undefined || beginning.marks.length > 0) beginnings.set(toSessionKey(sight), beginning);
    return beginning;
  };
  const beganAway = (rules: AwayRules, sight: Sighted, marks: boolean): boolean => {
    const { cwd, isGuess, marks: known } = beginnings.get(toSessionKey(sight)) ?? learn(sight);
    const away = cwd === undefined ? undefined : findAway(rules, sight, findWhereabouts(cwd));
    if (away !== undefined && !isGuess && marks && awayDir !== undefined && !known.includes(away)) {
      addMark(awayDir, sight, away);
      beginnings.set(toSessionKey(sight), { cwd, isGuess, marks: [...known, away] });
    }
    return away !== undefined || isMarkedAway(rules, sight, known);
  };

  return {
    isIdle: (wishes) => isAnywhereFine(findRules(wishes)),
    isKnown: (session) => beginnings.has(toSessionKey(session)),
    learn: (sight, stored) => void learn(sight, stored),
    isAway(sight, wishes, { marks = false, projectIds = [] } = {}) {
      const rules = findRules(wishes);
      if (isAnywhereFine(rules)) {
        // Record the beginning now, because the settings may change while the session runs.
        if (isBeginning(sight) && !beginnings.has(toSessionKey(sight))) learn(sight);
        return false;
      }
      // Evaluate both, so that a session is recorded from its first event.
      const began = beganAway(rules, sight, marks);
      if (began || findAway(rules, sight, findWhereabouts(sight.cwd ?? '')) !== undefined) return true;
      return projectIds.some((projectId) => findAway(rules, sight, { folders: [''], projectId }) !== undefined);
    },
  };
}

function toldByTranscript({ transcriptPath, sessionId }: Sighted): string | undefined {
  return transcriptPath === undefined ? undefined : findFirstFolder(transcriptPath, sessionId);
}

function makeRuleFinder(): (wishes: Wishes) => AwayRules {
  let last: { readonly wishes: Wishes; readonly madeMs: number; readonly rules: AwayRules } | undefined;
  const isLast = ({ privateFolders, switches }: Wishes): boolean =>
    last?.wishes.privateFolders === privateFolders && last.wishes.switches === switches;
  return (wishes) => {
    const nowMs = performance.now();
    if (last !== undefined && isLast(wishes) && nowMs - last.madeMs < REMEMBER_MS) return last.rules;
    const rules = toAwayRules(wishes.privateFolders, wishes.switches);
    last = { wishes, madeMs: nowMs, rules };
    return rules;
  };
}
