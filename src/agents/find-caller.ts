/**
 * Who is at the hook: the agent that the hook was installed for, or a guest that runs the same settings. Whoever it
 * is, an event is counted under one id and answered in that agent's own form, or not at all.
 */
import type { AgentAdapter } from '../base/agent-adapter.ts';
import type { DeliveryMode } from '../base/lesson.ts';
import { findAgent } from './agents.ts';
import { claudeCode } from './claude-code/claude-code.ts';
import { toCallerId } from './claude-code/to-caller-id.ts';
import { copilot } from './guests/copilot.ts';
import { cursor } from './guests/cursor.ts';
import type { Guest } from './guests/guest.ts';
import { readGuestHook } from './guests/read-guest-hook.ts';
import { vscode } from './guests/vscode.ts';
import { isWire } from './wire.ts';

export interface Caller extends Pick<AgentAdapter, 'readHook' | 'writeHook'> {
  readonly id: string;
  /** What is printed when there is nothing to say. */
  readonly silence: string;
  readonly modes: readonly DeliveryMode[];
}

export const GUESTS: readonly Guest[] = [cursor, copilot, vscode];

/** Undefined for an agent that nobody here can read: it hears nothing and nothing is counted. */
export function findCaller(agentId: string, payload: unknown): Caller | undefined {
  const adapter = findAgent(agentId);
  if (adapter === undefined) return undefined;
  const callerId = adapter === claudeCode && isWire(payload) ? toCallerId(payload) : agentId;
  if (callerId === agentId)
    return {
      id: agentId,
      silence: '',
      modes: adapter.facts.modes,
      readHook: adapter.readHook,
      writeHook: adapter.writeHook,
    };
  const guest = GUESTS.find(({ id }) => id === callerId);
  return guest && toCaller(guest);
}

function toCaller(guest: Guest): Caller {
  return {
    id: guest.id,
    silence: guest.silence,
    readHook: (eventName, wire, at) => readGuestHook(guest, eventName, wire, at),
    modes: ['note'],
    writeHook: (reply) => (reply.kind === 'note' ? guest.writeHook(reply) : guest.silence),
  };
}
