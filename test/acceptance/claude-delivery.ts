/**
 * Claude Code: how lessons reach the model. Each mode, at the start of a session, in sub-agents, after compaction, resume,
 * fork and clear; and that nothing of ours, however broken, changes how a run ends.
 */
import type { Checks } from './checks.ts';
import { acceptCompaction, acceptGoingOn, acceptSubagents } from './claude-delivery-contexts.ts';
import { acceptBlock, acceptNote, acceptPause } from './claude-delivery-modes.ts';
import { acceptOpening } from './claude-delivery-opening.ts';
import { acceptRewrite } from './claude-delivery-rewrite.ts';
import { acceptTrouble } from './claude-delivery-trouble.ts';
import { openStage, type Stage } from './delivery-stage.ts';
import { openRig } from './rig.ts';

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('claude');
  const on = async (name: string, ...stories: readonly ((stage: Stage) => Promise<void>)[]): Promise<void> => {
    const startedMs = Date.now();
    const stage = await openStage(rig, checks, `delivery-${name}`);
    try {
      for (const story of stories) await story(stage);
    } finally {
      await stage.close();
    }
    console.log(`     ${name}: ${((Date.now() - startedMs) / 1000).toFixed(1)} s`);
  };
  await on('modes', acceptNote, acceptPause, acceptRewrite, acceptBlock);
  await on('opening', acceptOpening);
  await on('contexts', acceptSubagents, acceptCompaction, acceptGoingOn);
  const bare = await openStage(rig, checks, 'delivery-bare', { isInstalled: false });
  await on('trouble', (stage) => acceptTrouble(bare, stage));
}
