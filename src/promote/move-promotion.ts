/** The life of a promotion: pending, approved, applied, rolled back; or rejected. */
import type { Promotion, PromotionState } from '../base/promotion.ts';
import type { Refusal } from './transition.ts';

export type PromotionStep = 'approve' | 'reject' | 'apply' | 'rollback';

const FROM: Readonly<Record<PromotionStep, readonly PromotionState[]>> = {
  approve: ['pending'],
  reject: ['pending', 'approved'],
  apply: ['approved', 'applied'],
  rollback: ['applied'],
};

/** What one in that state is, and what to do with it. */
const WORDS: Readonly<Record<PromotionState, readonly [is: string, verb: string]>> = {
  pending: ['waits for approval', 'approve'],
  approved: ['is approved and not written yet', 'apply'],
  applied: ['is written already', 'rollback'],
  rolled_back: ['was rolled back', 'propose'],
  rejected: ['was rejected', 'propose'],
};

export interface Moving {
  readonly step: PromotionStep;
  /** What the lesson would say in the file by now. */
  readonly text: string;
  readonly slug: string;
  /** What was written is not in the file as it was: it may be written again. */
  readonly isOff?: boolean;
  /** It has not proven itself: only `--force` proposes it. */
  readonly isUnproven?: boolean;
}

/** Undefined when it may take this step. */
export function findStepRefusal(promotion: Promotion, { step, text, slug, ...moving }: Moving): Refusal | undefined {
  const { state, file } = promotion;
  const isChanged = promotion.text !== text;
  const isCurrent = state === 'applied' && !isChanged && moving.isOff !== true;
  // What was approved is what a person has read.
  if (state === 'approved' && step === 'apply' && isChanged)
    return { refused: `was changed since it was approved (${file})`, next: toNext('approve', slug) };
  if (state === 'approved' && step === 'approve' && isChanged) return undefined;
  if (FROM[step].includes(state) && !(step === 'apply' && isCurrent)) return undefined;
  const [is, verb] = WORDS[state];
  const force = verb === 'propose' && moving.isUnproven ? ' --force' : '';
  return { refused: `${is} (${file})`, next: `${toNext(verb, slug)}${force}` };
}

export function toNext(verb: string, slug: string): string {
  return `oncebitten promote ${verb} ${slug}`;
}
