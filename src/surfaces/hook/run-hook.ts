/**
 * Runs a hook when there is no daemon (the shim starts `hook-body.cjs`, through `hook-main.ts`): matches from the
 * manifest, spools the facts and starts the daemon. Each step is tried once and never throws. HOT: every import here
 * costs time in an agent's call; see the boundary tests.
 */

import { closeSync, mkdirSync, openSync, readFileSync, statSync, utimesSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { findAdapter } from '../../agents/hooks.ts';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import { makeId } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { toFacts } from '../../capture/journal/facts.ts';
import { writeSpool } from '../../capture/journal/journal.ts';
import { answerHook, decideReply } from '../../loop/deliver.ts';
import { type Decision, SILENCE, toDecisionFacts } from '../../loop/delivery/decision.ts';
import { type DataHome, findDataDir, toDataHome } from '../../loop/home/data-home.ts';
import { isPrivateOrPaused } from '../../loop/privacy/private-sessions.ts';
import { readSwitches } from '../../loop/privacy/switches.ts';
import { identifyProject } from '../../loop/projects/find-project.ts';
import { makeProjectResolver, readManifest } from '../../match/manifest.ts';
import { FLAGS, toPid } from './wire-protocol.ts';

/** True if a command was matched, because such a run has compiled nearly every function for the code cache. */
export function runHook(): boolean {
  // In an agent that we started, hooks would capture our own question and start more processes.
  if (process.env[CHILD_VARIABLE] === '1') return false;
  const startedUs = process.hrtime.bigint() / 1000n;
  const [agent = '', eventName = '', flags = FLAGS.none] = process.argv.slice(2);
  const home = toDataHome(findDataDir(undefined, process.env));
  const elapsedUs = () => Number(process.hrtime.bigint() / 1000n - startedUs);
  const probe = flags === FLAGS.probe;
  let isWhole = false;
  attempt(() => {
    const payload = JSON.parse(readFileSync(0, 'utf8'));
    const question = {
      agent,
      eventName,
      payload,
      pid: findPid(agent),
      probe,
      isQuiet: flags === FLAGS.quiet,
      elapsedUs,
    };
    const line = answerHook(question, {
      name: 'hook',
      home,
      findSituation: (event) => findSituation(home, event, probe),
      decide(event, context) {
        isWhole = event.kind === 'call-started' && event.tool === 'shell';
        return attempt(() => decideReply(event, context)) ?? SILENCE;
      },
      record: (event, projectId, decision) => attempt(() => spool(home, event, projectId, decision)),
    });
    if (line !== '') writeSync(1, `${line}\n`);
  });
  // A probe must not change which processes run.
  if (!probe) attempt(() => startDaemon(home));
  return isWhole;
}

function findSituation(home: DataHome, event: AgentEvent, probe: boolean) {
  if (isNewer(home.configFile, home.manifestFile)) return undefined;
  const manifest = readManifest(home.manifestFile);
  const projectId = identifyProject(event.cwd ?? '').id;
  const switches = readSwitches(home.switchesFile);
  const privateFolders = manifest?.header.settings.privateProjects ?? [];
  const toProjectId = makeProjectResolver(manifest);
  const away = { awayDir: home.awayDir, privateFolders, switches, projectId, toProjectId, probe };
  return isPrivateOrPaused(event, away) ? undefined : { projectId, switches, manifest };
}

function findPid(agentId: string): number | undefined {
  const variable = findAdapter(agentId)?.facts.processVariable;
  return variable === undefined ? undefined : toPid(process.env[variable]);
}

/**
 * Settings that changed after the lessons were compiled may make this project private. The hook has no time to read them,
 * so it says nothing, and the daemon that it starts compiles again.
 */
function isNewer(file: string, than: string): boolean {
  const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return changedMs !== undefined && changedMs > (statSync(than, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

function spool(home: DataHome, event: AgentEvent, projectId: string, decision: Decision): void {
  const facts = [...toFacts(event, projectId), ...toDecisionFacts(event, decision)];
  writeSpool(home.spoolDir, makeId('out', Date.now()), facts);
}

/** Our faults never become the agent's faults: if a step fails, the call runs and the hook says nothing. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}

const PAUSE_MS = 30_000;

/** Starts the daemon from a hook: detached, at most one attempt per 30 s. A second daemon would find the lock held. */
function startDaemon(home: DataHome): void {
  if (process.env.ONCEBITTEN_NO_DAEMON === '1' || !mayStart(home)) return;
  // Beside hook.cjs. Not a static import: node:child_process costs 3 ms that most calls need not pay.
  const { spawn } = (process.getBuiltinModule ?? require)('node:child_process');
  const script = join(__dirname, 'daemon.cjs');
  // The real folder of the session: a project may set PWD to a name that means another folder in another process.
  const env = { ...process.env, PWD: findFolder() };
  spawn(process.execPath, [script, '--home', home.dir], { detached: true, stdio: 'ignore', cwd: home.dir, env })
    // The error comes later, when nothing could catch it; the next hook tries again.
    .on('error', () => {})
    .unref();
}

/** `/` if the session's folder is gone. */
function findFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

function mayStart(home: DataHome): boolean {
  mkdirSync(home.runDir, { recursive: true, mode: 0o700 });
  try {
    closeSync(openSync(home.startingFile, 'wx', 0o600));
    return true;
  } catch {
    // After the clock was set back, the file's time is in the future; it must not prevent a start until then.
    if (Math.abs(Date.now() - statSync(home.startingFile).mtimeMs) < PAUSE_MS) return false;
    utimesSync(home.startingFile, new Date(), new Date());
    return true;
  }
}
