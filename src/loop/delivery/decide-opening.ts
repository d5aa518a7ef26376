/**
 * Decides the reply at the start of a session or a sub-agent. The text of a session has, within the budget and in this
 * order: faults of Oncebitten, CRITICAL lessons, unresolved failures of the project (each once), the number of drafts, and
 * the self-report protocol, whole or not at all.
 */

import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hashText, makeId } from '../../base/ids.ts';
import {
  BRIEF_VERSION,
  type Brief,
  type BriefFailure,
  type BriefKind,
  type OpenSession,
  toFailureKey,
  toSessionKey,
} from '../../base/model/brief.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import type { EventOf } from '../../base/model/event.ts';
import { byWeight } from '../../base/model/lesson.ts';
import { type CompiledLesson, toCriticalKey } from '../../base/model/manifest.ts';
import { findMomentSilence, findPlaceSilence } from '../../base/model/may-fire.ts';
import { isMuted, type Switches } from '../../base/model/switches.ts';
import { toHarmlessLine } from '../../base/text/harmless-text.ts';
import { claimName, dropClaims, markContinuedSession } from '../../match/claims.ts';
import { type Manifest, resolveProjectId } from '../../match/manifest.ts';
import { findDaemonFault } from '../home/daemon-fault.ts';
import { type Decision, type DecisionContext, isLate, type ReplyChannels, SILENCE } from './decision.ts';

/** The reply at the start of a session. */
export function decideSessionOpening(event: EventOf<'session-started'>, context: DecisionContext): Decision {
  forget(event, context);
  if (isLate(context) || isMuted(context.switches, event, Date.parse(event.at))) return SILENCE;
  const { text, failures, dead, deliveries } = decideOpening(event, context);
  if (text === '' || !isFirstOpening(event, context)) return SILENCE;
  const { protocol = '\0', protocolVersion } = context.manifest.header;
  return {
    reply: { kind: 'note', to: 'session-started', context: text },
    deliveries,
    briefed: { failures, dead },
    asked: text.endsWith(protocol) ? protocolVersion : undefined,
  };
}

/** An agent may run the hooks of several settings; a session begins once. */
function isFirstOpening({ start, agent, sessionId }: Start, { claimsDir, probe }: DecisionContext): boolean {
  return start !== 'startup' || probe || claimName(claimsDir, `opened-${hashText(`${agent} ${sessionId}`)}`);
}

/** A sub-agent has not read the opening of its session. */
export function decideSubagentOpening(event: EventOf<'subagent-started'>, context: DecisionContext): Decision {
  const { protocol, protocolVersion: asked, settings } = context.manifest.header;
  if (protocol === undefined || Buffer.byteLength(protocol) > settings.injectionBudgetBytes) return SILENCE;
  if (isLate(context) || isMuted(context.switches, event, Date.parse(event.at))) return SILENCE;
  return { reply: { kind: 'note', to: event.kind, context: protocol }, deliveries: [], asked };
}

/** Lets lessons that the agent forgot be delivered again: all after `clear`, the important ones after compaction. */
function forget(event: EventOf<'session-started'>, context: DecisionContext): void {
  const { compactionReinjectionThreshold } = context.manifest.header.settings;
  if (context.probe) return;
  if (event.start === 'clear') dropClaims(context.claimsDir, event, 0);
  if (event.start === 'compact') dropClaims(context.claimsDir, event, compactionReinjectionThreshold);
  if (event.start === 'fork' || event.start === 'resume') markContinuedSession(context.claimsDir, event);
}

export type OpeningContext = Omit<DecisionContext, keyof ReplyChannels | 'pastDir' | 'memory'>;

interface Opening extends BriefText {
  readonly deliveries: readonly Delivery[];
}

type Start = EventOf<'session-started'>;

const NOTHING: Opening = { text: '', failures: [], dead: [], deliveries: [] };
/** After these starts the agent knows nothing of earlier openings; a resumed session does. */
const OPENINGS = new Set(['startup', 'clear']);
const DEAD_AFTER_MS = 30 * 60_000;
const CRITICAL_HEAD = 'CRITICAL LESSONS from earlier work:';

