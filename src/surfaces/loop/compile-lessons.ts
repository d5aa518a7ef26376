/** Keep -> match: the lessons of the store as the manifest that hooks read. */
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { REPORT_PROTOCOL } from '../../distill/self-report/report-protocol.ts';
import { compileManifest } from '../../keep/compile-manifest.ts';
import { toSpareManifestFile } from '../../match/read-manifest.ts';
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
  const bytes = compileManifest({ lessons, aliases, settings, generatedAt, render: renderLesson, ...protocol });
  writeOwnFile(manifestFile, bytes);
  keepSpare(manifestFile, bytes);
}

/** Whatever becomes of the file, hooks have these lessons. Not the ones before: what was rejected must not speak again. */
function keepSpare(manifestFile: string, bytes: Buffer): void {
  const [spare, draft] = [toSpareManifestFile(manifestFile), `${toSpareManifestFile(manifestFile)}.${process.pid}`];
  try {
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, spare);
  } catch {
    // No room for a second one: an old one must not take the place of this.
    rmSync(draft, { force: true });
    rmSync(spare, { force: true });
  }
}
