/** Whether the error of a call already names the remedy: then nobody has to be told. */
import type { Cure } from '../model/cure.ts';
import { toLiteral } from '../text/regex-literal.ts';
import type { EditStep, EditWord } from './command-edit.ts';
import { isOption } from './simple-command.ts';

type KnownFix = Pick<Cure, 'kind' | 'text' | 'edit'>;

interface FailedCall {
  readonly command?: string | undefined;
  readonly output: string;
}

/** Programs give advice with these words, on the same line or above it: `Did you mean this?`, `To do so, use`. */
const ADVICE =
  /\bdid you mean\b|\bplease\b|\b(?:use|try|run|running|using|specify|pass|add|set)\b|\binstead\b|\b(?:similar|closest)\b|\bshould\b|\bmust\b|\bperhaps\b|\breplaced (?:by|with)\b|\brenamed\b|\bto (?!be\b)\w+ (?:it|them|this)\b/i;
const LINES_BELOW = 2;
const MAX_SUB_WORDS = 1;
const MAX_OUTPUT_CHARS = 20_000;

/**
 * Does the error itself advise all words that the cure brings? The words of the failed call stand in most errors and are
 * no advice, and a cure that brings no other word is not in the error.
 */
export function isAdvised(cure: KnownFix, { command = '', output }: FailedCall): boolean {
  const given = command.split(/\s+/);
  const words = listBrought(cure).filter((word) => !given.includes(word));
  if (words.length === 0) return false;
  const lines = output.slice(0, MAX_OUTPUT_CHARS).split('\n');
  const advice = lines.filter((_, i) =>
    lines.slice(Math.max(0, i - LINES_BELOW), i + 1).some((one) => ADVICE.test(one)),
  );
  const text = advice.join('\n');
  return words.every((word) => new RegExp(`(?<![\\w-])${toLiteral(word)}(?![\\w-])`).test(text));
}

/** The words of the cure that are the same in every call. */
function listBrought({ kind, text, edit }: KnownFix): readonly string[] {
  if (edit !== undefined) return edit.steps.flatMap(listNew);
  if (kind !== 'first') return [];
  const [program = '', ...more] = (/`([^`]+)`/.exec(text)?.[1] ?? '').split(' ').filter((word) => !word.includes('<'));
  // What to run is advice enough: `git stash` for `git stash push -m <text>`.
  const sub = more.filter((word) => !isOption(word)).slice(0, MAX_SUB_WORDS);
  return [program, ...sub].filter((word) => word !== '');
}

function listNew(step: EditStep): readonly string[] {
  if ('first' in step) return step.first.flatMap(toFixed);
  if ('list' in step) return step.by;
  if (!('from' in step)) return [];
  const gone = step.from.flatMap(toFixed);
  return step.to.flatMap(toFixed).filter((word) => !gone.includes(word));
}

/** `--out` of `--out=<path>`. */
function toFixed(word: EditWord): readonly string[] {
  const text = typeof word === 'string' ? word : (word.prefix?.replace(/=$/, '') ?? '');
  return text === '' ? [] : [text];
}
