/**
 * The contract of a guest: an agent that runs the hooks of Claude's settings with its own dialect. Events that a guest
 * reports with certainty are counted under the guest's own id; the rest is ignored. Each guest's file names the source
 * of its facts.
 */

import type { NoteReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';
import type { CallResult } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import type { CallFacts } from '../calls.ts';
import type { HookWire, ToolWire } from './wire.ts';

export interface Guest extends CallFacts {
  readonly facts: AgentFacts;
  readonly findCwd: (wire: HookWire) => string | undefined;
  /** Without call ids no lesson is shown, because its call would be unknown, and calls are counted when they end. */
  readonly hasCallIds: boolean;
  /** Undefined: the call is not counted. */
  readonly findCallId: (wire: ToolWire) => string | undefined;
  /** How a call ended; undefined if the payload does not say it for certain, and then the call is not counted. */
  readonly findResult: (tool: ToolName, wire: ToolWire) => CallResult | undefined;
  /** Did a person write the prompt? */
  readonly isHuman: (wire: HookWire) => boolean;
  /** Guests only get notes, never a refusal. */
  readonly writeHook: (reply: NoteReply) => string;
  /** The reply if there is nothing to deliver. */
  readonly silence: string;
}
