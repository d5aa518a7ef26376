/**
 * Signatures that are near-duplicates of each other, as groups: over 85 % of their words alike, of one program. A
 * function of the whole set, whatever its order. Signing itself cannot merge: the id would depend on what came before.
 *
 * Two messages that differ in one word are often two causes (`session opened`, `session closed`). The word is a value
 * when it comes in three or more forms, when elsewhere a value stands in its place, or when it looks like a name. Options,
 * codes, constants and names of errors are causes, never values; nor is the first word, which says who speaks.
 */

import type { Signature } from '../../base/model/signature.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { makeSignature } from '../../base/text/signature.ts';

/** One word of seven is the least that leaves more than 85 %. */
const WORDS_PER_DIFFERENCE = 7;
const MAX_DIFFERENCES = 3;
const MAX_WORDS = 80;
const MANY = 3;
const NAME = /^\W*\w*(?:[a-z0-9][A-Z]|[A-Za-z0-9][_.$][A-Za-z0-9])/;
const CAUSE = /^[A-Z]{2,}\W*$|^\W*(?:--?[A-Za-z]|[A-Z]{1,8}\d{3,5}\b|E[A-Z]{3,}\b|[\w.]*(?:Error|Exception)\b)/;

/** For each signature that is part of a group, by id: the group, as a signature with one more mask. */
export function groupSignatures(signatures: Iterable<Signature>): ReadonlyMap<string, Signature> {
  const merged = new Map<string, string>();
  const byId = new Map([...signatures].map((signature) => [signature.id, signature]));
  for (const forms of Map.groupBy(byId.values(), toKind).values()) {
    for (const [template, group] of mergeTemplates(new Set(forms.map(({ template }) => template)))) {
      const program = forms[0]?.program ?? '';
      merged.set(makeSignature(program, template).id, group);
    }
  }
  return new Map(
    [...merged].map(([id, template]) => [id, makeSignature(byId.get(id)?.program ?? '', template)] as const),
  );
}

/** Only these are compared with each other. */
function toKind({ program, template }: Signature): string {
  return `${program}\n${countWords(template)}`;
}

function countWords(template: string): number {
  let words = 1;
  for (let at = template.indexOf(' '); at >= 0; at = template.indexOf(' ', at + 1)) words++;
  return words;
}

/** Template to merged template, of templates with the same number of words. One word more may differ in each round. */
function mergeTemplates(templates: ReadonlySet<string>): ReadonlyMap<string, string> {
  const [some = ''] = templates;
  const words = countWords(some);
  const rounds = words > MAX_WORDS ? 0 : Math.min(MAX_DIFFERENCES, Math.floor(words / WORDS_PER_DIFFERENCE));
  let current = new Map([...templates].map((template) => [template, template]));
  for (let round = 0; round < rounds; round++) {
    const next = mergeOnce(new Set(current.values()));
    if (next.size === 0) break;
    current = new Map([...current].map(([template, form]) => [template, next.get(form) ?? form]));
  }
  return new Map([...current].filter(([template, form]) => template !== form));
}

function mergeOnce(forms: ReadonlySet<string>): ReadonlyMap<string, string> {
  const holes = new Map<string, Set<string>>();
  const split = [...forms].map((form) => ({ form, words: form.split(' ') }));
  for (const { words } of split) {
    for (const [hole, word] of listHoles(words)) {
      const fillers = holes.get(hole);
      if (fillers === undefined) holes.set(hole, new Set([word]));
      else fillers.add(word);
    }
  }
  const merged = new Map<string, string>();
  for (const { form, words } of split) {
    const best = listHoles(words)
      .map(([hole]) => ({ hole, size: holes.get(hole)?.size ?? 0 }))
      .filter(({ hole }) => isValue(holes.get(hole) ?? new Set()))
      .toSorted((a, b) => b.size - a.size || (a.hole < b.hole ? -1 : 1))[0];
    if (best !== undefined) merged.set(form, best.hole);
  }
  return merged;
}

/** The template with each of its words masked in turn. */
function listHoles(words: readonly string[]): readonly (readonly [hole: string, word: string])[] {
  return words.flatMap((word, i) =>
    i === 0 || CAUSE.test(word) ? [] : [[words.with(i, MASK).join(' '), word] as const],
  );
}

function isValue(fillers: ReadonlySet<string>): boolean {
  if (fillers.size >= MANY || (fillers.size > 1 && fillers.has(MASK))) return true;
  return fillers.size > 1 && [...fillers].every((word) => NAME.test(word));
}
