/** What a command that moved promotions answers. */
import { relative } from 'node:path';
import type { CommandResult } from '../command.ts';
import { toPlainText } from '../to-plain-text.ts';
import type { Changed } from './change-promotions.ts';
import { renderDiff } from './render-diff.ts';

interface Words {
  readonly done: string;
  readonly next: string;
  /** The next step is to propose them. */
  readonly isProposing?: boolean;
}

export function toPromotionResult(changed: Changed, { done, next, isProposing }: Words): CommandResult {
  const { promotions, lessons, round, isUnproven } = changed;
  const { dryRun, edits, place } = round;
  const files = edits.list().map(({ path, before, after }) => {
    const file = relative(place.root, path);
    return { file, path, diff: renderDiff(file, before, after) };
  });
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const lines = promotions.map(({ lessonId, file }) => `  ${slugs.get(lessonId) ?? lessonId}: ${file}`);
  const names = [...slugs.values(), ...(isProposing && isUnproven ? ['--force'] : [])].join(' ');
  return {
    json: { dryRun, promotions, files },
    text: toPlainText(
      dryRun
        ? [...files.map(({ diff }) => diff), 'Nothing was changed: this is a dry run.'].join('\n')
        : [`${done}:`, ...lines, ...renderFiles(files), `${next} ${names}`].join('\n'),
    ),
  };
}

function renderFiles(files: readonly { readonly path: string }[]): readonly string[] {
  return files.length === 0 ? [] : ['Commit, so that others get it:', ...files.map(({ path }) => `  ${path}`)];
}
