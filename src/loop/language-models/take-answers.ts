/**
 * Takes the answers to packs: reads the calls behind their ids again, turns each proposal into findings, and learns from
 * them as from all others. What became of each proposal is counted with its reason.
 */

import type { Store } from '../../base/contracts/store.ts';
import type { Cure } from '../../base/model/cure.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Finding, KeptFinding } from '../../base/model/finding.ts';
import type { Lesson, ModelOrigin } from '../../base/model/lesson.ts';
import { isBackedByPerson } from '../../base/model/lesson-trust.ts';
import type { PackedCall, PackIndex, ProposalVerdict } from '../../base/model/pack.ts';
import { type SessionKey, toSessionKey } from '../../base/model/session.ts';
import { compareTexts, dropAbsent } from '../../base/records.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { listSent } from '../../distill/episodes/find-attempt.ts';
import type { PastCall } from '../../distill/gate/gate-finding.ts';
import { listWords, toOwnWords, toPackage } from '../../distill/gate/guard-proposal.ts';
import { parseAnswer } from '../../distill/packs/answer-schema.ts';
import type { Conversation } from '../../distill/packs/conversation.ts';
import {
  type AnsweredPack,
  type DroppedProposal,
  GONE_LESSON,
  type PlacedCall,
  type Proposal,
  proposeLessons,
  READER,
  UNKNOWN_ID,
} from '../../distill/packs/propose-lessons.ts';
import { isLinearRegex } from '../../keep/schemas/linear-regex.ts';
import { compileLessons } from '../compile-lessons.ts';
import type { Found } from '../digest-events.ts';
import { learnFindings } from '../learning/learn-finding.ts';
import { holdsInPast, makePastCalls } from '../learning/past-calls.ts';
import { type HistoryParts, readHistory, readStored, type SessionFile } from './read-conversations.ts';

/** An answer to a pack, from whichever model. */
interface PackAnswer {
  readonly index: PackIndex;
  readonly text: string;
  readonly provider: string;
  readonly model?: string;
}

export interface TakenAnswers {
  readonly answers: number;
  readonly proposed: number;
  readonly active: number;
  readonly drafts: number;
  /** More evidence of lessons that were known. */
  readonly merged: number;
  /** Lessons that now wait for a person, because the model doubts them. */
  readonly doubted: number;
  readonly dropped: readonly { readonly reason: string; readonly count: number }[];
  /** What became of each proposal. */
  readonly outcomes: readonly ProposalOutcome[];
}

export interface ProposalOutcome {
  readonly pack: string;
  readonly summary: string;
  readonly verdict: ProposalVerdict;
  readonly reason: string;
  readonly lessonId?: string;
}

export interface AnswerParts extends HistoryParts {
  readonly manifestFile: string;
  /** Where the sessions are now; default: where they were when the packs were made. */
  readonly files?: readonly SessionFile[];
  readonly onProgress?: (done: number, all: number) => void;
}

export async function takeAnswers(parts: AnswerParts, answers: readonly PackAnswer[]): Promise<TakenAnswers> {
  const { store, settings } = parts;
  const read = await readHistory(parts, parts.files ?? listFiles(answers), parts.onProgress);
  const conversations = [...read, ...(await readStored(parts, listMissing(answers, read)))];
  const find = makeCallFinder(conversations);
  const lessons = new Map((await store.listLessons()).map((lesson) => [lesson.id, lesson]));
  const past = makePastCalls(store);
  const outcomes: ProposalOutcome[] = [];
  let doubted = 0;
  for (const answer of answers) {
    const stored = await past.list(answer.index.projectId);
    const hasRun = makeHasRun([...conversations.flatMap(({ calls }) => calls), ...stored.values()]);
    const { proposals, dropped, doubts } = toProposals(answer, { find, hasRun, findLesson: (id) => lessons.get(id) });
    outcomes.push(...dropped.map((one) => ({ ...one, pack: answer.index.id, verdict: 'dropped' as const })));
    for (const proposal of proposals) {
      const kept: KeptFinding[] = [];
      const found = toFound(proposal, conversations);
      await learnFindings({ store, past, weights: settings.scoring, onKept: (one) => kept.push(one) }, found);
      const outcome = await judgeOutcome(store, proposal, kept);
      outcomes.push({ pack: answer.index.id, ...outcome });
      if (outcome.verdict === 'active') await keepCures(store, proposal);
    }
    for (const doubt of doubts) doubted += (await doubtLesson(store, doubt)) ? 1 : 0;
  }
  await compileLessons(parts);
  return { answers: answers.length, ...countOutcomes(outcomes), doubted, outcomes };
}

