/** The names and places of Gemini CLI. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'gemini',
  name: 'Gemini CLI',
  // The variable replaces the user's home, not the folder in it.
  home: { env: 'GEMINI_CLI_HOME', folder: '.gemini' },
  instructions: { target: 'gemini', files: ['GEMINI.md'] },
};
