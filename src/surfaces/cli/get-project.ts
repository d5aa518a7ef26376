/** The one project that a person means by an id, a folder or a name, or an error that lists those it may be. */
import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { UserError } from '../../base/errors.ts';
import type { ProjectSummary } from '../../base/project-summary.ts';
import type { Project } from '../../base/session.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { toLine } from './to-line.ts';

export interface KnownProject {
  readonly id: string;
  readonly name: string;
  readonly roots: readonly string[];
}

export function listKnown(summaries: readonly ProjectSummary[]): readonly KnownProject[] {
  return summaries.flatMap((summary) => [summary, ...summary.joined]);
}

/** A folder that is there is what it is now; one that is gone is what was seen there. */
export function getProject(known: readonly KnownProject[], text: string, cwd: string): KnownProject {
  const byId = known.find(({ id }) => id === text);
  if (byId !== undefined) return byId;
  const here = findHere(text, cwd);
  const now = known.find(({ id }) => id === here?.id);
  if (now !== undefined) return now;
  const dir = resolve(cwd, text);
  const byRoot = known.filter(({ roots }) => roots.includes(dir));
  const found = byRoot.length > 0 ? byRoot : known.filter(({ name }) => name === text);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  const subject = `project ${toLine(text, 100)}`;
  if (only !== undefined) {
    const next = `give its id: ${found.map(renderProject).join(', ')}`;
    throw new UserError({ subject, reason: `is the name of ${found.length} projects`, next });
  }
  throw new UserError({
    subject,
    reason: here === undefined ? 'is neither a known project nor an existing folder' : 'has no recorded sessions',
    next: 'see all: oncebitten projects list',
  });
}

/** The project of a folder that is there, captured or not. */
export function findHere(text: string, cwd: string): Project | undefined {
  const dir = resolve(cwd, text);
  // A file would be taken for the project around it.
  const isFolder = statSync(dir, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder ? identifyProject(dir) : undefined;
}

export function renderProject({ id, name, roots }: KnownProject): string {
  const about = [name, roots[0]].filter((part) => part !== undefined && part !== '').join(', ');
  return about === '' ? id : `${id} (${toLine(about, 100)})`;
}
