/**
 * A template: a fix as a whole line, made of constant words, of words of the failing command (whole, in part, or with
 * text added) and of words of its error. Learning makes templates from pairs of calls
 * (`distill/propose/repair/learn-template.ts`); `applyTemplate` makes the fixed line of another failing one.
 */
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { isPlainWord } from './object-kind.ts';
import type { Argument } from './simple-command.ts';

/** Where a part of a word begins or ends: at the first occurrence of this text, or at the last one. */
export interface Cut {
  readonly at: string;
  readonly last?: true;
}

interface Added {
  readonly prefix?: string;
  readonly suffix?: string;
}

/** A word of the failing command; index 0 is its program. */
export interface CopiedWord extends Added {
  readonly copy: number;
  /** The word and all that follow it, each in the same way. */
  readonly many?: true;
  /** Only the part behind or before a text. */
  readonly after?: Cut;
  readonly before?: Cut;
}

/** The word of the error that follows this text (its first word, if empty), up to a blank or a quote, or to `until`. */
export interface ErrorWord extends Added {
  readonly told: string;
  readonly until?: string;
}

export type WordSource = string | CopiedWord | ErrorWord;

/** A literal word, or the shape of one. `many`: this word and any number of others. */
export type WordForm = string | { readonly begins?: string; readonly ends?: string; readonly many?: true };

export interface TemplateStep {
  /** The words of a command that it fits. */
  readonly of: readonly WordForm[];
  /**
   * The commands of the fixed line. Each word has one or more sources that agree with all examples; the first one is
   * used, and a further example removes those that it contradicts.
   */
  readonly make: readonly (readonly (readonly WordSource[])[])[];
  /** The operator between the commands. Absent: `;`. */
  readonly join?: '&&' | '|';
}

/** A word with its place in the line. */
export interface PlacedWord extends Argument {
  readonly pos: number;
  readonly end: number;
}

/** A simple command of a line as typed: also wrappers such as `sudo`, variables and redirections are words of it. */
export interface LineCommand {
  readonly words: readonly PlacedWord[];
  /** The operator before it; empty for the first one. */
  readonly join: string;
}

/** Undefined if the line is more than a row of simple commands, or if the split into words is a guess. */
export function listLineCommands(line: string): readonly LineCommand[] | undefined {
  const found: LineCommand[] = [];
  let end = 0;
  let isRow = true;
  const visit = (node: SyntaxNode): void => {
    if (node.type !== 'Command') {
      forEachChild(node, visit);
      return;
    }
    const { name, prefix, suffix } = node;
    const all = name === undefined ? [] : [...prefix, name, ...suffix];
    const join = line.slice(end, node.pos).trim();
    isRow &&= all.length > 0 && JOINS.has(join) && (join === '') === (found.length === 0);
    isRow &&= all.every(({ type }) => type !== 'HereDoc');
    found.push({ words: all.map((word) => toPlaced(word, line)), join });
    end = node.end;
  };
  const script = parse(line);
  if (script.errors?.length) return undefined;
  visit(script);
  return isRow && found.length > 0 && /^[\s;]*$/.test(line.slice(end)) ? found : undefined;
}

function toPlaced({ pos, end, ...word }: { pos: number; end: number; value?: unknown }, line: string): PlacedWord {
  const text = line.slice(pos, end);
  return { text, value: typeof word.value === 'string' ? word.value : text, pos, end };
}

const JOINS = new Set(['', ';', '&&', '|']);

