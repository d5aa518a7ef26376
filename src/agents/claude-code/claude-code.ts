/** The adapter for Claude Code's hooks. */
import type { AgentAdapter } from '../../base/agent-adapter.ts';
import { facts } from './facts.ts';
import { findTalkFile } from './find-talk-file.ts';
import { isFromHook } from './is-from-hook.ts';
import { parseTalk } from './parse-talk.ts';
import { readHook } from './read-hook.ts';
import { toStartedCall } from './to-started-call.ts';
import { writeHook } from './write-hook.ts';
import { writeProbe } from './write-probe.ts';

export const claudeCode: AgentAdapter = {
  facts,
  readHook,
  readCall: toStartedCall,
  writeProbe,
  writeHook,
  talk: { findFile: findTalkFile, parse: parseTalk, isFromHook },
};
