/** The agents whose past sessions we can read. */
import type { AgentHistory } from '../base/contracts/agent-history.ts';
import { claudeCodeHistory } from './claude-code/history.ts';
import { codexHistory } from './codex/history.ts';
import { copilotHistory } from './copilot/history.ts';
import { geminiHistory } from './gemini/history.ts';
import { opencodeHistory } from './opencode/history.ts';

export const HISTORIES: readonly AgentHistory[] = [
  claudeCodeHistory,
  codexHistory,
  opencodeHistory,
  geminiHistory,
  copilotHistory,
];

export function findHistory(agent: string): AgentHistory | undefined {
  return HISTORIES.find((history) => history.facts.id === agent);
}
