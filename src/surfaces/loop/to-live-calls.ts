/** Capture: clean events as calls, judged and signed. What we have not seen ourselves is hearsay. */
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent } from '../../base/event.ts';
import { findMainCommand } from '../../base/find-main-command.ts';
import { isHookRun } from '../../base/is-hook-run.ts';
import { toIntentKey } from '../../base/to-intent-key.ts';
import { toSignature } from '../../base/to-signature.ts';
import { toCalls } from '../../capture/to-calls.ts';
import type { FindSessionProject } from './make-session-projects.ts';

export interface ToldCalls {
  readonly observed: readonly LiveCall[];
  readonly hearsay: readonly LiveCall[];
  /** To be kept, but nothing to learn from: other people's hooks, and the ends of background tasks. */
  readonly beside: readonly LiveCall[];
}

const CONTEXT = { toSignature, toProgram: (command: string) => findMainCommand(command)?.program, isClean: true };

export function toLiveCalls(events: readonly AgentEvent[], findProject: FindSessionProject): ToldCalls {
  const tell = (event: AgentEvent): readonly LiveCall[] =>
    toCalls(event, { ...CONTEXT, projectId: findProject(event).id }).map((call) => ({
      ...call,
      source: event.source,
      // Nobody's intent, or none that is told here.
      ...(isHookRun(call) || call.inputHash === undefined ? {} : { intentKey: toIntentKey(call) }),
    }));
  return {
    observed: events.filter((event) => event.kind === 'call-ended' && !isHookRun(event)).flatMap(tell),
    hearsay: events.filter((event) => event.kind === 'batch-ended').flatMap(tell),
    beside: events.filter((event) => event.kind === 'background-ended' || isHookRun(event)).flatMap(tell),
  };
}
