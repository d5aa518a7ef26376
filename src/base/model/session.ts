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
  /** The heartbeat. */
  readonly lastSeenAt: string;
  readonly endedAt?: string;
  readonly endReason?: string;
  readonly source: 'hook' | 'transcript' | 'mcp';
  /** The agent's process and its host, where a hook told them. */
  readonly pid?: number;
  readonly host?: string;
}

export interface Project {
  /** `prj_…`, the same in every clone and worktree. */
  readonly id: string;
  readonly name: string;
  /** What the id was made from: `remote`, `git-dir` or `path`. */
  readonly basis: 'remote' | 'git-dir' | 'path';
  readonly root: string;
}

/** What a session is filed under in a map: sessions of two agents may have one id. */
export function toSessionKey({ agent, sessionId }: Pick<Session, 'agent' | 'sessionId'>): string {
  return `${agent}\n${sessionId}`;
}

/** The same for one conversation of it: a sub-agent, or the main one. */
export function toContextKey(context: Pick<Session, 'agent' | 'sessionId'> & { readonly contextId: string }): string {
  return `${toSessionKey(context)}\n${context.contextId}`;
}
