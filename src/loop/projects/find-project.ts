/**
 * Finds the project of a folder, and the project of an event from the folder in which its session began. Results are
 * remembered for a few seconds, because finding a project reads several small files and a session asks at every call.
 */

import { AGENTS } from '../../agents/agents.ts';
import { dropOldest, remember } from '../../base/bounded-memory.ts';
import type { Project } from '../../base/model/session.ts';
import { isInFolder } from '../../base/text/paths.ts';
import {
  findRemoteName,
  findWorktreePlace,
  identifyFolder,
  identifyRemote,
} from '../../capture/projects/identify-project.ts';

export type FindProject = (cwd: string) => Project;

const MAX_FOLDERS = 1_000;
/** Cache time, because a folder may become a repository or get a remote. */
const REMEMBER_MS = 5_000;

export function makeProjectFinder(): FindProject {
  return remember(identifyProject, MAX_FOLDERS, REMEMBER_MS);
}

/**
 * Where an event of a session happened. A transcript may name the repository of the session's first folder. A folder that
 * is gone or no repository belongs to the project of the session's first folder, if it is below that folder.
 */
interface Placed {
  readonly agent: string;
  readonly sessionId: string;
  readonly cwd?: string;
  readonly repository?: string;
  readonly transcriptPath?: string;
}

export type FindSessionProject = (placed: Placed) => Project;

/** The folder that a session began in, from its transcript. */
type FindBeginning = (transcriptPath: string, sessionId: string) => string | undefined;

interface Begun {
  readonly root: string;
  readonly repository?: string;
}

const MAX_SESSIONS = 2_000;

/**
 * Events of a session must come in order, because the first folder counts. `findBeginning` also finds the first folder of
 * a session whose first events were read before; it reads a file, so hooks do not use it.
 */
export function makeSessionProjects(findProject: FindProject, findBeginning?: FindBeginning): FindSessionProject {
  const sessions = new Map<string, Begun>();
  const begin = ({ sessionId, cwd = '', transcriptPath }: Placed): string => {
    const hasTranscript =
      findBeginning !== undefined && transcriptPath !== undefined && findProject(cwd).basis === 'path';
    const first = hasTranscript ? findBeginning(transcriptPath, sessionId) : undefined;
    return first !== undefined && isInFolder(cwd, first) ? first : cwd;
  };
  const note = (placed: Placed): Begun => {
    const { agent, sessionId, cwd = '', repository } = placed;
    const key = `${agent}\n${sessionId}`;
    const known = sessions.get(key);
    const root = known?.root ?? (cwd === '' ? '' : begin(placed));
    const recorded = known?.repository ?? (isInFolder(cwd, root) ? repository : undefined);
    const begun = { root, ...(recorded === undefined ? {} : { repository: recorded }) };
    if (cwd === '' || (known !== undefined && known.repository === recorded)) return known ?? begun;
    sessions.set(key, begun);
    dropOldest(sessions, MAX_SESSIONS);
    return begun;
  };
  return (placed) => {
    const { cwd = '' } = placed;
    const { root, repository } = note(placed);
    const own = findProject(cwd);
    if (!isInFolder(cwd, root)) return own;
    const first = findProject(root);
    // A repository inside the session's first folder is a different project.
    if (own.basis !== 'path' && own.id !== first.id) return own;
    return repository === undefined ? first : toRecordedProject(repository, first);
  };
}

/** With `insteadOf`, git reports another host than its configuration, but the same owner and name. */
function toRecordedProject(repository: string, here: Project): Project {
  const recorded = identifyRemote(repository, here.root);
  if (here.basis !== 'remote' || here.id === recorded.id) return recorded;
  return toPath(findRemoteName(here.root) ?? '') === toPath(repository) ? here : recorded;
}

function toPath(remoteName: string): string {
  return remoteName.slice(remoteName.indexOf('/') + 1);
}

const LAYOUTS = AGENTS.flatMap(({ worktree }) => worktree ?? []);

/** Identifies the project of a folder, also where the folder was a worktree that one of the agents kept and removed. */
export function identifyProject(cwd: string): Project {
  return identifyFolder(cwd, LAYOUTS);
}

/** Was this folder, which is gone, a worktree inside of its repository? */
export function isInsideRepository(root: string): boolean {
  return findWorktreePlace(root, LAYOUTS)?.isInside === true;
}
