/** A fact of a call, from the few fields that a test needs. */
import type { Call } from '../../src/base/model/call.ts';
import { FACT_VERSION, type Fact } from '../../src/base/model/fact.ts';

export function makeFact(callId: string, fields: Partial<Call> = {}): Extract<Fact, { kind: 'call' }> {
  const at = '2026-01-01T00:00:00.000Z';
  const call: Call = {
    agent: 'claude-code',
    sessionId: 'one',
    contextId: '',
    callId,
    projectId: 'prj_1',
    tool: 'shell',
    rawTool: 'Bash',
    outcome: 'success',
    outcomeType: 'exit-code',
    masked: false,
    occurredAt: at,
    ...fields,
  };
  return { v: FACT_VERSION, agent: call.agent, sessionId: call.sessionId, at, kind: 'call', how: 'observed', call };
}
