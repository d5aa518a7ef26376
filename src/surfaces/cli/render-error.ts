/** What went wrong, as it is told: to a person in two lines, to a program that asked for JSON as one object. */
import { UserError } from '../../base/errors.ts';
import { findDiskError } from './find-disk-error.ts';
import { toPlainText } from './to-plain-text.ts';

export interface ErrorView {
  readonly isJson: boolean;
  /** Makes commands in a text those that the person can type. */
  readonly toHint: (told: string) => string;
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
  /** Where in our own code: only of what nobody foresaw. */
  readonly detail?: string;
}

function toFacts(error: unknown): Facts {
  const known = error instanceof UserError ? error : findDiskError(error);
  if (known !== undefined) return known;
  return {
    subject: 'oncebitten',
    reason: 'something that should not happen happened',
    next: 'please report it',
    detail: error instanceof Error ? (error.stack ?? error.message) : String(error),
  };
}
