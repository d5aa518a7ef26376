/**
 * Decides what an agent is told about a failure that earlier sessions of the project have met: the known fix with the
 * error of a call that failed (`decideCure`), or a warning before a call that failed and has not worked since
 * (`decideMemory`). Only the daemon does this, because it has them in memory; without a daemon nothing is shown. A
 * failure is told once in a conversation, by a fix, a warning or a lesson: the claim on the failure and on its lessons
 * decides which of them it is.
 */

import { dropOldest } from '../../base/bounded-memory.ts';
import { makeId } from '../../base/ids.ts';
import { type CuredFailure, toCureId } from '../../base/model/cure.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import { type AgentEvent, type EndedCall, type EventOf, hasWorked } from '../../base/model/event.ts';
import type { Knowledge, KnownCall } from '../../base/model/knowledge.ts';
import { isWithheld } from '../../base/model/may-fire.ts';
import { toCallKey } from '../../base/model/session.ts';
import { isMuted, type Switches } from '../../base/model/switches.ts';
import { dropAbsent } from '../../base/records.ts';
import { findNeededProgram, isCheck, listProven, listTouched } from '../../base/shell/changed-things.ts';
import { toExactKey } from '../../base/shell/exact-call.ts';
import { findMainCommand } from '../../base/shell/intent.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { toSignedFailure } from '../../capture/calls/to-calls.ts';
import { judgeFacts } from '../../capture/outcomes/judge-facts.ts';
import { type CallMemory, openCallMemory } from '../../match/call-memory.ts';
import {
  type Claimant,
  claimLesson,
  claimPause,
  hasClaimed,
  hasPaused,
  toClaimant,
  toRefusedCall,
} from '../../match/claims.ts';
import { type CuredFailures, chooseCure } from '../../match/cure-book.ts';
import { renderCure, renderMemory, renderMemoryNotice } from '../../match/cure-text.ts';
import { type Manifest, resolveProjectId } from '../../match/manifest.ts';
import { renderRefusal } from '../../match/reply-lines.ts';
import { decideMode } from '../../match/reply-to-call.ts';
import { type Decision, type DecisionContext, isLate } from './decision.ts';

/** Why a failure with known cures is not told. */
export type CureSilence =
  | 'switched off'
  | 'muted'
  | 'unknown failure'
  | 'same session'
  | 'other call'
  | 'error names it'
  | 'told before';

export interface CureContext
  extends Pick<
    DecisionContext,
    'manifest' | 'claimsDir' | 'projectId' | 'switches' | 'probe' | 'elapsedUs' | 'knownFixes'
  > {
  readonly failures: CuredFailures;
  /** The folder of the project. */
  readonly root?: string;
}

type FailureEvent = EventOf<'call-ended' | 'call-returned' | 'batch-ended'>;

/** More would distract from the work. */
const MAX_CURES = 3;

/** Undefined if there is nothing to show and nothing to record. */
export function decideCure(event: AgentEvent, context: CureContext): Decision | undefined {
  // Most calls work: nothing is looked up for them.
  if (!mayHaveFix(event, context)) return undefined;
  const { header } = context.manifest;
  const projectId = resolveProjectId(header, context.projectId);
  if (!header.settings.delivery.knownFixes || !context.failures.has(projectId)) return undefined;
  const shown: ShownFix[] = [];
  for (const ended of event.kind === 'batch-ended' ? event.calls : [event]) {
    const used = shown.reduce((sum, { text }) => sum + Buffer.byteLength(text) + GAP.length, 0);
    const one = claimCure(event, ended, { ...context, projectId }, header.settings.injectionBudgetBytes - used);
    if (one !== undefined) shown.push(one);
  }
  if (shown.length === 0) return undefined;
  const texts = shown.map(({ text }) => text).filter((text) => text !== '');
  const reply = { kind: 'note', to: event.kind, context: texts.join(GAP) } as const;
  return {
    ...(texts.length === 0 ? {} : { reply }),
    deliveries: context.probe ? [] : shown.map(({ delivery }) => delivery),
  };
}

