/**
 * SEAM: the store. One contract, one test suite, several engines. Each method is one transaction; when its promise
 * resolves, the change is durable. Absence: `find…` resolves to undefined, `list…` to an empty list, an update of an
 * unknown id to false. Failure: the method rejects with the engine's error as `cause`, and its change has not happened.
 */

import type { Call, StoredCall } from '../model/call.ts';
import type { Cure, CureFilter } from '../model/cure.ts';
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
import type { RememberedCall, RememberedFilter } from '../model/knowledge.ts';
import type { ChangeHead, KeptChange, Lesson, LessonChange, LessonStatus, LessonUpdate } from '../model/lesson.ts';
import type { AskedPack, AskedPackFilter } from '../model/pack.ts';
import type { JoinReport, ProjectAlias, ProjectCommit, ProjectLink, ProjectSummary } from '../model/project.ts';
import type { Promotion, PromotionFilter, PromotionUpdate } from '../model/promotion.ts';
import type { CallKey, Project, Session, SessionKey } from '../model/session.ts';
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
import type { FailureCounts, FailureLedger } from '../statistics/failure-ledger.ts';
import type { FailedCall, FailureCells, FailureFilter, FailurePlaces } from '../statistics/failures.ts';
import type {
  HistoryCell,
  HistoryFilter,
  SessionFilter,
  SessionSummary,
  SignatureCount,
} from '../statistics/history.ts';
import type { RowCounts, SnapshotWriter } from '../storage/backup.ts';
import type { DropEvidence, ForgetReport, ForgetRequest, Forgotten } from '../storage/forgotten.ts';
import type {
  RemovalCap,
  RetentionCounts,
  RetentionLimits,
  RetentionPoint,
  RetentionStep,
} from '../storage/retention.ts';
import type { RewrittenFile, ScanState } from '../storage/scan-state.ts';

export interface Store {
  /** A known project keeps its first name and gains the root path. True if a project or a path is new. */
  saveProjects(projects: readonly Project[]): Promise<boolean>;
  listProjects(): Promise<readonly Project[]>;
  /** Every folder of each project, by project id, in the order they were first seen. */
  listProjectRoots(): Promise<ReadonlyMap<string, readonly string[]>>;
  /** Newest first. Joined ids are part of the project that they were joined into. */
  listProjectSummaries(): Promise<readonly ProjectSummary[]>;

  /**
   * Makes `fromId` the same project as `intoId`, also for past rows: a query by one id returns the rows of all its ids.
   * Undefined if they are one project already or `fromId` was joined into another. A dry run only counts.
   */
  joinProjects(
    fromId: string,
    intoId: string,
    how: { readonly at: string; readonly dryRun: boolean },
  ): Promise<JoinReport | undefined>;
  /** Removes one id from its project for good: no proof joins the two again. False if the id was not joined. */
  splitProject(fromId: string): Promise<boolean>;
  /**
   * Saves evidence that ids are one project and joins the projects that follow from all evidence. A known link changes
   * nothing. Resolves to the ids whose project has changed.
   */
  linkProjects(links: readonly ProjectLink[]): Promise<readonly string[]>;
  /** Oldest first, including links that a person refused. */
  listProjectLinks(): Promise<readonly ProjectLink[]>;
  /** The newest commits of each project are kept. */
  saveProjectCommits(commits: readonly ProjectCommit[], at: string): Promise<void>;
  listProjectCommits(): Promise<readonly ProjectCommit[]>;
  listProjectAliases(): Promise<readonly ProjectAlias[]>;

  /**
   * Merges a known session: the earliest start with its folder and project wins, the latest heartbeat wins, a recorded
   * end stays, and absent fields change nothing. Several sessions are saved as if one after the other.
   */
  saveSessions(sessions: readonly Session[]): Promise<void>;
  findSession(agent: string, sessionId: string): Promise<Session | undefined>;
  /** Newest first. */
  listSessions(filter: SessionFilter): Promise<readonly SessionSummary[]>;

