/** Every learned lesson must fire on the call it was learned from, and be silent on the call that was the fix. */
import type { ListedFinding } from '../src/base/model/finding.ts';
import type { Lesson } from '../src/base/model/lesson.ts';
import { toCallView } from '../src/base/triggers/call-view.ts';
import { judgeTriggers } from '../src/keep/manifest/compiled-triggers.ts';
import type { ReplayStep } from '../src/loop/replay/read-sessions.ts';
import { toShare } from './label-figures.ts';

export interface LearnedFrom {
  readonly lessons: readonly Lesson[];
  readonly findings: readonly ListedFinding[];
}

export function judgeOwnCalls({ lessons, findings }: LearnedFrom, steps: readonly ReplayStep[]) {
  const byId = new Map(lessons.map((lesson) => [lesson.id, lesson]));
  const byCall = new Map(steps.flatMap((step) => (step.call === undefined ? [] : [[toKey(step.call), step]])));
  const fires = ({ triggers }: Lesson, { asked, call }: ReplayStep): boolean =>
    asked !== undefined && judgeTriggers(triggers, toCallView(asked, call?.projectId ?? '')).holds;
  let pairs = 0;
  let silentOnFailure = 0;
  let speaksOnFix = 0;
  for (const finding of findings) {
    const lesson = byId.get(finding.lessonId ?? '');
    const failing = byCall.get(toKey({ ...finding, callId: finding.failingCallId }));
    const fixing = byCall.get(toKey({ ...finding, callId: finding.fixingCallId }));
    if (lesson === undefined || failing === undefined || fixing === undefined) continue;
    pairs++;
    if (!fires(lesson, failing)) silentOnFailure++;
    // A lesson that a person's refusal taught has no fix: the pair is one call.
    if (finding.failingCallId !== finding.fixingCallId && fires(lesson, fixing)) speaksOnFix++;
  }
  return { pairs, silentOnFailure, speaksOnFix, share: toShare(pairs - silentOnFailure - speaksOnFix, pairs) };
}

function toKey(call: { readonly agent: string; readonly sessionId: string; readonly callId: string }): string {
  return `${call.agent}\n${call.sessionId}\n${call.callId}`;
}
