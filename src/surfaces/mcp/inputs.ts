/** The fields that several tools take, with their limits, and the check that names and ids contain no secret. */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { cleanTexts } from '../../capture/secrets/clean-texts.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';

export const MAX_TEXT_CHARS = 200_000;
const MAX_ID_CHARS = 200;
const MAX_PATH_CHARS = 4096;
const MAX_ROWS = 50;

export const idField = z
  .string()
  .max(MAX_ID_CHARS)
  .regex(/^[\w.:@/+-]+$/, 'is not an id: use letters, digits and . : @ / + - _');
export const textField = z.string().max(MAX_TEXT_CHARS);
export const lineField = z.string().trim().min(1).max(1_000);
export const cwdField = z
  .string()
  .max(MAX_PATH_CHARS)
  .refine((path) => isAbsolute(path) && !path.includes('\0'), 'is not the whole path of a folder')
  .optional()
  .describe('The absolute path of the folder in which you work. Oncebitten finds the project by it.');
export const limitField = z.int().min(1).max(MAX_ROWS).default(10).describe('Maximum number of rows.');

/** An object of any fields. */
export const objectField = z.looseObject({});

/**
 * Names and ids are stored as they are, so one that looks like a secret is refused. Texts are not checked here, because
 * they are redacted before they are stored.
 */
export async function checkNames(names: Readonly<Record<string, string | undefined>>): Promise<void> {
  const given = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const clean = await cleanTexts(
    given.map(([, text]) => text),
    makeSecretScan({ log: () => {} }),
  );
  const [found] = given.find(([, text], n) => text !== clean[n]) ?? [];
  if (found === undefined) return;
  throw new UserError({
    subject: found,
    reason: 'looks like it contains a secret, so nothing was recorded',
    next: `send a ${found} without the secret`,
  });
}
