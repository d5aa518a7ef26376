/** The agents that we install hooks into. */
import type { AgentInstall } from '../base/contracts/agent-install.ts';
import { claudeCodeInstall } from './claude-code/install.ts';
import { codexInstall } from './codex/install.ts';
import { copilotInstall } from './copilot/install.ts';
import { cursorInstall } from './cursor/install.ts';
import { geminiInstall } from './gemini/install.ts';
import { opencodeInstall } from './opencode/install.ts';

export const INSTALLS: readonly AgentInstall[] = [
  claudeCodeInstall,
  codexInstall,
  geminiInstall,
  opencodeInstall,
  copilotInstall,
  cursorInstall,
];
