/** The type of a lesson from what was seen: who said it, what kind of mistake it was, and its words. */
import type { Finding } from '../../base/model/finding.ts';
import type { LessonType } from '../../base/model/lesson.ts';

type Inferred = Pick<
  Finding,
  'kind' | 'signals' | 'remediation' | 'summary' | 'tags' | 'failingCallId' | 'fixingCallId'
> &
  Partial<Pick<Finding, 'type' | 'body' | 'triggers'>>;

/** Several steps, one after the other. */
const STEPS = /(?:^|\s)1[.)] .*\s2[.)] |\bchecklist\b|\bfirst\b.{1,80}\bthen\b|\S && \S/i;
const MUST = /\b(?:must|always|never|required?|requires|needs|do not|don'?t|only ever|have to|has to)\b/i;
const WELL = /\b(?:works well|pattern|best practice|idiom|prefer(?:red)?|good way|the way to)\b/i;

export function inferType(finding: Inferred): LessonType {
  if (finding.type !== undefined) return finding.type;
  const { kind, signals, tags, remediation, summary } = finding;
  if (finding.body !== undefined) return toBodyType(finding.body);
  // A rule of the user is to be kept, whatever else it is.
  if (kind === 'refused-by-user' || signals.includes('user-corrected')) return 'requirement';
  if (kind === 'missing-precondition') {
    return tags.includes('topic:precondition') || STEPS.test(remediation) ? 'checklist' : 'requirement';
  }
  if (signals.includes('self-reported') || signals.includes('stated-lesson')) {
    return inferFromWords(`${summary} ${remediation}`, signals.includes('stated-lesson'));
  }
  return isSuccess(finding) ? 'pattern' : 'warning';
}

function inferFromWords(words: string, isRule: boolean): LessonType {
  if (STEPS.test(words)) return 'checklist';
  if (isRule && MUST.test(words)) return 'requirement';
  return WELL.test(words) ? 'pattern' : 'warning';
}

/** Nothing failed: the call is shown because it worked. */
function isSuccess({ failingCallId, fixingCallId, signals }: Inferred): boolean {
  const hasFailed = signals.includes('error-fix-success') || signals.includes('retry-loop');
  return failingCallId === fixingCallId && !hasFailed;
}

export function toBodyType(body: NonNullable<Finding['body']>): LessonType {
  if ('items' in body) return 'checklist';
  if ('situation' in body) return 'pattern';
  return 'constraint' in body ? 'requirement' : 'warning';
}
