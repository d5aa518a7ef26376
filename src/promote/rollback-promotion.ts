/** What a file is once a lesson is taken out of it again: pure. Its section goes, whoever wrote it: what stood there before was ours, too. */

import type { Promotion } from '../base/promotion.ts';
import { isEdited, refuseEdited } from './apply-promotion.ts';
import { dropSection } from './drop-section.ts';
import { encode, toBytes, toRaw } from './managed-block.ts';
import { parseManagedBlock } from './parse-managed-block.ts';
import { isRefused, type Refusal } from './transition.ts';

export interface Rollback {
  readonly promotion: Pick<Promotion, 'hash' | 'text'>;
  readonly slug: string;
  readonly force: boolean;
  /** The file was made for a promoted lesson, and began like this: with nothing else in it, it goes. */
  readonly madeWith?: string;
}

/** `gone`: somebody took it out already. Without bytes the file goes. */
export type RolledBack = { readonly gone: true } | { readonly gone: false; readonly bytes: Buffer | undefined };

export function rollbackPromotion(bytes: Buffer | undefined, rollback: Rollback): RolledBack | Refusal {
  const { promotion, slug, force, madeWith } = rollback;
  if (bytes === undefined) return { gone: true };
  const raw = toRaw(bytes);
  const found = parseManagedBlock(raw);
  if (isRefused(found)) return found;
  const section = found.block?.sections.find((one) => one.slug === slug);
  if (found.block === undefined || section === undefined) return { gone: true };
  if (!force && isEdited(section, promotion))
    return refuseEdited(section, promotion.text, `remove it all the same: oncebitten promote rollback ${slug} --force`);
  const left = dropSection(raw, found.block, section);
  const isOnlyOurs = madeWith !== undefined && left === encode(madeWith, '\n');
  return { gone: false, bytes: isOnlyOurs ? undefined : toBytes(left) };
}
