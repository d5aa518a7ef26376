/** The agents in which a user can type a command of ours, or mention a skill. */
import type { AgentCommand } from '../base/contracts/agent-command.ts';
import { claudeCodeCommand } from './claude-code/command.ts';
import { codexCommand } from './codex/command.ts';
import { geminiCommand } from './gemini/command.ts';
import { opencodeCommand } from './opencode/command.ts';

export const COMMANDS: readonly AgentCommand[] = [claudeCodeCommand, codexCommand, geminiCommand, opencodeCommand];
