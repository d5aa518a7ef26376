/**
 * Decides the reply to one event. At a call: match lessons, leave out those that are silent now, choose how each is
 * delivered, claim it and fit it into the budget. The daemon and the cold hook use the same code; the daemon can also
 * show a known fix or a warning, if no lesson fires.
 */

import { findAdapter } from '../agents/hooks.ts';
import type { HookReply } from '../base/contracts/agent-adapter.ts';
import { makeId } from '../base/ids.ts';
import type { Delivery, SkippedLesson, SkipReason } from '../base/model/delivery.ts';
import type { AgentEvent, EventOf } from '../base/model/event.ts';
import type { DeliveryMode } from '../base/model/lesson.ts';
import { findMomentSilence, isUrgent, isWithheld } from '../base/model/may-fire.ts';
import type { Settings } from '../base/model/settings.ts';
import { applyEdit, type CommandEdit } from '../base/shell/command-edit.ts';
import { isPowerShell } from '../base/shell/power-shell.ts';
import { type CallView, toCallView } from '../base/triggers/call-view.ts';
import {
  ANY_SHAPE,
  type Claim,
  claimLesson,
  claimPause,
  hasClaimed,
  hasPaused,
  inheritClaims,
  toCallShape,
  toClaimant,
  toRefusedCall,
} from '../match/claims.ts';
import { resolveProjectId } from '../match/manifest.ts';
import { byRank, type Match, matchLessons } from '../match/match-lessons.ts';
import {
  combineDense,
  type DeliveredText,
  decideMode,
  fitBudget,
  parseTrailers,
  renderNotice,
  renderRefusal,
  renderRewrite,
  type ShownLesson,
} from '../match/reply-within-budget.ts';
import { makeConversation, readEnd } from './delivery/conversation.ts';
import { decideSessionOpening, decideSubagentOpening } from './delivery/decide-opening.ts';
import { type Decision, type DecisionContext, isLate, SILENCE } from './delivery/decision.ts';
import { makeAskSession, notePast } from './delivery/session-past.ts';

/** After the deadline it is not known which lessons would have fired. */
const UNKNOWN_LATE: SkippedLesson = { lessonId: '', reason: 'deadline' };
const TOO_LATE: Decision = { deliveries: [], unsaid: [UNKNOWN_LATE] };
/** How much of the end of a transcript is searched for delivered lessons; older ones may be delivered again. */
const MAX_HEARD_BYTES = 8 * 1024 * 1024;

export function decideReply(event: AgentEvent, context: DecisionContext): Decision {
  // A lesson that asks what the session has done must not see the call that it is about.
  const withResult = decideWithResult(event, context);
  if (!context.probe) notePast(event, context.manifest, context);
  if (withResult !== undefined) return withResult;
  if (event.kind === 'session-started') return decideSessionOpening(event, context);
  if (event.kind === 'subagent-started') return decideSubagentOpening(event, context);
  return event.kind === 'call-started' ? decideAtCall(event, context) : SILENCE;
}

/** The note about a call, for an agent whose hook before a call carries no note. Undefined for any other event. */
function decideWithResult(event: AgentEvent, context: DecisionContext): Decision | undefined {
  const { modes, withResult = 'none' } = context;
  if (event.kind !== 'call-ended' && event.kind !== 'call-returned') return undefined;
  if (modes.includes('note') || withResult === 'none' || (withResult === 'no errors' && event.result.isError))
    return undefined;
  const { result: _, tokens: __, ...asked } = event;
  const decision = decideAtCall({ ...asked, kind: 'call-started' }, { ...context, modes: ['note'] });
  const { reply } = decision;
  return reply?.kind === 'note' ? { ...decision, reply: { ...reply, to: event.kind } } : decision;
}

