/** `oncebitten lessons delete`: shows what would go, asks, and removes lessons with all their text for good. */

import type { Store } from '../../../base/contracts/store.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import type { Promotion } from '../../../base/model/promotion.ts';
import type { ForgetReport } from '../../../base/storage/forgotten.ts';
import { dropEvidence } from '../../../distill/lessons/drop-evidence.ts';
import { getNamed } from '../arguments/lessons.ts';
import type { CommandInput, Handler } from '../command.ts';
import { type Removal, runRemoval } from '../data/removal.ts';
import { userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { toLine, toNumber } from '../text.ts';

export const run: Handler = (input) =>
  runRemoval(input, {
    ...{ command: 'lessons delete', what: 'lessons', isMeant: ({ kind }) => kind === 'lesson' },
    look: () => look(input),
  });

/** What may bring a lesson back, by where it came from. */
function renderReturn(lessons: readonly Lesson[]): readonly string[] {
  const isFrom = (...kinds: readonly Lesson['origin']['kind'][]): boolean =>
    lessons.some(({ origin }) => kinds.includes(origin.kind));
  return [
    ...(isFrom('episode', 'self-report', 'qa', 'model')
      ? [
          'Oncebitten does not learn the same lesson again from the same sessions. If an agent makes the mistake in another session, Oncebitten learns a new lesson.',
        ]
      : []),
    ...(isFrom('import') ? ['Importing its file again brings it back as a draft.'] : []),
  ];
}

function look(input: CommandInput): Promise<Removal> {
  return readHome(input, async ({ store }) => {
    const found: Lesson[] = [];
    for (const name of input.arguments) found.push(await getNamed(store, name));
    const lessons = [...new Map(found.map((lesson) => [lesson.id, lesson])).values()];
    checkPromoted(lessons, await store.listPromotions());
    const wish = { kind: 'lesson', ids: lessons.map(({ id }) => id) } as const;
    const report = await store.forget(wish, { at: new Date().toISOString(), dryRun: true, dropEvidence });
    const files = await listFiles(store, lessons);
    const about = { lessons: lessons.map(({ id, slug }) => ({ id, slug })), files };
    const removed = { lessons: report.lessons, deliveries: report.deliveries };
    return {
      ...{ wish, refused: { deleted: false, ...about } },
      // Backups from before the lesson was written cannot contain it.
      since: lessons.map(({ createdAt }) => createdAt).toSorted()[0],
      preview: { json: { deleted: false, ...about, removed }, text: renderPreview(lessons, report) },
      end: () => ({
        json: { deleted: true, ...about, removed },
        lines: [
          `Deleted ${lessons.map(({ slug }) => slug).join(', ')}, with history, evidence and ${toDeliveries(report)}.`,
          ...renderReturn(lessons),
          ...renderFiles(files),
        ],
      }),
    };
  });
}

/** Refused, because without its record the text could not be removed from that file. */
function checkPromoted(lessons: readonly Lesson[], promotions: readonly Promotion[]): void {
  for (const { id, slug } of lessons) {
    const applied = promotions.find(({ lessonId, state }) => lessonId === id && state === 'applied');
    if (applied === undefined) continue;
    throw userError(
      `lesson ${slug}`,
      `is written in ${applied.file}`,
      `remove it there first, in that project: oncebitten lessons promote rollback ${slug}`,
    );
  }
}

async function listFiles(store: Store, lessons: readonly Lesson[]): Promise<readonly string[]> {
  const shared = lessons.filter(({ file }) => file !== undefined);
  if (shared.length === 0) return [];
  const roots = new Map((await store.listProjects()).map(({ id, root }) => [id, root]));
  return shared.map(
    ({ file, scope }) => `${roots.get(scope.id ?? '') ?? '<repository>'}/.oncebitten/lessons/${file?.slug}.json`,
  );
}

function renderPreview(lessons: readonly Lesson[], report: ForgetReport): string {
  return [
    'To be deleted:',
    ...lessons.map(({ slug, summary }) => `  ${slug}: ${toLine(summary)}`),
    `with history and evidence, and ${toDeliveries(report)}. The recorded calls stay.`,
  ].join('\n');
}

function toDeliveries({ deliveries }: ForgetReport): string {
  return deliveries === 1 ? '1 record of a shown lesson' : `${toNumber(deliveries)} records of shown lessons`;
}

function renderFiles(files: readonly string[]): readonly string[] {
  if (files.length === 0) return [];
  return [
    'These files of a repository still contain it and were not changed. As long as they exist, the lesson comes back from them:',
    ...files.map((file) => `  ${file}`),
  ];
}
