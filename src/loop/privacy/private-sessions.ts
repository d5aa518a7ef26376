/**
 * Decides whether an event belongs to a private folder or a paused project, and marks the sessions that began there. A
 * marked session stays uncaptured wherever it moves to, as long as its rule (private folder or pause) applies. The mark
 * is a file on disk, because the cold hook has no other memory of a session and the daemon has none after a restart.
 */

import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashText } from '../../base/ids.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { findPause, isPaused, isPrivate, type Switches } from '../../base/model/switches.ts';
import { listFolders, toRealPath } from '../../capture/projects/identify-project.ts';
import { identifyProject } from '../projects/identify-project.ts';

interface AwayContext {
  readonly awayDir: string;
  readonly privateFolders: readonly string[];
  readonly switches: Switches;
  readonly projectId: string;
  /** A probe leaves no trace. */
  readonly probe: boolean;
}

export function isAway(event: AgentEvent, context: AwayContext): boolean {
  const { awayDir, privateFolders, switches, projectId, probe } = context;
  const rules = toAwayRules(privateFolders, switches);
  if (isAnywhereFine(rules)) return isPaused(switches, { ...event, projectId });
  const away = findAway(rules, event, toWhereabouts(event.cwd ?? ''));
  if (away !== undefined && !probe && isBeginning(event)) addMark(awayDir, event, away);
  return (
    away !== undefined ||
    isPaused(switches, { ...event, projectId }) ||
    isMarkedAway(rules, event, readMarks(awayDir, event))
  );
}

/** After compaction a session goes on where it had walked to. */
export function isBeginning(event: { readonly kind?: string; readonly start?: string }): boolean {
  return event.kind === 'session-started' && event.start !== 'compact';
}

export interface AwayRules {
  readonly folders: readonly string[];
  /** Of private folders that are whole repositories. */
  readonly projectIds: ReadonlySet<string>;
  /** The pauses of projects, over or not. */
  readonly pauses: Switches;
}

export interface Whereabouts {
  readonly folders: readonly string[];
  readonly projectId: string;
}

interface Happened {
  readonly sessionId: string;
  readonly at: string;
}

/**
 * Where we look away: private folders and paused projects. A place is judged by its folder as it is told, by where that
 * leads, by the clone of a worktree, and by its project: another clone of a private repository is as private.
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

/** Nothing is private and no project is or was paused: it does not matter where anything happens. */
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

/** Does what was marked at the session's beginning still hold for this? */
export function isMarkedAway(rules: AwayRules, { sessionId, at }: Happened, marks: readonly string[]): boolean {
  return marks.some((mark) =>
    mark === PRIVATE
      ? rules.folders.length > 0
      : findPause(rules.pauses, { sessionId, at, projectId: mark }) !== undefined,
  );
}

/** As it is written and where it leads now: the link may be younger than the settings. */
function listSelf(folder: string): readonly string[] {
  return [folder, toRealPath(folder)];
}

/** A private folder inside a repository does not make the whole of it private. */
function findOwnId(folder: string): readonly string[] {
  const { id, basis, root } = identifyProject(folder);
  return basis !== 'path' && listSelf(folder).includes(root) ? [id] : [];
}

/**
 * Sessions that began where we look away: in a private folder, or in a paused project. They stay out wherever they walk
 * to. One small file each, without any text: its name is a hash of the session's id; in it stands `private`, or the id
 * of the project that was paused. The cold hook has no other memory, and the daemon none after a restart. What happened
 * in a session is marked in the same way (`session-past.ts`).
 */
const PRIVATE = 'private';

export interface SessionName {
  readonly agent: string;
  readonly sessionId: string;
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

/** A mark that cannot be written is not the agent's trouble: the transcript still tells where the session began. */
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
