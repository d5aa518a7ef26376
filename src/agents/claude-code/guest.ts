/**
 * The contract of a guest: an agent that runs the hooks of Claude's settings with its own dialect. Events that a guest
 * reports with certainty are counted under the guest's own id; the rest is ignored. Each guest's file names the source
 * of its facts.
 */

import type { NoteReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';
import type { CallResult, EventOrigin } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import type { CallFacts } from '../calls.ts';
import type { HookWire, ToolWire } from './wire.ts';

export interface Guest extends CallFacts {
  readonly facts: AgentFacts;
  /** The folder, if the payload has no `cwd`. */
  readonly findFolder?: (wire: HookWire) => string | undefined;
  /** Calls have no id, so a report of one is only answered, and the guest's own session file reports it. */
  readonly hasNoIds?: true;
  /** The place of a sub-agent's event. Undefined for the main conversation. */
  readonly findSubagent?: (wire: HookWire) => Pick<EventOrigin, 'sessionId' | 'contextId'> | undefined;
  /** How a call ended; undefined if the payload does not say it for certain, and then the call is not counted. */
  readonly findResult: (tool: ToolName, wire: ToolWire) => CallResult | undefined;
  /** Did a person write the prompt? Absent: always. */
  readonly isHuman?: (wire: HookWire) => boolean;
  /** Guests only get notes, never a refusal. */
  readonly writeHook: (reply: NoteReply) => string;
  /** The reply if there is nothing to deliver. Absent: none. */
  readonly silence?: string;
}