/** Throws if the template does not fit. `error`: that of the failing line; empty before it ran. */
export function applyTemplate({ of, make, join }: TemplateStep, line: string, error: string): string {
  const commands = listLineCommands(line) ?? [];
  const [one, ...others] = commands.filter(({ words }) => fitsForms(of, words));
  const [first, last] = [one?.words[0], one?.words.at(-1)];
  if (one === undefined || first === undefined || last === undefined || others.length > 0) throw new Error('no fit');
  const brought = make.flat().flatMap(([source]) => (typeof source === 'string' && !of.includes(source) ? source : []));
  if (one.words.some(({ text }) => brought.includes(text))) throw new Error('a word is there already');
  const made = make.map((words) => words.flatMap(([source]) => readSource(source, one.words, error)));
  // In a longer line, a second command could run although the one before it did not.
  if (made.length > 1 && commands.length > 1) throw new Error('several commands do not fit into a longer line');
  const text = made.map((words) => words.join(' ')).join(join === undefined ? '; ' : ` ${join} `);
  const whole = line.slice(0, first.pos) + text + line.slice(last.end);
  const wanted = commands.flatMap((command) => (command === one ? made : [command.words.map((word) => word.text)]));
  const now = listLineCommands(whole)?.map(({ words }) => words.map((word) => word.text));
  if (whole === line || JSON.stringify(now) !== JSON.stringify(wanted)) throw new Error('the line changes elsewhere');
  return whole;
}

function fitsForms(forms: readonly WordForm[], words: readonly Argument[]): boolean {
  const last = forms.at(-1);
  const isOpen = typeof last === 'object' && last.many === true;
  if (isOpen ? words.length < forms.length : words.length !== forms.length) return false;
  return words.every(({ text }, i) => fitsForm(forms[i] ?? last, text));
}

function fitsForm(form: WordForm | undefined, text: string): boolean {
  if (form === undefined || typeof form === 'string') return text === form;
  return text.startsWith(form.begins ?? '') && text.endsWith(form.ends ?? '');
}

/** The words that a source stands for. Throws if the command or the error does not have them. */
export function readSource(
  source: WordSource | undefined,
  words: readonly Argument[],
  error: string,
): readonly string[] {
  if (source === undefined) throw new Error('no source');
  if (typeof source === 'string') return [source];
  if ('told' in source) return [addTo(source, readFromError(source, error))];
  const copied = words.slice(source.copy, source.many ? undefined : source.copy + 1);
  if (copied.length === 0) throw new Error('no such word');
  return copied.map((word) => toPart(source, word));
}

function toPart(source: CopiedWord, { text }: Argument): string {
  const { after, before, prefix, suffix } = source;
  if ((after ?? before ?? prefix ?? suffix) === undefined) return text;
  const from = after === undefined ? 0 : findCut(after, text) + after.at.length;
  const to = before === undefined ? text.length : findCut(before, text);
  return addTo(source, text.slice(from, Math.max(from, to)));
}

function findCut({ at, last }: Cut, text: string): number {
  const found = last ? text.lastIndexOf(at) : text.indexOf(at);
  if (found < 0 || at === '') throw new Error('no such part');
  return found;
}

/** A word with a meaning to the shell is copied whole or not at all. */
function addTo({ prefix = '', suffix = '' }: Added, core: string): string {
  const text = prefix + core + suffix;
  if (core === '' || !isPlainWord(core) || !isPlainWord(text)) throw new Error('not a plain word');
  const isThere = (prefix !== '' && core.startsWith(prefix)) || (suffix !== '' && core.endsWith(suffix));
  if (isThere) throw new Error('the text is there already');
  return text;
}

const MAX_TOLD_CHARS = 20_000;
/** Ends a word of a message. */
const STOPS = new Set(' \'"`‘’“”<>()[]{},;:!?|');

/** Errors are text from outside: only a plain word that is no option may come from there. */
function readFromError({ told: before, until }: ErrorWord, error: string): string {
  const text = toFlat(error);
  let at = text.indexOf(before);
  while (at > 0 && /\w/.test(text[at - 1] ?? '') && /\w/.test(before[0] ?? '')) at = text.indexOf(before, at + 1);
  if (at < 0) throw new Error('the error does not say so');
  const start = at + before.length;
  let end = start;
  while (end < text.length && !STOPS.has(text[end] ?? '') && text[end] !== until) end++;
  const word = text.slice(start, end).replace(/\.+$/, '');
  if (word.startsWith('-') || (until !== undefined && text[end] !== until)) throw new Error('not such a word');
  return word;
}

/** The error with single blanks. */
export function toFlat(error: string): string {
  return error.slice(0, MAX_TOLD_CHARS).replace(/\s+/g, ' ').trim();
}
