/** The words among clean events, each with the call it came after. */
import type { LiveCall } from '../../base/call.ts';
import type { Spoken } from '../../base/detector.ts';
import type { AgentEvent, EventOf } from '../../base/event.ts';
import type { FindSessionProject } from './make-session-projects.ts';

/** `calls`: those of the same events that are kept. */
export function toSpoken(
  events: readonly AgentEvent[],
  calls: readonly LiveCall[],
  findProject: FindSessionProject,
): readonly Spoken[] {
  const kept = new Set(calls.map(({ callId }) => callId));
  const last = new Map<string, string>();
  return events.flatMap((event) => {
    const key = `${event.agent}\n${event.sessionId}\n${event.contextId}`;
    if (event.kind === 'call-ended' && kept.has(event.callId)) last.set(key, event.callId);
    return event.kind === 'prompted' || event.kind === 'said'
      ? [toWords(event, findProject(event).id, last.get(key))]
      : [];
  });
}

function toWords(event: EventOf<'prompted' | 'said'>, projectId: string, afterCallId: string | undefined): Spoken {
  const { kind, agent, sessionId, contextId, text, at, cwd, model, agentVersion, transcriptPath: file, line } = event;
  return {
    ...{ kind, agent, sessionId, contextId, text, at, projectId },
    ...(afterCallId === undefined ? {} : { afterCallId }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(model === undefined ? {} : { model }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(file === undefined || line === undefined ? {} : { evidence: { file, line } }),
  };
}