function decideAtCall(event: EventOf<'call-started'>, context: DecisionContext): Decision {
  const { settings } = context.manifest.header;
  const call = {
    ...toCallView(event, context.projectId),
    past: makeAskSession(event, context),
    ...makeConversation(event),
  };
  const unsaid: SkippedLesson[] = [];
  const moment = { at: event.at, sessionId: event.sessionId, switches: context.switches };
  // A lesson that is muted or quiet is not claimed, so that it can fire when that is over.
  const matches = matchLessons(context.manifest, call, () => isLate(context)).filter((match) => {
    const { lesson, score } = match;
    // A probe tests whether lessons arrive, also one that agents follow.
    const urgent = context.probe || isUrgent(lesson, score, settings.delivery.maxMode);
    const reason = findMomentSilence(lesson, moment, urgent);
    if (reason !== undefined) unsaid.push(toUnsaid(match, reason));
    return reason === undefined;
  });
  const late = isLate(context);
  const due = late ? matches.filter((match) => isBlocking(match, context)) : matches;
  if (late && due.length === 0) return context.manifest.header.count === 0 ? SILENCE : TOO_LATE;
  if (late) unsaid.push(UNKNOWN_LATE);
  // A block is delivered even if the lesson was shown before.
  else inherit(event, matches, context);
  const { reply, shown, withheld, crowded } = decideCall(event, call, due, context);
  const latencyUs = context.elapsedUs();
  unsaid.push(...crowded.map((match) => toUnsaid(match, 'budget')));
  return {
    ...(reply === undefined ? {} : { reply }),
    deliveries: context.probe
      ? []
      : [
          ...shown.map((one) => toDelivery(one, event, latencyUs)),
          ...withheld.map((match) => toDelivery({ match, text: '', mode: 'note' }, event, latencyUs, 'holdout')),
        ],
    ...(unsaid.length === 0 ? {} : { unsaid }),
  };
}

interface OtherReplies {
  /** Adds the text about a rewritten call to its result, where the agent read none before the call. */
  complete(decision: Decision): Decision;
  /** The known fix, if the event is a failure that an earlier session got past. */
  knownFix(): Decision | undefined;
  /** The warning before a call that failed before. */
  warning(): Decision | undefined;
}

/** A lesson comes before a known fix, which comes before a warning. */
export function decideDaemonReply(event: AgentEvent, context: DecisionContext, others: OtherReplies): Decision {
  const decision = others.complete(decideReply(event, context));
  // Where a lesson fires, even one that is not shown now, it is about the same mistake.
  const { deliveries, unsaid = [] } = decision;
  if ('callId' in event && deliveries.length + unsaid.length > 0) return decision;
  return others.knownFix() ?? others.warning() ?? decision;
}

function toUnsaid({ lesson }: Match, reason: SkipReason): SkippedLesson {
  return { lessonId: lesson.id, reason };
}

/** A block set by a person works after the deadline, too, because the agent has waited already and a refusal always helps. */
function isBlocking({ lesson }: Match, { manifest, modes }: DecisionContext): boolean {
  const { maxMode } = manifest.header.settings.delivery;
  return decideMode(lesson, { maxMode, modes, canRewrite: false }) === 'block';
}

/** Claims the lessons that the conversation heard before it was forked, so that they are not delivered again. */
function inherit(event: EventOf<'call-started'>, matches: readonly Match[], { claimsDir, probe }: DecisionContext) {
  if (probe || matches.length === 0) return;
  const lessons = matches.map(({ lesson }) => lesson);
  inheritClaims(claimsDir, event, lessons, () => {
    // The end of the file is later than a replayed call, so only a live call may read it.
    const path = event.source === 'hook' ? event.transcriptPath : undefined;
    const text = (path === undefined ? undefined : readEnd(path, MAX_HEARD_BYTES))?.text ?? '';
    const isFromHook = findAdapter(event.agent)?.conversation?.isFromHook;
    return isFromHook === undefined ? [] : parseTrailers(text.split('\n').filter(isFromHook).join('\n'));
  });
}

function toDelivery(
  { match, text, mode }: ShownLesson,
  event: EventOf<'call-started'>,
  latencyUs: number,
  arm: Delivery['arm'] = 'shown',
): Delivery {
  return {
    id: makeId('dlv', Date.parse(event.at)),
    kind: 'call',
    lessonId: match.lesson.id,
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: event.callId,
    mode,
    arm,
    score: match.score.total,
    bytes: Buffer.byteLength(text),
    latencyUs,
    deliveredAt: event.at,
  };
}

type CallContext = Pick<DecisionContext, 'manifest' | 'switches' | 'modes' | 'claimsDir' | 'probe'>;

interface CallDecision {
  readonly reply?: HookReply;
  readonly shown: readonly ShownLesson[];
  /** Claimed like shown lessons, but not delivered, to measure their effect. */
  readonly withheld: readonly Match[];
  /** Lessons for which the budget had no room. */
  readonly crowded: readonly Match[];
}