const GAP = '\n\n';

interface ShownFix {
  /** Empty if it is withheld. */
  readonly text: string;
  readonly delivery: Delivery;
}

/** Claims the cure of one failed call, if there is one to show and room for it. */
function claimCure(event: FailureEvent, ended: EndedCall, context: CureContext, room: number): ShownFix | undefined {
  const { cured, text: known } = findKnownFix(event, ended, context);
  if (cured === undefined || known === undefined) return undefined;
  if (Buffer.byteLength(known) > room || isLate(context)) return undefined;
  if (!context.probe && !claim(event, cured, context)) return undefined;
  const text = !context.probe && isFailureWithheld(cured, event, context.manifest) ? '' : known;
  const facts = { bytes: Buffer.byteLength(text), latencyUs: context.elapsedUs(), callId: ended.callId };
  return { text, delivery: toFailureDelivery(event, cured, { kind: 'failure', mode: 'note', ...facts }) };
}

/** The first signature takes as long as a hook may take: it is made before an agent waits for one. */
export function prepareCures(): void {
  const command = 'ls --prepare';
  const input = { command, json: JSON.stringify({ command }) };
  const call = {
    callId: '',
    tool: 'shell',
    rawTool: '',
    input,
    result: { isError: true, text: 'ls: error: none' },
  } as const;
  const origin = { agent: '', sessionId: '', contextId: '', at: new Date().toISOString(), source: 'hook' } as const;
  toSignedFailure({ ...origin, kind: 'call-ended', ...call }, call, '');
}

/** The first and cheapest question. A batch also reports failures that no other event does, even hidden ones. */
function mayHaveFix(event: AgentEvent, { knownFixes = 'none' }: CureContext): event is FailureEvent {
  if (knownFixes === 'none') return false;
  if (event.kind === 'batch-ended') return true;
  if (event.kind !== 'call-ended' && event.kind !== 'call-returned') return false;
  return hasError(event) && (knownFixes === 'all' || event.tool === 'shell');
}

function hasError({ result }: EndedCall): boolean {
  return result.isError || (result.exitCode ?? 0) !== 0;
}

interface FoundKnownFix {
  readonly cured?: CuredFailure;
  /** The text to show. */
  readonly text?: string;
  readonly silence?: CureSilence;
}

function findKnownFix(event: FailureEvent, ended: EndedCall, context: CureContext): FoundKnownFix {
  const signatureId = toSignedFailure(event, ended, context.projectId)?.signature?.id;
  return signatureId === undefined ? {} : findKnownFixOf(signatureId, event, ended, context);
}

/** The cure of a failed call, or the reason why there is none to show. `projectId`: the resolved one. */
export function findKnownFixOf(
  signatureId: string,
  event: FailureEvent,
  ended: EndedCall,
  context: CureContext,
): FoundKnownFix {
  const { failures, projectId, switches } = context;
  const cured = failures.find({ projectId, signatureId });
  if (cured === undefined) return { silence: 'unknown failure' };
  if (isFailureMuted(cured, event, switches)) return { cured, silence: 'muted' };
  const { command } = ended.input;
  const earlier = cured.cures.filter(({ sessionId }) => sessionId !== event.sessionId);
  if (earlier.length === 0) return { cured, silence: 'same session' };
  const known = chooseCure(earlier, command);
  if (known === undefined) return { cured, silence: 'other call' };
  const claimant = toClaimant(event, context.manifest.header.settings);
  if (!context.probe && isFailureShown(context.claimsDir, claimant, cured)) return { cured, silence: 'told before' };
  const { rawTool, result } = ended;
  const failing = { ...dropAbsent({ command, root: context.root }), rawTool, output: result.text };
  const text = renderCure({ ...known, ...dropAbsent({ advice: cured.advice }) }, failing, event.at);
  return text === undefined ? { cured, silence: 'error names it' } : { cured, text };
}

