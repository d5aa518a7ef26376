/**
 * A lesson: its text and body, triggers, priority, confidence, scope, evidence, validity, history of changes, and its
 * file in a repository.
 */

import type { CommandEdit } from '../shell/command-edit.ts';
import type { Triggers } from '../triggers/trigger.ts';

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
  /** `distill/corrected-command@1`, or the person. */
  readonly by: string;
  /** `observed` in calls, `stated` by a person, `foreign`: text from outside, never an instruction by itself. */
  readonly trust: 'observed' | 'stated' | 'foreign';
}

export interface Evidence {
  readonly agent: string;
  readonly sessionId: string;
  /** The transcript as scanned; absent when the calls were seen through hooks only. */
  readonly file?: string;
  readonly lines?: readonly [from: number, to: number];
  readonly at: string;
  /** Redacted, at most 300 characters: agents delete their transcripts. */
  readonly excerpt?: string;
  /** The lesson was shown or withheld in that session, or kept silent: what came of it is no repetition. */
  readonly measured?: true;
}

export const EXCERPT_CHARS = 300;

interface ProvisionalSession {
  readonly agent: string;
  readonly sessionId: string;
  readonly until: string;
}

export interface LessonValidity {
  readonly models: readonly string[];
  readonly agentVersions: readonly string[];
  /** The calls it would have spoken at since the mistake was last made worked. See `lesson-trust.ts`. */
  readonly refutedBy?: readonly string[];
  /** It speaks from then, and until then, only. */
  readonly from?: string;
  readonly until?: string;
  /** The id of the lesson that says it better. */
  readonly supersededBy?: string;
}

/**
 * `rejected`, `archived`: a person said so. `superseded`: another lesson says it. `expired`: a draft that nobody reviewed.
 * `unused`: it never spoke any more. `over`: the only session it was true in has ended. `removed`: its file is gone from the
 * repository. `harmful`: calls fail more often with it than without. `unhelpful`: the mistake comes again even where it holds
 * calls back.
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
  /** What it was before, and is again when it is restored. */
  readonly from: Exclude<LessonStatus, 'archived'>;
}

/** One word of a command, whole and as typed, for another: `--stat` for `--name-only` of `gh pr diff`. */
export interface TokenReplacement {
  readonly program: string;
  readonly sub?: readonly string[];
  readonly from: string;
  readonly to: string;
}

/** What measuring its deliveries has led to. */
export interface LessonMeasure {
  /** What was judged before is not counted: the lesson, its mode or the world was another then. */
  readonly from?: string;
  /** Why it waits for a person. */
  readonly doubt?: string;
  /** The mistake came again although the lesson was said: why it holds calls back since. */
  readonly raised?: string;
  /** … and what a machine could check instead of telling it once more. */
  readonly check?: string;
  /** Why it is measured anew, with more of it withheld. */
  readonly retest?: string;
  /** The models and releases of agents that it was judged on. */
  readonly on?: readonly string[];
  /** Those that it was never judged on, and the sessions on each so far. */
  readonly untried?: readonly Untried[];
}

export interface Untried {
  readonly on: string;
  readonly sessions: readonly string[];
}

/** What findings know a lesson by. */
export type LearnedForm = Pick<Lesson, 'triggers' | 'tags' | 'scope' | 'remediation'>;