export function decideOpening(event: Start, context: OpeningContext): Opening {
  const isOpening = OPENINGS.has(event.start);
  if (!isOpening && event.start !== 'compact') return NOTHING;
  const { header } = context.manifest;
  const page = makePage(header.settings.injectionBudgetBytes);
  if (isOpening) page.add(findDaemonFault(context) ?? '');
  const critical = addCritical(page, event, context);
  const last = [...(isOpening ? listLines(context) : []), header.protocol ?? ''];
  const { failures, dead } = isOpening ? addUnresolved(page, event, context, toRoom(last)) : NOTHING;
  for (const part of last) page.add(part);
  const deliveries = context.probe ? [] : critical.map((lesson) => toDelivery(lesson, event, context.elapsedUs()));
  return { text: page.text(), failures, dead, deliveries };
}

/** They are not claimed, so they fire again at the call itself, where they matter. */
function addCritical(page: Page, event: Start, context: OpeningContext): readonly CompiledLesson[] {
  const { manifest, projectId, switches } = context;
  const added: CompiledLesson[] = [];
  for (const lesson of listCritical(manifest, { ...event, projectId, switches })) {
    // The heading is added only together with the first lesson.
    if (page.add(added.length === 0 ? `${CRITICAL_HEAD}\n${toShort(lesson)}` : toShort(lesson))) added.push(lesson);
  }
  return added;
}

/** Keeps room for the short texts of every start, which long failures would crowd out. */
function toRoom(parts: readonly string[]): number {
  return parts.filter((part) => part !== '').reduce((sum, part) => sum + Buffer.byteLength(part) + 1, 0);
}

function addUnresolved(
  page: Page,
  event: Start,
  context: OpeningContext,
  keptBytes: number,
): Pick<BriefText, 'failures' | 'dead'> {
  const brief = readBrief(toBriefFile(context.briefsDir, context.projectId));
  if (brief === undefined) return NOTHING;
  const dead = brief.open
    .filter((session) => session.sessionId !== event.sessionId && isDead(session, Date.parse(event.at)))
    // The command is text, which facts must not contain.
    .map(({ lastCommand: _, ...session }) => session);
  const unresolved = renderBrief(brief, dead, Math.max(0, page.room() - keptBytes));
  // Of two sessions that start at once, only the one that claims these failures reports them. The claim uses their ids,
  // because the same text may be a new failure.
  const isMine = () => claimName(context.claimsDir, `opening-${hashText(toNames(unresolved).join('\n'))}`);
  if (unresolved.text === '' || !(context.probe || isMine())) return NOTHING;
  page.add(unresolved.text);
  return unresolved;
}

/** New lessons are reported once, by the first session that claims this line. */
function listLines({ manifest, projectId, claimsDir, probe }: OpeningContext): readonly string[] {
  const { openings = {} } = manifest.header;
  const here = resolveProjectId(manifest.header, projectId);
  const { learned = '', waiting = '' } = openings[Object.hasOwn(openings, here) ? here : ''] ?? {};
  const isNew = learned !== '' && (probe || claimName(claimsDir, `learned-${hashText(here + learned)}`));
  return [isNew ? learned : '', waiting];
}

function toNames({ failures, dead }: BriefText): readonly string[] {
  return [...failures, ...dead.map(({ agent, sessionId, lastSeenAt }) => `${agent} ${sessionId} ${lastSeenAt}`)];
}

function toShort({ short, slug, summary }: CompiledLesson): string {
  return short ?? `- ${slug}: ${toHarmlessLine(summary)}`;
}

function toDelivery(lesson: CompiledLesson, event: Start, latencyUs: number): Delivery {
  return {
    id: makeId('dlv', Date.parse(event.at)),
    kind: 'session-start',
    lessonId: lesson.id,
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: '',
    mode: 'note',
    arm: 'shown',
    score: 0,
    bytes: Buffer.byteLength(toShort(lesson)),
    latencyUs,
    deliveredAt: event.at,
  };
}

