/**
 * Decides how the lessons that fire on a call are delivered, and makes the text that the agent reads: the mode of each
 * lesson (note, pause, rewrite or block), its claim, the lessons that fit into the budget of lessons and bytes (the first
 * always fits), the line about a paused, refused or changed call, and the trailer.
 */

import type { HookReply } from '../base/contracts/agent-adapter.ts';
import type { AgentCapabilities } from '../base/contracts/agent-capabilities.ts';
import type { EventOf } from '../base/model/event.ts';
import { DELIVERY_MODES, type DeliveryMode } from '../base/model/lesson.ts';
import type { CompiledLesson } from '../base/model/manifest.ts';
import { findMomentSilence, isWithheld } from '../base/model/may-fire.ts';
import type { Settings } from '../base/model/settings.ts';
import type { Switches } from '../base/model/switches.ts';
import { applyEdit, type CommandEdit } from '../base/shell/command-edit.ts';
import { isPowerShell } from '../base/shell/power-shell.ts';
import { toHarmless, toHarmlessLine } from '../base/text/harmless-text.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import {
  ANY_SHAPE,
  type Claim,
  claimLesson,
  claimPause,
  hasClaimed,
  hasPaused,
  toCallShape,
  toClaimant,
  toRefusedCall,
} from './claims.ts';
import { combineDense, frameGroups } from './lesson-groups.ts';
import { type Manifest, resolveProjectId } from './manifest.ts';
import { byRank, type Match } from './match-lessons.ts';
import { renderNotice, renderRefusal, renderRewrite, renderTrailer } from './reply-lines.ts';

interface CallContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  /** The modes that the agent supports before a call. */
  readonly modes: AgentCapabilities['beforeCall'];
  readonly claimsDir: string;
  /** A probe gets the reply, but claims nothing. */
  readonly probe: boolean;
}

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
export function decideDelivery(
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
  const unheard = matches.filter(({ lesson }) => probe || !hasClaimed(claimsDir, claimant, lesson));
  const { header } = manifest;
  const moment = { at: event.at, sessionId: event.sessionId, switches };
  const mayMention = (lesson: Match['lesson']): boolean =>
    findMomentSilence(lesson, moment, true) === undefined && (probe || !isWithheld(lesson, event, header));
  return combineDense(unheard, manifest, resolveProjectId(header, call.projectId), mayMention);
}

/** Lessons that refuse come first. If another process paused the call first, or no pause can be recorded, they are notes. */
function refuse(event: Started, call: CallView, plans: readonly Plan[], state: Delivering): Answer {
  const mode = plans.some((plan) => plan.mode === 'block') ? 'block' : 'pause';
  const head = renderRefusal(mode, state.settings.injectionBudgetBytes);
  const ordered = [...plans].sort((a, b) => toOrder(a) - toOrder(b));
  const modes = new Map(plans.map((plan) => [plan.match, plan.mode]));
  const claim: ClaimMatch = (match) => claimRefusal(event, call, match, modes.get(match), state);
  const matches = ordered.map(({ match }) => match);
  const fitted = fit(event, matches, state, withRoom(state.settings, head), claim);
  const headOnly = fitted.shown.some(isRefusal) ? undefined : findHeadOnly(ordered, head, state, claim);
  const shown = headOnly === undefined ? fitted.shown : [headOnly, ...fitted.shown];
  const refused = shown.filter(isRefusal);
  if (shown.length === 0) return { shown };
  if (refused.length === 0) return { reply: { kind: 'note', to: 'call-started', context: fitted.text }, shown };
  if (!state.probe) letRetryPass(event, call, plans, state);
  const notice = renderNotice(mode, toWhat(call), toLessons(refused));
  return { reply: { kind: 'refusal', to: 'call-started', reason: toText(head, fitted), notice }, shown };
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
  const noted = claimNote(event, match, state);
  if (wanted === 'block' || pause === 'made') return wanted;
  // If the pause cannot be recorded, the lesson is at least shown as a note, every time.
  return pause === 'impossible' ? 'note' : noted;
}

/**
 * A refusal is never dropped for lack of room: it is shortened to its first line. A budget of 0 switches lessons off, but
 * not the blocks that a person set.
 */