export interface Lesson {
  readonly id: string;
  readonly slug: string;
  readonly type: LessonType;
  /** One line, about 100 characters: the fallback text. */
  readonly summary: string;
  readonly mistake: string;
  readonly remediation: string;
  /** The same in parts, of the form that its type has. */
  readonly body?: LessonBody;
  readonly triggers: Triggers;
  readonly priority: number;
  readonly confidence: number;
  readonly mode: DeliveryMode;
  /** The person who set the mode. Absent: it goes as far as what is known of the lesson lets it. */
  readonly modeBy?: string;
  readonly status: LessonStatus;
  readonly needsReview: boolean;
  readonly scope: Scope;
  readonly tags: readonly string[];
  readonly origin: Origin;
  readonly evidence: readonly Evidence[];
  /** The failure it is about: what judging a delivery looks for. Absent for lessons a person wrote. */
  readonly signatureId?: string;
  readonly occurrences: number;
  readonly sessions: number;
  readonly projects: number;
  /** A draft speaks in the sessions that taught it, until then: what was learned minutes ago counts. */
  readonly provisional?: readonly ProvisionalSession[];
  readonly validity: LessonValidity;
  /** What its trigger did when it was replayed over the user's past calls. */
  readonly tested?: { readonly hits: number; readonly falseAlarms: number };
  /** The remedy as an edit, which is given to the call at hand where it can be. */
  readonly edit?: CommandEdit;
  /** The whole fix is one word for another, as calls have shown: then the input itself can be corrected. */
  readonly replacement?: TokenReplacement;
  readonly measure?: LessonMeasure;
  /** Why it is archived. */
  readonly archival?: Archival;
  /** What it was before people changed it: the same mistake seen again is still this lesson. */
  readonly learnedAs?: readonly LearnedForm[];
  /** Where it stands in its repository. */
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

/** A priority as people write it: a number from 1 to 10, or a word. Undefined where it is neither. */
export function parsePriority(given: unknown): number | undefined {
  const word = typeof given === 'string' ? given.trim().toLowerCase() : '';
  if (Object.hasOwn(PRIORITY_WORDS, word)) return PRIORITY_WORDS[word];
  const number = typeof given === 'number' ? given : word === '' ? Number.NaN : Number(word);
  return Number.isFinite(number) ? Math.min(10, Math.max(1, Math.round(number))) : undefined;
}

/** Says that data may be lost: that weighs more, where nobody has said how much. */
const DATA_LOSS_TAG = 'severity:data-loss';

export function hasDataLossTag(tags: readonly string[]): boolean {
  return tags.some((tag) => tag.toLowerCase() === DATA_LOSS_TAG);
}

/** One change of one lesson; undo works from it. */
export interface LessonChange {
  readonly by: string;
  readonly reason: string;
  readonly at: string;
  /** Changes with the same one are one command. Without: those by one person at one moment are. */
  readonly command?: string;
}

/** A change without the lesson. */
export interface ChangeHead extends LessonChange {
  readonly id: string;
  readonly lessonId: string;
}

export interface KeptChange extends ChangeHead {
  /** Absent where the lesson began. */
  readonly before?: Lesson;
  readonly after: Lesson;
}

export interface LessonUpdate {
  readonly lesson: Lesson;
  readonly change: LessonChange;
}

/** A lesson in parts. Which parts there are says the lesson's type; absent ones are not known. */
export type LessonBody = ChecklistBody | PatternBody | WarningBody | RequirementBody;

export interface ChecklistBody {
  readonly title: string;
  readonly items: readonly string[];
  /** `ordered`: one after the other. */
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

/** What the store knows of a lesson that stands in a file of its repository, `.oncebitten/lessons/<slug>.json`. */
export interface LessonFile {
  /** Its name in the repository. In the store another lesson may have that name. */
  readonly slug: string;
  /** Of everything the file says, as it was last read or written. */
  readonly hash: string;
  /** The lesson's content hash then: where the lesson has another one, a person changed it here. */
  readonly contentHash: string;
  /** What a person confirmed before the file changed: when it says that again, it is confirmed. */
  readonly confirmed?: readonly ConfirmedFile[];
  /** The file was there and is gone. */
  readonly isGone?: true;
}

export interface ConfirmedFile {
  readonly hash: string;
  readonly by: string;
}

/** What weighs most first: priority, then confidence, then the name, so that the order is always the same. */
interface Weighed {
  readonly slug: string;
  readonly priority: number;
  readonly confidence: number;
}

export function byWeight(a: Weighed, b: Weighed): number {
  return b.priority - a.priority || b.confidence - a.confidence || (a.slug < b.slug ? -1 : Number(a.slug > b.slug));
}
