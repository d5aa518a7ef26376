/**
 * Reads and renders the review card of a lesson: its text, its triggers and its evidence, for the user who decides
 * about it. No delivered text is cut.
 */

import type { Lesson, LessonChange } from '../../../../base/model/lesson.ts';
import { renderAllTriggers } from '../../../../base/triggers/render-triggers.ts';
import { approveLesson } from '../../../../promote/lesson-states.ts';
import { isRefused } from '../../../../promote/transition.ts';
import { readProjectLabels } from '../../arguments/projects.ts';
import type { CommandInput } from '../../command.ts';
import { userError } from '../../errors.ts';
import { readHome } from '../../open-home.ts';
import { toLine } from '../../text.ts';
import { fitText } from '../../wrapping.ts';
import { findBackTest, findWarning, listHeldReasons, listMeasured, listSaid, renderRank } from '../lesson-details.ts';

export interface Card {
  readonly lesson: Lesson;
  readonly history: readonly LessonChange[];
  /** The project it is about, by name. */
  readonly project?: string | undefined;
  /** Why it would not fire even if it were approved. */
  readonly warning?: string | undefined;
}

const LABEL = 14;
const MAX_EVIDENCE = 3;
const MIN_COLUMNS = 40;
/** Nothing that is delivered is cut. */
const ALL = Number.POSITIVE_INFINITY;

export function renderCard({ lesson, history, project, warning }: Card, columns: number): string {
  const row = (label: string, text: string): string => `  ${label.padEnd(LABEL - 2)}${toLine(text, ALL)}`;
  const { type, occurrences, sessions, projects, origin, scope } = lesson;
  const lines = [
    toLine(lesson.summary, ALL),
    '',
    row('mistake', lesson.mistake),
    row('fix', lesson.remediation),
    ...listSaid(lesson).map((text) => row('says', text)),
    row('fires on', renderAllTriggers(lesson.triggers)),
    ...(warning === undefined ? [] : [row('but', warning)]),
    ...listHeldReasons(lesson, history).map((reason) => row('held back', reason)),
    ...listMeasured(lesson).map(([label, text]) => row(label, text)),
    row('past calls', findBackTest(history) ?? 'not tried on past calls'),
    row('seen', `${count(occurrences, 'time')} in ${count(sessions, 'session')}, ${count(projects, 'project')}`),
    row('for', project === undefined ? scope.kind : `${scope.kind} ${project}`),
    row('rank', `${type}, ${renderRank(lesson)}`),
    row('from', `${origin.kind} (${origin.by}), ${origin.trust}`),
    ...lesson.evidence.slice(-MAX_EVIDENCE).map((one) => row('evidence', toEvidence(one))),
  ];
  return fitText(lines.join('\n'), Math.max(MIN_COLUMNS, columns));
}

function toEvidence({ agent, sessionId, at, excerpt, file, lines }: Lesson['evidence'][number]): string {
  const place =
    file === undefined ? `session ${sessionId}` : `${file}${lines === undefined ? '' : `:${lines[0]}-${lines[1]}`}`;
  return `${at.slice(0, 10)} ${agent}, ${place}${excerpt === undefined ? '' : `: ${excerpt}`}`;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}

/** A lesson as it is now. */
export function readCard(input: CommandInput, slug: string): Promise<Card> {
  return readHome(input, async ({ store, settings }) => {
    const lesson = await store.findLesson(slug);
    if (lesson === undefined) throw userError(`lesson ${slug}`, 'is not known', 'see all: oncebitten lessons list');
    // As it would be once it is approved.
    const approved = approveLesson(lesson, { by: '', at: lesson.updatedAt, command: '' }, settings.minConfidence);
    return {
      lesson,
      warning: isRefused(approved) ? undefined : findWarning(approved.lesson, settings),
      history: await store.listLessonHistory(lesson.id),
      project: (await readProjectLabels(store)).get(lesson.scope.id ?? ''),
    };
  });
}
