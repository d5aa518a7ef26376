/**
 * A lesson without some of its evidence. Its words came from the first evidence it had: when that goes, the words must
 * go too, unless other evidence says the same or can give new ones.
 */
import type { Evidence, Lesson } from '../../base/model/lesson.ts';
import { hasClosedQuotes } from '../../base/text/short-text.ts';
import { addFix, FIXED_BY, retell, toSummaryComplaint } from '../text/retell-lesson.ts';
import { toContentHash } from './hash-lesson.ts';

/** The given lesson itself when none of its evidence goes; undefined when nothing is left that it rests on. */
export function dropEvidence(lesson: Lesson, isDropped: (evidence: Evidence) => boolean): Lesson | undefined {
  const rest = lesson.evidence.filter((one) => !isDropped(one));
  if (rest.length === lesson.evidence.length) return lesson;
  const left = { ...lesson, evidence: rest, ...toCounts(lesson, rest), ...toProvisional(lesson, rest) };
  // What a person wrote is theirs.
  if (lesson.origin.kind === 'user') return left;
  if (rest.length === 0) return undefined;
  // The words name the fixes of all evidence.
  const isFirstKept = lesson.evidence[0] === rest[0] && lesson.edit?.others === undefined;
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

/** The complaint follows from the triggers, which all evidence shares; the rest is the example's. */
function reword(lesson: Lesson, rest: readonly Evidence[]): Lesson | undefined {
  const { body: _, edit: __, ...bare } = lesson;
  for (const [i, { excerpt = '' }] of rest.entries()) {
    const words = retell(lesson, excerpt) ?? quote(lesson, excerpt);
    if (words === undefined) continue;
    const worded = { ...bare, ...words, contentHash: toContentHash({ ...words, triggers: lesson.triggers }) };
    return rest.slice(i + 1).reduce(addFixOf, worded);
  }
  return undefined;
}

function addFixOf(lesson: Lesson, { excerpt = '' }: Evidence): Lesson {
  const edit = retell(lesson, excerpt)?.edit;
  return edit === undefined ? lesson : addFix(lesson, edit);
}

/** In the words of the excerpt, as far as they are whole. */
function quote(lesson: Lesson, excerpt: string): Pick<Lesson, 'summary' | 'mistake' | 'remediation'> | undefined {
  const [mistake = '', remediation = ''] = excerpt.split(FIXED_BY);
  const complaint = toSummaryComplaint(lesson);
  const isWhole = mistake !== '' && remediation !== '' && !excerpt.includes('…') && hasClosedQuotes(remediation);
  return isWhole && complaint !== lesson.summary
    ? { summary: `${complaint}: use \`${remediation}\``, mistake, remediation }
    : undefined;
}

function saysTheSame({ excerpt = '' }: Evidence, { mistake, remediation }: Lesson): boolean {
  return mistake !== '' && excerpt.includes(mistake) && excerpt.includes(remediation);
}

function toSessions(evidence: readonly Evidence[]): Set<string> {
  return new Set(evidence.map(({ agent, sessionId }) => `${agent}\n${sessionId}`));
}
