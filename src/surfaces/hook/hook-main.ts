/**
 * `hook.cjs`: what the shim runs when there is no daemon. Matches from the manifest, spools the facts, starts the
 * daemon. One try each, always exit 0. HOT: every import here costs an agent's call; see the boundary tests.
 */
import { readFileSync, writeSync } from 'node:fs';
import { findAgent } from '../../agents/agents.ts';
import type { AgentEvent } from '../../base/event.ts';
import { makeId } from '../../base/ids.ts';
import { isPrivate } from '../../base/is-private.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { toFacts } from '../../capture/to-facts.ts';
import { writeSpool } from '../../capture/write-spool.ts';
import { openManifest } from '../../match/open-manifest.ts';
import { type DataHome, findDataDir, toDataHome } from '../data-home.ts';
import { type Decision, decideReply } from './decide-reply.ts';
import { startDaemon } from './start-daemon.ts';
import { toDecisionFacts } from './to-decision-facts.ts';
import { FLAGS, toPid } from './wire-protocol.ts';
import { withProcess } from './with-process.ts';

const SILENT: Decision = { deliveries: [] };

function main(): void {
  const startedUs = process.hrtime.bigint() / 1000n;
  const [agentId = '', eventName = '', flags = FLAGS.none] = process.argv.slice(2);
  const home = toDataHome(findDataDir(undefined, process.env));
  attempt(() => {
    const at = new Date().toISOString();
    const adapter = findAgent(agentId);
    const read = adapter?.readHook(eventName, JSON.parse(readFileSync(0, 'utf8')), at);
    const event = read && withProcess(read, toPid(process.env.CLAUDE_PID));
    const manifest = attempt(() => openManifest(readFileSync(home.manifestFile)));
    if (adapter === undefined || event === undefined) return;
    if (isPrivate(event.cwd, manifest?.header.settings.privateProjects ?? [])) return;
    const projectId = identifyProject(event.cwd ?? '').id;
    const elapsedUs = () => Number(process.hrtime.bigint() / 1000n - startedUs);
    const { claimsDir, briefsDir } = home;
    const context = { claimsDir, briefsDir, projectId, probe: flags === FLAGS.probe, elapsedUs };
    const maySpeak = manifest !== undefined && flags !== FLAGS.quiet;
    const decision = (maySpeak ? attempt(() => decideReply(event, { manifest, ...context })) : undefined) ?? SILENT;
    if (decision.reply !== undefined) writeSync(1, `${adapter.writeHook(decision.reply)}\n`);
    if (flags !== FLAGS.probe) spool(home, event, projectId, decision);
  });
  // A probe asks, it does not change what runs.
  if (flags !== FLAGS.probe) attempt(() => startDaemon(home));
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

main();