  /**
   * Saves one row per (agent, sessionId, callId), however often and by whatever source the call is reported. Signatures
   * and their counts change in the same transaction. Resolves to the number of new rows.
   *
   * `observed`: new fields win and absent fields keep their old value, but a fact is never replaced by a weaker one (an
   * end by a start, a duration by an estimate), so the order of reports does not matter. `hearsay`: only unknown calls
   * are added.
   */
  saveCalls(calls: readonly Call[], how: 'observed' | 'hearsay'): Promise<number>;
  /** The newest `limit` calls of a project (absent: of all projects) with their outcomes, oldest first. */
  listPastCalls(projectId: string | undefined, limit: number): Promise<readonly BriefCall[]>;
  /** Ordered by time, oldest first. */
  listCalls(filter: CallFilter): Promise<readonly StoredCall[]>;

  /** The contents of the brief for the project's next session, each list oldest first. */
  readUnsettled(projectId: string, since: string): Promise<Unsettled>;
  /** Marks failures as shown in a brief; unknown ids change nothing. */
  markSurfaced(ids: readonly string[], at: string): Promise<void>;

  /** For each start, in order: was an episode of that kind already learned from this failing call? */
  hasEpisodes(episodes: readonly EpisodeStart[]): Promise<readonly boolean[]>;

  /**
   * Saves findings, one per failing call and kind of detector, and keeps the newest of each project. Also saves the
   * episodes of findings that gave no lesson, one per failing and fixing call.
   */
  saveFindings(findings: readonly KeptFinding[], episodes?: readonly Episode[]): Promise<void>;
  /** The verdicts on these failing calls, for every kind of detector. */
  listPastFindings(
    calls: readonly Pick<EpisodeStart, 'agent' | 'sessionId' | 'failingCallId'>[],
  ): Promise<readonly PastFinding[]>;
  /** Newest first. */
  listFindings(filter?: FindingFilter): Promise<readonly ListedFinding[]>;

  /** Saves cures, one per failing call; the newer one wins. */
  saveCures(cures: readonly Cure[]): Promise<void>;
  /** The cures of these signatures, or of all; the latest first. */
  listCures(filter?: CureFilter): Promise<readonly Cure[]>;

  /** Saves failed calls by their exact form. A settled call stays settled. */
  saveRemembered(calls: readonly RememberedCall[]): Promise<void>;
  /** These calls may work again since this time: they are listed no more. */
  settleRemembered(calls: readonly Pick<RememberedCall, 'agent' | 'sessionId' | 'callId'>[], at: string): Promise<void>;
  /** The remembered calls that are not settled, the latest first. */
  listRemembered(filter: RememberedFilter): Promise<readonly RememberedCall[]>;

  /**
   * Claims a pack before a model is asked about it: false if the pack was asked with this prompt version, or is being
   * asked. A failed pack, and one that was asked before `staleBefore` and never answered, may be asked again.
   */
  claimPack(pack: AskedPack, staleBefore: string): Promise<boolean>;
  /** Saves what came of a pack. */
  savePack(pack: AskedPack): Promise<void>;
  /** Newest first. */
  listPacks(filter?: AskedPackFilter): Promise<readonly AskedPack[]>;

  /** Saves reports, one per block and session. Known fields are never lost. */
  saveReports(reports: readonly KeptReport[]): Promise<void>;
  /** By agent and model, including the failures that gave or supported a lesson and have no report. */
  countReports(filter: ReportFilter): Promise<readonly ReportCount[]>;
  /** Newest first. */
  listMalformedReports(filter: ReportFilter & { readonly limit: number }): Promise<readonly KeptReport[]>;
  /** Newest first. */
  listUnreported(filter: ReportFilter & { readonly limit: number }): Promise<readonly UnreportedFailure[]>;

