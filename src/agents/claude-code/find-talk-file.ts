/** The transcript of the conversation that makes a call. Hooks name the main one; a sub-agent's lies beside it. */
import type { EventOf } from '../../base/event.ts';

const MAIN = /\.jsonl$/;
const ID = /^[\w-]{1,100}$/;

/** Sub-agents of some kinds have a folder of their own in there, which no hook names: then there is no such file. */
export function findTalkFile({ transcriptPath, contextId }: EventOf<'call-started'>): string | undefined {
  if (transcriptPath === undefined || !MAIN.test(transcriptPath)) return undefined;
  if (contextId === '') return transcriptPath;
  return ID.test(contextId) ? `${transcriptPath.replace(MAIN, '')}/subagents/agent-${contextId}.jsonl` : undefined;
}
