/** `oncebitten start`: the main job on a fresh machine. Changes nothing outside the data directory. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Lesson } from '../../../base/lesson.ts';
import type { StoreCounts } from '../../../base/store.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { listScanFiles, type ScanTotals, scanSessions } from '../../daemon/scan-sessions.ts';
import { toDataHome } from '../../data-home.ts';
import { findPackageRoot } from '../../package-root.ts';
import type { CommandInput, Handler } from '../command.ts';
import { withHome } from '../open-home.ts';
import { makeScanProgress } from '../render-scan.ts';
import { renderStart } from '../render-start.ts';

export interface StartReport {
  /** No sessions here: learned from those that the package brings, kept apart from the user's own. */
  readonly sample: boolean;
  readonly dataDir: string;
  readonly scan: ScanTotals;
  readonly counts: StoreCounts;
  readonly lessons: readonly Lesson[];
  readonly daemon: { readonly pid: number; readonly started: boolean };
}

export const run: Handler = async (input) => {
  const own = listScanFiles({ home: homedir(), env: input.env });
  const sample = own.length === 0;
  const home = sample ? toDataHome(join(input.home.dir, 'sample')) : input.home;
  const files = sample ? listSampleFiles(input) : own;
  const learned = await withHome({ ...input, home }, async (open) => {
    const scan = await scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) });
    return { scan, counts: await open.store.countAll(), lessons: await open.store.listLessons({ status: 'active' }) };
  });
  input.progress('Starting the daemon …');
  const { daemon, started } = await ensureDaemon(input.home);
  const report: StartReport = { sample, dataDir: home.dir, ...learned, daemon: { pid: daemon.pid, started } };
  return { json: report, text: renderStart(report, toCommandName(input.env)) };
};

function listSampleFiles({ env }: CommandInput) {
  return listScanFiles({ path: join(findPackageRoot(), 'samples', 'sessions'), home: homedir(), env });
}

/** In a clone the command is not on the PATH. */
function toCommandName(env: NodeJS.ProcessEnv): string {
  return env.npm_lifecycle_event === undefined ? 'oncebitten' : 'npm run -s oncebitten --';
}
