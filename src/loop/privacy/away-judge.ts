/**
 * Decides for the daemon and for scans whether an event is private or paused, and remembers where sessions began. A
 * session that began in a private folder or a paused project is skipped wherever it moves; so is everything that happens
 * in such a folder. Beside the filter of the store, because the daemon's main thread needs it and nothing of learning.
 */

import { dropOldest, remember } from '../../base/bounded-memory.ts';
import { toSessionKey } from '../../base/model/session.ts';
import type { Switches } from '../../base/model/switches.ts';
import { findFirstFolder } from '../../capture/transcripts/session-files.ts';
import {
  type AwayRules,
  addMark,
  findAway,
  isAnywhereFine,
  isBeginning,
  isMarkedAway,
  readMarks,
  type SessionName,
  type SessionSighting,
  toAwayRules,
  toWhereabouts,
} from './private-sessions.ts';

/** What is private and paused now. */
interface Wishes {
  readonly privateFolders: readonly string[];
  readonly switches: Switches;
}

export interface AwayJudge {
  /**
   * `how.marks`: mark a session that begins in a private or paused place on disk. `how.projectIds`: further ids of its
   * project.
   */
  isPrivateOrPaused(
    sight: SessionSighting,
    wishes: Wishes,
    how?: { readonly marks?: boolean; readonly projectIds?: readonly string[] },
  ): boolean;
  /** True if nothing is private or paused, so that the beginnings of sessions do not matter. */
  isIdle(wishes: Wishes): boolean;
  isKnown(session: SessionName): boolean;
  /** Records where an unknown session began; `stored` is the folder in the store. */
  learn(sight: SessionSighting, stored?: string): void;
}

interface Beginning {
  readonly cwd: string | undefined;
  /** The folder is only where the session was first seen; it may have begun elsewhere. */
  readonly isGuess: boolean;
  readonly marks: readonly string[];
}

const MAX_SESSIONS = 10_000;
const MAX_FOLDERS = 1_000;
/** Folders, settings and switches change. */
const REMEMBER_MS = 1_000;

export function makeAwayJudge(awayDir: string | undefined): AwayJudge {
  const beginnings = new Map<string, Beginning>();
  const findRules = makeRuleFinder();
  const findWhereabouts = remember(toWhereabouts, MAX_FOLDERS, REMEMBER_MS);

  const learn = (sight: SessionSighting, stored?: string): Beginning => {
    const begun = isBeginning(sight) ? sight.cwd : readFirstFolder(sight);
    const beginning: Beginning = {
      cwd: begun ?? stored ?? sight.cwd,
      isGuess: begun === undefined,
      marks: awayDir === undefined ? [] : readMarks(awayDir, sight),
    };
    dropOldest(beginnings, MAX_SESSIONS);
    // Without a folder or mark, a later event may still say where it began.
    if (beginning.cwd !== undefined || beginning.marks.length > 0) beginnings.set(toSessionKey(sight), beginning);
    return beginning;
  };
  const beganAway = (rules: AwayRules, sight: SessionSighting, marks: boolean): boolean => {
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
    isPrivateOrPaused(sight, wishes, { marks = false, projectIds = [] } = {}) {
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

function readFirstFolder({ transcriptPath, sessionId }: SessionSighting): string | undefined {
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
