/**
 * Decides how the lessons that fire on a call are delivered: as a note, a pause, a rewrite or a block. One refusal
 * carries all lessons. Without a refusal, at most one lesson rewrites the call, and the others are notes.
 */

import type { HookReply } from '../../base/contracts/agent-adapter.ts';
import type { EventOf } from '../../base/model/event.ts';
import type { DeliveryMode } from '../../base/model/lesson.ts';
import { findMomentSilence, isWithheld } from '../../base/model/may-fire.ts';
import type { Settings } from '../../base/model/settings.ts';
import type { Switches } from '../../base/model/switches.ts';
import { applyEdit, type CommandEdit } from '../../base/shell/command-edit.ts';
import { isPowerShell } from '../../base/shell/power-shell.ts';
import type { CallView } from '../../base/triggers/call-view.ts';
import {
  ANY_LESSON,
  ANY_SHAPE,
  type Claim,
  claimLesson,
  claimPause,
  hasClaimed,
  hasPaused,
  toCallShape,
  toClaimant,
} from '../../match/claims.ts';
import { type Manifest, resolveProjectId } from '../../match/manifest.ts';
import { byRank, type Match } from '../../match/match-lessons.ts';
import {
  combineDense,
  type DeliveredText,
  decideMode,
  fitBudget,
  renderNotice,
  renderRefusal,
  renderRewrite,
  type ShownLesson,
} from '../../match/reply-text.ts';

interface CallContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  readonly settings: Settings;
  /** The delivery modes that the agent supports. */
  readonly modes: readonly DeliveryMode[];
  readonly claimsDir: string;
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

type Spoken = Pick<CallDecision, 'reply' | 'shown'>;

type Started = EventOf<'call-started'>;

interface Wish {
  readonly match: Match;
  readonly mode: DeliveryMode;
  /** The command line after the lesson's correction. */
  readonly command?: string | undefined;
  readonly isWithheld?: boolean;
}

/** What becomes of the lessons that would speak. */
interface Turn extends CallContext {
  readonly held: ReadonlySet<Match>;
  readonly withheld: Match[];
  readonly unasked: Set<Match>;
}

export function decideCall(
  event: Started,
  call: CallView,
  matches: readonly Match[],
  context: CallContext,
): CallDecision {
  if (matches.length === 0) return { shown: [], withheld: [], crowded: [] };
  // In note mode no call was ever paused.
  const isRetry = context.settings.delivery.maxMode !== 'note' && hasPaused(context.claimsDir, toRefusal(event));
  const wishes = matches.map((match) => toWish(event, call, match, { ...context, isRetry }));
  const held = new Set(wishes.filter((wish) => wish.isWithheld).map(({ match }) => match));
  const turn: Turn = { ...context, held, withheld: [], unasked: new Set() };
  const spoken = speak(event, call, wishes, turn);
  return { ...spoken, withheld: turn.withheld, crowded: [...turn.unasked] };
}

function speak(event: Started, call: CallView, wishes: readonly Wish[], turn: Turn): Spoken {
  if (wishes.some(isRefusal)) return refuse(event, call, wishes, turn);
  const [rewriting] = wishes.filter(({ mode }) => mode === 'rewrite');
  const matches = wishes.map(({ match }) => match);
  return (rewriting && rewrite(event, call, { rewriting, wishes }, turn)) ?? note(event, call, matches, turn);
}

type ClaimMatch = (match: Match) => DeliveryMode | undefined;

/** A withheld lesson takes its place in the budget, so that only lessons that would have been shown are withheld. */
function fit(
  event: Started,
  matches: readonly Match[],
  turn: Turn,
  settings: Settings,
  claim: ClaimMatch,
): DeliveredText {
  for (const match of matches) turn.unasked.add(match);
  const asked: ClaimMatch = (match) => {
    turn.unasked.delete(match);
    if (!turn.held.has(match)) return claim(match);
    if (claimNote(event, match, turn) !== undefined) turn.withheld.push(match);
    return undefined;
  };
  return fitBudget(matches, settings, asked, ({ lesson }) => findCorrected(event, lesson.edit, false));
}

