/**
 * Decides whether an agent is warned before it makes a call that failed in an earlier session of the project and has not
 * worked since. Only the daemon does this, because it has these calls in memory; without a daemon nothing is shown. A
 * lesson that fires on the call is shown instead. A failure is told once in a conversation, by a warning, a cure or a
 * lesson. The warning is a pause where the user's setting and the agent allow one, otherwise a note.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import { type AgentEvent, type EndedCall, type EventOf, hasWorked } from '../../base/model/event.ts';
import type { Knowledge, KnownCall } from '../../base/model/knowledge.ts';
import { listTouched } from '../../base/shell/changed-things.ts';
import { findMainCommand } from '../../base/shell/intent.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { judgeFacts } from '../../capture/outcomes/judge-facts.ts';
import { type CallMemory, openCallMemory } from '../../match/call-memory.ts';
import { ANY_LESSON, claimPause, hasPaused, toClaimant } from '../../match/claims.ts';
import { type CuredFailures, chooseCure } from '../../match/cure-book.ts';
import { renderCure } from '../../match/cure-text.ts';
import { resolveProjectId } from '../../match/manifest.ts';
import { renderMemory, renderMemoryNotice } from '../../match/memory-text.ts';
import { decideMode, renderRefusal } from '../../match/modes.ts';
import { type Decision, type DecisionContext, isLate } from '../deliver.ts';
import { toExactKey } from '../exact-call.ts';
import { claimFailure, isFailureMuted, isFailureTold, isFailureWithheld, toFailureDelivery } from './told-failures.ts';

export interface MemoryContext
  extends Pick<DecisionContext, 'manifest' | 'claimsDir' | 'projectId' | 'switches' | 'modes' | 'probe' | 'elapsedUs'> {
  /** The folder of the project. */
  readonly root: string;
  readonly calls: CallMemory<KnownCall>;
  readonly failures?: CuredFailures | undefined;
}

type Started = EventOf<'call-started'>;

/** Undefined if there is nothing to tell and nothing to record. */
export function decideMemory(event: AgentEvent, context: MemoryContext): Decision | undefined {
  if (event.kind !== 'call-started') return undefined;
  const { header } = context.manifest;
  const projectId = resolveProjectId(header, context.projectId);
  if (!header.settings.delivery.memory || !context.calls.has(projectId)) return undefined;
  const found = findWarning(event, { ...context, projectId });
  if (found === undefined || isLate(context)) return undefined;
  const { last, text, mode: wanted } = found;
  if (!context.probe && !claimFailure(context.claimsDir, toClaimant(event, header.settings), last)) return undefined;
  // Where no pause can be recorded, the retry would be paused again.
  const mode = wanted === 'pause' && (context.probe || takePause(event, context)) ? 'pause' : 'note';
  const isHeldBack = mode === 'note' && !context.probe && isFailureWithheld(last, event, context.manifest);
  const delivery = toFailureDelivery(event, last, {
    ...{ kind: 'memory', callId: event.callId, mode, latencyUs: context.elapsedUs() },
    bytes: isHeldBack ? 0 : Buffer.byteLength(text),
  });
  const deliveries = context.probe ? [] : [delivery];
  if (isHeldBack) return { deliveries };
  if (mode === 'note') return { reply: { kind: 'note', to: event.kind, context: text }, deliveries };
  const reason = `${renderRefusal('pause', header.settings.injectionBudgetBytes)}\n\n${text}`;
  return {
    reply: { kind: 'refusal', to: event.kind, reason, notice: renderMemoryNotice(toWhat(event), text) },
    deliveries,
  };
}

interface FoundWarning {
  readonly last: KnownCall;
  readonly text: string;
  readonly mode: 'pause' | 'note';
}

/** `projectId`: the resolved one. */
function findWarning(event: Started, context: MemoryContext): FoundWarning | undefined {
  const { root, projectId, calls, claimsDir, probe } = context;
  const { settings } = context.manifest.header;
  const exactKey = toExactKey(event, root);
  const known = exactKey === undefined ? undefined : calls.find({ projectId, sessionId: event.sessionId, exactKey });
  const last = known?.at(-1);
  if (known === undefined || last === undefined) return undefined;
  if (isFailureMuted(last, event, context.switches)) return undefined;
  if (!probe && isFailureTold(claimsDir, toClaimant(event, settings), last)) return undefined;
  // The agent repeats a call that was paused, so it means it.
  if (!probe && hasPaused(claimsDir, toPause(event))) return undefined;
  const { maxMode } = settings.delivery;
  const mode = decideMode({ mode: 'pause' }, { maxMode, modes: context.modes, canRewrite: false });
  const isPause = mode === 'pause' && toPause(event).shape !== '';
  const head = isPause ? renderRefusal('pause', settings.injectionBudgetBytes) : '';
  const text = renderMemory({
    ...{ what: event.tool === 'shell' ? 'command' : 'call', failures: known, now: event.at },
    cure: findCureText(event, last, context),
    maxBytes: settings.injectionBudgetBytes - (isPause ? Buffer.byteLength(head) + 2 : 0),
  });
  return text === undefined ? undefined : { last, text, mode: isPause ? 'pause' : 'note' };
}

