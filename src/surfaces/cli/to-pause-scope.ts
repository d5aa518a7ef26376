/** Whom a pause is for: everything, the project of a folder, or a session. */
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
  const { id, root } = identifyProject(resolve(cwd, project === true ? '.' : project));
  return { what: 'project', id, dir: root };
}

export function isSameScope(a: PauseScope, b: PauseScope): boolean {
  return a.what === b.what && a.id === b.id;
}

export function renderScope({ what, id, dir }: PauseScope): string {
  return what === 'all' ? 'everything' : `${what} ${dir ?? id}`;
}
