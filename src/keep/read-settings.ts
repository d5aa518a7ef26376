/** Settings: the file, with environment variables over it and defaults under it. */
import { readFileSync } from 'node:fs';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { UserError } from '../base/errors.ts';
import { DEFAULT_SETTINGS, ENVIRONMENT_PREFIX, type Settings, toEnvironmentName } from '../base/settings.ts';
import { settingsSchema } from './settings-schema.ts';
import { findEntryFault, toPrivateFolders } from './to-private-folders.ts';

export function readSettings(file: string, env: Readonly<Record<string, string | undefined>>): Settings {
  const { $schema: _, ...given } = parseSettings(file, readText(file));
  const parsed = settingsSchema.safeParse(withEnvironment(given, env));
  if (parsed.success) return { ...parsed.data, privateProjects: getPrivateFolders(file, parsed.data.privateProjects) };
  const [issue] = parsed.error.issues;
  throw new UserError({
    subject: file,
    reason: `${issue?.path.join('.') || 'the settings'}: ${issue?.message ?? 'not valid'}`,
    next: 'correct that key in the file (or its ONCEBITTEN_… variable), or remove it to get the default',
  });
}

/** An entry that names no folder would leave open what its writer believes is private. */
function getPrivateFolders(file: string, given: readonly string[]): readonly string[] {
  for (const entry of given) {
    const fault = findEntryFault(entry);
    if (fault === undefined) continue;
    throw new UserError({
      subject: file,
      reason: `privateProjects: ${JSON.stringify(entry)}: ${fault}, so nothing is private by it`,
      next: 'write the folder out, from / or ~/ on; everything in it is private too',
    });
  }
  return toPrivateFolders(given);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '{}';
    throw new UserError({ subject: file, reason: 'cannot be read', next: 'check its permissions', cause: error });
  }
}

function parseSettings(file: string, text: string): Record<string, unknown> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true }) ?? {};
  const [error] = errors;
  const line = text.slice(0, error?.offset ?? 0).split('\n').length;
  if (error !== undefined || typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new UserError({
      subject: `${file}:${line}`,
      reason:
        error === undefined ? 'is not an object' : `is not JSON with comments (${printParseErrorCode(error.error)})`,
      next: 'correct that line, or remove the file to get the defaults',
    });
  }
  return value as Record<string, unknown>;
}

/** A value is JSON where it is JSON, else text. */
function withEnvironment(given: Record<string, unknown>, env: Readonly<Record<string, string | undefined>>): unknown {
  const merge = (defaults: object, values: Record<string, unknown>, prefix: string): Record<string, unknown> => {
    const out = { ...values };
    for (const [key, fallback] of Object.entries(defaults)) {
      const name = toEnvironmentName(prefix, key);
      const inner = values[key];
      if (isPlain(fallback)) {
        if (inner === undefined || isPlain(inner)) out[key] = merge(fallback, inner ?? {}, name);
      } else if (env[name] !== undefined) out[key] = parseValue(env[name]);
    }
    return out;
  };
  return merge(DEFAULT_SETTINGS, given, ENVIRONMENT_PREFIX);
}

function parseValue(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
