/** Questions about a program by its name, for everything that the hook runs, too. `all-facts.ts` answers all others. */
import { ROWS } from './rows.ts';
import type { HookFacts, HookTrait } from './vocabulary.ts';

let byName: ReadonlyMap<string, HookFacts> | undefined;

/** What the catalogue says about the program; undefined for a program that it does not know. */
export function findProgram(name: string): HookFacts | undefined {
  byName ??= new Map(ROWS.flatMap(([names, facts]) => names.split(' ').map((one) => [one, facts] as const)));
  return byName.get(name) ?? findVersioned(name, byName);
}

/** `python3.12` is `python`. */
function findVersioned(name: string, known: ReadonlyMap<string, HookFacts>): HookFacts | undefined {
  const facts = /\d$/.test(name) ? known.get(name.replace(/[\d.]+$/, '')) : undefined;
  return isListed('interpreter', facts?.is) ? facts : undefined;
}

/** Whether the program has one of the traits, whatever it is told to do. */
export function isProgram(name: string, ...traits: readonly HookTrait[]): boolean {
  const is = findProgram(name)?.is;
  return traits.some((trait) => isListed(trait, is));
}

/** Whether a list with blanks between its words has this word. Such a list is the shortest form of a table. */
export function isListed(word: string, list: string | undefined): boolean {
  return list !== undefined && word !== '' && ` ${list} `.includes(` ${word} `);
}
