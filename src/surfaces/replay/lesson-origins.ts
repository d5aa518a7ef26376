/** Which failures a lesson was learned from, in the bench's own terms. */
import type { Finding } from '../../base/finding.ts';
import type { Store } from '../../base/store.ts';
import type { ReplayedDelivery, ReplayedFailure } from '../../measure/replayed-call.ts';
import type { Digest } from '../loop/digest-events.ts';
import type { ReplayStep } from './read-sessions.ts';

/** A refusal has no class. */
type Taught = Pick<ReplayedFailure, 'reference'> & Partial<ReplayedFailure>;
type Origin = Pick<ReplayedDelivery, 'class' | 'references'>;

/** Told of every lesson that a finding made or grew. */
type OnLearned = (lessonId: string, finding: Finding) => void;

export function makeLessonOrigins(steps: readonly ReplayStep[], onLearned: OnLearned = () => {}) {
  const failures = new Map<string, Taught>();
  for (const { call, failure, masked, refusal } of steps) {
    const found = failure ?? masked ?? (refusal === undefined ? undefined : { reference: refusal });
    if (call !== undefined && found !== undefined) failures.set(toKey(call, call.callId), found);
  }
  const origins = new Map<string, Origin>();
  const add = (lessonId: string, failure: Taught): void => {
    const known = origins.get(lessonId);
    const references = [...new Set([...(known?.references ?? []), failure.reference])];
    const found = known?.class ?? failure.class;
    origins.set(lessonId, { ...(found === undefined ? {} : { class: found }), references });
  };
  return {
    /** After the findings of a digest were learned from. */
    async take(store: Store, { findings }: Digest): Promise<void> {
      for (const { finding } of findings) {
        const { agent, sessionId, failingCallId } = finding;
        const failure = failures.get(toKey(finding, failingCallId));
        const kept = await store.listFindings({ agent, sessionId });
        const own = kept.filter((one) => one.failingCallId === failingCallId);
        for (const one of own) if (one.lessonId !== undefined) onLearned(one.lessonId, finding);
        const lessonId = own[0]?.lessonId;
        if (failure !== undefined && lessonId !== undefined) add(lessonId, failure);
      }
    },
    find: (lessonId: string): Origin => origins.get(lessonId) ?? { references: [] },
  };
}

function toKey({ agent, sessionId }: { readonly agent: string; readonly sessionId: string }, callId: string): string {
  return `${agent}\n${sessionId}\n${callId}`;
}
