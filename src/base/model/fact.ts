/**
 * What is written down at once, before an event is acknowledged: ids, tool, outcome, exit code, times. No text of any
 * input or output: finding every secret in a text takes longer than an agent may wait, and no secret may reach a disk.
 * The text follows through the daemon's memory or, when that is lost, from the agent's transcript.
 */

import type { HookReply } from '../contracts/agent-adapter.ts';
import type { OpenSession } from './brief.ts';
import type { Call } from './call.ts';
import type { Delivery, SkippedLesson } from './delivery.ts';

export const FACT_VERSION = 1;
/** Of a file with the facts of one event. */
export const SPOOL_SUFFIX = '.fact';

export interface FactOrigin {
  readonly v: number;
  readonly agent: string;
  readonly sessionId: string;
  readonly at: string;
  readonly cwd?: string;
  readonly pid?: number;
  readonly host?: string;
  /** Where the text of this session can be read later. */
  readonly transcriptPath?: string;
}

export type Fact = FactOrigin &
  (
    | { readonly kind: 'call'; readonly how: 'observed' | 'hearsay'; readonly call: Call }
    | { readonly kind: 'seen' }
    | { readonly kind: 'ended'; readonly reason: string }
    | { readonly kind: 'delivered'; readonly delivery: Delivery }
    /** Lessons about this call that were left unsaid. */
    | {
        readonly kind: 'unsaid';
        readonly contextId: string;
        readonly callId: string;
        readonly unsaid: readonly SkippedLesson[];
      }
    /** A text that was added to a conversation, in bytes; without a call, at its start. `version`: that of the protocol, which the text ends with. */
    | {
        readonly kind: 'added';
        readonly contextId: string;
        readonly callId: string;
        readonly reply: HookReply['kind'];
        readonly bytes: number;
        readonly version?: number | undefined;
      }
    /** A new session was told of these failures (ids of stored calls) and dead sessions. */
    | {
        readonly kind: 'briefed';
        readonly failures: readonly string[];
        readonly dead: readonly Omit<OpenSession, 'lastCommand'>[];
      }
  );
