/**
 * Joins the edits of two fixes of one mistake. Fixes that bring the same words agree, whatever the objects beside them are;
 * then the shorter edit stays, because it worked alone. Fixes that differ stand side by side, and none of them is certain.
 */
import type { CommandEdit, EditStep, EditWord } from '../../base/shell/command-edit.ts';
import { joinTemplates } from './learn-template.ts';

/** More fixes than this are not told, so no more are kept. */
const MAX_FIXES = 4;

/** The known edit itself where the added one agrees with it. */
export function joinEdits(known: CommandEdit, added: CommandEdit): CommandEdit {
  return [added.steps, ...(added.others ?? [])].reduce(addSteps, known);
}

function addSteps(edit: CommandEdit, added: readonly EditStep[]): CommandEdit {
  const fixes = [edit.steps, ...(edit.others ?? [])];
  const joined = fixes.map((fix) => joinSteps(fix, added));
  const shared = joined.findIndex((steps) => steps !== undefined);
  const steps = joined[shared];
  if (steps !== undefined)
    return String(toKeys(steps)) === String(toKeys(fixes[shared] ?? []))
      ? edit
      : putFixes(edit, fixes.with(shared, steps));
  const at = fixes.findIndex((fix) => isPart(fix, added) || isPart(added, fix));
  const fix = fixes[at];
  if (fix === undefined) return fixes.length < MAX_FIXES ? putFixes(edit, [...fixes, added]) : edit;
  return isPart(fix, added) && countWords(fix) <= countWords(added) ? edit : putFixes(edit, fixes.with(at, added));
}

/** Two templates become the one that agrees with both. */
function joinSteps([a]: readonly EditStep[], [b]: readonly EditStep[]): readonly EditStep[] | undefined {
  if (a === undefined || b === undefined || !('make' in a) || !('make' in b)) return undefined;
  const joined = joinTemplates(a, b);
  return joined && [joined];
}

function toKeys(steps: readonly EditStep[]): readonly string[] {
  return steps.map((step) => JSON.stringify(step));
}

function putFixes(edit: CommandEdit, [steps = [], ...others]: readonly (readonly EditStep[])[]): CommandEdit {
  return { ...edit, steps, ...(others.length === 0 ? {} : { others }) };
}

function isPart(some: readonly EditStep[], all: readonly EditStep[]): boolean {
  const keys = new Set(all.map(toKey));
  return some.every((step) => keys.has(toKey(step)));
}

/** Without the place and the objects, which are those of one call. */
function toKey(step: EditStep): string {
  if ('from' in step) return JSON.stringify([toOwn(step.from), toOwn(step.to), step.at === 0]);
  if ('list' in step) return JSON.stringify([step.list, step.by]);
  return JSON.stringify('first' in step ? { first: toOwn(step.first) } : step);
}

function toOwn(words: readonly EditWord[]): readonly string[] {
  return words.flatMap((word) => (typeof word === 'string' ? word : (word.prefix ?? [])));
}

function countWords(steps: readonly EditStep[]): number {
  return steps.reduce((sum, step) => sum + ('from' in step ? step.from.length + step.to.length : 1), 0);
}