type Answer = Pick<CallDecision, 'reply' | 'shown'>;

type Started = EventOf<'call-started'>;

interface Plan {
  readonly match: Match;
  readonly mode: DeliveryMode;
  /** The command line after the lesson's correction. */
  readonly command?: string | undefined;
  readonly isWithheld?: boolean;
}

interface Delivering extends CallContext {
  readonly settings: Settings;
  /** The agent repeats a call that was paused. */
  readonly isRetry: boolean;
  /** Lessons that the holdout withholds, if they fit into the budget. */
  readonly held: Set<Match>;
  readonly withheld: Match[];
  /** Lessons that have found no room yet. */
  readonly unasked: Set<Match>;
}

/**
 * Decides how the lessons that fire on a call are delivered: as a note, a pause, a rewrite or a block. One refusal
 * carries all lessons. Without a refusal, at most one lesson rewrites the call, and the others are notes.
 */
export function decideCall(
  event: Started,
  call: CallView,
  matches: readonly Match[],
  context: CallContext,
): CallDecision {
  if (matches.length === 0) return { shown: [], withheld: [], crowded: [] };
  const { settings } = context.manifest.header;
  // In note mode no call was ever paused.
  const isRetry = settings.delivery.maxMode !== 'note' && hasPaused(context.claimsDir, toRefusedCall(event));
  const state: Delivering = { ...context, settings, isRetry, held: new Set(), withheld: [], unasked: new Set() };
  const plans = matches.map((match) => planDelivery(event, call, match, state)).filter(hasChannel(context));
  for (const { match, isWithheld } of plans) if (isWithheld) state.held.add(match);
  const answer = answerCall(event, call, plans, state);
  return { ...answer, withheld: state.withheld, crowded: [...state.unasked] };
}

/** A note goes into the hook after the call, if the hook before it carries none. */
function hasChannel({ modes }: CallContext): (plan: Plan) => boolean {
  return ({ mode }) => mode !== 'note' || modes.includes('note');
}

function answerCall(event: Started, call: CallView, plans: readonly Plan[], state: Delivering): Answer {
  if (plans.some(isRefusal)) return refuse(event, call, plans, state);
  const [rewriting] = plans.filter(({ mode }) => mode === 'rewrite');
  const matches = plans.map(({ match }) => match);
  return (rewriting && rewrite(event, call, { rewriting, plans }, state)) ?? note(event, call, matches, state);
}

type ClaimMatch = (match: Match) => DeliveryMode | undefined;

/** A withheld lesson takes its place in the budget, so that only lessons that would have been shown are withheld. */
function fit(
  event: Started,
  matches: readonly Match[],
  state: Delivering,
  settings: Settings,
  claim: ClaimMatch,
): DeliveredText {
  for (const match of matches) state.unasked.add(match);
  const asked: ClaimMatch = (match) => {
    state.unasked.delete(match);
    if (!state.held.has(match)) return claim(match);
    if (claimNote(event, match, state) !== undefined) state.withheld.push(match);
    return undefined;
  };
  return fitBudget(matches, settings, asked, ({ lesson }) => findCorrected(event, lesson.edit, false));
}

function planDelivery(event: Started, call: CallView, match: Match, state: Delivering): Plan {
  const { lesson } = match;
  const { settings, modes, claimsDir, manifest, probe, isRetry } = state;
  const command = lesson.mode === 'rewrite' ? findCorrected(event, lesson.edit) : undefined;
  const mode = decideMode(lesson, { maxMode: settings.delivery.maxMode, modes, canRewrite: command !== undefined });
  // The agent repeats a call that was paused before, so it runs unchanged.
  if (mode !== 'block' && mode !== 'note' && isRetry) return { match, mode: 'note' };
  // A call without a shape could not be recognized when the agent repeats it.
  if (
    mode === 'pause' &&
    (toRefusedCall(event).shape === ANY_SHAPE || hasPaused(claimsDir, toPause(event, call, match)))
  )
    return { match, mode: 'note' };
  // A lesson that is CRITICAL here, perhaps only because of the project's language, is never withheld.
  const mayWithhold = mode === 'note' && !probe && match.score.level !== 'CRITICAL';
  return { match, mode, command, isWithheld: mayWithhold && isWithheld(lesson, event, manifest.header) };
}

