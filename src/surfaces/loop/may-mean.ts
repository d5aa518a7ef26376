/** Whether triggers may mean a command, by its text: most calls are of other programs, and parsing is what costs. Says yes in doubt. */
import type { ProgramTrigger, Triggers } from '../../base/trigger.ts';
import { mayRun } from './may-run.ts';

export function mayMean({ programs }: Triggers, command: string): boolean {
  return programs === undefined || programs.some((program) => mayBe(program, command));
}

function mayBe({ name, sub, args }: ProgramTrigger, command: string): boolean {
  if (!mayRun(command, name)) return false;
  const isThere = (word: string): boolean => mayHave(command, word);
  if (sub?.every(isThere) === false || args?.all?.every(isThere) === false) return false;
  return args?.any === undefined || args.any.some(isThere);
}

function mayHave(command: string, word: string): boolean {
  return command.includes(word) || !PLAIN.test(word) || DOUBT.test(command);
}

/** Other words are written with quotes or escapes. */
const PLAIN = /^[\w./:=@%+,-]+$/;
/** Quotes and escapes inside a word, and escapes that write any character: the text does not show what the shell reads. */
const DOUBT = /[\w./:=@%+,-]["'\\`]+\s*[\w./:=@%+,-]|\$["']/;
