/**
 * A lesson: its text and body, triggers, priority, confidence, scope, evidence, validity, history of changes, and its
 * file in a repository.
 */

import { compareTexts, toCanonicalJson } from '../records.ts';
import type { CommandEdit } from '../shell/command-edit.ts';
import type { Triggers } from '../triggers/trigger.ts';
import type { SessionKey } from './session.ts';

export const LESSON_TYPES = ['checklist', 'pattern', 'warning', 'requirement'] as const;
export type LessonType = (typeof LESSON_TYPES)[number];

export const LEVELS = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW'] as const;
export type Level = (typeof LEVELS)[number];

export const LESSON_STATUSES = ['draft', 'active', 'archived'] as const;
export type LessonStatus = (typeof LESSON_STATUSES)[number];

export const DELIVERY_MODES = ['note', 'pause', 'rewrite', 'block'] as const;
export type DeliveryMode = (typeof DELIVERY_MODES)[number];

export const SCOPE_KINDS = ['session', 'project', 'user', 'team'] as const;

export interface Scope {
  readonly kind: (typeof SCOPE_KINDS)[number];
  /** The session or project; absent for user and team. */
  readonly id?: string;
}

export const ORIGIN_KINDS = ['episode', 'self-report', 'user', 'qa', 'import', 'model'] as const;

export interface Origin {
  readonly kind: (typeof ORIGIN_KINDS)[number];
  /** The detector (`distill/corrected-command@1`) or the person. */
  readonly by: string;
  /** `observed` in calls, `stated` by a person, `foreign`: text from outside, never an instruction by itself. */
  readonly trust: 'observed' | 'stated' | 'foreign';
  /** The model that proposed the lesson. */
  readonly model?: ModelOrigin;
}

/** Who proposed a lesson, and from what. */
export interface ModelOrigin {
  /** `agent:<id>`, `anthropic`, `openai` or `file`. */
  readonly provider: string;
  /** The name of the model; absent where the provider does not tell. */
  readonly model?: string;
  readonly promptVersion: number;
  readonly pack: string;
}

export interface Evidence extends SessionKey {
  /** The transcript; absent if only hooks reported the calls. */
  readonly file?: string;
  readonly lines?: readonly [from: number, to: number];
  readonly at: string;
  /** Redacted, at most 300 characters. Stored because agents delete their transcripts. */
  readonly excerpt?: string;
  /** The lesson was shown, withheld or silent in that session, so this evidence is not a repetition of the mistake. */
  readonly measured?: true;
}

export const EXCERPT_CHARS = 300;

interface ProvisionalSession extends SessionKey {
  readonly until: string;
}

export interface LessonValidity {
  readonly models: readonly string[];
  readonly agentVersions: readonly string[];
  /** Calls that matched the lesson and succeeded since the last failure. See `lesson-trust.ts`. */
  readonly refutedBy?: readonly string[];
  /** The lesson fires only between these times. */
  readonly from?: string;
  readonly until?: string;
  /** The id of the lesson that replaces this one. */
  readonly supersededBy?: string;
}

/**
 * `rejected`, `archived`: by a person. `superseded`: another lesson replaces it. `expired`: a draft that nobody
 * reviewed. `unused`: it no longer fires. `over`: it was true only in a session that has ended. `removed`: its file is
 * gone from the repository. `harmful`: calls fail more often with the lesson than without. `unhelpful`: the mistake is
 * repeated even though the lesson pauses calls.
 */
export const ARCHIVAL_CAUSES = [
  'rejected',
  'archived',
  'superseded',
  'expired',
  'unused',
  'over',
  'removed',
  'harmful',
  'unhelpful',
] as const;
export type ArchivalCause = (typeof ARCHIVAL_CAUSES)[number];

export interface Archival {
  readonly cause: ArchivalCause;
  readonly reason: string;
  /** The status to return to when the lesson is restored. */
  readonly from: Exclude<LessonStatus, 'archived'>;
}

