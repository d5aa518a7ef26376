/**
 * An agent that runs the hooks of Claude's settings, in a dialect of its own. What a guest tells with certainty is
 * counted under the guest's own id; about the rest we are silent. Where these facts come from is said in each file.
 */

import type { NoteReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentFacts } from '../../base/contracts/agent-facts.ts';
import type { CallResult } from '../../base/model/event.ts';
import type { ToolName } from '../../base/model/tool.ts';
import type { HookWire, ToolWire } from './wire.ts';

export interface Guest {
  readonly facts: AgentFacts;
  /** Names of tools; one that is not here is `other`. */
  readonly tools: Readonly<Record<string, ToolName>>;
  /** Keys of a tool's input, the first that is there counts. */
  readonly pathKeys: readonly string[];
  readonly contentKeys: readonly string[];
  readonly findCwd: (wire: HookWire) => string | undefined;
  /** Without ids nobody can tell which call a lesson was shown at, so none is: calls are counted when they end. */
  readonly hasCallIds: boolean;
  /** Undefined: then the call is not counted. */
  readonly findCallId: (wire: ToolWire) => string | undefined;
  /** How a call ended; undefined where the payload does not say so for certain: then it is not counted. */
  readonly findResult: (tool: ToolName, wire: ToolWire) => CallResult | undefined;
  /** Whether a prompt came from a person. */
  readonly isHuman: (wire: HookWire) => boolean;
  /** Guests are advised, never held back. */
  readonly writeHook: (reply: NoteReply) => string;
  /** What is printed when there is nothing to say. */
  readonly silence: string;
}