/** A conversation gets a few cures; each takes one of the places. */
function claim(event: FailureEvent, cured: CuredFailure, { manifest, claimsDir }: CureContext): boolean {
  const claimant = toClaimant(event, manifest.header.settings);
  const places = Array.from({ length: MAX_CURES }, (_, n) => `cure ${n + 1} of ${MAX_CURES}`);
  return claimFailure(claimsDir, claimant, cured, () =>
    places.some((id) => claimLesson(claimsDir, claimant, { id, priority: PRIORITY })),
  );
}

interface MemoryContext
  extends Pick<DecisionContext, 'manifest' | 'claimsDir' | 'projectId' | 'switches' | 'modes' | 'probe' | 'elapsedUs'> {
  /** The folder of the project. */
  readonly root: string;
  readonly calls: CallMemory<KnownCall>;
  readonly failures?: CuredFailures | undefined;
}

type Started = EventOf<'call-started'>;

/** Undefined if there is nothing to show and nothing to record. */
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
  const mode =
    wanted === 'pause' && (context.probe || claimPause(context.claimsDir, toRefusedCall(event)) === 'made')
      ? 'pause'
      : 'note';
  const isNowWithheld = mode === 'note' && !context.probe && isFailureWithheld(last, event, context.manifest);
  const delivery = toFailureDelivery(event, last, {
    kind: 'memory',
    callId: event.callId,
    mode,
    latencyUs: context.elapsedUs(),
    bytes: isNowWithheld ? 0 : Buffer.byteLength(text),
  });
  const deliveries = context.probe ? [] : [delivery];
  if (isNowWithheld) return { deliveries };
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
  const { tool, rawTool, sessionId, input } = event;
  const exactKey = toExactKey(event, root);
  const asked = { tool, rawTool, command: input.command, exactKey };
  const checks = isCheck(asked) ? exactKey : undefined;
  const known = calls.find({ projectId, sessionId, proves: listProven(asked, root), checks });
  const last = known?.at(-1);
  if (known === undefined || last === undefined) return undefined;
  if (isFailureMuted(last, event, context.switches)) return undefined;
  if (!probe && isFailureShown(claimsDir, toClaimant(event, settings), last)) return undefined;
  // The agent repeats a call that was paused, so it means it.
  if (!probe && hasPaused(claimsDir, toRefusedCall(event))) return undefined;
  const { maxMode } = settings.delivery;
  const mode = decideMode({ mode: 'pause' }, { maxMode, modes: context.modes, canRewrite: false });
  // After the call, the agent knows by itself whether it failed again.
  if (mode === 'note' && !context.modes.includes('note')) return undefined;
  const isPause = mode === 'pause' && toRefusedCall(event).shape !== '';
  const head = isPause ? renderRefusal('pause', settings.injectionBudgetBytes) : '';
  const text = renderMemory({
    what: tool === 'shell' ? 'command' : 'call',
    isSame: last.exactKey === exactKey,
    program: findNeededProgram({ tool, rawTool, command: input.command }, last.needs),
    failures: known,
    now: event.at,
    cure: findCureText(event, last, context),
    maxBytes: settings.injectionBudgetBytes - (isPause ? Buffer.byteLength(head) + 2 : 0),
  });
  return text === undefined ? undefined : { last, text, mode: isPause ? 'pause' : 'note' };
}

function findCureText(event: Started, { signatureId }: KnownCall, context: MemoryContext): string | undefined {
  const { failures, projectId, root } = context;
  if (!context.manifest.header.settings.delivery.knownFixes) return undefined;
  const cures = failures?.find({ projectId, signatureId })?.cures ?? [];
  const { command } = event.input;
  const earlier = cures.filter(({ sessionId }) => sessionId !== event.sessionId);
  const known = chooseCure(earlier, command);
  const call = { ...dropAbsent({ command, root }), rawTool: event.rawTool, output: '' };
  return known && renderCure(known, call, event.at);
}