/** The replacement of one whole word of a command: `--stat` by `--name-only` in `gh pr diff`. */
export interface TokenReplacement {
  readonly program: string;
  readonly sub?: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** The consequences of measuring the lesson's deliveries. */
export interface LessonMeasure {
  /** Verdicts before this time do not count, because the lesson, its mode or its circumstances have changed since. */
  readonly from?: string;
  /** Why the lesson waits for a person. */
  readonly doubt?: string;
  /** Why the lesson pauses calls: the mistake was repeated although the note was shown. */
  readonly raised?: string;
  /** A check that a machine could run instead of showing the lesson again. */
  readonly check?: string;
  /** Why the lesson is measured again, with a larger share withheld. */
  readonly retest?: string;
  /** The models and agent releases that the lesson was measured on. */
  readonly on?: readonly string[];
  /** Models and releases that it was not measured on, with the sessions seen on each so far. */
  readonly untried?: readonly Untried[];
}

export interface Untried {
  readonly on: string;
  readonly sessions: readonly string[];
}

/** The fields by which findings recognize a lesson. */
export type LearnedForm = Pick<Lesson, 'triggers' | 'tags' | 'scope' | 'remediation' | 'signatureId'>;

/** More forms than this are not kept. */
const MAX_FORMS = 10;

/** Findings recognize a lesson by its triggers, tags and scope, so a form that it had stays known. */
export function addForm(known: readonly LearnedForm[] = [], lesson: LearnedForm): readonly LearnedForm[] {
  const { triggers, tags, scope, remediation, signatureId } = lesson;
  const failure = triggers.failure === true && signatureId !== undefined ? { signatureId } : {};
  const form = { triggers, tags, scope, remediation, ...failure };
  const text = toCanonicalJson(form);
  if (known.some((one) => toCanonicalJson(one) === text)) return known;
  // The first form is the one that was learned; it stays when others are dropped.
  const [first = form, ...others] = [...known, form];
  return [first, ...others.slice(-(MAX_FORMS - 1))];
}

export interface Lesson {
  readonly id: string;
  readonly slug: string;
  readonly type: LessonType;
  /** One line of about 100 characters; shown if the full text has no room. */
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  /** The text in parts, by the lesson's type. */
  readonly body?: LessonBody;
  readonly triggers: Triggers;
  readonly priority: number;
  readonly confidence: number;
  readonly mode: DeliveryMode;
  /** The person who set the mode. Absent: measurement decides it. */
  readonly modeBy?: string;
  readonly status: LessonStatus;
  readonly needsReview: boolean;
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly origin: Origin;
  readonly evidence: readonly Evidence[];
  /** The failure that the lesson is about; judging a delivery looks for it. Absent for lessons that a person wrote. */
  readonly signatureId?: string;
  readonly occurrences: number;
  readonly sessions: number;
  readonly projects: number;
  /**
   * The sessions that taught a draft. It fires there until the given time, so that a session profits from what it has
   * just learned.
   */
  readonly provisional?: readonly ProvisionalSession[];
  readonly validity: LessonValidity;
  /** The result of replaying the trigger on the user's past calls. */
  readonly tested?: { readonly hits: number; readonly falseAlarms: number };
  /** The remedy as an edit, which corrects the call at hand where possible. */
  readonly edit?: CommandEdit;
  /** The whole fix is the replacement of one word, as calls have shown, so the input itself can be corrected. */
  readonly replacement?: TokenReplacement;
  readonly measure?: LessonMeasure;
  readonly archival?: Archival;
  /** Earlier forms, before people changed the lesson, so that the same mistake is still recognized as this lesson. */
  readonly learnedAs?: readonly LearnedForm[];
  /** The lesson's file in its repository. */
  readonly file?: LessonFile;
  readonly contentHash: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastMatchedAt?: string;
  readonly reviewedBy?: string;
}

/** The lowest priority of a level. A LOW lesson cannot reach the minimum score. */
export const LOWEST_PRIORITY = { CRITICAL: 9, HIGH: 7, MEDIUM: 4 } as const;

export function toLevel(priority: number): Level {
  if (priority >= LOWEST_PRIORITY.CRITICAL) return 'CRITICAL';
  if (priority >= LOWEST_PRIORITY.HIGH) return 'HIGH';
  return priority >= LOWEST_PRIORITY.MEDIUM ? 'MEDIUM' : 'LOW';
}

const PRIORITY_WORDS: Readonly<Record<string, number>> = { critical: 9, high: 7, medium: 5, normal: 5, low: 2 };

/** Parses a priority as people write it: a number from 1 to 10, or a word. */
export function parsePriority(given: unknown): number | undefined {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (Object.hasOwn(PRIORITY_WORDS, word)) return PRIORITY_WORDS[word];
  const number = typeof given === 'number' ? given : word === '' ? Number.NaN : Number(word);
  return Number.isFinite(number) ? Math.min(10, Math.max(1, Math.round(number))) : undefined;
}

/** Marks a lesson about data loss, which gets a higher priority unless the author states one. */
const DATA_LOSS_TAG = 'severity:data-loss';

export function hasDataLossTag(tags: readonly string[]): boolean {
  return tags.some((tag) => tag.toLowerCase() === DATA_LOSS_TAG);
}

/** One change of one lesson, as undo needs it. */
export interface LessonChange {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  /** Changes with the same value belong to one command. Without it, changes of one person at one time do. */
  readonly command?: string;
}

/** How a reason begins that says why a person has to look first. */
export const HELD_BACK = 'held back: ';

/** A change without the two versions of the lesson. */
export interface ChangeHead extends LessonChange {
  readonly id: string;
  readonly lessonId: string;
}

export interface KeptChange extends ChangeHead {
  /** Absent for the creation of the lesson. */
  readonly before?: Lesson;
  readonly after: Lesson;
}

export interface LessonUpdate {
  readonly lesson: Lesson;
  readonly change: LessonChange;
}

/** The text of a lesson in parts. The lesson's type decides which parts exist; unknown parts are absent. */
export type LessonBody = ChecklistBody | PatternBody | WarningBody | RequirementBody;

export interface ChecklistBody {
  readonly title: string;
  readonly items: readonly string[];
  /** `ordered`: the items are done in order. */
  readonly format?: 'ordered' | 'unordered';
}

export interface PatternBody {
  readonly situation: string;
  readonly action: string;
  readonly rationale?: string;
  readonly example?: string;
}

export interface WarningBody {
  readonly risk: string;
  readonly severity?: string;
  readonly detection?: string;
  readonly mitigation?: string;
}

export interface RequirementBody {
  readonly constraint: string;
  readonly rationale?: string;
  readonly validation?: string;
}

/** The store's record of a lesson file `.oncebitten/lessons/<slug>.json` in a repository. */
export interface LessonFile {
  /** The name of the file. Another lesson in the store may have the same slug. */
  readonly slug: string;
  /** A hash of the whole file, as last read or written. */
  readonly hash: string;
  /** The lesson's content hash at that time. If the lesson has another hash now, a person changed it here. */
  readonly contentHash: string;
  /** Earlier versions of the file that a person confirmed. If the file returns to one, it is confirmed again. */
  readonly confirmed?: readonly ConfirmedFile[];
  /** The file was deleted. */
  readonly isGone?: true;
}

export interface ConfirmedFile {
  readonly hash: string;
  readonly by: string;
}

/** Sorts by priority, then confidence, then slug, so that the order is always the same. */
interface Weighed {
  readonly slug: string;
  readonly priority: number;
  readonly confidence: number;
}

export function byWeight(a: Weighed, b: Weighed): number {
  return b.priority - a.priority || b.confidence - a.confidence || compareTexts(a.slug, b.slug);
}
