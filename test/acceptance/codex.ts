/** Codex with our hooks: it skips them until the user trusts them, which the rig does in place of the user's `/hooks`. */
import { join } from 'node:path';
import type { Checks } from './checks.ts';
import { toTexts } from './delivery-requests.ts';
import { acceptHooks, teach } from './hooked-client.ts';

export function accept(checks: Checks): Promise<void> {
  return acceptHooks(
    {
      name: 'codex',
      settings: '.codex/hooks.json',
      consent: async (stage) => {
        const { learn, home, project, session } = stage;
        const { slug } = await teach(stage, '--untrusted', 'look');
        const { requests } = await session('UNTRUSTED');
        const isSilent = requests.length === 2 && !toTexts(requests.at(-1)).includes(slug);
        checks.check('before the user trusts them, Codex runs no hook of ours', isSilent);
        await learn.rig.trustHooks(join(home, '.codex'), project);
      },
    },
    checks,
  );
}
