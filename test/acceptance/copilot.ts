/** Copilot CLI with our hooks. */
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { acceptHooks } from './client-hooks.ts';
import { openRig } from './rig.ts';

export async function accept(checks: Checks): Promise<void> {
  await acceptHooks(
    await openRig('copilot'),
    {
      agent: 'copilot',
      toEnv: (home) => ({ COPILOT_HOME: join(home, '.copilot') }),
      hooksFile: '.copilot/hooks/oncebitten.json',
      foreignFile: '.copilot/hooks/mine.json',
      foreignText: '{ "version": 1, "hooks": { "agentStop": [ { "type": "command", "bash": "true" } ] } }\n',
      shell: (command) => ({ text: 'I go.', tools: [{ name: 'bash', input: { command, description: 'x' } }] }),
      readMissing: (project) => ({
        text: 'I read.',
        tools: [{ name: 'view', input: { path: join(project, 'missing.txt') } }],
      }),
      // The daemon looks for new files of sessions every 20 seconds.
      waitMs: 90_000,
    },
    checks,
  );
}
