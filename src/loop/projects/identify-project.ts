/** Identifies the project of a folder, also where the folder was a worktree that one of the agents kept and removed. */
import { AGENTS } from '../../agents/agents.ts';
import type { Project } from '../../base/model/session.ts';
import { identifyFolder } from '../../capture/projects/identify-project.ts';
import { findWorktreePlace } from '../../capture/projects/worktree-layouts.ts';

const LAYOUTS = AGENTS.flatMap(({ worktree }) => worktree ?? []);

export function identifyProject(cwd: string): Project {
  return identifyFolder(cwd, LAYOUTS);
}

/** Was this folder, which is gone, a worktree inside of its repository? */
export function isInsideRepository(root: string): boolean {
  return findWorktreePlace(root, LAYOUTS)?.isInside === true;
}
