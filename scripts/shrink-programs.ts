/**
 * Leaves out of the hook's bundle the facts about programs that the hook does not ask for, and puts programs with the
 * same facts into one row. The types of `find-program.ts` keep the hook from asking for more.
 */
import type { Plugin } from 'esbuild';
import { ROWS } from '../src/base/shell/programs/rows.ts';
import {
  HOOK_FACTS,
  HOOK_TRAITS,
  type HookFacts,
  type ProgramFacts,
  type ProgramRow,
} from '../src/base/shell/programs/vocabulary.ts';

export const shrinkPrograms: Plugin = {
  name: 'shrink-programs',
  setup: ({ onLoad }) =>
    onLoad({ filter: /shell[/\\]programs[/\\]rows\.ts$/ }, () => ({
      contents: `export const ROWS = Object.entries(${JSON.stringify(Object.fromEntries(toHookRows(ROWS)))});`,
    })),
};

export function toHookRows(rows: readonly ProgramRow[]): readonly (readonly [names: string, facts: HookFacts])[] {
  const alike = Map.groupBy(rows, ([, facts]) => JSON.stringify(toHookFacts(facts)));
  alike.delete(JSON.stringify(toHookFacts({})));
  return [...alike].map(([facts, same]) => [same.map(([names]) => names).join(' '), JSON.parse(facts)]);
}

function toHookFacts(facts: ProgramFacts): HookFacts {
  const traits = facts.is?.split(' ') ?? [];
  const subs = Object.entries(facts.subs ?? {}).filter(([trait]) => isHookTrait(trait));
  const kept = { ...facts, is: traits.filter(isHookTrait).join(' ') || undefined };
  const entries = HOOK_FACTS.map((fact) => [fact, kept[fact]]);
  return {
    ...Object.fromEntries(entries),
    subs: subs.length === 0 ? undefined : Object.fromEntries(subs),
  } as HookFacts;
}

function isHookTrait(trait: string): boolean {
  return Object.hasOwn(HOOK_TRAITS, trait);
}
