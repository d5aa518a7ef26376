/** What Gemini CLI is called and where its things are. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'gemini',
  name: 'Gemini CLI',
  // The variable names what stands for the user's home, not the folder in it.
  home: { env: 'GEMINI_CLI_HOME', folder: '.gemini' },
  instructions: { target: 'gemini', files: ['GEMINI.md'] },
};