  /** A stamp that changes with any lesson, so that decisions based on older lessons can be recognized as stale. */
  readLessonStamp(): Promise<string>;
  /** Saves a lesson, its episode and its finding, all or nothing. */
  saveLearned(learned: Learned): Promise<LearnedAs>;
  /** Adds or replaces by id and appends the change to the lesson's history. */
  saveLesson(lesson: Lesson, change: LessonChange): Promise<void>;
  /**
   * Reads lessons, lets `change` decide and saves, in one transaction, so that nobody else changes a lesson in between.
   * `change` receives the lessons in the given order, undefined for unknown ids, and returns those to save. If it
   * throws, nothing is saved and the error is passed on. Resolves to the saved lessons.
   */
  updateLessons(
    idsOrSlugs: readonly string[],
    change: (lessons: readonly (Lesson | undefined)[]) => readonly LessonUpdate[],
  ): Promise<readonly Lesson[]>;
  /**
   * Updates the evidence of findings and lessons after a session file was rewritten: each call gets its new line, or
   * none if the call is gone. Evidence and excerpts stay. The history does not record it.
   */
  moveEvidence(anew: RewrittenFile): Promise<void>;
  /** The ids of the projects that taught each lesson, as far as findings and sessions are still stored. */
  listLessonProjects(lessonIds: readonly string[]): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
  findLesson(idOrSlug: string): Promise<Lesson | undefined>;
  /** The lesson as it was at a time, or its first version if it was created later. */
  findLessonAt(id: string, at: string): Promise<Lesson | undefined>;
  /** Ordered by priority, then confidence, then slug. */
  listLessons(filter?: { readonly status?: LessonStatus }): Promise<readonly Lesson[]>;
  /** Oldest first. */
  listLessonHistory(lessonId: string): Promise<readonly KeptChange[]>;
  /** The changes by one person or component, plus every undo and redo by anybody; newest first. */
  listChangesBy(by: string): Promise<readonly ChangeHead[]>;
  /** All changes of the same command, oldest first. */
  listChangesOf(change: ChangeHead): Promise<readonly KeptChange[]>;

  /** Oldest first. */
  listPromotions(filter?: PromotionFilter): Promise<readonly Promotion[]>;
  /**
   * As `updateLessons`, for lessons and all promotions. Saves promotions by id and records the change in the lesson's
   * history. Resolves to the saved promotions.
   */
  updatePromotions(
    idsOrSlugs: readonly string[],
    change: (lessons: readonly (Lesson | undefined)[], promotions: readonly Promotion[]) => readonly PromotionUpdate[],
  ): Promise<readonly Promotion[]>;

  /** Saves a delivery once, however often it is reported, and the time at which its lesson matched. */
  saveDelivery(delivery: Delivery): Promise<void>;
  listDeliveries(filter: DeliveryFilter): Promise<readonly StoredDelivery[]>;
  /** Records how many other matching lessons had no room at this call. */
  noteNoRoom(call: Omit<CallKey, 'contextId'>, lessons: number): Promise<void>;
  /**
   * Adds later calls of the delivery's intent and judges it by all of them. The order does not matter, and a call
   * counts once. Without attempts, only the calls until success are counted again. Undefined if the delivery is
   * unknown, has no attempts, or was judged before attempts were stored. `now`: the latest time that a verdict may
   * have.
   */
  saveAttempts(
    id: string,
    attempts: readonly Attempt[],
    how: { readonly rule: AttemptRule; readonly now?: string },
  ): Promise<{ readonly before?: AttemptSummary; readonly after: AttemptSummary } | undefined>;
  /**
   * Saves a verdict once: false if the delivery is unknown or already judged. `incomplete` may be replaced by a later
   * verdict. `came`: whether the mistake was repeated, and whether the call failed at all.
   */
  judgeDelivery(
    id: string,
    outcome: DeliveryOutcome,
    at: string,
    came?: { readonly again: boolean; readonly failed: boolean },
  ): Promise<boolean>;
  /** Saves the progress of the session in a procedure. */
  saveDeliveryItems(id: string, items: DeliveryItems): Promise<void>;
  /**
   * Marks open deliveries as incomplete if their session has ended or sent nothing since `silentBefore`, and drops
   * skips from before then without a failure. Resolves to the number of deliveries.
   */
  closeDeliveries(silentBefore: string, at: string): Promise<number>;
  /** One record per judged lesson: deliveries since `measure.from`, with verdicts up to `until`. */
  listTrackRecords(until?: string): Promise<readonly TrackRecord[]>;
  /** One record per lesson delivered at a call, since `measure.from` and up to `until`. */
  listTrials(until?: string): Promise<readonly TrialCounts[]>;
  /** The trials of one lesson, in detail. */
  readTrials(question: {
    readonly lessonId: string;
    readonly signatureId?: string;
    /** Only deliveries after this time. */
    readonly since?: string;
    /** Only deliveries up to this time, because later ones have a clock that was ahead. */
    readonly until?: string;
  }): Promise<Trials>;

