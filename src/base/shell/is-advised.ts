/**
 * Whether the error of a call already holds the remedy: then nobody has to be told. An error holds it if it advises the
 * words that the cure brings, or if it names the words that the cure only takes away.
 */
import type { Cure } from '../model/cure.ts';
import { isNamedIn } from '../text/is-named-in.ts';
import { toLiteral } from '../text/regex-literal.ts';
import type { EditStep, EditWord } from './command-edit.ts';

type KnownFix = Pick<Cure, 'kind' | 'text' | 'edit'>;

interface FailedCall {
  readonly command?: string | undefined;
  readonly output: string;
}

/** Programs give advice with these words, on the same line or above it: `Did you mean this?`, `To do so, use`. */
const ADVICE =
  /\bdid you mean\b|\bplease\b|\b(?:use|try|run|running|using|specify|pass|add|set)\b|\binstead\b|\b(?:similar|closest)\b|\bshould\b|\bmust\b|\bperhaps\b|\breplaced (?:by|with)\b|\brenamed\b/i;
const LINES_BELOW = 2;
const MAX_OUTPUT_CHARS = 20_000;

export function isAdvised(cure: KnownFix, { command = '', output }: FailedCall): boolean {
  const text = output.slice(0, MAX_OUTPUT_CHARS);
  if (isOnlyLess(cure)) return listGone(cure).some((word) => isNamedIn(text, word) || isInGroup(text, word));
  const given = command.split(/\s+/);
  const words = listBrought(cure).filter((word) => !given.includes(word));
  // The words of the failed call stand in most errors and are no advice.
  if (words.length === 0) return false;
  const lines = text.split('\n');
  const isAdvice = (_: string, i: number): boolean =>
    lines.slice(Math.max(0, i - LINES_BELOW), i + 1).some((one) => ADVICE.test(one));
  // A parameter that the error names is one that the tool asks for.
  const advice = cure.kind === 'input' ? text : lines.filter(isAdvice).join('\n');
  return words.every((word) => new RegExp(`(?<![\\w-])${toLiteral(word)}(?![\\w-])`).test(advice));
}

/** Among options that the error lists without their dashes: `[detailed json]`. */
function isInGroup(text: string, word: string): boolean {
  const name = word.replace(/^--?/, '');
  return name !== word && new RegExp(`\\[(?:[\\w-]+ )*${toLiteral(name)}(?: [\\w-]+)*\\]`).test(text);
}

/** It leaves words out, and neither adds nor moves one. */
function isOnlyLess({ text, edit }: KnownFix): boolean {
  if (edit === undefined) return /^leave out `[^`]+`$/.test(text);
  return edit.steps.every((step) =>
    'list' in step ? step.by.length === 0 : 'from' in step && step.at !== 0 && step.to.length === 0,
  );
}

function listGone({ text, edit }: KnownFix): readonly string[] {
  if (edit === undefined) return toQuoted(text).split(/[^\w-]+/);
  return edit.steps.flatMap((step) => ('list' in step ? step.list : 'from' in step ? step.from.flatMap(toFixed) : []));
}

/** The words of the cure that are the same in every call. */
function listBrought({ kind, text, edit }: KnownFix): readonly string[] {
  if (edit !== undefined) return edit.steps.flatMap(listNew);
  if (kind !== 'first' && kind !== 'input') return [];
  return toQuoted(text)
    .split(kind === 'first' ? ' ' : /:? /)
    .filter((word) => word !== '' && !word.includes('<'));
}

/** The last code of the text. */
function toQuoted(text: string): string {
  return /.*`([^`]+)`/.exec(text)?.[1] ?? '';
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
