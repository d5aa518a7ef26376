/** The sub-agents of Copilot CLI in its hooks: a session of their own that names its parent. */

interface SubagentPlace {
  readonly sessionId: string;
  readonly contextId: string;
}

/** The place of a sub-agent's event in the session of its parent, as in the log. Undefined for the main conversation. */
export function toSubagent(id: unknown, parent: unknown): SubagentPlace | undefined {
  if (typeof id !== 'string' || id === '' || typeof parent !== 'string' || parent === '') return undefined;
  return { sessionId: parent, contextId: id };
}
