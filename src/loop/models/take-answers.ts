/**
 * Takes the answers to packs: reads the calls behind their ids again, turns each proposal into findings, and learns from
 * them as from all others. What became of each proposal is counted with its reason.
 */

import type { Store } from '../../base/contracts/store.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { KeptFinding } from '../../base/model/finding.ts';
import type { Lesson, ModelOrigin } from '../../base/model/lesson.ts';
import type { PackedCall, PackIndex } from '../../base/model/pack.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import type { PastCall } from '../../distill/gate/gate-finding.ts';
import { parseAnswer } from '../../distill/packs/answer-schema.ts';
import type { Conversation } from '../../distill/packs/conversation.ts';
import {
  type AnsweredPack,
  type DroppedProposal,
  type PlacedCall,
  type Proposal,
  proposeLessons,
} from '../../distill/packs/propose-lessons.ts';
import { isLinearRegex } from '../../keep/schemas/linear-regex.ts';
import { compileLessons } from '../compile-lessons.ts';
import type { Found } from '../digest-events.ts';
import { learnFindings } from '../learning/learn-finding.ts';
import { holdsInPast, makePastCalls } from '../learning/past-calls.ts';
import { type HistoryParts, readHistory, type SessionFile } from './read-conversations.ts';

/** An answer to a pack, from whichever model. */
export interface PackAnswer {
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
  readonly dropped: readonly { readonly reason: string; readonly count: number }[];
  /** What became of each proposal. */
  readonly outcomes: readonly ProposalOutcome[];
}

export interface ProposalOutcome {
  readonly pack: string;
  readonly summary: string;
  readonly verdict: 'active' | 'draft' | 'merged' | 'dropped';
  readonly reason: string;
}

interface AnswerParts extends HistoryParts {
  readonly manifestFile: string;
  readonly onProgress?: (done: number, all: number) => void;
}

export async function takeAnswers(parts: AnswerParts, answers: readonly PackAnswer[]): Promise<TakenAnswers> {
  const { store, settings } = parts;
  const conversations = await readHistory(parts, listFiles(answers), parts.onProgress);
  const find = makeCallFinder(conversations);
  const lessons = new Map((await store.listLessons()).map((lesson) => [lesson.id, lesson]));
  const past = makePastCalls(store);
  const outcomes: ProposalOutcome[] = [];
  for (const answer of answers) {
    const stored = await past.list(answer.index.projectId);
    const hasRun = makeHasRun([...conversations.flatMap(({ calls }) => calls), ...stored.values()]);
    const { proposals, dropped } = toProposals(answer, { find, hasRun, findLesson: (id) => lessons.get(id) });
    outcomes.push(...dropped.map((one) => ({ ...one, pack: answer.index.id, verdict: 'dropped' as const })));
    for (const proposal of proposals) {
      const kept: KeptFinding[] = [];
      const found = toFound(proposal, conversations);
      await learnFindings({ store, past, weights: settings.scoring, onKept: (one) => kept.push(one) }, found);
      outcomes.push({ pack: answer.index.id, ...(await judgeOutcome(store, proposal, kept)) });
    }
  }
  await compileLessons(parts);
  return { answers: answers.length, ...countOutcomes(outcomes), outcomes };
}

/** The files that the failures and fixes of the packs are in. */
function listFiles(answers: readonly PackAnswer[]): readonly SessionFile[] {
  const calls = answers.flatMap(({ index }) => Object.values(index.calls).flat());
  const files = calls.flatMap(({ agent, file }) => (file === undefined ? [] : [{ agent, path: file }]));
  return [...new Map(files.map((file) => [file.path, file])).values()];
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
}

interface Known {
  readonly find: FindCall;
  readonly findLesson: (lessonId: string) => Lesson | undefined;
  readonly hasRun: (program: string) => boolean;
}

export function toProposals({ index, text, provider, model }: PackAnswer, known: Known): Proposals {
  const answer = parseAnswer(text);
  if (answer === undefined) return { proposals: [], dropped: [{ summary: index.id, reason: 'its answer is no JSON' }] };
  const origin: ModelOrigin = {
    ...{ provider, promptVersion: index.promptVersion, pack: index.id },
    ...(model === undefined ? {} : { model }),
  };
  const pack: AnsweredPack = {
    origin,
    find: (id) => index.calls[id]?.flatMap((call) => known.find(call) ?? []),
    findLesson: (id) => known.findLesson(index.lessons[id] ?? ''),
  };
  const rules = { holds: holdsInPast, isLinear: isLinearRegex, hasRun: known.hasRun };
  const made = proposeLessons(answer, pack, rules);
  const malformed = answer.errors.map((error) => ({ summary: error, reason: 'does not follow the schema' }));
  return { proposals: made.proposals, dropped: [...malformed, ...made.dropped] };
}

/** Programs that worked, or at least began. */
export function makeHasRun(calls: readonly PastCall[]): (program: string) => boolean {
  const programs = new Set(calls.flatMap((call) => (hasBegun(call) ? parseCall(call).map(toProgram) : [])));
  return (program) => programs.has(program);
}

function toProgram({ program }: SimpleCommand): string {
  return program;
}

/** The shell found the program and nobody refused the call. */
function hasBegun(call: PastCall & { readonly exitCode?: number }): boolean {
  return call.tool === 'shell' && (hasWorked(call) || (call.outcome === 'failure' && call.exitCode !== NOT_FOUND));
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
  const reason = made?.reason ?? kept[0]?.reason ?? 'a person decided about this failure before';
  if (made?.lessonId !== undefined) {
    // A draft may have become active with its second failure.
    const status = (await store.findLesson(made.lessonId))?.status;
    return { summary, verdict: status === 'active' ? 'active' : 'draft', reason };
  }
  return { summary, verdict: kept.some(({ verdict }) => verdict === 'merged') ? 'merged' : 'dropped', reason };
}

function countOutcomes(outcomes: readonly ProposalOutcome[]): Omit<TakenAnswers, 'answers' | 'outcomes'> {
  const count = (wanted: ProposalOutcome['verdict']): number =>
    outcomes.filter(({ verdict }) => verdict === wanted).length;
  const reasons = Map.groupBy(
    outcomes.filter(({ verdict }) => verdict === 'dropped'),
    // Counts of one proposal are not a reason of their own.
    ({ reason }) => reason.replace(/: .*/, ''),
  );
  return {
    ...{ proposed: outcomes.length, active: count('active'), drafts: count('draft'), merged: count('merged') },
    dropped: [...reasons]
      .map(([reason, all]) => ({ reason, count: all.length }))
      .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1)),
  };
}
