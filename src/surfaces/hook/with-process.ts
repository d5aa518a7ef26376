/** An event with the agent's process: only whoever runs the hook knows it, no payload tells. */
import { hostname } from 'node:os';
import type { AgentEvent } from '../../base/event.ts';

/** Asked once: the system is slow to tell it, and this is at every event. */
let host: string | undefined;

export function withProcess(event: AgentEvent, pid: number | undefined): AgentEvent {
  if (pid === undefined) return event;
  host ??= hostname();
  return { ...event, pid, host };
}
