/** Options with two names: a lesson that asks for one is silent at the other. */

import { findFacts } from '../../../base/shell/programs/all-facts.ts';

/** The option itself, and its other name if it has one. `name`: the program with its sub-command. */
export function toSameOptions(name: string, option: string): readonly string[] {
  const [program = '', sub = ''] = name.split(' ');
  const twins = findFacts(program)?.twins ?? {};
  for (const key of [sub, '']) {
    const names = Object.hasOwn(twins, key) ? (twins[key]?.split(' ') ?? []) : [];
    const at = names.indexOf(option);
    const other = names[at % 2 === 0 ? at + 1 : at - 1];
    if (at >= 0 && other !== undefined) return [option, other];
  }
  return [option];
}
