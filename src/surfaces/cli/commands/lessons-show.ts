/** `oncebitten lessons show`. */
import { UserError } from '../../../base/errors.ts';
import { type Lesson, type LessonChange, toLevel } from '../../../base/lesson.ts';
import type { Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { renderAllTriggers } from '../render-triggers.ts';

export const run: Handler = (input) =>
  withHome(input, async ({ store }) => {
    const name = input.arguments[0] ?? '';
    const lesson = await store.findLesson(name);
    if (lesson === undefined) {
      throw new UserError({
        subject: `lesson ${name}`,
        reason: 'is not known',
        next: 'see all: oncebitten lessons list',
      });
    }
    const history = (await store.listLessonHistory(lesson.id)).map(({ by, reason, at }) => ({ by, reason, at }));
    return { json: { ...lesson, level: toLevel(lesson.priority), history }, text: render(lesson, history) };
  });

function render(lesson: Lesson, history: readonly LessonChange[]): string {
  return [
    `${lesson.slug}  (${lesson.id})`,
    lesson.summary,
    '',
    `  mistake     ${indent(lesson.mistake)}`,
    `  fix         ${indent(lesson.remediation)}`,
    `  speaks at   ${renderAllTriggers(lesson.triggers)}`,
    `  scope       ${lesson.scope.kind}${lesson.scope.id === undefined ? '' : ` ${lesson.scope.id}`}`,
    `  rank        ${toLevel(lesson.priority)} (priority ${lesson.priority}), confidence ${lesson.confidence}`,
    `  status      ${lesson.status}${lesson.needsReview ? ', needs review' : ''}`,
    ...(lesson.status === 'draft' ? (lesson.provisional ?? []) : []).map(
      ({ agent, sessionId, until }) => `  speaks      only in session ${sessionId} (${agent}), until ${until}`,
    ),
    `  seen        ${lesson.occurrences} times in ${lesson.sessions} sessions, ${lesson.projects} projects`,
    `  origin      ${lesson.origin.kind} (${lesson.origin.by})`,
    ...lesson.evidence.map(
      (one) =>
        `  evidence    ${one.file ?? one.agent}${one.lines === undefined ? '' : `:${one.lines.join('-')}`}  ${one.at}`,
    ),
    ...history.map((change) => `  history     ${change.at}  ${change.by}: ${change.reason}`),
  ].join('\n');
}

function indent(text: string): string {
  return text.replaceAll('\n', `\n${' '.repeat(14)}`);
}