  /** Saves the lessons that the hook skipped at a call. A report after the failure still explains the miss. */
  saveSkipped(skipped: readonly StoredSkip[]): Promise<void>;
  /** The skips of a session or of one of its calls, without those that became a miss. */
  listSkipped(where: SessionKey & { readonly callId?: string }): Promise<readonly CallSkip[]>;
  /** Saves a miss once per call and lesson. */
  saveMissed(missed: readonly MissedOpportunity[]): Promise<void>;
  /**
   * Oldest first. Leaves out a miss if a delivery in its context came before it, or if another lesson about the same
   * failure was delivered and this one was not quiet.
   */
  listMissed(filter?: MissFilter): Promise<readonly MissedOpportunity[]>;

  /** Newest first. */
  listPlacedDeliveries(query: DeliveryQuery & { readonly limit: number }): Promise<readonly PlacedDelivery[]>;
  countDeliveries(query: DeliveryQuery, by: DeliveryGrouping): Promise<readonly DeliveryCell[]>;
  /** Undefined if no lesson was delivered or withheld. */
  readLatency(query: DeliveryQuery): Promise<LatencyFigures | undefined>;
  /** Most frequent first. */
  countMissed(query: DeliveryQuery): Promise<readonly MissCount[]>;
  /** `except`: ids of feedback that is not counted. */
  countFeedback(query: DeliveryQuery, except?: readonly string[]): Promise<readonly FeedbackCount[]>;
  /** For lessons that fired on a call and are about a failure. `since` limits the calls, not the first delivery. */
  listRecurrences(query: DeliveryQuery): Promise<readonly LessonRecurrence[]>;

  /** Saves a text once, however often it is reported. */
  saveAdded(texts: readonly AddedText[]): Promise<void>;
  /** By kind. A text may contain several lessons, so there is no count per lesson. */
  countAdded(query: DeliveryQuery): Promise<readonly AddedCount[]>;

  /** Oldest first. */
  listFeedback(filter?: FeedbackFilter): Promise<readonly Feedback[]>;
  /**
   * As `updateLessons`, for one lesson and its feedback. Saves the feedback by id and the change of the lesson.
   * Undefined if the lesson is unknown or `decide` returns undefined.
   */
  updateFeedback(
    idOrSlug: string,
    decide: (one: FeedbackCase) => FeedbackUpdate | undefined,
  ): Promise<Feedback | undefined>;

  /** Saves feedback on a cure, which has no lesson. A changed opinion replaces the earlier one of the same person. */
  saveCureFeedback(feedback: Feedback): Promise<void>;

  /** Without `paths`: of all files. */
  listScanStates(paths?: readonly string[]): Promise<readonly ScanState[]>;
  saveScanStates(states: readonly ScanState[]): Promise<void>;

  /** Failures counted by session, signature and place, newest first. */
  listFailureCells(filter: FailureFilter): Promise<FailureCells>;
  /** Failures one by one, newest first. */
  listFailedCalls(filter: FailureFilter): Promise<readonly FailedCall[]>;

  /** Calls counted by session, project and day, oldest day first. */
  countHistory(filter: HistoryFilter): Promise<readonly HistoryCell[]>;
  /** The number of sessions in the period without any call. */
  countSilentSessions(filter: HistoryFilter): Promise<number>;
  /** Failures of agents by signature, including masked ones; most frequent first, then newest. */
  listTopSignatures(filter: HistoryFilter & { readonly limit: number }): Promise<readonly SignatureCount[]>;
  /** The places where calls of agents failed, and the number of calls there. */
  countPlaces(filter: HistoryFilter): Promise<FailurePlaces>;

  /**
   * Removes everything about the request's subject, also from the disk if the engine can, and remembers its ids. A dry
   * run changes nothing and returns the same report. Data that is saved again comes back, so a caller must ask
   * `listForgotten` before it saves.
   */
  forget(
    request: ForgetRequest,
    how: { readonly at: string; readonly dryRun: boolean; readonly dropEvidence: DropEvidence },
  ): Promise<ForgetReport>;
  listForgotten(): Promise<readonly Forgotten[]>;

  /** One bounded step of retention, from the beginning or from where the last step ended. */
  retain(limits: RetentionLimits, from?: RetentionPoint): Promise<RetentionStep>;
  /** The rows that all steps together would remove. */
  countRetention(limits: RetentionLimits): Promise<RetentionCounts>;
  /** The number of rows of each kind that retention may ever remove. */
  countRemovable(): Promise<RemovalCap>;

