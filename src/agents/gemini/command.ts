/** Our command in Gemini CLI. */
import type { AgentCommand } from '../../base/contracts/agent-command.ts';
import { facts } from './facts.ts';

export const geminiCommand: AgentCommand = {
  facts,
  typed: '/oncebitten:learn',
  render: ({ description, notice, text }) => ({
    // In quotes of TOML that take every character as it is.
    'commands/oncebitten/learn.toml': `# ${notice}
description = '${description}'
prompt = '''
${text}'''
`,
  }),
};
