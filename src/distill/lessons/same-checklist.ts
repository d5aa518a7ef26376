/**
 * Are two checklists the same one in other words? Agents write the same list again in each session that uses it: a bullet
 * more, another order, `Bump` for `Update`. Items are compared by their words; most of the longer list must have a partner.
 */
import type { ChecklistBody, LessonBody } from '../../base/model/lesson.ts';

/** Words that two items share, of all that they have. */
const SAME_ITEM = 0.6;
/** Items with a partner, of the longer list. */
const SAME_LIST = 0.75;

export function isSameChecklist(a: LessonBody | undefined, b: LessonBody | undefined): boolean {
  if (!isChecklist(a) || !isChecklist(b)) return false;
  const [few, many] = [a, b].map(({ items }) => items.map(toWords)).sort((x, y) => x.length - y.length);
  if (few === undefined || many === undefined || few.length === 0) return false;
  const left = [...many];
  let pairs = 0;
  for (const words of few) {
    const likeness = left.map((other) => compare(words, other));
    const best = likeness.indexOf(Math.max(...likeness));
    if ((likeness[best] ?? 0) < SAME_ITEM) continue;
    left.splice(best, 1);
    pairs++;
  }
  return pairs / many.length >= SAME_LIST;
}

function isChecklist(body: LessonBody | undefined): body is ChecklistBody {
  return body !== undefined && 'items' in body;
}

/** Files and commands stay whole; little words say nothing. */
const LITTLE = new Set(
  'a an the and or to of in on for with is are be it its this that all every each please then'.split(' '),
);

function toWords(item: string): ReadonlySet<string> {
  const words = item.toLowerCase().match(/[\p{L}\p{N}.-][\p{L}\p{N}_./:@+-]*/gu) ?? [];
  return new Set(words.map((word) => word.replace(/[./:-]+$/, '')).filter((word) => word !== '' && !LITTLE.has(word)));
}

/** A file, a host or an option is what an item is about, whatever is done to it. */
const NAME = /[./]|^-/;
const NAME_WEIGHT = 3;

/** From 0 to 1 (Dice). */
function compare(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const all = weigh(a) + weigh(b);
  return all === 0 ? 1 : (2 * weigh([...a].filter((word) => b.has(word)))) / all;
}

function weigh(words: Iterable<string>): number {
  let sum = 0;
  for (const word of words) sum += NAME.test(word) ? NAME_WEIGHT : 1;
  return sum;
}