/** Names the program, never the command line, which may contain a secret. */
function toWhat(event: Started): string {
  const program = findMainCommand(parseCall({ ...event, command: event.input.command }))?.program;
  return `a call of ${program ?? event.tool}`;
}

type KnownFailure = Pick<CuredFailure, 'signatureId' | 'lessons' | 'withheld'>;

/** `clear` lets a failure be told again, compaction does not. */
const PRIORITY = 0;

function isFailureShown(claimsDir: string, claimant: Claimant, failure: KnownFailure): boolean {
  return [toClaimed(failure), ...failure.lessons].some((one) => hasClaimed(claimsDir, claimant, one));
}

/**
 * True if this process is the first and there is room. The lessons about the failure are claimed with it, so that they
 * do not show it again.
 */
function claimFailure(
  claimsDir: string,
  claimant: Claimant,
  failure: KnownFailure,
  hasRoom: () => boolean = () => true,
): boolean {
  if (!claimLesson(claimsDir, claimant, toClaimed(failure)) || !hasRoom()) return false;
  for (const lesson of failure.lessons) claimLesson(claimsDir, claimant, lesson);
  return true;
}

function isFailureMuted({ signatureId, lessons }: KnownFailure, event: AgentEvent, switches: Switches): boolean {
  const { sessionId, at } = event;
  return [toCureId(signatureId), ...lessons.map(({ id }) => id)].some((lessonId) =>
    isMuted(switches, { lessonId, sessionId }, Date.parse(at)),
  );
}

function isFailureWithheld(failure: KnownFailure, event: AgentEvent, { header }: Manifest): boolean {
  const { withheld } = failure;
  return isWithheld(
    { id: toCureId(failure.signatureId), ...(withheld === undefined ? {} : { withheld }) },
    event,
    header,
  );
}

type FailureFacts = Pick<Delivery, 'kind' | 'callId' | 'mode' | 'bytes' | 'latencyUs'>;

/** Without bytes it was withheld. */
function toFailureDelivery(event: AgentEvent, { signatureId }: KnownFailure, facts: FailureFacts): Delivery {
  const { agent, sessionId, contextId, at } = event;
  return {
    id: makeId('dlv', Date.parse(at)),
    lessonId: toCureId(signatureId),
    agent,
    sessionId,
    contextId,
    arm: facts.bytes === 0 ? 'holdout' : 'shown',
    score: 0,
    deliveredAt: at,
    ...facts,
  };
}

function toClaimed({ signatureId }: KnownFailure) {
  return { id: toCureId(signatureId), priority: PRIORITY };
}

/** The remembered calls in the daemon's main thread. */
interface LiveMemory {
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
      opened = { from, calls: openCallMemory(from.remembered.filter((one) => !settled.has(toCallKey(one)))) };
    return opened.calls;
  };
  const settle = (calls: CallMemory<KnownCall>, done: EndedCall, { projectId, root, at, cwd = '' }: EndPlace): void => {
    const { outcome, outcomeType } = judgeFacts(done);
    if (!hasWorked({ outcome })) return;
    const { tool, rawTool, input } = done;
    const exactKey = toExactKey({ ...done, cwd }, root);
    const call = { tool, rawTool, outcomeType, command: input.command, targetPath: input.path, exactKey };
    const gone = calls.settle({ projectId, at, touches: listTouched(call, root) });
    for (const one of gone) settled.add(toCallKey(one));
    dropOldest(settled, MAX_SETTLED);
  };
  return {
    find,
    take(event, { projectId, root }) {
      if (event.kind !== 'call-ended' && event.kind !== 'call-returned' && event.kind !== 'batch-ended') return;
      const calls = find();
      if (calls?.has(projectId) !== true) return;
      const isOwn = event.kind !== 'batch-ended';
      for (const one of isOwn ? [event] : event.calls) {
        const key = toCallKey({ ...event, callId: one.callId });
        if (isOwn) ended.add(key);
        if (isOwn || !ended.has(key)) settle(calls, one, { ...event, projectId, root });
      }
      dropOldest(ended, MAX_SETTLED);
    },
  };
}
