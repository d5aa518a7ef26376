/** `oncebitten start`: the main job on a fresh machine. Changes nothing outside the data directory. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../base/store.ts';
import { readSettings } from '../../../keep/read-settings.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { toDataHome } from '../../data-home.ts';
import { findPackageRoot } from '../../package-root.ts';
import { listScanFiles } from '../../scan/list-scan-files.ts';
import { scanSessions } from '../../scan/scan-sessions.ts';
import { readStarter } from '../../starter/starter-pack.ts';
import type { CommandInput, Handler } from '../command.ts';
import { listHooked } from '../list-hooked.ts';
import { readHome, withHome } from '../open-home.ts';
import { makeScanProgress } from '../render-scan.ts';
import { renderStart } from '../render-start.ts';
import type { StartReport } from '../start-report.ts';

export const run: Handler = async (input) => {
  const { scanPaths } = readSettings(input.home.configFile, input.env);
  const own = listScanFiles({ home: homedir(), env: input.env, scanPaths });
  // An agent removes old sessions; what was recorded of them is still the user's own.
  const sample = own.length === 0 && (await readHome(input, ({ store }) => isEmpty(store)));
  const home = sample ? toDataHome(join(input.home.dir, 'sample')) : input.home;
  const files = sample ? listSampleFiles(input) : own;
  const learned = await withHome({ ...input, home }, async (open) => {
    const scan = await scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) });
    const { store } = open;
    const lessons = await store.listLessons({ status: 'active' });
    const starter = (await readStarter(store)).filter(({ lesson, isAway }) => lesson === undefined || isAway).length;
    const counts = { ...(await store.countAll()), ...(await store.countFailures()) };
    return { scan, counts, lessons, starter, projects: await store.listProjects() };
  });
  input.progress('Starting the daemon …');
  const { daemon, started } = await ensureDaemon(input.home);
  const report: StartReport = {
    sample,
    files: files.length,
    home: input.home.dir,
    dataDir: home.dir,
    ...learned,
    hookedIn: listHooked(input).map(({ place }) => place),
    daemon: { pid: daemon.pid, started },
  };
  return { json: report, text: renderStart(report) };
};

async function isEmpty(store: Store): Promise<boolean> {
  const { sessions, calls } = await store.countAll();
  return sessions + calls === 0;
}

function listSampleFiles({ env }: CommandInput) {
  return listScanFiles({ path: join(findPackageRoot(), 'samples', 'sessions'), home: homedir(), env });
}