function findCureText(event: Started, { signatureId }: KnownCall, context: MemoryContext): string | undefined {
  const { failures, projectId } = context;
  if (!context.manifest.header.settings.delivery.knownFixes) return undefined;
  const cures = failures?.find({ projectId, signatureId })?.cures ?? [];
  const { command } = event.input;
  const earlier = cures.filter(({ sessionId }) => sessionId !== event.sessionId);
  const known = chooseCure(earlier, command);
  const call = { ...(command === undefined ? {} : { command }), rawTool: event.rawTool, output: '' };
  return known && renderCure(known, call, event.at);
}

function takePause(event: Started, { claimsDir }: MemoryContext): boolean {
  return claimPause(claimsDir, toPause(event)) === 'made';
}

/** The key under which lessons record this exact call, so that neither pauses the other's retry. */
function toPause({ agent, sessionId, input }: Started) {
  return { agent, sessionId, lessonId: ANY_LESSON, shape: input.command || input.json };
}

/** Names the program, never the command line, which may contain a secret. */
function toWhat(event: Started): string {
  const program = findMainCommand(parseCall({ ...event, command: event.input.command }))?.program;
  return `a call of ${program ?? event.tool}`;
}

/** The remembered calls in the daemon's main thread. */
export interface LiveMemory {
  /** Undefined until the worker has read the store. */
  find(): CallMemory<KnownCall> | undefined;
  /** A call has ended: what it may have repaired is forgotten at once, before the worker has stored it. */
  take(event: AgentEvent, place: { readonly projectId: string; readonly root: string }): void;
}

const MAX_SETTLED = 5_000;

interface EndPlace extends Pick<AgentEvent, 'at' | 'cwd'> {
  readonly projectId: string;
  readonly root: string;
}

/** `findKnowledge`: what the worker sent; the same object until it changes. */
export function openLiveMemory(findKnowledge: () => Knowledge | undefined): LiveMemory {
  let opened: { readonly from: Knowledge; readonly calls: CallMemory<KnownCall> } | undefined;
  /** A message that the worker wrote before it saw a call must not bring back what this call settled. */
  const settled = new Set<string>();
  /** Calls with an event of their own, which is better evidence than the batch. */
  const ended = new Set<string>();
  const find = (): CallMemory<KnownCall> | undefined => {
    const from = findKnowledge();
    if (from === undefined) return undefined;
    if (opened?.from !== from)
      opened = { from, calls: openCallMemory(from.remembered.filter((one) => !settled.has(toKey(one)))) };
    return opened.calls;
  };
  const settle = (calls: CallMemory<KnownCall>, done: EndedCall, { projectId, root, at, cwd = '' }: EndPlace): void => {
    const { outcome, outcomeType } = judgeFacts(done);
    if (!hasWorked({ outcome })) return;
    const { tool, rawTool, input } = done;
    const exactKey = toExactKey({ ...done, cwd }, root);
    const call = { tool, rawTool, outcomeType, command: input.command, targetPath: input.path, exactKey };
    const gone = calls.settle({ projectId, at, touches: listTouched(call, root) });
    for (const one of gone) settled.add(toKey(one));
    dropOldest(settled, MAX_SETTLED);
  };
  return {
    find,
    take(event, { projectId, root }) {
      if (event.kind !== 'call-ended' && event.kind !== 'batch-ended') return;
      const calls = find();
      if (calls?.has(projectId) !== true) return;
      const isOwn = event.kind === 'call-ended';
      for (const one of isOwn ? [event] : event.calls) {
        const key = toKey({ ...event, callId: one.callId });
        if (isOwn) ended.add(key);
        if (isOwn || !ended.has(key)) settle(calls, one, { ...event, projectId, root });
      }
      dropOldest(ended, MAX_SETTLED);
    },
  };
}

function toKey({ agent, sessionId, callId }: Pick<KnownCall, 'agent' | 'sessionId' | 'callId'>): string {
  return `${agent}\n${sessionId}\n${callId}`;
}
