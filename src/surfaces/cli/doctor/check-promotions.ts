/** Whether promoted lessons still stand in their files: nobody else says when one is gone. Nothing where there are none. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../../base/lesson.ts';
import type { Promotion } from '../../../base/promotion.ts';
import { toNext } from '../../../promote/move-promotion.ts';
import { listStanding } from '../../loop/list-standing.ts';
import type { CommandInput } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Check, checkThat, type Finding } from './check.ts';

const MAX_TOLD = 5;

export async function checkPromotions(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.dir)) return [];
  const promoted = await readPromoted(input);
  return promoted.applied.length === 0 ? [] : [await checkThat('promoted lessons', () => judge(promoted))];
}

interface Promoted {
  readonly applied: readonly Promotion[];
  readonly standing: ReadonlySet<string>;
  readonly lessons: readonly Lesson[];
}

async function readPromoted(input: CommandInput): Promise<Promoted> {
  try {
    return await readHome(input, async ({ store }) => {
      const applied = await store.listPromotions({ state: 'applied' });
      const standing = await listStanding(store);
      return { lessons: await store.listLessons(), applied, standing: new Set(standing.map(({ id }) => id)) };
    });
  } catch {
    // What is wrong with the store its own check says.
    return { applied: [], lessons: [], standing: new Set() };
  }
}

function judge({ applied, standing, lessons }: Promoted): Finding {
  const gone = applied.filter(({ id }) => !standing.has(id));
  const [first] = gone;
  if (first === undefined) return { state: 'ok', detail: `${applied.length} in their files` };
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const toSlug = ({ lessonId }: Promotion): string => slugs.get(lessonId) ?? lessonId;
  const told = gone.slice(0, MAX_TOLD).map((one) => `${toSlug(one)} (${join(one.root, one.file)})`);
  const more = gone.length > MAX_TOLD ? [`and ${gone.length - MAX_TOLD} more`] : [];
  const next = `in ${first.root}, write it again or let it be: ${toNext('apply', toSlug(first))}, or rollback`;
  return {
    state: 'advice',
    detail: `${gone.length} of ${applied.length} not in their files any more: ${[...told, ...more].join(', ')}`,
    next,
    data: { gone: gone.map((one) => ({ slug: toSlug(one), root: one.root, file: one.file })) },
  };
}