function toWish(
  event: Started,
  call: CallView,
  match: Match,
  context: CallContext & { readonly isRetry: boolean },
): Wish {
  const { lesson } = match;
  const { settings, modes, claimsDir, manifest, probe } = context;
  const command = lesson.mode === 'rewrite' ? findCorrected(event, lesson.edit) : undefined;
  const mode = decideMode(lesson, { maxMode: settings.delivery.maxMode, modes, canRewrite: command !== undefined });
  // The agent repeats a call that was paused before, so it runs unchanged.
  if (mode !== 'block' && mode !== 'note' && context.isRetry) return { match, mode: 'note' };
  // A call without a shape could not be recognized when the agent repeats it.
  if (mode === 'pause' && (toRefusal(event).shape === ANY_SHAPE || hasPaused(claimsDir, toPause(event, call, match))))
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

function note(event: Started, call: CallView, matches: readonly Match[], turn: Turn): Spoken {
  const { held } = turn;
  const told = tellTogether(event, call, held.size === 0 ? matches : matches.filter((one) => !held.has(one)), turn);
  const all = held.size === 0 ? told : [...told, ...held].sort(byRank);
  const { text, shown } = fit(event, all, turn, turn.settings, (match) => claimNote(event, match, turn));
  return shown.length === 0 ? { shown } : { reply: { kind: 'note', to: 'call-started', context: text }, shown };
}

/** Lessons that this context has already heard are not part of a skill. */
function tellTogether(event: Started, call: CallView, matches: readonly Match[], context: CallContext) {
  const { manifest, switches, claimsDir, probe } = context;
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const claimant = toClaimant(event, context.settings);
  const unsaid = matches.filter(({ lesson }) => probe || !hasClaimed(claimsDir, claimant, lesson));
  const { header } = manifest;
  const moment = { at: event.at, sessionId: event.sessionId, switches };
  const isHeard = (lesson: Match['lesson']): boolean =>
    findMomentSilence(lesson, moment, true) === undefined && (probe || !isWithheld(lesson, event, header));
  return combineDense(unsaid, manifest, resolveProjectId(header, call.projectId), isHeard);
}

/** Lessons that refuse come first. If another process paused the call first, or no pause can be recorded, they are notes. */
function refuse(event: Started, call: CallView, wishes: readonly Wish[], turn: Turn): Spoken {
  const mode = wishes.some((wish) => wish.mode === 'block') ? 'block' : 'pause';
  const head = renderRefusal(mode, turn.settings.injectionBudgetBytes);
  const ordered = [...wishes].sort((a, b) => toRank(a) - toRank(b));
  const modes = new Map(wishes.map((wish) => [wish.match, wish.mode]));
  const claim: ClaimMatch = (match) => claimRefusal(event, call, match, modes.get(match), turn);
  const matches = ordered.map(({ match }) => match);
  const said = fit(event, matches, turn, withRoom(turn.settings, head), claim);
  const bare = said.shown.some(isRefusal) ? undefined : findBare(ordered, head, turn, claim);
  const shown = bare === undefined ? said.shown : [bare, ...said.shown];
  const refused = shown.filter(isRefusal);
  if (shown.length === 0) return { shown };
  if (refused.length === 0) return { reply: { kind: 'note', to: 'call-started', context: said.text }, shown };
  if (!turn.probe) letRetryPass(event, call, wishes, turn);
  const notice = renderNotice(mode, toWhat(call), toLessons(refused));
  return { reply: { kind: 'refusal', to: 'call-started', reason: toText(head, said), notice }, shown };
}

function claimRefusal(
  event: Started,
  call: CallView,
  match: Match,
  wanted: DeliveryMode | undefined,
  context: CallContext,
): DeliveryMode | undefined {
  const pause = wanted === 'pause' ? takePause(event, call, match, context) : undefined;
  // The lesson counts as shown, even if it was shown before.
  const said = claimNote(event, match, context);
  if (wanted === 'block' || pause === 'made') return wanted;
  // If the pause cannot be recorded, the lesson is at least shown as a note, every time.
  return pause === 'impossible' ? 'note' : said;
}

/**
 * A refusal is never dropped for lack of room: it is shortened to its first line. A budget of 0 switches lessons off, but
 * not the blocks that a person set.
 */
function findBare(ordered: readonly Wish[], head: string, turn: Turn, claim: ClaimMatch): ShownLesson | undefined {
  const { injectionBudgetBytes, maxLessonsPerInjection } = turn.settings;
  const may = (mode: DeliveryMode): boolean =>
    mode === 'block' || (mode === 'pause' && injectionBudgetBytes * maxLessonsPerInjection > 0);
  for (const { match, mode } of ordered) {
    if (!may(mode) || !turn.unasked.has(match) || claim(match) !== mode) continue;
    turn.unasked.delete(match);
    return { match, text: head, mode };
  }
  return undefined;
}

function isRefusal({ mode }: Pick<ShownLesson, 'mode'>): boolean {
  return mode === 'block' || mode === 'pause';
}

function toRank({ mode }: Wish): number {
  return mode === 'block' ? 0 : mode === 'pause' ? 1 : 2;
}

/** Undefined if the same call was corrected before in this context (the agent means it), or if there is no room. */
function rewrite(
  event: Started,
  call: CallView,
  { rewriting, wishes }: { readonly rewriting: Wish; readonly wishes: readonly Wish[] },
  context: Turn,
): Spoken | undefined {
  const { match, command } = rewriting;
  const { edit, id, priority } = match.lesson;
  const [step] = edit?.steps ?? [];
  if (command === undefined || step === undefined || !('from' in step)) return undefined;
  const [from, to] = [`${step.from[0]}`, `${step.to[0]}`];
  const { injectionBudgetBytes } = context.settings;
  const head = renderRewrite({ from, to }, injectionBudgetBytes);
  // A call is not changed if there is no room to say so.
  if (Buffer.byteLength(head) > injectionBudgetBytes) return undefined;
  const again = { id: `${id}\n${event.input.command}`, priority };
  if (!context.probe && !claimLesson(context.claimsDir, event, again)) return undefined;
  const others = wishes.filter((wish) => wish !== rewriting).map((wish) => wish.match);
  const said = fit(event, [match, ...others], context, withRoom(context.settings, head), (one) => {
    const mode = claimNote(event, one, context);
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

function claimNote(event: Started, { lesson }: Match, context: CallContext): 'note' | undefined {
  return context.probe || claimLesson(context.claimsDir, toClaimant(event, context.settings), lesson)
    ? 'note'
    : undefined;
}

function takePause(event: Started, call: CallView, match: Match, { claimsDir, probe }: CallContext): Claim {
  return probe ? 'made' : claimPause(claimsDir, toPause(event, call, match));
}

function toPause({ agent, sessionId }: Started, call: CallView, { lesson }: Match) {
  return { agent, sessionId, lessonId: lesson.id, shape: toCallShape(call, lesson.triggers) };
}

/** Records pauses for the lessons without room, too, so that no other lesson pauses or corrects the retry. */
function letRetryPass(event: Started, call: CallView, wishes: readonly Wish[], { claimsDir }: CallContext): void {
  const refusal = toRefusal(event);
  if (refusal.shape !== ANY_SHAPE) claimPause(claimsDir, refusal);
  for (const { match, mode } of wishes) if (mode === 'pause') claimPause(claimsDir, toPause(event, call, match));
}

/** The key of this exact call, whichever lessons refused it. It has no shape if the input was no JSON. */
function toRefusal({ agent, sessionId, input }: Started) {
  return { agent, sessionId, lessonId: ANY_LESSON, shape: input.command || input.json };
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
