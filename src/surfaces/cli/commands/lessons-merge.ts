/** `oncebitten lessons merge`: one lesson takes the place of others. */
import { UserError } from '../../../base/errors.ts';
import type { Lesson, LessonUpdate } from '../../../base/lesson.ts';
import { mergeLessons } from '../../../promote/merge-lessons.ts';
import { type Act, isRefused } from '../../../promote/transition.ts';
import { changeLessons, makeAct } from '../change-lessons.ts';
import type { Handler } from '../command.ts';
import { UsageError } from '../usage-error.ts';

export const run: Handler = async (input) => {
  const act = makeAct(input);
  const lessons = await changeLessons(input, input.arguments, ([into, ...from]) => decide(into, from, act));
  const [into, ...from] = lessons;
  const slugs = from.map(({ slug }) => slug).join(', ');
  const seen = `seen ${into?.occurrences} times in ${into?.sessions} sessions`;
  return {
    json: { into, from },
    text: `Merged into ${into?.slug}: ${slugs}. It was ${seen}; words and trigger stay its own. Take it back: oncebitten lessons undo ${into?.slug}`,
  };
};

function decide(into: Lesson | undefined, from: readonly Lesson[], act: Act): readonly LessonUpdate[] {
  if (into === undefined || from.length === 0) {
    const reason = 'has only one lesson, named twice';
    throw new UsageError({ subject: 'lessons merge', reason, next: 'name the others: oncebitten lessons list' });
  }
  const merged = mergeLessons(into, from, act);
  if (isRefused(merged)) throw new UserError({ subject: 'lessons merge', reason: merged.refused, next: merged.next });
  const why = act.reason === undefined ? '' : `: ${act.reason}`;
  const slugs = from.map(({ slug }) => slug).join(', ');
  return [
    { lesson: merged.into, change: { ...act, reason: `merged with ${slugs}${why}` } },
    ...merged.from.map((lesson) => ({ lesson, change: { ...act, reason: `superseded by ${into.slug}${why}` } })),
  ];
}