/**
 * The command line after the lesson's correction. `isCertain`: the call itself may be rewritten. That needs the whole
 * input, so it is impossible if the input was no JSON or was cut.
 */
export function findCorrected(
  { input: { command, json, more }, rawTool }: Started,
  edit: CommandEdit | undefined,
  isCertain = true,
): string | undefined {
  if (command === undefined || edit === undefined || (isCertain && (json === '' || more !== undefined)))
    return undefined;
  // The proof that a correction changes nothing else holds for POSIX shells only.
  return isPowerShell(command, rawTool) ? undefined : applyEdit(edit, command, isCertain);
}

function note(event: Started, call: CallView, matches: readonly Match[], state: Delivering): Answer {
  const { held } = state;
  const free = held.size === 0 ? matches : matches.filter((one) => !held.has(one));
  const grouped = groupBySkill(event, call, free, state);
  const all = held.size === 0 ? grouped : [...grouped, ...held].sort(byRank);
  const { text, shown } = fit(event, all, state, state.settings, (match) => claimNote(event, match, state));
  return shown.length === 0 ? { shown } : { reply: { kind: 'note', to: 'call-started', context: text }, shown };
}

/** Lessons that this context has already heard are not part of a skill. */
function groupBySkill(event: Started, call: CallView, matches: readonly Match[], state: Delivering) {
  const { manifest, switches, claimsDir, probe } = state;
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const claimant = toClaimant(event, state.settings);
  const unsaid = matches.filter(({ lesson }) => probe || !hasClaimed(claimsDir, claimant, lesson));
  const { header } = manifest;
  const moment = { at: event.at, sessionId: event.sessionId, switches };
  const isHeard = (lesson: Match['lesson']): boolean =>
    findMomentSilence(lesson, moment, true) === undefined && (probe || !isWithheld(lesson, event, header));
  return combineDense(unsaid, manifest, resolveProjectId(header, call.projectId), isHeard);
}

/** Lessons that refuse come first. If another process paused the call first, or no pause can be recorded, they are notes. */
function refuse(event: Started, call: CallView, plans: readonly Plan[], state: Delivering): Answer {
  const mode = plans.some((plan) => plan.mode === 'block') ? 'block' : 'pause';
  const head = renderRefusal(mode, state.settings.injectionBudgetBytes);
  const ordered = [...plans].sort((a, b) => toRank(a) - toRank(b));
  const modes = new Map(plans.map((plan) => [plan.match, plan.mode]));
  const claim: ClaimMatch = (match) => claimRefusal(event, call, match, modes.get(match), state);
  const matches = ordered.map(({ match }) => match);
  const said = fit(event, matches, state, withRoom(state.settings, head), claim);
  const bare = said.shown.some(isRefusal) ? undefined : findBare(ordered, head, state, claim);
  const shown = bare === undefined ? said.shown : [bare, ...said.shown];
  const refused = shown.filter(isRefusal);
  if (shown.length === 0) return { shown };
  if (refused.length === 0) return { reply: { kind: 'note', to: 'call-started', context: said.text }, shown };
  if (!state.probe) letRetryPass(event, call, plans, state);
  const notice = renderNotice(mode, toWhat(call), toLessons(refused));
  return { reply: { kind: 'refusal', to: 'call-started', reason: toText(head, said), notice }, shown };
}

function claimRefusal(
  event: Started,
  call: CallView,
  match: Match,
  wanted: DeliveryMode | undefined,
  state: Delivering,
): DeliveryMode | undefined {
  const pause = wanted === 'pause' ? takePause(event, call, match, state) : undefined;
  // The lesson counts as shown, even if it was shown before.
  const said = claimNote(event, match, state);
  if (wanted === 'block' || pause === 'made') return wanted;
  // If the pause cannot be recorded, the lesson is at least shown as a note, every time.
  return pause === 'impossible' ? 'note' : said;
}

/**
 * A refusal is never dropped for lack of room: it is shortened to its first line. A budget of 0 switches lessons off, but
 * not the blocks that a person set.
 */