export function toBriefFile(briefsDir: string, projectId: string): string {
  return join(briefsDir, `${hashText(projectId)}.json`);
}

function readBrief(file: string): Brief | undefined {
  try {
    const brief = JSON.parse(readFileSync(file, 'utf8')) as Brief;
    return brief.type === 'brief' && brief.version === BRIEF_VERSION ? brief : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a process on another host is alive is not known here. */
function isDead({ host, pid, lastSeenAt }: OpenSession, nowMs: number): boolean {
  return host === hostname() && nowMs - Date.parse(lastSeenAt) > DEAD_AFTER_MS && !isAlive(pid);
}

export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const MAX_CRITICAL = 5;

interface Moment {
  readonly projectId: string;
  readonly sessionId: string;
  readonly at: string;
  readonly switches: Switches;
}

/** The most important CRITICAL lessons that apply here. */
export function listCritical(manifest: Manifest, { projectId, ...moment }: Moment): readonly CompiledLesson[] {
  const here = resolveProjectId(manifest.header, projectId);
  const place = { projectId: here, sessionId: moment.sessionId };
  const firing = manifest
    .find([toCriticalKey(here), toCriticalKey('')])
    // No lesson counts as urgent here, because it fires again at the call, where it matters.
    .filter((lesson) => (findPlaceSilence(lesson, place) ?? findMomentSilence(lesson, moment, false)) === undefined);
  // Not `toSorted`, which Node 18 lacks; the list is our own.
  return firing.sort(byWeight).slice(0, MAX_CRITICAL);
}

interface BriefText {
  readonly text: string;
  /** Ids of the stored calls that are in the text. */
  readonly failures: readonly string[];
  readonly dead: readonly OpenSession[];
}

/** Renders a brief within a budget. Entries without room wait for the next session. */
export function renderBrief(
  brief: Pick<Brief, 'failures' | 'texts'>,
  dead: readonly OpenSession[],
  budgetBytes: number,
): BriefText {
  const page = makePage(budgetBytes);
  /** Adds items in order up to the first without room, so that a small item does not overtake an older one. */
  const addAll = <T>(kind: BriefKind, items: readonly T[], toKey: (item: T) => string): readonly T[] => {
    const added: T[] = [];
    for (const item of items) {
      const entry = brief.texts?.[toKey(item)];
      // The brief was written by an earlier version; the daemon will rewrite it.
      if (entry === undefined) continue;
      // The first entry carries the heading, so that no heading stands alone.
      const text = added.length === 0 ? `${brief.texts?.[kind]}\n${entry}` : entry;
      if (Buffer.byteLength(text) > budgetBytes) continue;
      if (!page.add(text)) break;
      added.push(item);
    }
    return added;
  };
  const addedFailures = [
    ...addAll('failures', brief.failures.filter(isCall), toFailureKey),
    ...addAll('hooks', brief.failures.filter(isHook), toFailureKey),
  ];
  const addedDead = addAll('dead', dead, toSessionKey);
  return { text: page.text(), failures: addedFailures.flatMap((failure) => failure.ids), dead: addedDead };
}

function isHook({ hook }: BriefFailure): boolean {
  return hook !== undefined;
}

function isCall(failure: BriefFailure): boolean {
  return !isHook(failure);
}

/** A text made of parts that never exceeds a number of bytes. A part without room is left out whole. */
interface Page {
  /** The bytes left for the next part. */
  room(): number;
  /** False if the part has no room; true for an empty part, which adds nothing. */
  add(part: string): boolean;
  text(): string;
}

function makePage(budgetBytes: number): Page {
  const parts: string[] = [];
  let left = budgetBytes;
  const room = (): number => Math.max(0, left - (parts.length === 0 ? 0 : 1));
  return {
    room,
    add: (part) => {
      if (part === '') return true;
      const bytes = Buffer.byteLength(part);
      if (bytes > room()) return false;
      left = room() - bytes;
      parts.push(part);
      return true;
    },
    text: () => parts.join('\n'),
  };
}
