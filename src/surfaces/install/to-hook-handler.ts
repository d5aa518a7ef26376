/**
 * What we put into an agent's settings for one event: a group without a matcher (so it fires for every tool) that holds
 * one command handler.
 */
import type { AgentFacts, HookEventFacts } from '../../base/agent-adapter.ts';
import { toHookCommand } from './to-hook-command.ts';

export interface HookHandler {
  readonly type: 'command';
  readonly command: string;
  readonly timeout: number;
  readonly async?: true;
}

/** The keys of a handler that are ours to set; any other key in it is the user's. */
export const HANDLER_KEYS = ['type', 'command', 'timeout', 'async'] as const;

export function toHookHandler(facts: AgentFacts, hookFile: string, event: HookEventFacts): HookHandler {
  return {
    type: 'command',
    command: toHookCommand(hookFile, facts.id, event.name),
    timeout: facts.hooks.timeout,
    ...(event.async ? { async: true } : {}),
  };
}
