/** What a session hears at its start: what is unresolved in its project, each thing once. */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { BRIEF_VERSION, type Brief, type OpenSession } from '../../base/brief.ts';
import type { EventOf } from '../../base/event.ts';
import { hashText } from '../../base/hash.ts';
import { claimName } from '../../match/claim-name.ts';
import { type BriefText, renderBrief } from '../../match/render-brief.ts';
import { findTrouble } from './find-trouble.ts';

export interface OpeningContext {
  readonly briefsDir: string;
  readonly troubleFile: string;
  readonly claimsDir: string;
  readonly projectId: string;
  readonly budgetBytes: number;
  readonly protocol: string | undefined;
  readonly probe: boolean;
}

const NOTHING: BriefText = { text: '', failures: [], dead: [] };
/** A session that was cleared or newly started has forgotten what the last one was told; one that goes on has not. */
const OPENINGS = new Set(['startup', 'clear']);
const DEAD_AFTER_MS = 30 * 60_000;

export function decideOpening(event: EventOf<'session-started'>, context: OpeningContext): BriefText {
  const isOpening = OPENINGS.has(event.start);
  if (!isOpening && event.start !== 'compact') return NOTHING;
  const trouble = isOpening ? findTrouble(context) : '';
  const unresolved = isOpening ? decideUnresolved(event, context) : NOTHING;
  const text = [trouble, unresolved.text, context.protocol].filter(Boolean).join('\n');
  return { ...unresolved, text };
}

function decideUnresolved(event: EventOf<'session-started'>, context: OpeningContext): BriefText {
  const brief = readBrief(toBriefFile(context.briefsDir, context.projectId));
  if (brief === undefined) return NOTHING;
  const dead = brief.open.filter(
    (session) => session.sessionId !== event.sessionId && isDead(session, Date.parse(event.at)),
  );
  const opening = renderBrief(brief, dead, context.budgetBytes);
  if (opening.text === '' || context.probe) return opening;
  // Two sessions that start at once must not both tell: whoever claims these very failures does. The same text may be
  // another failure: it happened again.
  return claimName(context.claimsDir, `opening-${hashText(toNames(opening).join('\n'))}`) ? opening : NOTHING;
}

function toNames({ failures, dead }: BriefText): readonly string[] {
  return [...failures, ...dead.map(({ agent, sessionId, lastSeenAt }) => `${agent} ${sessionId} ${lastSeenAt}`)];
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

/** On another host nobody here can tell whether a process lives. */
function isDead({ host, pid, lastSeenAt }: OpenSession, nowMs: number): boolean {
  return host === hostname() && nowMs - Date.parse(lastSeenAt) > DEAD_AFTER_MS && !isAlive(pid);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Somebody else's process is a process.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
