/** The agents whose past sessions we can read. Adding one is a folder here and a row in this list. */
import type { AgentHistory } from '../base/agent-history.ts';
import { claudeCodeHistory } from './claude-code/claude-code-history.ts';
import { codexHistory } from './codex/codex-history.ts';
import { copilotHistory } from './copilot/copilot-history.ts';
import { geminiHistory } from './gemini/gemini-history.ts';
import { opencodeHistory } from './opencode/opencode-history.ts';

export const HISTORIES: readonly AgentHistory[] = [
  claudeCodeHistory,
  codexHistory,
  opencodeHistory,
  geminiHistory,
  copilotHistory,
];

export function findHistory(agent: string): AgentHistory | undefined {
  return HISTORIES.find((history) => history.agent === agent);
}