/**
 * A lesson that is shown with an error is told from the store's cures. What calls have shown to help with the same error
 * stays as it is.
 */
async function keepCures(store: Store, { findings }: Proposal): Promise<void> {
  const [first] = findings;
  if (first === undefined || first.finding.triggers.failure !== true) return;
  const { signature, projectId } = first.finding;
  const known = await store.listCures({ signatureIds: [signature.id] });
  if (known.some((cure) => cure.projectId === projectId)) return;
  await store.saveCures(findings.map(({ finding }) => toCure(finding)));
}

const CURE_CHARS = 240;

function toCure(finding: Finding): Cure {
  const { agent, sessionId, failingCallId, fixingCallId, signature, remediation, evidence } = finding;
  const text = toShortChars(remediation.replace(/\.$/, ''), CURE_CHARS);
  const place = { agent, sessionId, projectId: finding.projectId, failingCallId, fixingCallId };
  return { ...place, signatureId: signature.id, kind: 'form', text, at: evidence.at };
}

/** Sends a lesson to review, unless a person vouches for it. A model never retires one by itself. */
async function doubtLesson(store: Store, { lesson, reason }: Doubt): Promise<boolean> {
  const at = new Date().toISOString();
  const changed = await store.updateLessons([lesson.id], ([now]) => {
    if (now === undefined || now.status !== 'active' || now.needsReview || isBackedByPerson(now)) return [];
    const change = { by: READER, reason: `a model doubts it: ${reason}`, at };
    return [{ lesson: { ...now, needsReview: true, updatedAt: at }, change }];
  });
  return changed.length > 0;
}

/** The files that the failures and fixes of the packs are in. */
function listFiles(answers: readonly PackAnswer[]): readonly SessionFile[] {
  const calls = answers.flatMap(({ index }) => Object.values(index.calls).flat());
  const files = calls.flatMap(({ agent, file }) => (file === undefined ? [] : [{ agent, path: file }]));
  return [...new Map(files.map((file) => [file.path, file])).values()];
}

/** The sessions of the packs that no file tells. */
function listMissing(answers: readonly PackAnswer[], read: readonly Conversation[]): readonly SessionKey[] {
  const inFiles = new Set(read.flatMap(({ calls: [first] }) => (first === undefined ? [] : [toSessionKey(first)])));
  const calls = answers.flatMap(({ index }) => Object.values(index.calls).flat());
  const missing = new Map(calls.map((call) => [toSessionKey(call), call]));
  return [...missing].filter(([key]) => !inFiles.has(key)).map(([, call]) => call);
}

/** Undefined if the call can no longer be read. */
type FindCall = (call: PackedCall) => PlacedCall | undefined;

export function makeCallFinder(conversations: readonly Conversation[]): FindCall {
  const toKey = ({ agent, sessionId, callId }: Omit<PackedCall, 'file'>): string =>
    [agent, sessionId, callId].join('\n');
  const placed = new Map(
    conversations.flatMap((conversation) =>
      conversation.calls.map((call) => [toKey(call), { call, conversation }] as const),
    ),
  );
  return (call) => placed.get(toKey(call));
}

interface Proposals {
  readonly proposals: readonly Proposal[];
  readonly dropped: readonly DroppedProposal[];
  readonly doubts: readonly Doubt[];
}

interface Doubt {
  readonly lesson: Lesson;
  readonly reason: string;
}

interface Known {
  readonly find: FindCall;
  readonly findLesson: (lessonId: string) => Lesson | undefined;
  readonly hasRun: (program: string) => boolean;
}

