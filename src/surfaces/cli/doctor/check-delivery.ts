/** Proof, not belief: the installed hook command is run as agents run it, and must answer with a lesson. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { AGENTS } from '../../../agents/agents.ts';
import type { AgentAdapter } from '../../../base/agent-adapter.ts';
import { UserError } from '../../../base/errors.ts';
import type { Lesson } from '../../../base/lesson.ts';
import type { Project } from '../../../base/session.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toHookCommand } from '../../install/to-hook-command.ts';
import type { CommandInput } from '../command.ts';
import { withHome } from '../open-home.ts';
import { toExampleCommand } from '../to-example-command.ts';
import { type Check, checkThat } from './check.ts';

const PATIENCE_MS = 5_000;

export async function checkDelivery(input: CommandInput): Promise<readonly Check[]> {
  if (!existsSync(input.home.hookFile)) return [];
  // Awaited in the checks: a store that cannot be opened is their bad news, not the end of `doctor`.
  const trial = findTrial(input);
  return Promise.all(
    AGENTS.map((agent) => checkThat(`delivery to ${agent.facts.name}`, async () => deliver(agent, await trial, input))),
  );
}

interface Trial {
  readonly slug: string;
  readonly command: string;
  readonly cwd: string;
}

function deliver(agent: AgentAdapter, trial: Trial | undefined, { home, env }: CommandInput): string {
  const { eventName, wire } = agent.writeProbe(trial?.command ?? 'true', trial?.cwd ?? home.dir);
  const startedMs = performance.now();
  const { status, stdout } = spawnSync('sh', ['-c', toHookCommand(home.hookFile, agent.facts.id, eventName)], {
    input: wire,
    encoding: 'utf8',
    timeout: PATIENCE_MS,
    env: { ...env, ONCEBITTEN_PROBE: '1' },
  });
  const tookMs = (performance.now() - startedMs).toFixed(0);
  const next = `read the daemon's log: ${home.logFile}`;
  if (status !== 0)
    throw new UserError({ subject: home.hookFile, reason: `ended with ${status ?? 'a time-out'}`, next });
  if (trial === undefined) return `the hook answers in ${tookMs} ms; there is no lesson yet to deliver`;
  if (!stdout.includes(trial.slug))
    throw new UserError({ subject: home.hookFile, reason: `did not deliver ${trial.slug}`, next });
  return `${trial.slug} arrived in ${tookMs} ms`;
}

/** An active lesson with a command that it speaks at, in a folder that is still there. */
async function findTrial(input: CommandInput): Promise<Trial | undefined> {
  const { lessons, projects, settings } = await withHome(input, async ({ store, settings }) => ({
    lessons: await store.listLessons({ status: 'active' }),
    projects: await store.listProjects(),
    settings,
  }));
  for (const lesson of lessons) {
    if (lesson.needsReview || lesson.confidence < settings.minConfidence) continue;
    const command = toExampleCommand(lesson);
    const cwd = findFolder(lesson, projects, input.home.dir);
    if (command !== undefined && cwd !== undefined) return { slug: lesson.slug, command, cwd };
  }
  return undefined;
}

function findFolder({ scope }: Lesson, projects: readonly Project[], anywhere: string): string | undefined {
  if (scope.kind !== 'project') return anywhere;
  return projects.find(({ id, root }) => id === scope.id && identifyProject(root).id === id)?.root;
}
