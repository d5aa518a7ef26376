/**
 * SEAM: where everything is kept. One contract, one suite, several engines.
 * What it does: each method is one transaction; when its promise resolves, the change is durable.
 * Absence: `find…` resolves to undefined, `list…` to an empty list, an update of an unknown id to false.
 * Failure: rejects with the engine's error as `cause`; nothing of the method's change has happened then.
 */

import type { Call, StoredCall } from '../model/call.ts';
import type {
  AddedCount,
  AddedText,
  Attempt,
  AttemptRule,
  AttemptSummary,
  CallSkip,
  Delivery,
  DeliveryItems,
  DeliveryOutcome,
  DeliveryQuery,
  MissedOpportunity,
  MissFilter,
  PlacedDelivery,
  StoredDelivery,
  StoredSkip,
  TrackRecord,
} from '../model/delivery.ts';
import type { Feedback, FeedbackCase, FeedbackFilter, FeedbackUpdate } from '../model/feedback.ts';
import type {
  Episode,
  EpisodeStart,
  FindingFilter,
  KeptFinding,
  KeptReport,
  ListedFinding,
  PastFinding,
  ReportCount,
  ReportFilter,
  UnreportedFailure,
} from '../model/finding.ts';
import type { ChangeHead, KeptChange, Lesson, LessonChange, LessonStatus, LessonUpdate } from '../model/lesson.ts';
import type { JoinReport, ProjectAlias, ProjectCommit, ProjectLink, ProjectSummary } from '../model/project.ts';
import type { Promotion, PromotionFilter, PromotionUpdate } from '../model/promotion.ts';
import type { Project, Session } from '../model/session.ts';
import type {
  DeliveryCell,
  DeliveryGrouping,
  FeedbackCount,
  LatencyFigures,
  LessonRecurrence,
  MissCount,
  TrialCounts,
  Trials,
} from '../statistics/delivery-counts.ts';
import type { FailureCounts } from '../statistics/failure-ledger.ts';
import type { FailedCall, FailureFilter, FailureGroup, Recurrence, RecurrenceFilter } from '../statistics/failures.ts';
import type {
  HistoryCell,
  HistoryFilter,
  SessionFilter,
  SessionSummary,
  SignatureCount,
} from '../statistics/history.ts';
import type { RowCounts, SnapshotWriter } from '../storage/backup.ts';
import type { DropEvidence, ForgetReport, ForgetRequest, Forgotten, SessionKey } from '../storage/forgotten.ts';
import type {
  RemovalCap,
  RetentionCounts,
  RetentionLimits,
  RetentionPoint,
  RetentionStep,
} from '../storage/retention.ts';
import type { ReadAnew, ScanState } from '../storage/scan-state.ts';

