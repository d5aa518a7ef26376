/**
 * A fact: what a hook or the daemon writes to disk before it acknowledges an event: ids, tool, outcome, exit code,
 * times. Facts contain no input or output text, because no secret may reach a disk and finding every secret in a text
 * takes longer than an agent may wait. The text follows from the daemon's memory or, if that is lost, from the agent's
 * transcript.
 */

import type { HookReply } from '../contracts/agent-adapter.ts';
import type { OpenSession } from './brief.ts';
import type { Call } from './call.ts';
import type { Delivery, SkippedLesson } from './delivery.ts';
import type { SessionKey } from './session.ts';

export const FACT_VERSION = 1;
/** The suffix of a spool file, which contains the facts of one event. */
export const SPOOL_SUFFIX = '.fact';

export interface FactOrigin extends SessionKey {
  readonly v: number;
  readonly at: string;
  readonly cwd?: string;
  readonly pid?: number;
  readonly host?: string;
  /** The transcript to read the text of this session from later. */
  readonly transcriptPath?: string;
}

export type Fact = FactOrigin &
  (
    | { readonly kind: 'call'; readonly how: 'observed' | 'hearsay'; readonly call: Call }
    | { readonly kind: 'seen' }
    | { readonly kind: 'ended'; readonly reason: string }
    | { readonly kind: 'delivered'; readonly delivery: Delivery }
    /** Lessons that matched this call and were not shown. */
    | {
        readonly kind: 'skipped';
        readonly contextId: string;
        readonly callId: string;
        readonly skipped: readonly SkippedLesson[];
      }
    /**
     * The size of a text that was added to a conversation; an empty call id means at its start. `version`: of the
     * protocol, if the text ends with it.
     */
    | {
        readonly kind: 'added';
        readonly contextId: string;
        readonly callId: string;
        readonly reply: HookReply['kind'];
        readonly bytes: number;
        readonly version?: number | undefined;
      }
    /** A new session was told about these failures (ids of stored calls) and dead sessions. */
    | {
        readonly kind: 'briefed';
        readonly failures: readonly string[];
        readonly dead: readonly Omit<OpenSession, 'lastCommand'>[];
      }
  );
