/**
 * Where we look away: private folders and paused projects. A place is judged by its folder as it is told, by where that
 * leads, by the clone of a worktree, and by its project: another clone of a private repository is as private.
 */
import { isPrivate } from '../../base/is-private.ts';
import { findPause, type Switches } from '../../base/switches.ts';
import { identifyProject, listFolders, toRealPath } from '../../capture/identify-project.ts';
import { PRIVATE } from './away-marks.ts';

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
