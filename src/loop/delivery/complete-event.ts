/**
 * Completes an event with facts that its payload lacks: the agent's process, and the outcome of a call that a hook
 * reports without it. The agent has written that outcome into its session file before it runs the hook. The file is
 * read only for such an event, and only its end.
 */

import { hostname } from 'node:os';
import type { EndingReader } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { readEnd } from './conversation.ts';

/** A row repeats the output of its call; agents cut outputs far below this. */
const TAIL_BYTES = 256 * 1024;

/** The event as it is, if its end is not in the file; a later scan finds it there. */
export function completeEvent(event: AgentEvent, ending: EndingReader | undefined): AgentEvent {
  if (event.kind !== 'call-returned' || ending === undefined || event.transcriptPath === undefined) return event;
  const tail = readEnd(event.transcriptPath, TAIL_BYTES)?.text;
  return (tail === undefined ? undefined : ending.complete(event, tail)) ?? event;
}

/** Cached, because asking the system is slow and every event needs it. */
let host: string | undefined;

/** Adds the agent's process, which only the hook knows: no payload contains it. */
export function withProcess(event: AgentEvent, pid: number | undefined): AgentEvent {
  if (pid === undefined) return event;
  host ??= hostname();
  return { ...event, pid, host };
}
