/** The agents whose model we can ask through their own program, in the order in which they are tried. */
import type { AgentHeadless } from '../base/contracts/agent-headless.ts';
import { claudeCodeHeadless } from './claude-code/headless.ts';
import { codexHeadless } from './codex/headless.ts';
import { copilotHeadless } from './copilot/headless.ts';
import { geminiHeadless } from './gemini/headless.ts';
import { opencodeHeadless } from './opencode/headless.ts';

export const HEADLESS: readonly AgentHeadless[] = [
  claudeCodeHeadless,
  codexHeadless,
  geminiHeadless,
  opencodeHeadless,
  copilotHeadless,
];
