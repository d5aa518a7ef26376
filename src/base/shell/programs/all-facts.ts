/** Questions about all that the catalogue says. The hook's bundle must not have this file: it has only some of the facts. */
import { hasHookTrait, type SimpleCommand } from '../simple-command.ts';
import { findProgram, isListed, isProgram } from './find-program.ts';
import { ROWS } from './rows.ts';
import type { ProgramFacts, Trait } from './vocabulary.ts';

export const findFacts: (name: string) => ProgramFacts | undefined = findProgram;

/** Whether the program has one of the traits, whatever it is told to do. */
export const isKnownAs = isProgram as (name: string, ...traits: readonly Trait[]) => boolean;

/** Whether the command has one of the traits: its program has it, or its sub-command. */
export const hasTrait = hasHookTrait as (command: SimpleCommand, ...traits: readonly Trait[]) => boolean;

/** The names of all programs that have one of the traits, in the order of the catalogue. */
export function listPrograms(...traits: readonly Trait[]): readonly string[] {
  return ROWS.filter(([, { is }]) => traits.some((trait) => isListed(trait, is))).flatMap(([names]) =>
    names.split(' '),
  );
}

/** The names of all programs about which the catalogue has this fact, in its order. */
export function listProgramsWith(fact: keyof ProgramFacts): readonly string[] {
  return ROWS.filter(([, facts]) => facts[fact] !== undefined).flatMap(([names]) => names.split(' '));
}
