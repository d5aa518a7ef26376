/**
 * What the shim runs when there is no daemon (`hook-body.cjs`, through `hook-main.ts`). Matches from the manifest, spools
 * the facts, starts the daemon. One try each, never throws. HOT: every import here costs an agent's call; see the
 * boundary tests.
 */
import { readFileSync, statSync, writeSync } from 'node:fs';
import { type Caller, findCaller } from '../../agents/find-caller.ts';
import type { AgentEvent } from '../../base/event.ts';
import { makeId } from '../../base/ids.ts';
import type { HookReply } from '../../base/reply.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { toFacts } from '../../capture/to-facts.ts';
import { writeSpool } from '../../capture/write-spool.ts';
import { readManifest } from '../../match/read-manifest.ts';
import { type DataHome, findDataDir, toDataHome } from '../data-home.ts';
import { type Decision, decideReply } from './decide-reply.ts';
import { findCanary } from './find-canary.ts';
import { isAway } from './is-away.ts';
import { readSwitches } from './read-switches.ts';
import { startDaemon } from './start-daemon.ts';
import { toDecisionFacts } from './to-decision-facts.ts';
import { FLAGS, toPid } from './wire-protocol.ts';
import { withProcess } from './with-process.ts';

const SILENT: Decision = { deliveries: [] };

/** True when a command was matched: a run that used about everything there is here. */
export function runHook(): boolean {
  const startedUs = process.hrtime.bigint() / 1000n;
  const [agentId = '', eventName = '', flags = FLAGS.none] = process.argv.slice(2);
  const home = toDataHome(findDataDir(undefined, process.env));
  const elapsedUs = () => Number(process.hrtime.bigint() / 1000n - startedUs);
  const isWhole = attempt(() => answer({ home, agentId, eventName, flags, elapsedUs })) === true;
  // A probe asks, it does not change what runs.
  if (flags !== FLAGS.probe) attempt(() => startDaemon(home));
  return isWhole;
}

interface Question {
  readonly home: DataHome;
  readonly agentId: string;
  readonly eventName: string;
  readonly flags: string;
  readonly elapsedUs: () => number;
}

function answer({ home, agentId, eventName, flags, elapsedUs }: Question): boolean {
  const payload = JSON.parse(readFileSync(0, 'utf8'));
  const caller = findCaller(agentId, payload);
  const read = caller?.readHook(eventName, payload, new Date().toISOString());
  const event = read && withProcess(read, toPid(process.env.CLAUDE_PID));
  const manifest = readManifest(home.manifestFile);
  if (caller === undefined || event === undefined) return say(caller);
  const probe = flags === FLAGS.probe;
  const canary = probe ? findCanary(event, 'hook') : undefined;
  if (canary !== undefined || isNewer(home.configFile, home.manifestFile)) return say(caller, canary);
  const projectId = identifyProject(event.cwd ?? '').id;
  const switches = readSwitches(home.switchesFile);
  const privateFolders = manifest?.header.settings.privateProjects ?? [];
  if (isAway(event, { awayDir: home.awayDir, privateFolders, switches, projectId, probe })) return say(caller);
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  const maySpeak = manifest !== undefined && flags !== FLAGS.quiet;
  const { modes } = caller;
  const context = { claimsDir, pastDir, briefsDir, troubleFile, projectId, switches, modes, probe, elapsedUs };
  const decision = (maySpeak ? attempt(() => decideReply(event, { manifest, ...context })) : undefined) ?? SILENT;
  // First the facts: whoever has the answer may count on them, and a reader that left must not cost them.
  if (!probe) attempt(() => spool(home, event, projectId, decision));
  say(caller, decision.reply);
  return maySpeak && event.kind === 'call-started' && event.tool === 'shell';
}

/**
 * Settings that were changed since the lessons were compiled may make this very project private. Nobody here can read
 * them quickly: this call is let go, and the daemon that it starts compiles anew.
 */
function isNewer(file: string, than: string): boolean {
  const changedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return changedMs !== undefined && changedMs > (statSync(than, { throwIfNoEntry: false })?.mtimeMs ?? 0);
}

/** False, because a run that only says something is no whole one. */
function say(caller: Caller | undefined, reply?: HookReply): false {
  const line = reply === undefined ? caller?.silence : caller?.writeHook(reply);
  if (line) writeSync(1, `${line}\n`);
  return false;
}

function spool(home: DataHome, event: AgentEvent, projectId: string, decision: Decision): void {
  const facts = [...toFacts(event, projectId), ...toDecisionFacts(event, decision)];
  writeSpool(home.spoolDir, makeId('out', Date.now()), facts);
}

/** Our own trouble is never the agent's: whatever fails, the call goes through and nobody hears of it here. */
function attempt<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
