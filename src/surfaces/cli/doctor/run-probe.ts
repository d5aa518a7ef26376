/** The hook command as it stands in the agent's settings, run through `sh -c` as agents run it, on trial. */
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import type { AgentAdapter } from '../../../base/agent-adapter.ts';
import { toHookCommand } from '../../install/to-hook-command.ts';
import { toHookFile } from '../../install/to-hook-file.ts';
import type { CommandInput } from '../command.ts';

const PATIENCE_MS = 5_000;

export interface Probe {
  readonly command: string;
  readonly cwd: string;
  /** As if there were no daemon. */
  readonly cold?: boolean;
}

export interface ProbeAnswer {
  /** Undefined: it took too long. */
  readonly status: number | undefined;
  readonly stdout: string;
  readonly tookMs: number;
}

export function runProbe(agent: AgentAdapter, probe: Probe, { home, env }: CommandInput): ProbeAnswer {
  const { eventName, wire } = agent.writeProbe(probe.command, probe.cwd);
  // What is switched off is said elsewhere; here it is whether it would work.
  const { ONCEBITTEN_DISABLED: _, DISABLE_EXPERIENCE_INJECTION: __, ...rest } = env;
  const startedMs = performance.now();
  const { status, stdout } = spawnSync(
    'sh',
    ['-c', toHookCommand(toHookFile(home.dir, homedir()), agent.facts.id, eventName)],
    {
      input: wire,
      encoding: 'utf8',
      timeout: PATIENCE_MS,
      env: { ...rest, ONCEBITTEN_PROBE: probe.cold === true ? 'cold' : '1' },
    },
  );
  return { status: status ?? undefined, stdout, tookMs: performance.now() - startedMs };
}
