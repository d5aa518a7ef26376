/** One agent session, and the project it works in. */

export interface Session {
  readonly agent: string;
  readonly sessionId: string;
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

/** A key for maps: sessions of two agents may have the same id. */
export function toSessionKey({ agent, sessionId }: Pick<Session, 'agent' | 'sessionId'>): string {
  return `${agent}\n${sessionId}`;
}

/** A key for one conversation of a session: the main one or a sub-agent's. */
export function toContextKey(context: Pick<Session, 'agent' | 'sessionId'> & { readonly contextId: string }): string {
  return `${toSessionKey(context)}\n${context.contextId}`;
}
