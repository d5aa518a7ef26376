/** The fields that several tools take, with their limits, and the check that names and ids contain no secret. */

import { isAbsolute } from 'node:path';
import * as z from 'zod';
import { UserError } from '../../base/errors.ts';
import { cleanTexts } from '../../capture/secrets/clean-texts.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import type { McpTool } from './tool.ts';

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

/** More fields and list items, and more objects inside each other, than any honest input has. */
const MAX_INPUT_ELEMENTS = 10_000;
const MAX_DEPTH = 100;
const MAX_ISSUES = 5;

/** Throws if the input of a call is not as the tool wants it. */
export function parseInput(tool: McpTool, args: object): Readonly<Record<string, unknown>> {
  const { success, data, error } = isOversized(args) ? OVERSIZED : tool.input.safeParse(args);
  if (success) return data;
  const issues = error.issues.slice(0, MAX_ISSUES).map(({ path, message }) => [path.join('.'), message]);
  throw new UserError({
    subject: `the input of ${tool.name}`,
    reason: issues.map((parts) => parts.filter((part) => part !== '').join(': ')).join('; '),
    next: 'correct it as the schema of the tool says, then send it again',
  });
}

const TOO_LARGE = `has more than ${MAX_INPUT_ELEMENTS} fields and items, or more than ${MAX_DEPTH} levels`;
const OVERSIZED = { success: false, data: undefined, error: { issues: [{ path: [], message: TOO_LARGE }] } } as const;

/** Level by level, because a function that calls itself would end at a deep input. */
function isOversized(args: object): boolean {
  let level: readonly unknown[] = [args];
  let elements = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH || elements > MAX_INPUT_ELEMENTS) return true;
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []));
    elements += level.length;
  }
  return false;
}

const CONTROL = /\p{Cc}/u;

/**
 * Names and ids are stored as they are, so one that looks like a secret is refused. Texts are not checked here, because
 * they are redacted before they are stored.
 */
export async function checkNames(names: Readonly<Record<string, string | undefined>>): Promise<void> {
  const given = Object.entries(names).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const [odd] = given.find(([, text]) => CONTROL.test(text)) ?? [];
  if (odd !== undefined) {
    const reason = 'contains a control character, so nothing was recorded';
    throw new UserError({ subject: odd, reason, next: `send a ${odd} without it` });
  }
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
