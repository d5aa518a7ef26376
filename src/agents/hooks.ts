/** The agents whose hooks we read and answer. Every hook loads this file. */
import type { AgentAdapter, HookCaller } from '../base/contracts/agent-adapter.ts';
import { claudeCode } from './claude-code/hooks.ts';
import { codex } from './codex/hooks.ts';
import { copilot } from './copilot/hooks.ts';
import { cursor } from './cursor/hooks.ts';
import { gemini } from './gemini/hooks.ts';
import { opencode } from './opencode/hooks.ts';

export const ADAPTERS: readonly AgentAdapter[] = [claudeCode, codex, gemini, opencode, copilot, cursor];

export function findAdapter(id: string): AgentAdapter | undefined {
  return ADAPTERS.find(({ facts }) => facts.id === id);
}

/** The agent that called the hook. Undefined if no adapter can parse its payload. */
export function findCaller(agentId: string, payload: unknown): HookCaller | undefined {
  const adapter = findAdapter(agentId);
  const guest = adapter?.findGuest?.(payload);
  if (adapter === undefined || guest === 'unknown') return undefined;
  if (guest !== undefined) return guest;
  const { capabilities, ending, readHook, writeHook, silence = '' } = adapter;
  return { id: agentId, silence, capabilities, readHook, writeHook, ...(ending && { ending }) };
}
