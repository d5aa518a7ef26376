/** `oncebitten lessons history`: every change of one lesson, who made it and why. */
import type { KeptChange, Lesson } from '../../../base/model/lesson.ts';
import { listChanged } from '../../../promote/undo-change.ts';
import { getNamed } from '../arguments/lessons.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toWholePage } from '../paging.ts';
import { toLine, toMinute, toScreenMax } from '../text.ts';

const MAX_VALUE = 60;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const name = input.arguments[0] ?? '';
    const lesson = await getNamed(store, name);
    const history = await store.listLessonHistory(lesson.id);
    return {
      json: toWholePage(
        history.map(({ before, after, ...change }) => ({ ...change, changed: toChanged(before, after) })),
      ),
      text: [`${lesson.slug}  (${lesson.id})`, ...history.flatMap((change) => render(change, input.columns))].join(
        '\n',
      ),
    };
  });

type Values = Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;

function toChanged(before: Lesson | undefined, after: Lesson): Values {
  if (before === undefined) return {};
  const fields = listChanged(before, after) as readonly (keyof Lesson)[];
  return Object.fromEntries(fields.map((key) => [key, { before: before[key], after: after[key] }]));
}

function render({ at, by, reason, before, after }: KeptChange, columns: number | undefined): readonly string[] {
  const max = toScreenMax(columns, MAX_VALUE);
  const changed = Object.entries(toChanged(before, after)).map(
    ([key, values]) => `    ${key}: ${renderValue(values.before, max)} -> ${renderValue(values.after, max)}`,
  );
  return [`  ${toMinute(at)}  ${by}: ${reason}`, ...changed];
}

function renderValue(value: unknown, max: number): string {
  if (value === undefined) return '-';
  return toLine(typeof value === 'string' ? value : JSON.stringify(value), max);
}
