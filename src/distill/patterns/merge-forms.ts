/**
 * Which signatures are the same failure: near-duplicates are merged, and what a check says about the code is the same
 * whoever ran the check (`eslint`, `npm run lint`, `make check`).
 */

import type { Signature } from '../../base/model/signature.ts';
import type { SignatureForm } from '../../base/statistics/failures.ts';
import { VERDICT_CATEGORIES } from '../../base/text/failure-category.ts';
import { makeSignature } from '../../base/text/signature.ts';
import { groupSignatures } from './group-signatures.ts';

export interface MergedForm {
  /** The same for all signatures that are one failure. */
  readonly key: string;
  readonly template: string;
  /** Of this signature. */
  readonly program: string;
  readonly category: string;
}

/** By the id of each signature. */
export function mergeForms(forms: readonly SignatureForm[]): ReadonlyMap<string, MergedForm> {
  const asked = new Map(forms.map((form): [string, Signature] => [form.id, toAsked(form)]));
  const groups = groupSignatures(asked.values());
  return new Map(
    forms.map(({ id, program, category, template }) => {
      const own = asked.get(id);
      const group = (own && groups.get(own.id)) ?? own;
      return [id, { key: group?.id ?? id, template: group?.template ?? template, program, category }];
    }),
  );
}

function toAsked({ program, template, category }: SignatureForm): Signature {
  return makeSignature(VERDICT_CATEGORIES.has(category) ? category : program, template);
}