export interface Store {
  /** A project seen again keeps its first name and adds the root path. True when one of them, or its path, is new. */
  saveProjects(projects: readonly Project[]): Promise<boolean>;
  listProjects(): Promise<readonly Project[]>;
  /** Every folder that a project was seen at, by its id, in the order they were seen. */
  listProjectRoots(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Newest first; what was joined is part of what it was joined into. */
  listProjectSummaries(): Promise<readonly ProjectSummary[]>;

  /**
   * From now on, and in the past, `fromId` is the project `intoId`: wherever a project is asked for by an id, all its
   * ids are meant. Undefined when that changes nothing or is unclear: they are one already, or `fromId` was joined
   * into another. A dry run only counts.
   */
  joinProjects(
    fromId: string,
    intoId: string,
    how: { readonly at: string; readonly dryRun: boolean },
  ): Promise<JoinReport | undefined>;
  /** Takes one id out of its project again, for good: no proof joins the two any more. False when it was in none. */
  splitProject(fromId: string): Promise<boolean>;
  /**
   * Remembers what was seen of projects that are one, and joins those that follow from all that was seen. A link that is
   * known changes nothing. Resolves to the ids whose project is another one now.
   */
  linkProjects(links: readonly ProjectLink[]): Promise<readonly string[]>;
  /** Oldest first, with those that a person refused. */
  listProjectLinks(): Promise<readonly ProjectLink[]>;
  /** Of each project the newest are kept. */
  saveProjectCommits(commits: readonly ProjectCommit[], at: string): Promise<void>;
  listProjectCommits(): Promise<readonly ProjectCommit[]>;
  listProjectAliases(): Promise<readonly ProjectAlias[]>;

  /**
   * A session seen again: earliest start with its folder and project, latest heartbeat, an end once told stays; absent
   * fields change nothing. Several are saved as if one after the other.
   */
  saveSessions(sessions: readonly Session[]): Promise<void>;
  findSession(agent: string, sessionId: string): Promise<Session | undefined>;
  /** Newest first. */
  listSessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;

  /**
   * One row per (agent, sessionId, callId), however often and from wherever it is told. Signatures and their counts
   * move in the same transaction.
   * `observed`: the new facts win, and fields they lack keep their old value; but a fact is never replaced by less (an
   * end by a start, a duration by an estimate), so that the order of tellings does not matter. `hearsay`: only unknown
   * calls are added.
   * Resolves to the number of rows that are new.
   */
  saveCalls(calls: readonly Call[], how: 'observed' | 'hearsay'): Promise<number>;
  /** What was run in a project and what came of it, of the newest so many calls; oldest first. */
  listPastCalls(projectId: string, limit: number): Promise<readonly BriefCall[]>;
  /** Ordered by time, oldest first. */
  listCalls(filter: CallFilter): Promise<readonly StoredCall[]>;

  /** What the next session of a project should hear of the time since, each list oldest first. */
  readUnsettled(projectId: string, since: string): Promise<Unsettled>;
  /** These failures were shown; unknown ids change nothing. */
  markSurfaced(ids: readonly string[], at: string): Promise<void>;

  /** For each failing call: true when it began an episode of that kind before, and was learned from. In their order. */
  hasEpisodes(episodes: readonly EpisodeStart[]): Promise<readonly boolean[]>;

  /**
   * The same failing call seen by the same kind of detector is one finding; the newest of each project are kept. With the
   * episodes of findings that gave no lesson; the same failing and fixing call are one episode.
   */
  saveFindings(findings: readonly KeptFinding[], episodes?: readonly Episode[]): Promise<void>;
  /** What came of these failing calls, whatever kind of detector saw them. */
  listPastFindings(
    calls: readonly Pick<EpisodeStart, 'agent' | 'sessionId' | 'failingCallId'>[],
  ): Promise<readonly PastFinding[]>;
  /** Newest first. */
  listFindings(filter?: FindingFilter): Promise<readonly ListedFinding[]>;

  /** The same block in the same session is one report; what is known of it never gets less. */
  saveReports(reports: readonly KeptReport[]): Promise<void>;
  /** By agent and model; with the failures that became or grew a lesson and that no report is about. */
  countReports(filter: ReportFilter): Promise<readonly ReportCount[]>;
  /** Newest first. */
  listMalformedReports(filter: ReportFilter & { readonly limit: number }): Promise<readonly KeptReport[]>;
  /** Newest first. */
  listUnreported(filter: ReportFilter & { readonly limit: number }): Promise<readonly UnreportedFailure[]>;

  /** Changes whenever any lesson does: what was decided from the lessons before is then stale. */
  readLessonStamp(): Promise<string>;
  /** A lesson, the episode it was learned from and the finding that tells of it: all or nothing. */
  saveLearned(learned: Learned): Promise<LearnedAs>;
  /** Adds or replaces by id and appends the change to the lesson's history. */
  saveLesson(lesson: Lesson, change: LessonChange): Promise<void>;
  /**
   * Reads lessons, lets `change` decide and saves, in one transaction: nobody else changes a lesson in between.
   * `change` gets them in the order they were asked for, undefined for an unknown one, and gives those to save. What it
   * throws comes out as it is; nothing has happened then. Resolves to what was saved.
   */
  updateLessons(
    idsOrSlugs: readonly string[],
    change: (lessons: readonly (Lesson | undefined)[]) => readonly LessonUpdate[],
  ): Promise<readonly Lesson[]>;
  /**
   * A session file was written anew: findings and lessons from it say where their calls stand now, and no line where these
   * are gone. The evidence and its excerpt stay. Nobody's change: the history tells of none.
   */
  moveEvidence(anew: ReadAnew): Promise<void>;
  /** The ids of the projects that taught each of these lessons, as far as findings and sessions still tell. */
  listLessonProjects(lessonIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  findLesson(idOrSlug: string): Promise<Lesson | undefined>;
  /** As it was at a time; as it began, where that was later. */
  findLessonAt(id: string, at: string): Promise<Lesson | undefined>;
  /** Ordered by priority, then confidence, then slug. */
  listLessons(filter?: { readonly status?: LessonStatus }): Promise<readonly Lesson[]>;
  /** Oldest first. */
  listLessonHistory(lessonId: string): Promise<readonly KeptChange[]>;
  /** Of all lessons, by one person or part, and every undo and redo, whoever gave it; newest first. */
  listChangesBy(by: string): Promise<readonly ChangeHead[]>;
  /** Everything that the command of this change did, oldest first. */
  listChangesOf(change: ChangeHead): Promise<readonly KeptChange[]>;

  /** Oldest first. */
  listPromotions(filter?: PromotionFilter): Promise<readonly Promotion[]>;
  /**
   * As `updateLessons`, for lessons and all promotions there are: nobody else changes one in between. Saves promotions by
   * id, and the change in the history of the lesson. Resolves to what was saved.
   */
  updatePromotions(
    idsOrSlugs: readonly string[],
    change: (lessons: readonly (Lesson | undefined)[], promotions: readonly Promotion[]) => readonly PromotionUpdate[],
  ): Promise<readonly Promotion[]>;

  /** The same delivery told twice is one row. Its lesson was matched then. */
  saveDelivery(delivery: Delivery): Promise<void>;
  listDeliveries(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /** So many lessons that matched this call had no room beside those that were delivered. */
  noteNoRoom(
    call: { readonly agent: string; readonly sessionId: string; readonly callId: string },
    lessons: number,
  ): Promise<void>;
  /**
   * Adds later calls of the delivery's intent and judges it by all of them. The same call told twice counts once, and
   * the order does not matter. Without attempts: only counts the calls until success anew. Undefined where nothing can
   * be judged: the delivery is unknown, has no attempts, or was judged before attempts were kept. `now`: no verdict is later.
   */
  saveAttempts(
    id: string,
    attempts: readonly Attempt[],
    how: { readonly rule: AttemptRule; readonly now?: string },
  ): Promise<{ readonly before?: AttemptSummary; readonly after: AttemptSummary } | undefined>;
  /**
   * False when it is unknown or judged already: a verdict is given once. `incomplete` is none: what is known later may
   * still judge it. `came`: whether the mistake came again, and whether the call failed at all.
   */
  judgeDelivery(
    id: string,
    outcome: DeliveryOutcome,
    at: string,
    came?: { readonly again: boolean; readonly failed: boolean },
  ): Promise<boolean>;
  /** What the session has done of a procedure by now. */
  saveDeliveryItems(id: string, items: DeliveryItems): Promise<void>;
  /**
   * Open deliveries whose session has ended, or was silent since, become incomplete; what was left unsaid before then and
   * came to no failure is dropped. Resolves to the number of deliveries.
   */
  closeDeliveries(silentBefore: string, at: string): Promise<number>;
  /** Of every lesson that was ever judged: what was delivered since it is measured (`measure.from`), and judged until then. */
  listTrackRecords(until?: string): Promise<readonly TrackRecord[]>;
  /** Of every lesson that was ever delivered at a call, since it is measured and until then. */
  listTrials(until?: string): Promise<readonly TrialCounts[]>;
  /** Of one lesson, with what else is known. */
  readTrials(question: {
    readonly lessonId: string;
    readonly signatureId?: string;
    /** Only what was delivered after it. */
    readonly since?: string;
    /** Nor what was delivered after this: the clock was ahead then. */
    readonly until?: string;
  }): Promise<Trials>;

  /** What the hook left unsaid at a call. Told later than the failure, it still says why. */
  saveSkipped(unsaid: readonly StoredSkip[]): Promise<void>;
  /** Of a session, or of one of its calls; without what came to a miss. */
  listSkipped(where: {
    readonly agent: string;
    readonly sessionId: string;
    readonly callId?: string;
  }): Promise<readonly CallSkip[]>;
  /** The same call and lesson told twice is one. */
  saveMissed(missed: readonly MissedOpportunity[]): Promise<void>;
  /**
   * Oldest first. A miss before which a delivery in its context is told is none, and neither is one of another lesson about
   * the same failure, unless that was quiet.
   */
  listMissed(filter?: MissFilter): Promise<readonly MissedOpportunity[]>;

  /** Newest first. */
  listPlacedDeliveries(query: DeliveryQuery & { readonly limit: number }): Promise<readonly PlacedDelivery[]>;
  countDeliveries(query: DeliveryQuery, by: DeliveryGrouping): Promise<readonly DeliveryCell[]>;
  /** Undefined where no lesson met a call. */
  readLatency(query: DeliveryQuery): Promise<LatencyFigures | undefined>;
  /** Most frequent first. */
  countMissed(query: DeliveryQuery): Promise<readonly MissCount[]>;
  /** `except`: ids of feedback that is not counted. */
  countFeedback(query: DeliveryQuery, except?: readonly string[]): Promise<readonly FeedbackCount[]>;
  /** Of the lessons that spoke at a call and are about a failure; `since` is about the calls, not about when they spoke. */
  listRecurrences(query: DeliveryQuery): Promise<readonly LessonRecurrence[]>;

  /** The same text told twice is one row. */
  saveAdded(texts: readonly AddedText[]): Promise<void>;
  /** By kind. A text may hold several lessons, so one lesson has no count of its own. */
  countAdded(query: DeliveryQuery): Promise<readonly AddedCount[]>;

  /** Oldest first. */
  listFeedback(filter?: FeedbackFilter): Promise<readonly Feedback[]>;
  /**
   * As `updateLessons`, for one lesson and what was said of it. Saves the feedback by id, and the change of the lesson.
   * Undefined when the lesson is unknown or `decide` gives nothing.
   */
  updateFeedback(
    idOrSlug: string,
    decide: (one: FeedbackCase) => FeedbackUpdate | undefined,
  ): Promise<Feedback | undefined>;

  /** Of all files, or of these. */
  listScanStates(paths?: readonly string[]): Promise<readonly ScanState[]>;
  saveScanStates(states: readonly ScanState[]): Promise<void>;

  /** Failures by signature, most frequent first, then newest. */
  listFailures(filter: FailureFilter): Promise<readonly FailureGroup[]>;
  /** Failures one by one, newest first. */
  listFailedCalls(filter: FailureFilter): Promise<readonly FailedCall[]>;

  /** Calls counted by session, project and day, oldest day first. */
  countHistory(filter: HistoryFilter): Promise<readonly HistoryCell[]>;
  /** Sessions that were there at the time and made no call at all. */
  countSilentSessions(filter: HistoryFilter): Promise<number>;
  /** Failures of agents by signature, masked ones too, most frequent first, then newest. */
  listTopSignatures(filter: HistoryFilter & { readonly limit: number }): Promise<readonly SignatureCount[]>;
  /** Failures of agents, masked ones too, and how many calls there were where they happened. */
  countRecurrence(filter: RecurrenceFilter): Promise<Recurrence>;

  /**
   * Removes everything about it, also from the disk where the engine can, and remembers its ids. A dry run changes
   * nothing and reports the same. What is saved again later comes back: whoever tells must ask `listForgotten` first.
   */
  forget(
    wish: ForgetRequest,
    how: { readonly at: string; readonly dryRun: boolean; readonly dropEvidence: DropEvidence },
  ): Promise<ForgetReport>;
  listForgotten(): Promise<readonly Forgotten[]>;

  /** One bounded piece of retention, from its beginning or where the last piece ended. */
  retain(limits: RetentionLimits, from?: RetentionPoint): Promise<RetentionStep>;
  /** What all pieces together would remove. */
  countRetention(limits: RetentionLimits): Promise<RetentionCounts>;
  /** How many rows of each kind there are that retention could remove one day. */
  countRemovable(): Promise<RemovalCap>;

  /** The newest time that a machine of ours wrote, by its own clock; not when events say that they happened. */
  findNewestWrite(): Promise<string | undefined>;
  countAll(): Promise<StoreCounts>;
  /** What `start`, `stats` and `failures` say about calls. Calls outside the filter are the past of those inside. */
  countFailures(filter?: Omit<FailureFilter, 'limit' | 'unresolved'>): Promise<FailureCounts>;
  countRows(): Promise<RowCounts>;
  /** Everything as it is at one moment, while others go on writing. Resolves to the number of rows of each table. */
  readSnapshot(teller: SnapshotWriter): Promise<RowCounts>;
  close(): Promise<void>;
}

export interface CallFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  readonly contextId?: string;
  readonly projectId?: string;
  readonly program?: string;
  readonly callId?: string;
  /** The newest so many, still oldest first. */
  readonly limit?: number;
}

/** The fields of a stored call that triggers are tested on. */
export interface BriefCall extends Pick<Call, 'callId' | 'outcome' | 'tool' | 'rawTool'> {
  readonly inputSummary: string | undefined;
  readonly targetPath: string | undefined;
  readonly signatureId: string | undefined;
}

export interface Unsettled {
  /**
   * Failures that no later call of the same intent settled and that no session was told of, with those of other people's
   * hooks, which nothing settles. Masked failures are left out, because they are likely, not certain.
   */
  readonly failures: readonly UnresolvedFailure[];
  /**
   * Calls that a hook of somebody else or a permission rule refused, that no session was told of, and with an intent of
   * which no later call ran.
   */
  readonly refusals: readonly GateRefusal[];
  /** Sessions that have a process and no end. */
  readonly open: readonly UnendedSession[];
}

export interface UnendedSession extends Session {
  /** What it ran last, redacted and short. */
  readonly lastCommand?: string;
}

/** A call that never ran because a hook of somebody else or a permission rule refused it. */
export interface GateRefusal {
  readonly id: string;
  readonly by: 'hook' | 'rule';
  /** A shell command, or the tool and its path. */
  readonly command: string;
  /** The words that the agent reported the refusal with. */
  readonly output: string;
  /** Those intents of the call that no later call got past the gate with. */
  readonly intents: readonly string[];
  readonly at: string;
}

export interface UnresolvedFailure {
  readonly id: string;
  readonly command: string;
  /** Of somebody's hook: its event and tool. The command is what the agent recorded about it. */
  readonly hook?: string;
  readonly exitCode?: number;
  readonly output: string;
  readonly signatureId?: string;
  readonly branch?: string;
  readonly at: string;
}

export interface DeliveryFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  /** Of any of these. */
  readonly sessions?: readonly SessionKey[];
  readonly lessonId?: string;
  readonly open?: boolean;
}

export interface StoreCounts {
  readonly projects: number;
  readonly sessions: number;
  /** Of agents: what they recorded about somebody's hooks is counted apart. */
  readonly calls: number;
  readonly failures: number;
  /** Failures whose exit code was hidden, known from their text only: not among `failures`. */
  readonly masked: number;
  readonly hookFailures: number;
  readonly cancelled: number;
  readonly denied: number;
  /** Active ones. */
  readonly lessons: number;
  readonly drafts: number;
  readonly deliveries: number;
}

export interface Learned {
  readonly lesson: Lesson;
  /** Absent when the lesson stays as it is. */
  readonly change?: LessonChange;
  readonly episode: Episode;
  readonly finding?: KeptFinding;
  /** It is learned from again: that the episode is known does not count. */
  readonly isAgain?: true;
  /** Of the lessons that were looked at. */
  readonly stamp: string;
}

/** `known`: the episode was learned from before. `stale`: a lesson has changed since, nothing was saved. */
export type LearnedAs = 'saved' | 'known' | 'stale';
