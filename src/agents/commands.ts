/** The agents in which a user can type commands of ours, or mention a skill. */
import type { AgentCommands } from '../base/contracts/agent-command.ts';
import { claudeCodeCommands } from './claude-code/command.ts';
import { codexCommands } from './codex/command.ts';
import { copilotCommands } from './copilot/command.ts';
import { cursorCommands } from './cursor/command.ts';
import { geminiCommands } from './gemini/command.ts';
import { opencodeCommands } from './opencode/command.ts';

export const COMMANDS: readonly AgentCommands[] = [
  claudeCodeCommands,
  codexCommands,
  geminiCommands,
  opencodeCommands,
  copilotCommands,
  cursorCommands,
];
