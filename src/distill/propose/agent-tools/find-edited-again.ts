/** The next change of the same file that went through, after a refused one, and the reading of the file between. */
import { isSamePath } from '../../../base/text/paths.ts';
import type { Trouble } from '../../episodes/make-pair-detector.ts';

export interface EditedAgain {
  readonly index: number;
  /** Of the last reading before it. */
  readonly readAt?: number;
  /** The very same change as the refused one. */
  readonly isSame: boolean;
}

export function findEditedAgain(
  { calls, index, call }: Pick<Trouble, 'calls' | 'index' | 'call'>,
  maxSteps: number,
): EditedAgain | undefined {
  const { targetPath: file } = call;
  if (file === undefined) return undefined;
  let readAt: number | undefined;
  for (let at = index + 1; at <= index + maxSteps && at < calls.length; at++) {
    const later = calls[at];
    if (later?.outcome !== 'success' || !isSamePath(later.targetPath ?? '', file)) continue;
    if (later.tool === 'read') readAt = at;
    if (later.tool !== 'edit' && later.tool !== 'write') continue;
    const isSame = call.inputHash !== undefined && call.inputHash === later.inputHash;
    return { index: at, ...(readAt === undefined ? {} : { readAt }), isSame };
  }
  return undefined;
}
