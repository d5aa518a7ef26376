/**
 * Proof, not belief: the installed hook command must give a canary back, with the daemon and without, and then a real
 * lesson. What comes out is read in the agent's own envelope, because a wrong one is dropped without a word.
 */
import { existsSync } from 'node:fs';
import { AGENTS } from '../../../agents/agents.ts';
import type { AgentAdapter } from '../../../base/agent-adapter.ts';
import { UserError } from '../../../base/errors.ts';
import { isMuted, isPaused } from '../../../base/switches.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { findDaemon } from '../../daemon/control-daemon.ts';
import { type CanarySource, renderCanary, toCanaryCommand } from '../../hook/find-canary.ts';
import { readSwitches } from '../../hook/read-switches.ts';
import type { CommandInput } from '../command.ts';
import { type Check, checkThat } from './check.ts';
import { findTrial, type Trial, type Trials } from './find-trial.ts';
import { type ProbeAnswer, runProbe } from './run-probe.ts';

export async function checkDelivery(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.hookFile)) return [];
  const sources: readonly CanarySource[] = (await findDaemon(input.home)) === undefined ? ['hook'] : ['daemon', 'hook'];
  // Awaited in the checks: a store that cannot be opened is their bad news, not the end of `doctor`.
  const trial = findTrial(input);
  const checks = AGENTS.flatMap((agent) => [
    ...sources.map((source) =>
      checkThat(`delivery to ${agent.facts.name}, ${source === 'daemon' ? 'with' : 'without'} the daemon`, () =>
        deliverCanary(agent, source, input),
      ),
    ),
    checkThat(`a lesson to ${agent.facts.name}`, async () => deliverLesson(agent, await trial, input)),
  ]);
  return Promise.all(checks);
}

function deliverCanary(agent: AgentAdapter, source: CanarySource, input: CommandInput): string {
  const token = Math.random().toString(36).slice(2).padEnd(8, '0');
  const probe = { command: toCanaryCommand(token), cwd: input.home.dir, cold: source === 'hook' };
  const answer = runProbe(agent, probe, input);
  const expected = agent.writeHook({ kind: 'note', to: 'call-started', context: renderCanary(token, source) });
  if (answer.stdout.trim() === expected) return `a canary came back in ${answer.tookMs.toFixed(0)} ms`;
  const other =
    source === 'daemon' && answer.stdout.includes(token) ? ', only without the daemon, which is running' : '';
  throw toError(answer, `gave no canary back${other}`, input);
}

function deliverLesson(agent: AgentAdapter, { trial, activeLessons }: Trials, input: CommandInput): string {
  if (activeLessons === 0) return 'not tried, because there are no active lessons yet';
  if (trial === undefined)
    return `not tried, because none of your active lessons (${activeLessons}) fires on a command that doctor can make up`;
  if (isSilenced(trial, input)) return `${trial.slug} is paused or muted, so it was not tried`;
  const answer = runProbe(agent, trial, input);
  if (answer.stdout.includes(trial.slug)) return `${trial.slug} arrived in ${answer.tookMs.toFixed(0)} ms`;
  throw toError(answer, `did not deliver ${trial.slug}`, input);
}

function isSilenced({ lessonId, cwd }: Trial, { home }: CommandInput): boolean {
  const switches = readSwitches(home.switchesFile);
  const place = { sessionId: '', projectId: identifyProject(cwd).id, cwd, at: new Date().toISOString() };
  return isPaused(switches, place) || isMuted(switches, { lessonId, sessionId: '' }, Date.now());
}

function toError({ status }: ProbeAnswer, reason: string, { home }: CommandInput): UserError {
  return new UserError({
    subject: home.hookFile,
    reason: status === 0 ? reason : `${reason} and ended with ${status ?? 'a time-out'}`,
    next: `write it again: oncebitten daemon start; then read the daemon's log: ${home.logFile}`,
  });
}
