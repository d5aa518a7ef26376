/**
 * Builds the text at the start of a session, within the budget and in this order: faults of Oncebitten, CRITICAL lessons,
 * unresolved failures of the project (each once), the number of drafts, and the self-report protocol, whole or not at all.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { hashText, makeId } from '../../base/ids.ts';
import { BRIEF_VERSION, type Brief, type OpenSession } from '../../base/model/brief.ts';
import type { Delivery } from '../../base/model/delivery.ts';
import type { EventOf } from '../../base/model/event.ts';
import type { CompiledLesson } from '../../base/model/manifest.ts';
import type { Switches } from '../../base/model/switches.ts';
import { claimName } from '../../match/claims.ts';
import { toHarmlessLine } from '../../match/harmless-text.ts';
import { type Manifest, resolveProjectId } from '../../match/manifest.ts';
import { type BriefText, listCritical, makePage, type Page, renderBrief } from '../../match/session-opening.ts';
import { findTrouble } from '../home/trouble.ts';

export interface OpeningContext {
  readonly manifest: Manifest;
  readonly switches: Switches;
  readonly briefsDir: string;
  readonly troubleFile: string;
  readonly claimsDir: string;
  readonly projectId: string;
  readonly probe: boolean;
  readonly elapsedUs: () => number;
}

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
  if (isOpening) page.add(findTrouble(context) ?? '');
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
  const told: CompiledLesson[] = [];
  for (const lesson of listCritical(manifest, { ...event, projectId, switches })) {
    // The heading is added only together with the first lesson.
    if (page.add(told.length === 0 ? `${CRITICAL_HEAD}\n${toShort(lesson)}` : toShort(lesson))) told.push(lesson);
  }
  return told;
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
