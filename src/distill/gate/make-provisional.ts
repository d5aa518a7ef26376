/**
 * Learned minutes ago counts: a draft may speak at once in the session that taught it, and in no other. It stays a
 * draft for everybody else: what confirms or drops it is what confirms or drops any draft.
 */
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { PastCall } from './gate-finding.ts';

const DAY_MS = 24 * 60 * 60_000;
const MAX_SESSIONS = 20;

type Holds = (triggers: Triggers, call: PastCall) => boolean;

/** The trigger speaks at its own mistake and not at its own fix: of both calls that is known for certain. */
export function isProvenByOwn(finding: Finding, past: readonly PastCall[], holds: Holds): boolean {
  // What a user said needs no call that shows it.
  if (finding.kind === 'corrected-by-user' && finding.steps === 0)
    return finding.trust !== 'foreign' && finding.caution === undefined;
  const failing = past.find(({ callId }) => callId === finding.failingCallId);
  const fixing = past.find(({ callId }) => callId === finding.fixingCallId);
  if (failing === undefined || fixing === undefined) return false;
  return holds(finding.triggers, failing) && !holds(finding.triggers, fixing) && mayBe(finding);
}

/**
 * What has to run first has run in this session. What a command was given beside itself is not always told, and a user who
 * let it out of the sandbox may have done so for good. Text from outside never speaks by itself.
 */
function mayBe({ triggers, trust }: Finding): boolean {
  const isBeside = triggers.input !== undefined && triggers.programs !== undefined;
  return triggers.session === undefined && !isBeside && trust !== 'foreign';
}

/** A day after it was corrected, a session that still runs has another day's work. */
export function addProvisional(lesson: Lesson, { agent, sessionId, evidence }: Finding): Lesson {
  const correctedMs = Date.parse(evidence.at);
  if (lesson.status !== 'draft' || Number.isNaN(correctedMs)) return lesson;
  const others = (lesson.provisional ?? []).filter((one) => one.agent !== agent || one.sessionId !== sessionId);
  const until = new Date(correctedMs + DAY_MS).toISOString();
  const all = [...others, { agent, sessionId, until }].sort((a, b) => (a.until < b.until ? -1 : 1));
  return { ...lesson, provisional: all.slice(-MAX_SESSIONS) };
}
