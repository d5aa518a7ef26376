/**
 * A cheap check of a command line before it is parsed: may triggers hold for it? Tests run over thousands of past
 * calls, most of them of other programs, and parsing is most of the cost. The answer is no only if no shell can find
 * the named words in the text; in doubt it is yes.
 */

import type { ProgramTrigger, Triggers } from './trigger.ts';

export function mayHold({ programs, reads }: Triggers, line: string): boolean {
  if (reads?.some((path) => line.includes(path)) === false) return false;
  return programs === undefined || programs.some((program) => mayRun(program, line));
}

function mayRun({ name, sub = [], args = {} }: ProgramTrigger, line: string): boolean {
  const isThere = (word: string): boolean => mayHave(line, word);
  if (!mayRunProgram(line, name) || !sub.every(isThere) || args.all?.every(isThere) === false) return false;
  return args.any === undefined || args.any.some(isThere);
}

function mayHave(line: string, word: string): boolean {
  return line.includes(word) || !PLAIN.test(word) || DOUBT.test(line);
}

/** A word that the shell reads as it is written. */
const PLAIN = /^[\w./:=@%+,-]+$/;
/** Quotes and escapes inside a word, and escapes for any character: the text does not show what the shell reads. */
const DOUBT = /[\w./:=@%+,-]["'\\`]+\s*[\w./:=@%+,-]|\$["']/;
const QUOTING = /[\\`]\r?\n|["'\\`]/g;

/** May the line run a program of this name? PowerShell ignores the case of names. */
export function mayRunProgram(line: string, name: string): boolean {
  const [text, wanted] = [line.toLowerCase(), name.toLowerCase()];
  if (hasWord(text, wanted) || !PLAIN.test(name)) return true;
  return DOUBT.test(text) && (/\$["']/.test(text) || hasWord(text.replace(QUOTING, ''), wanted));
}

/** Part of a longer word is not a program: `go` in `google`. */
function hasWord(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!isInWord(text, at - 1) && !WORD.test(text.charAt(at + name.length))) return true;
  }
  return false;
}

const WORD = /[a-z0-9_]/;
const ESCAPE = /[\\`]/;

/** The `n` of `\n` before a name is a line break, not part of the word. */
function isInWord(text: string, before: number): boolean {
  return WORD.test(text.charAt(before)) && !ESCAPE.test(text.charAt(before - 1));
}
