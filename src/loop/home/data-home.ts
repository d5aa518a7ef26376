/** Where everything is in a data directory. The only place that knows file names (`docs/reference/files.md`). */
import { homedir, hostname } from 'node:os';
import { join, resolve, sep } from 'node:path';

export interface DataHome {
  readonly dir: string;
  readonly configFile: string;
  /** What editors check the settings with. */
  readonly configSchemaFile: string;
  readonly storeFile: string;
  readonly manifestFile: string;
  /** What is paused or muted; absent when nothing is. */
  readonly switchesFile: string;
  /** Which sessions began where we look away, one file each, by a hash. */
  readonly awayDir: string;
  readonly spoolDir: string;
  /** What a project's next session should hear, one file each. */
  readonly briefsDir: string;
  /** Per host: home folders are shared between machines. */
  readonly runDir: string;
  readonly claimsDir: string;
  /** What already happened in a session, as far as lessons ask; one file each, hashes only. */
  readonly pastDir: string;
  /** One line for the shim: port, secret to send, secret to expect. */
  readonly doorFile: string;
  /** Made by a hook that got no answer in time, removed by the daemon when it runs: until then hooks do without it. */
  readonly stalledFile: string;
  readonly registrationFile: string;
  readonly lockFile: string;
  /** Touched by whoever starts the daemon: one attempt per 30 s. */
  readonly startingFile: string;
  readonly logFile: string;
  readonly hookFile: string;
  /** The command line, for when the folder that it was installed from is gone. */
  readonly commandFile: string;
  readonly appDir: string;
  /** A Node of our own, one folder for each version: where the one that installed us is inside the package's folder. */
  readonly nodeDir: string;
  /** What `backup` wrote, and what `restore` kept of the store before. */
  readonly backupsDir: string;
  /** What install changed elsewhere, with backups. */
  readonly installDir: string;
  /** Claude Code's plugin, in a marketplace of its own. */
  readonly pluginDir: string;
  /** Which host's daemon has the store: home folders are shared between machines. */
  readonly ownerFile: string;
  /** What the daemon cannot do right now. */
  readonly troubleFile: string;
  /** The newest time that was trusted, and what waits because of it. Not per host: a wrong clock is known by the others. */
  readonly upkeepFile: string;
  /** Removals that a person confirmed and that are not finished: ids and times, no text. Absent when there are none. */
  readonly forgettingFile: string;
}

export function toDataHome(dir: string): DataHome {
  // Not `join`: it checks each character of each path, which costs the hook 1 ms for all of them.
  const inDir = (name: string): string => `${dir}${sep}${name}`;
  const runDir = inDir(`run${sep}${findHost()}`);
  const inRun = (name: string): string => `${runDir}${sep}${name}`;
  return {
    dir,
    configFile: inDir('config.jsonc'),
    configSchemaFile: inDir('settings.schema.json'),
    storeFile: inDir('oncebitten.db'),
    manifestFile: inDir('manifest.json'),
    switchesFile: inDir('switches.json'),
    awayDir: inDir('away'),
    spoolDir: inDir('spool'),
    briefsDir: inDir('briefs'),
    runDir,
    claimsDir: inRun('claims'),
    pastDir: inRun('past'),
    doorFile: inRun('door'),
    stalledFile: inRun('stalled'),
    registrationFile: inRun('daemon.json'),
    lockFile: inRun('daemon.lock'),
    startingFile: inRun('starting'),
    logFile: inRun('daemon.log'),
    hookFile: inDir(`bin${sep}hook`),
    commandFile: inDir(`bin${sep}oncebitten`),
    appDir: inDir('app'),
    nodeDir: inDir('node'),
    backupsDir: inDir('backups'),
    installDir: inDir('install'),
    pluginDir: inDir('plugin'),
    ownerFile: inDir('owner.json'),
    troubleFile: inRun('trouble.json'),
    upkeepFile: inDir('upkeep.json'),
    forgettingFile: inDir('forgetting.json'),
  };
}

/**
 * The variable lets tests be two hosts; the shim honours it too. A name with a slash would lead out of the data
 * directory, to a door file that names somebody else's port.
 */
export function findHost(): string {
  const given = process.env.ONCEBITTEN_HOST ?? '';
  return /^[^./][^/]*$/.test(given) ? given : hostname();
}

export function findDataDir(given: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(given || env.ONCEBITTEN_HOME || join(homedir(), '.oncebitten'));
}
