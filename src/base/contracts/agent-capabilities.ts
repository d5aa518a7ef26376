/**
 * What the hooks of a coding agent can do, as data in the agent's own folder. The decision about a reply reads it, and
 * `doctor`, `install` and `docs/reference/agents.md` show it (`surfaces/install/describe-capabilities.ts` has the words).
 */

import type { DeliveryMode } from '../model/lesson.ts';

export interface AgentCapabilities {
  /** What a reply before a call can do. Without `note`, a note about the call comes with its result. */
  readonly beforeCall: readonly DeliveryMode[];
  /**
   * The results that can carry a note. `no errors`: the agent drops a note with a result that it reports as an error; a
   * command that ran and ended with an exit code other than 0 is not an error in this sense.
   */
  readonly withResult: 'all' | 'no errors' | 'none';
  /** The failures at which the model reads a known fix. `commands`: failed shell commands only. */
  readonly knownFixes: 'all' | 'commands' | 'none';
  /** Does the model read a note at the start of a session? */
  readonly sessionStart: boolean;
  /**
   * `greeted`: a sub-agent reads a note at its start, and hooks name the sub-agent of a call. `named`: hooks name it.
   * `unmarked`: the calls of a sub-agent look like those of the main conversation.
   */
  readonly subagents: 'greeted' | 'named' | 'unmarked';
  /** Where the daemon learns of calls while a session runs. `late file`: the agent writes its session file later. */
  readonly calls: 'hooks' | 'session file' | 'late file';
  /** `0 or 1`: hooks know whether a command failed, not its own exit code. */
  readonly exitCodes: 'hooks' | '0 or 1' | 'session file';
}
