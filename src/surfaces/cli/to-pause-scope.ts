/** Whom a pause is for: everything, a project or a session. A name that means nothing is refused: nobody may rest on it. */
import { resolve } from 'node:path';
import type { Pause } from '../../base/switches.ts';
import type { CommandInput } from './command.ts';
import { findHere, getProject, type KnownProject, listKnown } from './get-project.ts';
import { getSwitchedSession } from './get-switched-session.ts';
import { readHome } from './open-home.ts';
import { UsageError } from './usage-error.ts';

export type PauseScope = Pick<Pause, 'what' | 'id' | 'dir'>;

export interface MeantScope {
  readonly scope: PauseScope;
  /** False for a session of which nothing was seen yet. */
  readonly isKnown: boolean;
}

type Input = Pick<CommandInput, 'options' | 'cwd' | 'home' | 'env'>;

/** `running`: what is paused, for who wants to end it; its folder may be gone since. */
export async function toPauseScope(input: Input, running: readonly Pause[] = []): Promise<MeantScope> {
  const { project, session } = input.options as { project?: string | true; session?: string };
  if (project !== undefined && session !== undefined) {
    throw new UsageError({
      subject: '--project and --session',
      reason: 'were both given',
      next: 'give one of them, or none for everything',
    });
  }
  if (session !== undefined) {
    const paused = running.flatMap(({ what, id }) => (what === 'session' && id !== undefined ? [id] : []));
    const { id, isKnown } = await getSwitchedSession(input, session, paused);
    return { scope: { what: 'session', id }, isKnown };
  }
  if (project === undefined) return { scope: { what: 'all' }, isKnown: true };
  return { scope: await toProjectScope(input, project === true ? '.' : project, running), isKnown: true };
}

async function toProjectScope(input: Input, text: string, running: readonly Pause[]): Promise<PauseScope> {
  const dir = resolve(input.cwd, text);
  const paused = running.find((one) => one.what === 'project' && (one.id === text || one.dir === dir));
  if (paused !== undefined) return toScope(paused);
  const here = findHere(text, input.cwd);
  if (here !== undefined) return { what: 'project', id: here.id, dir: here.root };
  const known = await readHome(input, async ({ store }) => listKnown(await store.listProjectSummaries()));
  const meant = getProject(known, text, input.cwd);
  const root = findRoot(meant);
  return { what: 'project', id: meant.id, ...(root === undefined ? {} : { dir: root }) };
}

/** Where it is one folder, unless that is another project by now: outside of repositories what is below belongs to it. */
function findRoot({ id, roots }: KnownProject): string | undefined {
  const [root] = roots;
  if (root === undefined || roots.length > 1) return undefined;
  return (findHere(root, '/')?.id ?? id) === id ? root : undefined;
}

function toScope({ what, id, dir }: Pause): PauseScope {
  return { what, ...(id === undefined ? {} : { id }), ...(dir === undefined ? {} : { dir }) };
}

export function isSameScope(a: PauseScope, b: PauseScope): boolean {
  return a.what === b.what && a.id === b.id;
}

export function renderScope({ what, id, dir }: PauseScope): string {
  return what === 'all' ? 'everything' : `${what} ${dir ?? id}`;
}
