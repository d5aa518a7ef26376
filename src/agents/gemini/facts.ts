/** The names and places of Gemini CLI. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

export const facts: AgentFacts = {
  id: 'gemini',
  name: 'Gemini CLI',
  home: { env: 'GEMINI_CLI_HOME', isParent: true, folder: '.gemini' },
  instructions: { target: 'gemini', files: ['GEMINI.md'] },
};