  /** The newest time at which one of our processes wrote, by its own clock; not the time of the events. */
  findNewestWrite(): Promise<string | undefined>;
  countAll(): Promise<StoreCounts>;
  /** The figures of `start`, `stats` and `failures`. Calls outside the filter count as the past of those inside. */
  countFailures(filter?: Omit<FailureFilter, 'limit' | 'unresolved'>): Promise<FailureCounts>;
  /** The same counts, and what it took to get past the failures of each signature. */
  readFailureLedger(filter?: Omit<FailureFilter, 'limit' | 'unresolved'>): Promise<FailureLedger>;
  countRows(): Promise<RowCounts>;
  /** Everything as of one moment, while others keep writing. Resolves to the number of rows of each table. */
  readSnapshot(writer: SnapshotWriter): Promise<RowCounts>;
  close(): Promise<void>;
}

interface CallFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  readonly contextId?: string;
  readonly projectId?: string;
  readonly program?: string;
  readonly callId?: string;
  /** Only the newest calls, still returned oldest first. */
  readonly limit?: number;
}

/** The fields of a stored call that triggers are tested on. */
export interface BriefCall extends Pick<Call, 'callId' | 'sessionId' | 'outcome' | 'tool' | 'rawTool'> {
  readonly inputSummary: string | undefined;
  readonly targetPath: string | undefined;
  readonly signatureId: string | undefined;
  /** The cause line of a failure. */
  readonly message: string | undefined;
}

export interface Unsettled {
  /**
   * Failures that no later call of the same intent settled and that no session was told about. Failures of the user's
   * hooks are included, because no call settles them. Masked failures are left out, because they are not certain.
   */
  readonly failures: readonly UnresolvedFailure[];
  /**
   * Calls that the user's hook or a permission rule refused, that no session was told about, and whose intent no later
   * call carried out.
   */
  readonly refusals: readonly GateRefusal[];
  /** Sessions with a process and without an end. */
  readonly open: readonly UnendedSession[];
}

export interface UnendedSession extends Session {
  /** The last command of the session, redacted and short. */
  readonly lastCommand?: string;
}

/** A call that did not run because the user's hook or a permission rule refused it. */
export interface GateRefusal {
  readonly id: string;
  readonly by: 'hook' | 'rule';
  /** A shell command, or the tool and its path. */
  readonly command: string;
  /** The agent's wording of the refusal. */
  readonly output: string;
  /** The intents of the call that no later call carried out. */
  readonly intents: readonly string[];
  readonly at: string;
}

export interface UnresolvedFailure {
  readonly id: string;
  readonly command: string;
  /** For a failure of the user's hook: its event and tool. `command` is the agent's record of it. */
  readonly hook?: string;
  readonly exitCode?: number;
  readonly output: string;
  readonly signatureId?: string;
  readonly branch?: string;
  readonly at: string;
}

interface DeliveryFilter {
  readonly agent?: string;
  readonly sessionId?: string;
  /** Deliveries of any of these sessions. */
  readonly sessions?: readonly SessionKey[];
  readonly lessonId?: string;
  readonly open?: boolean;
}

export interface StoreCounts {
  readonly projects: number;
  readonly sessions: number;
  /** Calls of agents only; runs of the user's hooks are counted separately. */
  readonly calls: number;
  readonly failures: number;
  /** Failures with a hidden exit code, known only from their text; not included in `failures`. */
  readonly masked: number;
  readonly hookFailures: number;
  readonly cancelled: number;
  readonly denied: number;
  /** Active lessons. */
  readonly lessons: number;
  readonly drafts: number;
  readonly deliveries: number;
}

interface Learned {
  readonly lesson: Lesson;
  /** Absent when the lesson stays as it is. */
  readonly change?: LessonChange;
  readonly episode: Episode;
  readonly finding?: KeptFinding;
  /** The episode is learned from again on purpose, although it is known. */
  readonly isAgain?: true;
  /** The stamp of the lessons that the decision is based on. */
  readonly stamp: string;
}

/** `known`: the episode was learned from before. `stale`: a lesson has changed since or has this slug, so nothing was saved. */
type LearnedAs = 'saved' | 'known' | 'stale';
