/**
 * May a lesson fire now, and if not, why not? Each rule stands here once, in the order in which they are asked.
 * `findSilence` asks all of them about a stored lesson, as far as the caller knows the facts. The manifest compiler asks
 * `findStoredSilence` and leaves out lessons that cannot fire. The hook asks the other rules one by one, because it works
 * out the facts for a rule only if the rules before it let the lesson fire.
 */

import { hashText } from '../ids.ts';
import { type DeliveryMode, type Lesson, type Level, LOWEST_PRIORITY, toLevel } from './lesson.ts';
import { type Place, toReach } from './lesson-scope.ts';
import { isTrusted, toAdvising } from './lesson-trust.ts';
import type { CompiledLesson, ManifestHeader } from './manifest.ts';
import type { ToProjectId } from './project.ts';
import type { Settings } from './settings.ts';
import { isMuted, isPaused, type Switches } from './switches.ts';

/** Reasons that only a change of the lesson, of the settings or of the date removes. */
type StoredSilence =
  | 'archived'
  | 'draft'
  | 'in review'
  | 'not valid yet'
  | 'no longer valid'
  | 'low priority'
  | 'low confidence';

/** `covered`: a nearer lesson, or a file that agents read in every session, says the same there. */
type PlaceSilence = 'another project' | 'another session' | 'covered';

/** `quiet`: agents follow the lesson, so they are not told it again for a day. */
export type MomentSilence = 'muted' | 'quiet';

/** `trigger`: it does not match the call. `withheld`: from this session, to measure the effect of the lesson. */
export type Silence =
  | StoredSilence
  | PlaceSilence
  | 'trigger'
  | 'low score'
  | 'paused'
  | MomentSilence
  | 'withheld'
  | 'told before';

type Stored = Pick<
  Lesson,
  'status' | 'needsReview' | 'validity' | 'priority' | 'confidence' | 'mode' | 'origin' | 'reviewedBy' | 'provisional'
>;

interface StoredFacts {
  readonly at: string;
  readonly settings: Pick<Settings, 'minPriority' | 'minConfidence'>;
  /** The session that is asked about; absent for all of them. */
  readonly sessionId?: string | undefined;
}

export function findStoredSilence(lesson: Stored, { at, settings, sessionId }: StoredFacts): StoredSilence | undefined {
  const { status, needsReview, validity, provisional = [] } = lesson;
  if (status === 'archived') return 'archived';
  // A draft fires in the sessions that taught it, for a while: it was learned minutes ago.
  const isTaught = provisional.some((one) => one.sessionId === sessionId && one.until > at);
  if (status === 'draft' && !isTaught) return 'draft';
  if (needsReview) return 'in review';
  if (validity.from !== undefined && validity.from > at) return 'not valid yet';
  if (validity.until !== undefined && validity.until <= at) return 'no longer valid';
  const firing = toFiring(lesson);
  if (firing.priority < settings.minPriority) return 'low priority';
  return isTrusted(firing, settings) ? undefined : 'low confidence';
}

/** A lesson with the mode and the priority that it fires with. */
export function toFiring<T extends Stored>(lesson: T): T {
  const isLowDraft = lesson.status === 'draft' && toLevel(lesson.priority) === 'LOW';
  return toAdvising(isLowDraft ? { ...lesson, priority: LOWEST_PRIORITY.MEDIUM } : lesson);
}

type Reach = Pick<CompiledLesson, 'projectId' | 'sessionId' | 'notIn'>;

/** `place` names the project by the id that its joined ids lead to, as the manifest does. */
export function findPlaceSilence({ projectId, sessionId, notIn }: Reach, place: Place): PlaceSilence | undefined {
  if (projectId !== undefined && projectId !== place.projectId) return 'another project';
  if (sessionId !== undefined && sessionId !== place.sessionId) return 'another session';
  return notIn?.some((id) => id === place.projectId || id === place.sessionId) ? 'covered' : undefined;
}

/** The score of a lesson at a call, and its level in the project of that call. */
export interface Weight {
  readonly total: number;
  readonly level: Level;
}

