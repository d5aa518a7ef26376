/** A project as a list of projects shows it: with everything that was joined into it. */
import type { ProjectAlias } from './project-alias.ts';
import type { Project } from './session.ts';

export interface ProjectSummary {
  readonly id: string;
  /** Empty where only calls are known of it. */
  readonly name: string;
  readonly basis?: Project['basis'];
  /** Every folder it was seen at, in the order they were seen. */
  readonly roots: readonly string[];
  /** Ids that are this project, too. */
  readonly joined: readonly JoinedProject[];
  readonly sessions: number;
  /** Of agents: what they recorded about somebody's hooks is no call. */
  readonly calls: number;
  readonly lastSeenAt?: string;
}

export interface JoinedProject {
  readonly id: string;
  readonly name: string;
  readonly roots: readonly string[];
  readonly at: string;
  /** Absent where a person joined it. */
  readonly proof?: ProjectAlias['proof'];
}
