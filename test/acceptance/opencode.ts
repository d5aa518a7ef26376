/** OpenCode with our plugin. */
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { acceptHooks } from './client-hooks.ts';
import { openRig } from './rig.ts';

export async function accept(checks: Checks): Promise<void> {
  await acceptHooks(
    await openRig('opencode'),
    {
      agent: 'opencode',
      hasProgram: true,
      toEnv: (home) => ({ XDG_CONFIG_HOME: join(home, '.config'), XDG_DATA_HOME: join(home, '.local/share') }),
      hooksFile: '.config/opencode/plugins/oncebitten.js',
      foreignFile: '.config/opencode/plugins/mine.js',
      foreignText: '// mine\nexport const Mine = async () => ({});\n',
      shell: (command) => ({ text: 'I go.', tools: [{ name: 'bash', input: { command, description: 'x' } }] }),
      readMissing: (project) => ({
        text: 'I read.',
        tools: [{ name: 'read', input: { filePath: join(project, 'missing.txt') } }],
      }),
    },
    checks,
  );
}
