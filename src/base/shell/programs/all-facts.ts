/**
 * Queries on the whole catalogue of programs. The hook must not import this file, because its bundle contains only some
 * of the facts.
 */
import { hasHookTrait, type SimpleCommand } from '../simple-command.ts';
import { findProgram, isListed, isProgram } from './find-program.ts';
import { ROWS } from './rows.ts';
import type { ProgramFacts, Trait } from './vocabulary.ts';

export const findFacts: (name: string) => ProgramFacts | undefined = findProgram;

/** Does the program have one of the traits, whatever its sub-command? */
export const isKnownAs = isProgram as (name: string, ...traits: readonly Trait[]) => boolean;

/** Does the program or its sub-command have one of the traits? */
export const hasTrait = hasHookTrait as (command: SimpleCommand, ...traits: readonly Trait[]) => boolean;

/** The names of all programs with one of the traits, in the order of the catalogue. */
export function listPrograms(...traits: readonly Trait[]): readonly string[] {
  return ROWS.filter(([, { is }]) => traits.some((trait) => isListed(trait, is))).flatMap(([names]) =>
    names.split(' '),
  );
}

/** The names of all programs with this fact, in the order of the catalogue. */
export function listProgramsWith(fact: keyof ProgramFacts): readonly string[] {
  return ROWS.filter(([, facts]) => facts[fact] !== undefined).flatMap(([names]) => names.split(' '));
}
