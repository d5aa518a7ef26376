/** Store, manifest and daemon. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { openManifest } from '../../../match/open-manifest.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { findPackageRoot, readBuildVersion } from '../../package-root.ts';
import type { CommandInput } from '../command.ts';
import { withHome } from '../open-home.ts';
import { type Check, checkThat } from './check.ts';

export async function checkParts(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.dir)) return [];
  return [
    await checkThat('store', () => checkStore(input)),
    await checkThat('manifest', () => checkManifest(input.home.manifestFile)),
    await checkThat('daemon', () => checkDaemon(input)),
  ];
}

async function checkStore(input: CommandInput): Promise<string> {
  const counts = await withHome(input, ({ store }) => store.countAll());
  return `${counts.sessions} sessions, ${counts.calls} calls, ${counts.lessons} active lessons, ${counts.deliveries} deliveries`;
}

function checkManifest(file: string): string | Check {
  const next = 'run: oncebitten scan';
  if (!existsSync(file)) return { name: 'manifest', state: 'advice', detail: 'nothing was learned yet', next };
  const manifest = openManifest(readFileSync(file));
  if (manifest === undefined) throw new UserError({ subject: file, reason: 'is broken or of another version', next });
  return `${manifest.header.count} lessons may speak, compiled ${manifest.header.generatedAt}`;
}

async function checkDaemon({ home }: CommandInput): Promise<string | Check> {
  const next = 'run: oncebitten daemon start';
  const daemon = await findDaemon(home);
  if (daemon === undefined)
    return { name: 'daemon', state: 'advice', detail: 'not running; the next hook starts it', next };
  const version = readBuildVersion(join(findPackageRoot(), 'dist'));
  if (daemon.version === version) return `process ${daemon.pid}, version ${daemon.version}`;
  return { name: 'daemon', state: 'advice', detail: `runs version ${daemon.version}, here is ${version}`, next };
}
