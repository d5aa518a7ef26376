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
  const files = edits.list().map(({ path, before, after, otherNames }) => {
    const file = relative(place.root, path);
    return { file, path, diff: renderDiff(file, before, after), otherNames };
  });
  const told = files.flatMap(renderOtherNames);
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const lines = promotions.map(({ lessonId, file }) => `  ${slugs.get(lessonId) ?? lessonId}: ${file}`);
  const names = [...slugs.values(), ...(isProposing && isUnproven ? ['--force'] : [])].join(' ');
  return {
    json: { dryRun, promotions, files },
    text: toPlainText(
      dryRun
        ? [...files.map(({ diff }) => diff), ...told, 'Nothing was changed: this is a dry run.'].join('\n')
        : [`${done}:`, ...lines, ...renderFiles(files), ...told, `${next} ${names}`].join('\n'),
    ),
  };
}

function renderFiles(files: readonly { readonly path: string }[]): readonly string[] {
  return files.length === 0 ? [] : ['Commit, so that others get it:', ...files.map(({ path }) => `  ${path}`)];
}

/** Who linked it may have forgotten, and the other name may be in another project. */
function renderOtherNames({ file, otherNames }: { readonly file: string; readonly otherNames: number }) {
  if (otherNames === 0) return [];
  const names = otherNames === 1 ? 'another name (a hard link)' : `${otherNames} other names (hard links)`;
  return [`${file} has ${names}: the text is the same there.`];
}
