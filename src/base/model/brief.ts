/**
 * The brief: unresolved failures and dead sessions that the next session of a project is told about. The daemon
 * compiles it whenever it changes and the hook reads it, so the first session after a reboot gets it without a daemon.
 * All text is redacted.
 */
import type { SessionKey } from './session.ts';
export const BRIEF_VERSION = 1;

export interface Brief {
  readonly type: 'brief';
  readonly version: number;
  readonly generatedAt: string;
  /** Oldest first. */
  readonly failures: readonly BriefFailure[];
  /** Sessions without a recorded end. One is dead if it has sent nothing for long and its process is gone. */
  readonly open: readonly OpenSession[];
  /** The rendered text of each entry, by `toFailureKey` and `toSessionKey`, and the heading of each kind. */
  readonly texts?: Readonly<Record<string, string>>;
}

export type BriefKind = 'failures' | 'hooks' | 'dead';

export function toFailureKey({ ids }: BriefFailure): string {
  return ids[0] ?? '';
}

export function toSessionKey({ agent, sessionId }: OpenSession): string {
  return `${agent} ${sessionId}`;
}

/** Failures of one signature after which nothing with the same intent succeeded. */
export interface BriefFailure {
  /** Ids of the stored calls, which are marked once the brief was shown. */
  readonly ids: readonly string[];
  readonly command: string;
  /** The user's hook that broke, with the event it is attached to; or the gate that refused. */
  readonly hook?: string;
  /** The calls did not fail: this gate refused each of them, and `stderr` is its reason. */
  readonly isRefused?: boolean;
  readonly exitCode?: number;
  readonly stderr: string;
  readonly branch?: string;
  readonly at: string;
}

export interface OpenSession extends SessionKey {
  readonly pid: number;
  readonly host: string;
  readonly lastSeenAt: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Redacted and short. Only the brief contains it, because facts that a hook writes have no text. */
  readonly lastCommand?: string;
}
