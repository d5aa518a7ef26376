/** An event as the facts that may be written down at once (see `base/fact.ts`). */
import type { Call } from '../base/call.ts';
import type { AgentEvent, EndedCall } from '../base/event.ts';
import { FACT_VERSION, type Fact, type FactOrigin } from '../base/fact.ts';
import { redactPath } from '../base/redact-path.ts';
import type { ToolName } from '../base/tool.ts';
import { type Judgement, judgeFacts } from './judge-facts.ts';
import { toDuration } from './to-duration.ts';
import { toTold } from './to-told.ts';

export function toFacts(event: AgentEvent, projectId: string): readonly Fact[] {
  const origin = toOrigin(event);
  switch (event.kind) {
    case 'call-ended':
    case 'background-ended':
      return [{ ...origin, kind: 'call', how: 'observed', call: toBareCall(event, event, projectId) }];
    case 'batch-ended':
      return event.calls.map((call) => ({
        ...origin,
        kind: 'call',
        how: 'hearsay',
        call: toTold(toBareCall(event, call, projectId)),
      }));
    case 'session-ended':
      return [{ ...origin, kind: 'ended', reason: redactPath(event.reason) }];
    default:
      return [{ ...origin, kind: 'seen' }];
  }
}

function toOrigin({ agent, sessionId, at, cwd, pid, host, transcriptPath }: AgentEvent): FactOrigin {
  return {
    v: FACT_VERSION,
    agent,
    sessionId,
    at,
    ...(cwd === undefined ? {} : { cwd: redactPath(cwd) }),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
  };
}

function toBareCall(event: AgentEvent, ended: EndedCall, projectId: string): Call {
  const { result } = ended;
  return {
    agent: event.agent,
    sessionId: event.sessionId,
    contextId: event.contextId,
    callId: ended.callId,
    projectId,
    // Servers and their tools are named by others.
    tool: redactPath(ended.tool) as ToolName,
    rawTool: redactPath(ended.rawTool),
    ...toCautious(judgeFacts(ended)),
    ...(result.exitCode === undefined ? {} : { exitCode: result.exitCode }),
    ...toDuration(result),
    occurredAt: event.at,
  };
}

/** Whether a success hid a failure is not looked at here: whoever does has the better word, early or late. */
function toCautious(judgement: Judgement): Judgement {
  const isDone = judgement.outcome === 'success' || judgement.outcome === 'partial';
  return isDone && judgement.outcomeType !== 'background' ? { ...judgement, outcomeType: 'no-error' } : judgement;
}