function findBare(
  ordered: readonly Plan[],
  head: string,
  state: Delivering,
  claim: ClaimMatch,
): ShownLesson | undefined {
  const { injectionBudgetBytes, maxLessonsPerInjection } = state.settings;
  const may = (mode: DeliveryMode): boolean =>
    mode === 'block' || (mode === 'pause' && injectionBudgetBytes * maxLessonsPerInjection > 0);
  for (const { match, mode } of ordered) {
    if (!may(mode) || !state.unasked.has(match) || claim(match) !== mode) continue;
    state.unasked.delete(match);
    return { match, text: head, mode };
  }
  return undefined;
}

function isRefusal({ mode }: Pick<ShownLesson, 'mode'>): boolean {
  return mode === 'block' || mode === 'pause';
}

function toRank({ mode }: Plan): number {
  return mode === 'block' ? 0 : mode === 'pause' ? 1 : 2;
}

/** Undefined if the same call was corrected before in this context (the agent means it), or if there is no room. */
function rewrite(
  event: Started,
  call: CallView,
  { rewriting, plans }: { readonly rewriting: Plan; readonly plans: readonly Plan[] },
  state: Delivering,
): Answer | undefined {
  const { match, command } = rewriting;
  const { edit, id, priority } = match.lesson;
  const [step] = edit?.steps ?? [];
  if (command === undefined || step === undefined || !('from' in step)) return undefined;
  const [from, to] = [`${step.from[0]}`, `${step.to[0]}`];
  const { injectionBudgetBytes } = state.settings;
  const head = renderRewrite({ from, to }, injectionBudgetBytes);
  // A call is not changed if there is no room to say so.
  if (Buffer.byteLength(head) > injectionBudgetBytes) return undefined;
  const again = { id: `${id}\n${event.input.command}`, priority };
  if (!state.probe && !claimLesson(state.claimsDir, event, again)) return undefined;
  const others = plans.filter((plan) => plan !== rewriting).map((plan) => plan.match);
  const said = fit(event, [match, ...others], state, withRoom(state.settings, head), (one) => {
    const mode = claimNote(event, one, state);
    return mode !== undefined && one === match ? 'rewrite' : mode;
  });
  const notice = renderNotice('rewrite', `${toWhat(call)}, \`${from}\` to \`${to}\``, [match.lesson]);
  return {
    reply: {
      ...{ kind: 'rewrite', to: 'call-started', input: event.input.json, command },
      ...{ context: toText(head, said), notice },
    },
    // A changed call is a delivery, even if its lesson was shown before.
    shown: said.shown.some((one) => one.match === match)
      ? said.shown
      : [{ match, text: head, mode: 'rewrite' }, ...said.shown],
  };
}

function toText(head: string, { text }: DeliveredText): string {
  return text === '' ? head : `${head}\n\n${text}`;
}

function claimNote(event: Started, { lesson }: Match, state: Delivering): 'note' | undefined {
  return state.probe || claimLesson(state.claimsDir, toClaimant(event, state.settings), lesson) ? 'note' : undefined;
}

function takePause(event: Started, call: CallView, match: Match, { claimsDir, probe }: Delivering): Claim {
  return probe ? 'made' : claimPause(claimsDir, toPause(event, call, match));
}

function toPause({ agent, sessionId }: Started, call: CallView, { lesson }: Match) {
  return { agent, sessionId, lessonId: lesson.id, shape: toCallShape(call, lesson.triggers) };
}

/** Records pauses for the lessons without room, too, so that no other lesson pauses or corrects the retry. */
function letRetryPass(event: Started, call: CallView, plans: readonly Plan[], { claimsDir }: Delivering): void {
  const refusal = toRefusedCall(event);
  if (refusal.shape !== ANY_SHAPE) claimPause(claimsDir, refusal);
  for (const { match, mode } of plans) if (mode === 'pause') claimPause(claimsDir, toPause(event, call, match));
}

/** The settings with the budget that the heading leaves. */
function withRoom(settings: Settings, head: string): Settings {
  return { ...settings, injectionBudgetBytes: settings.injectionBudgetBytes - Buffer.byteLength(`${head}\n\n`) };
}

/** Names the programs, never the command line, which may contain a secret. */
function toWhat({ commands, tool }: CallView): string {
  const programs = [...new Set(commands.map(({ program }) => program).filter(Boolean))];
  return `a call of ${programs.length === 0 ? tool : programs.slice(0, 3).join(', ')}`;
}

function toLessons(shown: readonly ShownLesson[]): readonly Match['lesson'][] {
  return shown.map(({ match }) => match.lesson);
}
