/** Whom a pause is for: everything, the project of a folder, or a session. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { Pause } from '../../base/switches.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import type { CommandInput } from './command.ts';

export type PauseScope = Pick<Pause, 'what' | 'id' | 'dir'>;

export function toPauseScope({ options, cwd }: Pick<CommandInput, 'options' | 'cwd'>): PauseScope {
  const { project, session } = options as { project?: string | true; session?: string };
  if (project !== undefined && session !== undefined) {
    throw new UserError({
      subject: '--project and --session',
      reason: 'were both given',
      next: 'give one of them, or none for everything',
    });
  }
  if (session !== undefined) return { what: 'session', id: session };
  if (project === undefined) return { what: 'all' };
  if (project !== true && project.startsWith('prj_')) return { what: 'project', id: project };
  const text = project === true ? '.' : project;
  const dir = resolve(cwd, text);
  const { id, root, basis } = identifyProject(dir);
  if (basis !== 'path' && !existsSync(dir)) {
    throw new UserError({
      subject: `project ${text}`,
      reason: `is no folder, only ${root} around it is`,
      next: 'give a folder or an id: oncebitten projects list',
    });
  }
  return { what: 'project', id, dir: root };
}

export function isSameScope(a: PauseScope, b: PauseScope): boolean {
  return a.what === b.what && a.id === b.id;
}

export function renderScope({ what, id, dir }: PauseScope): string {
  return what === 'all' ? 'everything' : `${what} ${dir ?? id}`;
}
