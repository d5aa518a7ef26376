/**
 * What a project's next session should hear at its start (C5, C6). Compiled by the daemon whenever it changes and read by
 * the hook, so that the first session after a reboot, which finds no daemon, hears it too. All text is redacted.
 */
export const BRIEF_VERSION = 1;

export interface Brief {
  readonly type: 'brief';
  readonly version: number;
  readonly generatedAt: string;
  /** Oldest first. */
  readonly failures: readonly BriefFailure[];
  /** Sessions without an end: dead if nothing was heard of them for long and their process is gone. */
  readonly open: readonly OpenSession[];
  /** What is told of each, by `toFailureKey` and `toSessionKey`, and the heading of each kind. */
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
  /** Ids of the stored calls: they are marked once this was shown. */
  readonly ids: readonly string[];
  readonly command: string;
  /** A hook of the user's that broke, and what it hooks into; or the gate that refused. */
  readonly hook?: string;
  /** The calls did not fail: this gate refused each of them, and `stderr` is its reason. */
  readonly isRefused?: boolean;
  readonly exitCode?: number;
  readonly stderr: string;
  readonly branch?: string;
  readonly at: string;
}

export interface OpenSession {
  readonly agent: string;
  readonly sessionId: string;
  readonly pid: number;
  readonly host: string;
  readonly lastSeenAt: string;
  readonly cwd?: string;
  readonly branch?: string;
  /** Redacted and short. It is in the brief only: what a hook writes down has no text. */
  readonly lastCommand?: string;
}
