/**
 * Decides whether an event belongs to a private folder or a paused project, and marks the sessions that began there. A
 * marked session stays uncaptured wherever it moves to, as long as its rule (private folder or pause) applies. The mark
 * is a file on disk, because the cold hook has no other memory of a session and the daemon has none after a restart.
 */

import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { findPause, isPaused, isPrivate, type Switches } from '../../base/model/switches.ts';
import { listFolders, toRealPath } from '../../capture/projects/identify-project.ts';
import { identifyProject } from '../projects/find-project.ts';

interface AwayContext {
  readonly awayDir: string;
  readonly privateFolders: readonly string[];
  readonly switches: Switches;
  readonly projectId: string;
  readonly toProjectId: ToProjectId;
  /** A probe leaves no trace. */
  readonly probe: boolean;
}

export function isPrivateOrPaused(event: AgentEvent, context: AwayContext): boolean {
  const { awayDir, privateFolders, switches, projectId, toProjectId, probe } = context;
  const rules = toAwayRules(privateFolders, switches);
  if (isAnywhereFine(rules)) return isPaused(switches, { ...event, projectId }, toProjectId);
  const away = findAway(rules, event, toWhereabouts(event.cwd ?? ''));
  if (away !== undefined && !probe && isBeginning(event)) addMark(awayDir, event, away);
  return (
    away !== undefined ||
    isPaused(switches, { ...event, projectId }, toProjectId) ||
    isMarkedAway(rules, event, readMarks(awayDir, event))
  );
}

/** A compaction is not a beginning, because the session may have moved since. */
export function isBeginning(event: { readonly kind?: string; readonly start?: string }): boolean {
  return event.kind === 'session-started' && event.start !== 'compact';
}

export interface AwayRules {
  readonly folders: readonly string[];
  /** Project ids of private folders that are whole repositories. */
  readonly projectIds: ReadonlySet<string>;
  /** The pauses of projects, including ended ones. */
  readonly pauses: Switches;
}

interface Whereabouts {
  readonly folders: readonly string[];
  readonly projectId: string;
}

interface Happened {
  readonly sessionId: string;
  readonly at: string;
}

/**
 * The rules for private folders and paused projects. A place matches by its folder as given, by its real path, by the
 * clone of a worktree, or by its project, because another clone of a private repository is private, too.
 */
export function toAwayRules(privateFolders: readonly string[], switches: Switches): AwayRules {
  return {
    folders: privateFolders.flatMap(listSelf),
    projectIds: new Set(privateFolders.flatMap(findOwnId)),
    pauses: { pauses: switches.pauses.filter(({ what }) => what === 'project'), mutes: [] },
  };
}

export function toWhereabouts(cwd: string): Whereabouts {
  return { folders: listFolders(cwd), projectId: identifyProject(cwd).id };
}

/** True if nothing is private and no project is or was paused. */
export function isAnywhereFine({ folders, pauses }: AwayRules): boolean {
  return folders.length === 0 && pauses.pauses.length === 0;
}

/** `private`, or the paused project; undefined for a place that is neither. */
export function findAway(rules: AwayRules, { sessionId, at }: Happened, where: Whereabouts): string | undefined {
  const { folders, projectId } = where;
  if (rules.projectIds.has(projectId) || folders.some((folder) => isPrivate(folder, rules.folders))) return PRIVATE;
  const pauses = folders.map((cwd) => findPause(rules.pauses, { sessionId, at, projectId, cwd }));
  return pauses.find((pause) => pause !== undefined)?.id;
}

/** True if a rule that the session was marked with at its beginning still applies. */
export function isMarkedAway(rules: AwayRules, { sessionId, at }: Happened, marks: readonly string[]): boolean {
  return marks.some((mark) =>
    mark === PRIVATE
      ? rules.folders.length > 0
      : findPause(rules.pauses, { sessionId, at, projectId: mark }) !== undefined,
  );
}

/** The folder as written and its real path, because a link may be newer than the settings. */
function listSelf(folder: string): readonly string[] {
  return [folder, toRealPath(folder)];
}

/** A private folder inside a repository does not make the whole of it private. */
function findOwnId(folder: string): readonly string[] {
  const { id, basis, root } = identifyProject(folder);
  return basis !== 'path' && listSelf(folder).includes(root) ? [id] : [];
}

/**
 * Marks of sessions that began in a private folder or a paused project. Each is a small file named by a hash of the
 * session id; it contains `private` or the id of the paused project, and no other text. `session-past.ts` marks the past
 * of sessions in the same way.
 */
const PRIVATE = 'private';

export interface SessionName {
  readonly agent: string;
  readonly sessionId: string;
}

/** The place and time of an event or a fact. */
export interface SessionSighting extends SessionName {
  readonly at: string;
  readonly kind?: string;
  readonly start?: string;
  readonly cwd?: string;
  readonly transcriptPath?: string;
  /** The project, if more than the folder is known about it. */
  readonly project?: { readonly id: string };
}

export function readMarks(dir: string, session: SessionName): readonly string[] {
  try {
    return readFileSync(toFile(dir, session), 'utf8')
      .split('\n')
      .filter((mark) => mark !== '');
  } catch {
    return [];
  }
}

/** Ignores write errors, because the transcript still records where the session began. */
export function addMark(dir: string, session: SessionName, mark: string): void {
  try {
    if (readMarks(dir, session).includes(mark)) return;
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    appendFileSync(toFile(dir, session), `${mark}\n`, { mode: 0o600 });
  } catch {}
}

export function removeMarks(dir: string, session: SessionName): void {
  rmSync(toFile(dir, session), { force: true });
}

function toFile(dir: string, { agent, sessionId }: SessionName): string {
  return join(dir, hashText(`${agent}\n${sessionId}`));
}