export function toProposals({ index, text, provider, model }: PackAnswer, known: Known): Proposals {
  const answer = parseAnswer(text);
  if (answer === undefined)
    return { proposals: [], dropped: [{ summary: index.id, reason: 'its answer is no JSON' }], doubts: [] };
  const origin: ModelOrigin = {
    provider,
    promptVersion: index.promptVersion,
    pack: index.id,
    ...(model === undefined ? {} : { model }),
  };
  const pack: AnsweredPack = {
    origin,
    find: (id) => index.calls[id]?.flatMap((call) => known.find(call) ?? []),
    findLesson: (id) => {
      const lessonId = index.lessons[id];
      return lessonId === undefined ? undefined : (known.findLesson(lessonId) ?? 'gone');
    },
  };
  const rules = { holds: holdsInPast, isLinear: isLinearRegex, hasRun: known.hasRun };
  const made = proposeLessons(answer, pack, rules);
  const doubts = answer.retire.map((one) => ({ ...one, lesson: pack.findLesson(one.lesson) }));
  const strange = doubts.flatMap(({ lesson, reason }) => {
    if (lesson !== undefined && lesson !== 'gone') return [];
    return [{ summary: reason, reason: lesson === undefined ? UNKNOWN_ID : GONE_LESSON }];
  });
  const malformed = answer.errors.map((error) => ({ summary: error, reason: 'does not follow the schema' }));
  return {
    proposals: made.proposals,
    dropped: [...malformed, ...made.dropped, ...strange],
    doubts: doubts.flatMap(({ lesson, reason }) =>
      lesson === undefined || lesson === 'gone' ? [] : [{ lesson, reason: toOwnWords(reason) }],
    ),
  };
}

/** Programs, packages, tools and words of commands that worked, or at least began. */
export function makeHasRun(calls: readonly PastCall[]): (program: string) => boolean {
  const begun = calls.filter(hasBegun);
  const commands = begun.flatMap((call) => parseCall(call)).flatMap((command) => [command, ...listSent(command)]);
  const names = new Set([
    ...commands.flatMap((command) => [command.program, toPackage(command)]),
    ...commands.flatMap(({ program, text }) => listWords(text).flatMap((word) => [`${program} ${word}`, ` ${word}`])),
    ...begun.flatMap(({ tool, rawTool }) => [tool, rawTool, tool.split('/').at(-1) ?? tool]),
  ]);
  return (name) => names.has(name);
}

/** The shell found the program and nobody refused the call. */
function hasBegun(call: PastCall & { readonly exitCode?: number }): boolean {
  return hasWorked(call) || (call.outcome === 'failure' && call.exitCode !== NOT_FOUND);
}

const NOT_FOUND = 127;

/** The calls of all its sessions that were read, because the store keeps only the beginnings of commands. */
export function toFound({ findings }: Proposal, conversations: readonly Conversation[]): readonly Found[] {
  const [first] = findings;
  const window = conversations
    .flatMap(({ calls }) => calls)
    .filter(({ projectId }) => projectId === first?.finding.projectId);
  return findings.map(({ finding }) => ({ finding, window }));
}

async function judgeOutcome(
  store: Store,
  { summary }: Proposal,
  kept: readonly KeptFinding[],
): Promise<Omit<ProposalOutcome, 'pack'>> {
  const made = kept.find(({ verdict }) => verdict === 'new' || verdict === 'draft');
  const reason = made?.reason ?? kept[0]?.reason ?? 'another lesson, or a person, has decided about this failure';
  if (made?.lessonId !== undefined) {
    // A draft may have become active with its second failure.
    const status = (await store.findLesson(made.lessonId))?.status;
    return { summary, verdict: status === 'active' ? 'active' : 'draft', reason, lessonId: made.lessonId };
  }
  const merged = kept.find(({ verdict }) => verdict === 'merged');
  const lessonId = merged?.lessonId;
  return { summary, verdict: merged === undefined ? 'dropped' : 'merged', reason, ...dropAbsent({ lessonId }) };
}

export function countOutcomes(
  outcomes: readonly ProposalOutcome[],
): Pick<TakenAnswers, 'proposed' | 'active' | 'drafts' | 'merged' | 'dropped'> {
  const count = (wanted: ProposalOutcome['verdict']): number =>
    outcomes.filter(({ verdict }) => verdict === wanted).length;
  const reasons = Map.groupBy(
    outcomes.filter(({ verdict }) => verdict === 'dropped'),
    // Counts of one proposal are not a reason of their own.
    ({ reason }) => reason.replace(/: .*/, ''),
  );
  return {
    proposed: outcomes.length,
    active: count('active'),
    drafts: count('draft'),
    merged: count('merged'),
    dropped: [...reasons]
      .map(([reason, all]) => ({ reason, count: all.length }))
      .toSorted((a, b) => b.count - a.count || compareTexts(a.reason, b.reason)),
  };
}
