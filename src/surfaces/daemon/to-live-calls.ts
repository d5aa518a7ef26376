/** Capture: events as calls, redacted, judged and signed. What we have not seen ourselves is hearsay. */
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent } from '../../base/event.ts';
import { findMainProgram } from '../../base/find-main-program.ts';
import { toIntentKey } from '../../base/to-intent-key.ts';
import { toSignature } from '../../base/to-signature.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { toCalls } from '../../capture/to-calls.ts';

export interface ToldCalls {
  readonly observed: readonly LiveCall[];
  readonly hearsay: readonly LiveCall[];
}

export function toLiveCalls(events: readonly AgentEvent[]): ToldCalls {
  const projects = new Map<string, string>();
  const toProjectId = (cwd: string): string => {
    const id = projects.get(cwd) ?? identifyProject(cwd).id;
    projects.set(cwd, id);
    return id;
  };
  const tell = (event: AgentEvent): readonly LiveCall[] =>
    toCalls(event, { projectId: toProjectId(event.cwd ?? ''), toSignature, toProgram: findMainProgram }).map(
      (call) => ({
        ...call,
        intentKey: toIntentKey(call),
      }),
    );
  return {
    observed: events.filter((event) => event.kind === 'call-ended').flatMap(tell),
    hearsay: events.filter((event) => event.kind === 'batch-ended').flatMap(tell),
  };
}
