/** An error as a trouble that a person understands: what is wrong, and what to do. */
import { toReason, UserError } from '../../base/errors.ts';

const FULL = /ENOSPC|EDQUOT|database or disk is full|EFBIG/;
const READ_ONLY = /EROFS|EACCES|EPERM|readonly database/;

/** `meanwhile` says where things stand until it is mended. */
export function toTrouble(error: unknown, meanwhile: string): [text: string, next: string] {
  const next = error instanceof UserError ? error.next : 'Check it: oncebitten doctor';
  const reason = toReason(error);
  if (FULL.test(reason)) return [`the disk is full; ${meanwhile}.`, 'Make room; nothing else is needed.'];
  if (READ_ONLY.test(reason))
    return [`the data directory is read-only (${reason}); ${meanwhile}.`, 'Give yourself write permission.'];
  return [`${reason.replace(/\.$/, '')}; ${meanwhile}.`, next];
}
