/** Queries about a program by its name, for code that the hook also runs. `all-facts.ts` has the other queries. */
import { ROWS } from './rows.ts';
import type { HookFacts, HookTrait } from './vocabulary.ts';

/** More names than a hook asks for. */
const MAX_ASKED = 200;
const asked = new Map<string, HookFacts | undefined>();
let allNames: string | undefined;
/** Every name with its facts, in a process that asks for many. */
let table: ReadonlyMap<string, HookFacts> | undefined;

/** The facts about a program; undefined for a program that is not in the catalogue. */
export function findProgram(name: string): HookFacts | undefined {
  const known = asked.get(name);
  if (known !== undefined || asked.has(name)) return known;
  // PowerShell ignores the case of names.
  const found = findRow(name) ?? findRow(name.toLowerCase()) ?? findVersioned(name);
  if (asked.size < MAX_ASKED) asked.set(name, found);
  else table ??= new Map(ROWS.flatMap(([names, facts]) => names.split(' ').map((one) => [one, facts] as const)));
  return found;
}

/** Searches one text for the name, because the hook asks for few names and building a table of all takes longer. */
function findRow(name: string): HookFacts | undefined {
  if (table !== undefined) return table.get(name);
  allNames ??= ` ${ROWS.map(([names]) => names).join(' \n ')} `;
  const at = allNames.indexOf(` ${name} `);
  return at < 0 ? undefined : ROWS[allNames.slice(0, at).split('\n').length - 1]?.[1];
}

/** `python3.12` is `python`. */
function findVersioned(name: string): HookFacts | undefined {
  const facts = /\d$/.test(name) ? findRow(name.replace(/[\d.]+$/, '')) : undefined;
  return isListed('interpreter', facts?.is) ? facts : undefined;
}

/** Does the program have one of the traits, whatever its sub-command? */
export function isProgram(name: string, ...traits: readonly HookTrait[]): boolean {
  const is = findProgram(name)?.is;
  return traits.some((trait) => isListed(trait, is));
}

/** Does a list of words separated by blanks contain this word? Such a list is the shortest form of a table. */
export function isListed(word: string, list: string | undefined): boolean {
  return list !== undefined && word !== '' && toWords(list).has(word);
}

/** A cache of the lists that were queried; the catalogue has several hundred. */
const words = new Map<string, ReadonlySet<string>>();

function toWords(list: string): ReadonlySet<string> {
  const known = words.get(list);
  if (known !== undefined) return known;
  const made = new Set(list.split(' '));
  words.set(list, made);
  return made;
}
