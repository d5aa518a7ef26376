/** An event with the agent's process: only whoever runs the hook knows it, no payload tells. */
import { hostname } from 'node:os';
import type { AgentEvent } from '../../base/event.ts';

export function withProcess(event: AgentEvent, pid: number | undefined): AgentEvent {
  return pid === undefined ? event : { ...event, pid, host: hostname() };
}
