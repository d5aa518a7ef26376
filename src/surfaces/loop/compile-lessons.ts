/** Keep -> match: the lessons of the store as the manifest that hooks read. */
import { linkSync, readFileSync, rmSync } from 'node:fs';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { REPORT_PROTOCOL } from '../../distill/self-report/report-protocol.ts';
import { compileManifest } from '../../keep/compile-manifest.ts';
import { openManifest } from '../../match/open-manifest.ts';
import { toLastManifestFile } from '../../match/read-manifest.ts';
import { renderLesson } from '../../match/render-lesson.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { expireLessons } from './expire-lessons.ts';

/** Others change lessons all the time while a scan runs: the last of them compiles. */
const MAX_TRIES = 3;

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  /** The time of day; a replay has its own. */
  readonly now?: () => number;
}

/** Once more when a lesson was changed meanwhile: whoever did may have been faster, and been written over. */
export async function compileLessons(parts: Parts): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await parts.store.readLessonStamp();
    await compileOnce(parts);
    if ((await parts.store.readLessonStamp()) === stamp) return;
  }
}

async function compileOnce(parts: Parts): Promise<void> {
  const nowMs = (parts.now ?? Date.now)();
  const { lessons } = await expireLessons(parts.store, { nowMs });
  const aliases = await parts.store.listProjectAliases();
  const generatedAt = new Date(nowMs).toISOString();
  const { settings, manifestFile } = parts;
  const protocol = settings.selfReportProtocol ? { protocol: REPORT_PROTOCOL } : {};
  keepLast(manifestFile);
  writeOwnFile(
    manifestFile,
    compileManifest({ lessons, aliases, settings, generatedAt, render: renderLesson, ...protocol }),
  );
}

/** Whatever becomes of the file, hooks have lessons. One that is broken already must not take its place. */
function keepLast(manifestFile: string): void {
  const last = toLastManifestFile(manifestFile);
  try {
    if (openManifest(readFileSync(manifestFile)) === undefined) return;
    rmSync(last, { force: true });
    linkSync(manifestFile, last);
  } catch {
    // There is none yet, or the file system knows no links: then there is no last one.
  }
}