/** A CRITICAL lesson fires whatever its score is. */
export function isTooWeak({ total, level }: Weight, { minScore }: Pick<Settings, 'minScore'>): boolean {
  return total < minScore && level !== 'CRITICAL';
}

/** An urgent lesson fires also when agents follow it. */
export function isUrgent({ mode }: Pick<CompiledLesson, 'mode'>, { level }: Weight, maxMode: DeliveryMode): boolean {
  return level === 'CRITICAL' || (mode !== 'note' && maxMode !== 'note');
}

interface Moment {
  readonly at: string;
  readonly sessionId: string;
  readonly switches: Switches;
}

export function findMomentSilence(
  { id, quietUntil = '' }: Pick<CompiledLesson, 'id' | 'quietUntil'>,
  { at, sessionId, switches }: Moment,
  urgent: boolean,
): MomentSilence | undefined {
  if (isMuted(switches, { lessonId: id, sessionId }, Date.parse(at))) return 'muted';
  return quietUntil > at && !urgent ? 'quiet' : undefined;
}

const HASH_CHARS = 7;
const HASHES = 2 ** 32;

/**
 * A hash of the lesson, the session and the seed of the data directory decides, so that the daemon, the cold hook and
 * every sub-agent agree without asking each other.
 */
export function isWithheld(
  { id, withheld }: Pick<CompiledLesson, 'id' | 'withheld'>,
  { agent, sessionId }: { readonly agent: string; readonly sessionId: string },
  { seed, settings }: Pick<ManifestHeader, 'seed' | 'settings'>,
): boolean {
  // The user may have set the share to 0 after the lessons were compiled.
  if (withheld === undefined || seed === undefined || settings.holdout.share === 0) return false;
  const hash = hashText(`${seed}\n${id}\n${agent}\n${sessionId}`);
  return Number.parseInt(hash.slice(0, HASH_CHARS), 36) / HASHES < withheld;
}

/** What is known about a call. An absent fact decides nothing. */
interface CallFacts {
  readonly settings: Pick<Settings, 'minScore'>;
  readonly place?: Place | undefined;
  /** Do the triggers match the call? */
  readonly holds?: boolean | undefined;
  readonly weight?: Weight | undefined;
}

export function findCallSilence(lesson: Reach, { settings, place, holds, weight }: CallFacts): Silence | undefined {
  const elsewhere = place && findPlaceSilence(lesson, place);
  if (elsewhere !== undefined) return elsewhere;
  if (holds === false) return 'trigger';
  return weight !== undefined && isTooWeak(weight, settings) ? 'low score' : undefined;
}

interface FiringFacts extends Omit<CallFacts, 'settings'> {
  readonly at: string;
  readonly settings: Pick<Settings, 'minPriority' | 'minConfidence' | 'minScore'>;
  readonly toProjectId?: ToProjectId;
  /** Projects and sessions in which a nearer lesson or a file says the same. */
  readonly notIn?: readonly string[];
  readonly switches?: Switches;
  readonly cwd?: string;
  /** Was the agent told the lesson before, in a conversation that counts as the same one? */
  readonly isShownBefore?: boolean;
}

export function findSilence(
  lesson: Stored & Pick<Lesson, 'id' | 'scope'>,
  { toProjectId = (id) => id, notIn = [], switches, cwd, isShownBefore = false, ...facts }: FiringFacts,
): Silence | undefined {
  const { at, settings, place } = facts;
  const { projectId = '', sessionId = '' } = place ?? {};
  const here = { projectId: toProjectId(projectId), sessionId };
  const silence =
    findStoredSilence(lesson, { at, settings, sessionId }) ??
    findCallSilence({ ...toReach(lesson.scope, toProjectId), notIn }, { ...facts, place: place && here });
  if (silence !== undefined) return silence;
  if (switches !== undefined) {
    if (isPaused(switches, { sessionId, projectId, cwd, at }, toProjectId)) return 'paused';
    const off = findMomentSilence(lesson, { at, sessionId, switches }, true);
    if (off !== undefined) return off;
  }
  return isShownBefore ? 'told before' : undefined;
}
