/** Keep -> match: the lessons of the store as the manifest that hooks read. */
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { REPORT_PROTOCOL } from '../../distill/self-report/report-protocol.ts';
import { compileManifest } from '../../keep/compile-manifest.ts';
import { renderLesson } from '../../match/render-lesson.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { expireLessons } from './expire-lessons.ts';

export async function compileLessons(parts: {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  /** The time of day; a replay has its own. */
  readonly now?: () => number;
}): Promise<void> {
  const nowMs = (parts.now ?? Date.now)();
  const { lessons } = await expireLessons(parts.store, { nowMs });
  const aliases = await parts.store.listProjectAliases();
  const generatedAt = new Date(nowMs).toISOString();
  const { settings, manifestFile } = parts;
  const protocol = settings.selfReportProtocol ? { protocol: REPORT_PROTOCOL } : {};
  writeOwnFile(
    manifestFile,
    compileManifest({ lessons, aliases, settings, generatedAt, render: renderLesson, ...protocol }),
  );
}
