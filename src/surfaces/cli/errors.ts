/**
 * Errors of the command line: renders an error in two lines for a person or as one JSON object for a program, explains
 * disk errors, and defines `UsageError`. A `UsageError` means that the command line itself is wrong, whatever is
 * stored; it is the only error that ends with exit code 2.
 */

import { UserError } from '../../base/errors.ts';
import { toPlainText } from './text.ts';

interface ErrorView {
  readonly isJson: boolean;
  /** Makes commands in a text those that the person can type. */
  readonly toHint: (text: string) => string;
}

export function renderError(error: unknown, { isJson, toHint }: ErrorView): string {
  const { subject, reason, next, detail } = toFacts(error);
  if (isJson)
    return JSON.stringify({
      error: { subject, reason, next: toHint(next), ...(detail === undefined ? {} : { detail }) },
    });
  const about = detail === undefined ? `${subject}: ${reason}` : `${reason}\n${detail}`;
  return toPlainText(`oncebitten: ${about}\n${toHint(`  next: ${next}`)}`);
}

interface Facts {
  readonly subject: string;
  readonly reason: string;
  readonly next: string;
  /** Stack of an internal error. */
  readonly detail?: string;
}

function toFacts(error: unknown): Facts {
  const known = error instanceof UserError ? error : findDiskError(error);
  if (known !== undefined) return known;
  return {
    subject: 'oncebitten',
    reason: 'internal error',
    next: 'please report this error: these lines, and the output of `oncebitten doctor`',
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}

/**
 * The command line itself is wrong: a word that is missing, too much or not known, a value that can be none, options that
 * exclude each other. Nothing that is stored would make it right. The one kind of error that ends with exit code 2.
 */
export class UsageError extends UserError {}

/** `throw userError('lesson x', 'is not known', 'see all: oncebitten lessons list')` */
export function userError(subject: string, reason: string, next: string, cause?: unknown): UserError {
  return new UserError({ subject, reason, next, cause });
}

export function usageError(subject: string, reason: string, next: string, cause?: unknown): UsageError {
  return new UsageError({ subject, reason, next, cause });
}

const REASONS: Readonly<Record<string, readonly [reason: string, next: string]>> = {
  ENOSPC: ['the disk is full', 'free some space, then run the command again'],
  EDQUOT: ['your disk quota is used up', 'free some space, then run the command again'],
  EROFS: ['the file system is read-only', 'use another data directory: --home DIR'],
  EACCES: ['permission denied', 'check its owner and permissions, or use another data directory: --home DIR'],
  EPERM: ['operation not permitted', 'check its owner and permissions, or use another data directory: --home DIR'],
  ENOTDIR: ['is a file, but a folder is needed', 'give a folder: --home DIR'],
};

/** What the operating system refused, in words for a person. Undefined for everything that is not the disk's doing. */
export function findDiskError(error: unknown): UserError | undefined {
  const { code = '', path } = (error ?? {}) as NodeJS.ErrnoException;
  const known = Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
  if (known === undefined) return undefined;
  const [reason, next] = known;
  return userError(path ?? 'the data directory', reason, next, error);
}
