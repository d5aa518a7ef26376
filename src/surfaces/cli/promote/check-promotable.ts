/** Others will read the file: no secret goes into it, and your home folder only if you say so. */
import { homedir } from 'node:os';
import type { Lesson } from '../../../base/lesson.ts';
import type { SecretScan } from '../../../capture/scan-secrets.ts';
import { findSecretField, listTexts } from '../../find-secret-field.ts';
import { refuse } from '../share/check-shareable.ts';

export async function checkPromotable(lesson: Lesson, scan: SecretScan, force: boolean): Promise<void> {
  const edit = `oncebitten lessons edit ${lesson.slug}`;
  const field = await findSecretField(lesson, scan);
  if (field !== undefined) throw refuse(lesson, `looks like it holds a secret in its ${field}`, `take it out: ${edit}`);
  const home = listTexts(lesson).find(({ text }) => text.includes(`${homedir()}/`));
  if (home !== undefined && !force)
    throw refuse(lesson, `names your home folder in its ${home.name}`, `${edit}, or write it as it is with --force`);
}
