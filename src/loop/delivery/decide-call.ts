/**
 * How the lessons that speak reach a call: as a note beside it, by refusing it once, by correcting its input, or by
 * refusing it. One refusal carries all; where nothing is refused, at most one lesson corrects; the others are notes.
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
import type { Claim } from '../../match/claims.ts';
import {
  ANY_LESSON,
  ANY_SHAPE,
  type Claimant,
  claimLesson,
  claimPause,
  hasClaimed,
  hasPaused,
  toCallShape,
} from '../../match/claims.ts';
import { combineDense, type DeliveredText, fitBudget, type ShownLesson } from '../../match/fit-budget.ts';
import { type Manifest, toProjectHere } from '../../match/manifest.ts';
import { byRank, type Match } from '../../match/match-lessons.ts';
import { decideMode, renderNotice, renderRefusal, renderRewrite } from '../../match/modes.ts';

interface CallContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  readonly settings: Settings;
  /** What the agent can. */
  readonly modes: readonly DeliveryMode[];
  readonly claimsDir: string;
  readonly probe: boolean;
}

interface CallDecision {
  readonly reply?: HookReply;
  readonly shown: readonly ShownLesson[];
  /** Claimed like what is shown, and not said: so it is seen what they change. */
  readonly withheld: readonly Match[];
  /** There was no room for them. */
  readonly crowded: readonly Match[];
}

type Spoken = Pick<CallDecision, 'reply' | 'shown'>;

type Started = EventOf<'call-started'>;

interface Wish {
  readonly match: Match;
  readonly mode: DeliveryMode;
  /** The command line as the lesson corrects it. */
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
  // Where nothing may be held back, nothing was.
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

/** What is withheld is asked for in its place, so that nothing is withheld that would not have been said. */
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
  // Held back before, by this lesson or with others: it passes, and as it is.
  if (mode !== 'block' && mode !== 'note' && context.isRetry) return { match, mode: 'note' };
  // What has no shape could not be told from another call when it is made again.
  if (mode === 'pause' && (toRefusal(event).shape === ANY_SHAPE || hasPaused(claimsDir, toPause(event, call, match))))
    return { match, mode: 'note' };
  // Nor what is CRITICAL here, where the project's language may make it so.
  const mayWithhold = mode === 'note' && !probe && match.score.level !== 'CRITICAL';
  return { match, mode, command, isWithheld: mayWithhold && isWithheld(lesson, event, manifest.header) };
}

/**
 * The line of the call as the lesson would have it. `isCertain`: as it may be changed before it runs. Then the input is
 * given back whole, which is impossible of one that could not be told as JSON, or was cut.
 */
export function findCorrected(
  { input: { command, json, more }, rawTool }: Started,
  edit: CommandEdit | undefined,
  isCertain = true,
): string | undefined {
  if (command === undefined || edit === undefined || (isCertain && (json === '' || more !== undefined)))
    return undefined;
  // The proof that nothing else changes is one about another shell's lines.
  return isPowerShell(command, rawTool) ? undefined : applyEdit(edit, command, isCertain);
}

function note(event: Started, call: CallView, matches: readonly Match[], turn: Turn): Spoken {
  const { held } = turn;
  const told = tellTogether(event, call, held.size === 0 ? matches : matches.filter((one) => !held.has(one)), turn);
  const all = held.size === 0 ? told : [...told, ...held].sort(byRank);
  const { text, shown } = fit(event, all, turn, turn.settings, (match) => claimNote(event, match, turn));
  return shown.length === 0 ? { shown } : { reply: { kind: 'note', to: 'call-started', context: text }, shown };
}

/** What was said before in this context is no part of what is said together. */
function tellTogether(event: Started, call: CallView, matches: readonly Match[], context: CallContext) {
  const { manifest, switches, claimsDir, probe } = context;
  if (manifest.header.skills === undefined || matches.length < 2) return matches;
  const claimant = toClaimant(event, context);
  const unsaid = matches.filter(({ lesson }) => probe || !hasClaimed(claimsDir, claimant, lesson));
  const { header } = manifest;
  const moment = { at: event.at, sessionId: event.sessionId, switches };
  const isHeard = (lesson: Match['lesson']): boolean =>
    findMomentSilence(lesson, moment, true) === undefined && (probe || !isWithheld(lesson, event, header));
  return combineDense(unsaid, manifest, toProjectHere(header, call.projectId), isHeard);
}

/** Those that refuse come first. Who finds that another was faster, or that nothing can be written down, only notes. */
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
  // It counts as said, whether it was before or not.
  const said = claimNote(event, match, context);
  if (wanted === 'block' || pause === 'made') return wanted;
  // What was worth a refusal is at least said, again and again while nothing can be written down.
  return pause === 'impossible' ? 'note' : said;
}

/**
 * No refusal is lost for want of room: then the first line is all of it. A limit of nothing switches lessons off, but not
 * what a person wants refused.
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

/** Undefined when the very same call was corrected before in this context: then it is meant as it is. Or without room. */
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
  // What cannot be told is not done.
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
    // A call that is changed is a delivery, also where the lesson itself was said before.
    shown: said.shown.some((one) => one.match === match)
      ? said.shown
      : [{ match, text: head, mode: 'rewrite' }, ...said.shown],
  };
}

function toText(head: string, { text }: DeliveredText): string {
  return text === '' ? head : `${head}\n\n${text}`;
}

function claimNote(event: Started, { lesson }: Match, context: CallContext): 'note' | undefined {
  return context.probe || claimLesson(context.claimsDir, toClaimant(event, context), lesson) ? 'note' : undefined;
}

function toClaimant(event: Started, { settings }: CallContext): Claimant {
  return settings.dedup === 'session' ? { ...event, contextId: '' } : event;
}

function takePause(event: Started, call: CallView, match: Match, { claimsDir, probe }: CallContext): Claim {
  return probe ? 'made' : claimPause(claimsDir, toPause(event, call, match));
}

function toPause({ agent, sessionId }: Started, call: CallView, { lesson }: Match) {
  return { agent, sessionId, lessonId: lesson.id, shape: toCallShape(call, lesson.triggers) };
}

/** Lessons that had no room would hold the retry back, and others correct what is meant as it is. */
function letRetryPass(event: Started, call: CallView, wishes: readonly Wish[], { claimsDir }: CallContext): void {
  const refusal = toRefusal(event);
  if (refusal.shape !== ANY_SHAPE) claimPause(claimsDir, refusal);
  for (const { match, mode } of wishes) if (mode === 'pause') claimPause(claimsDir, toPause(event, call, match));
}

/** This very call, whichever lessons refused it. Without a shape where its input could not be told as JSON. */
function toRefusal({ agent, sessionId, input }: Started) {
  return { agent, sessionId, lessonId: ANY_LESSON, shape: input.command || input.json };
}

/** What we say around the lessons counts too. */
function withRoom(settings: Settings, head: string): Settings {
  return { ...settings, injectionBudgetBytes: settings.injectionBudgetBytes - Buffer.byteLength(`${head}\n\n`) };
}

/** The programs by name, never the line: it may hold a secret. */
function toWhat({ commands, tool }: CallView): string {
  const programs = [...new Set(commands.map(({ program }) => program).filter(Boolean))];
  return `a call of ${programs.length === 0 ? tool : programs.slice(0, 3).join(', ')}`;
}

function toLessons(shown: readonly ShownLesson[]): readonly Match['lesson'][] {
  return shown.map(({ match }) => match.lesson);
}
