/** The paths of all files in a data directory. No other file knows these names (`docs/reference/files.md`). */
import { homedir, hostname } from 'node:os';
import { join, resolve, sep } from 'node:path';

export interface DataHome {
  readonly dir: string;
  readonly configFile: string;
  /** The JSON schema with which editors check the settings. */
  readonly configSchemaFile: string;
  readonly storeFile: string;
  readonly manifestFile: string;
  /** Pauses and mutes; absent if there are none. */
  readonly switchesFile: string;
  /** Marks of sessions that began in a private folder or paused project, one file each, named by a hash. */
  readonly awayDir: string;
  readonly spoolDir: string;
  /** The opening texts for the next session, one file per project. */
  readonly briefsDir: string;
  /** Per host, because machines may share a home folder. */
  readonly runDir: string;
  readonly claimsDir: string;
  /** What already happened in a session, for lessons that ask; one file per session, hashes only. */
  readonly pastDir: string;
  /** One line for the shim: port, secret to send, secret to expect. */
  readonly doorFile: string;
  /** Created by a hook that got no answer in time; hooks skip the daemon until it removes the file. */
  readonly stalledFile: string;
  readonly registrationFile: string;
  readonly lockFile: string;
  /** Touched by a process that starts the daemon, so that there is one attempt per 30 s. */
  readonly startingFile: string;
  readonly logFile: string;
  readonly hookFile: string;
  /** Our program for agents that load one into their own process. */
  readonly programFile: string;
  /** The `oncebitten` command, which works even after the package folder is removed. */
  readonly commandFile: string;
  readonly appDir: string;
  /** A copy of Node, one folder per version, if the installing Node is inside the package folder. */
  readonly nodeDir: string;
  /** Backups by the user, by the daemon, and of the store before a restore. */
  readonly backupsDir: string;
  /** Records of the files that `install` changed, with backups. */
  readonly installDir: string;
  /** Claude Code's plugin, in a marketplace of its own. */
  readonly pluginDir: string;
  /** Names the host whose daemon uses the store, because machines may share a home folder. */
  readonly ownerFile: string;
  /** Current faults of the daemon. */
  readonly troubleFile: string;
  /** The newest trusted time and the work that waits. Shared by hosts, because others reveal a wrong clock. */
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
    programFile: inDir(`bin${sep}program.mjs`),
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

/** The address and token of the daemon's HTTP listener. Not in `DataHome`, because the hook makes that at every call. */
export function toHttpFile({ runDir }: DataHome): string {
  return `${runDir}${sep}http.json`;
}

/**
 * The variable lets tests act as two hosts; the shim reads it, too. A name with a slash is ignored, because it could lead
 * to a door file outside of the data directory.
 */
export function findHost(): string {
  const given = process.env.ONCEBITTEN_HOST ?? '';
  return /^[^./][^/]*$/.test(given) ? given : hostname();
}

export function findDataDir(given: string | undefined, env: NodeJS.ProcessEnv): string {
  return resolve(given || env.ONCEBITTEN_HOME || join(homedir(), '.oncebitten'));
}
