/**
 * A lesson without some of its evidence. Its words came from the first evidence it had: when that goes, the words must
 * go too, unless other evidence says the same or can give new ones.
 */
import { type Evidence, EXCERPT_CHARS, type Lesson } from '../../base/lesson.ts';
import { toContentHash } from './hash-lesson.ts';

/** Between what went wrong and what helped, in an excerpt. */
export const FIXED_BY = '\nfixed by: ';

/** The given lesson itself when none of its evidence goes; undefined when nothing is left that it rests on. */
export function dropEvidence(lesson: Lesson, isDropped: (evidence: Evidence) => boolean): Lesson | undefined {
  const rest = lesson.evidence.filter((one) => !isDropped(one));
  if (rest.length === lesson.evidence.length) return lesson;
  const left = { ...lesson, evidence: rest, ...toCounts(lesson, rest), ...toProvisional(lesson, rest) };
  // What a person wrote is theirs.
  if (lesson.origin.kind === 'user') return left;
  if (rest.length === 0) return undefined;
  const isFirstKept = lesson.evidence[0] === rest[0];
  return isFirstKept || rest.some((one) => saysTheSame(one, lesson)) ? left : reword(left, rest);
}

function toCounts(lesson: Lesson, rest: readonly Evidence[]): Pick<Lesson, 'occurrences' | 'sessions'> {
  const gone = lesson.evidence.filter((one) => !rest.includes(one));
  const restSessions = toSessions(rest);
  const goneSessions = [...toSessions(gone)].filter((session) => !restSessions.has(session));
  return {
    occurrences: Math.max(rest.length, lesson.occurrences - gone.length),
    sessions: Math.max(restSessions.size, lesson.sessions - goneSessions.length),
  };
}

/** A session is not named any more where nothing of it is left. */
function toProvisional({ provisional }: Lesson, rest: readonly Evidence[]): Pick<Lesson, 'provisional'> {
  const sessions = toSessions(rest);
  const left = provisional?.filter(({ agent, sessionId }) => sessions.has(`${agent}\n${sessionId}`));
  return left === undefined ? {} : { provisional: left };
}

/** The claim before `: use` follows from the triggers, which all evidence shares; the rest is the example's. */
function reword(lesson: Lesson, rest: readonly Evidence[]): Lesson | undefined {
  for (const { excerpt = '' } of rest) {
    // Half a command is no remedy.
    if (excerpt.length >= EXCERPT_CHARS) continue;
    const [mistake = '', remediation = ''] = excerpt.split(FIXED_BY);
    const claim = lesson.summary.split(': use `')[0] ?? '';
    if (mistake === '' || remediation === '' || claim === lesson.summary) continue;
    const summary = `${claim}: use \`${remediation}\``;
    const contentHash = toContentHash({ mistake, remediation, triggers: lesson.triggers });
    const { body: _, ...bare } = lesson;
    return { ...bare, summary, mistake, remediation, contentHash };
  }
  return undefined;
}

function saysTheSame({ excerpt = '' }: Evidence, { mistake, remediation }: Lesson): boolean {
  return mistake !== '' && excerpt.includes(mistake) && excerpt.includes(remediation);
}

function toSessions(evidence: readonly Evidence[]): Set<string> {
  return new Set(evidence.map(({ agent, sessionId }) => `${agent}\n${sessionId}`));
}
