/**
 * A lesson that is true in one session only is learned anew in each session. Its remedy need not be found again if an
 * earlier session found it. The words stay those of the finding, so no command of another project is copied.
 */
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { toMergeKey } from './hash-lesson.ts';

/** Nothing in its own session mended it yet. */
export function lacksCure({ scope, failingCallId, fixingCallId }: Finding): boolean {
  return scope === 'session' && failingCallId === fixingCallId;
}

export function knowCure(finding: Finding, lessons: readonly Lesson[]): Finding {
  const isKnown = lessons.some((lesson) => isProof(lesson) && toFormKey(lesson) === toFormKey(finding));
  return isKnown ? { ...finding, signals: [...new Set([...finding.signals, 'error-fix-success' as const])] } : finding;
}

/** A session's lesson is there only when something helped. What a person put aside proves nothing. */
function isProof({ scope, archival }: Lesson): boolean {
  return scope.kind === 'session' && (archival === undefined || archival.cause === 'over');
}

/** The same whatever the session. */
function toFormKey({ triggers, tags }: Pick<Lesson, 'triggers' | 'tags'>): string {
  return toMergeKey({ triggers, tags }, '');
}
