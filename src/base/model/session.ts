/** One agent session, and the project it works in. */

/** Identifies a session: sessions of two agents may have the same id. */
export interface SessionKey {
  readonly agent: string;
  readonly sessionId: string;
}

/** Identifies one conversation of a session. */
export interface ContextKey extends SessionKey {
  /** The id of the sub-agent; the empty string is the main conversation. */
  readonly contextId: string;
}

/** Identifies a call. */
export interface CallKey extends ContextKey {
  readonly callId: string;
}

export interface Session extends SessionKey {
  readonly parentSessionId?: string;
  readonly projectId: string;
  readonly cwd?: string;
  readonly branch?: string;
  readonly model?: string;
  readonly agentVersion?: string;
  readonly startedAt: string;
  /** The time of the last event. */
  readonly lastSeenAt: string;
  readonly endedAt?: string;
  readonly endReason?: string;
  readonly source: 'hook' | 'transcript' | 'mcp';
  /** The agent's process and its host, where a hook sent them. */
  readonly pid?: number;
  readonly host?: string;
}

export interface Project {
  /** `prj_…`, the same in every clone and worktree. */
  readonly id: string;
  readonly name: string;
  /** The source of the id. */
  readonly basis: 'remote' | 'git-dir' | 'path';
  readonly root: string;
}

/** A key for maps. */
export function toSessionKey({ agent, sessionId }: SessionKey): string {
  return `${agent}\n${sessionId}`;
}

export function toContextKey(context: ContextKey): string {
  return `${toSessionKey(context)}\n${context.contextId}`;
}

export function toCallKey(call: SessionKey & { readonly callId: string }): string {
  return `${toSessionKey(call)}\n${call.callId}`;
}
