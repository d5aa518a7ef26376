/** Keep -> match: the lessons of the store as the manifest that hooks read. */
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { compileManifest } from '../../keep/compile-manifest.ts';
import { renderLesson } from '../../match/render-lesson.ts';
import { writeOwnFile } from '../write-own-file.ts';

export async function compileLessons(parts: {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
}): Promise<void> {
  const lessons = await parts.store.listLessons({ status: 'active' });
  const aliases = await parts.store.listProjectAliases();
  const generatedAt = new Date().toISOString();
  writeOwnFile(
    parts.manifestFile,
    compileManifest({ lessons, aliases, settings: parts.settings, generatedAt, render: renderLesson }),
  );
}
