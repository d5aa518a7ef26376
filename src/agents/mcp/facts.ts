/** The name of a client without hooks that reports its calls over MCP. Its session ids say which program it is. */
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';

/** Any program can be such a client, so it has no folder of its own. */
export const facts: AgentFacts = { id: 'mcp', name: 'MCP client', home: { folder: '' } };