function findHeadOnly(
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

function toOrder({ mode }: Plan): number {
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
  const fitted = fit(event, [match, ...others], state, withRoom(state.settings, head), (one) => {
    const mode = claimNote(event, one, state);
    return mode !== undefined && one === match ? 'rewrite' : mode;
  });
  const notice = renderNotice('rewrite', `${toWhat(call)}, \`${from}\` to \`${to}\``, [match.lesson]);
  return {
    reply: {
      kind: 'rewrite',
      to: 'call-started',
      input: event.input.json,
      command,
      context: toText(head, fitted),
      notice,
    },
    // A changed call is a delivery, even if its lesson was shown before.
    shown: fitted.shown.some((one) => one.match === match)
      ? fitted.shown
      : [{ match, text: head, mode: 'rewrite' }, ...fitted.shown],
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

export interface ShownLesson {
  readonly match: Match;
  readonly text: string;
  readonly mode: DeliveryMode;
}

interface DeliveredText {
  /** The whole text as the agent reads it. Empty if no lesson is shown. */
  readonly text: string;
  readonly shown: readonly ShownLesson[];
}

type Limits = Pick<Settings, 'injectionBudgetBytes' | 'maxLessonsPerInjection'>;

const SEPARATOR = '\n\n';
/** The mode is known only after the claim, so the budget reserves room for the longest name. */
const LONGEST: DeliveryMode = 'rewrite';

/**
 * `claim` returns the delivery mode of a lesson, or undefined if the lesson may not be shown. It is called only for
 * lessons that will be shown, because a lesson that is claimed but not shown would be lost.
 */
export function fitBudget(
  matches: readonly Match[],
  { injectionBudgetBytes, maxLessonsPerInjection }: Limits,
  claim: (match: Match) => DeliveryMode | undefined,
  correct: Correct = () => undefined,
): DeliveredText {
  const shown: ShownLesson[] = [];
  let hasTrailer = true;
  for (const match of matches) {
    if (!isNext(match, shown) && countShown(shown) === maxLessonsPerInjection) break;
    const fitting = findFitting(match, shown, { budget: injectionBudgetBytes, hasTrailer, correct });
    // Without text there is nothing to claim: a budget of zero bytes switches lessons off.
    const mode = fitting && claim(match);
    if (fitting === undefined || mode === undefined) continue;
    shown.push({ match, text: fitting.text, mode });
    hasTrailer = fitting.hasTrailer;
  }
  const all = frameGroups(shown, (some) => Buffer.byteLength(join(some, hasTrailer)) <= injectionBudgetBytes);
  return { text: join(all, hasTrailer), shown: all };
}

/** Is the lesson part of the same group as the last one? */
function isNext({ together }: Match, shown: readonly ShownLesson[]): boolean {
  return together !== undefined && together === shown.at(-1)?.match.together;
}

/** The lessons of a group count as one. */
function countShown(shown: readonly ShownLesson[]): number {
  return new Set(shown.map(({ match }) => match.together ?? match)).size;
}

/** The corrected command line of the call at hand; undefined if the lesson has no certain correction. */
type Correct = (match: Match) => string | undefined;

const MAX_CORRECTED = 300;

/** Renders the correction as code on its own line. Empty for text that would not read as one command. */
export function toCorrection(command = ''): string {
  const isUsable = command !== '' && command.length <= MAX_CORRECTED && !/[`\n]/.test(command);
  return isUsable && toHarmless(command) === command ? `\nThis call, corrected: \`${command}\`` : '';
}

interface Fitting {
  readonly text: string;
  readonly hasTrailer: boolean;
}

/** If room is short, the trailer is dropped before any word of the first lesson's summary. */
function findFitting(
  match: Match,
  before: readonly ShownLesson[],
  { budget, hasTrailer, correct }: { readonly budget: number; readonly hasTrailer: boolean; readonly correct: Correct },
): Fitting | undefined {
  const summary = toHarmlessLine(match.lesson.summary);
  const line = toCorrection(correct(match));
  const { text: whole } = match.lesson;
  const texts = [whole + line, whole, summary + line, summary].filter((text) => text !== '');
  const isFirst = before.length === 0;
  for (const trailed of isFirst ? [true, false] : [hasTrailer]) {
    const fits = (text: string): boolean =>
      Buffer.byteLength(join([...before, { match, text, mode: LONGEST }], trailed)) <= budget;
    const text = texts.find(fits);
    if (text !== undefined) return { text, hasTrailer: trailed };
  }
  const cut = isFirst ? cutSummary(summary, budget) : '';
  return cut === '' ? undefined : { text: cut, hasTrailer: false };
}

/**
 * Keeps as many whole words as fit and leaves no quote open. Simpler than `base/text/short-text.ts`, because it runs
 * while an agent waits.
 */
function cutSummary(summary: string, budget: number): string {
  let text = summary;
  while (text !== '' && (Buffer.byteLength(`${text} …`) > budget || isOpen(text)))
    text = text.slice(0, Math.max(0, text.lastIndexOf(' ')));
  return text && `${text} …`;
}

function isOpen(text: string): boolean {
  return ['`', '"'].some((quote) => text.split(quote).length % 2 === 0);
}

function join(shown: readonly ShownLesson[], hasTrailer: boolean): string {
  const texts = shown.map((one) => one.text).join(SEPARATOR);
  if (shown.length === 0 || !hasTrailer) return texts;
  const trailed = shown.map(({ match, mode }) => ({ lesson: match.lesson, mode, score: match.score.total }));
  return `${texts}\n${renderTrailer(trailed)}`;
}

interface ModeLimits {
  /** The limit that the user set. */
  readonly maxMode: DeliveryMode;
  /** The modes that the agent supports. */
  readonly modes: readonly DeliveryMode[];
  /** The correction is certain for this very call. */
  readonly canRewrite: boolean;
}

/** The mode goes no further than the lesson, the user's settings and the agent allow. */
export function decideMode(
  { mode }: Pick<CompiledLesson, 'mode'>,
  { maxMode, modes, canRewrite }: ModeLimits,
): DeliveryMode {
  const may = (wanted: DeliveryMode): boolean => modes.includes(wanted) && toRank(wanted) <= toRank(maxMode);
  if (mode === 'note') return 'note';
  if (mode === 'block' && may('block')) return 'block';
  // A lesson that blocks does not rewrite.
  if (mode === 'rewrite' && canRewrite && may('rewrite')) return 'rewrite';
  return may('pause') ? 'pause' : 'note';
}

function toRank(mode: DeliveryMode): number {
  return DELIVERY_MODES.indexOf(mode);
}
