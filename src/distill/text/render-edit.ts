/** Renders an edit in words that can follow a colon. */

import type { CommandEdit, EditStep, EditWord, WordStep } from '../../base/shell/command-edit.ts';
import type { CopiedWord, TemplateStep, WordForm, WordSource } from '../../base/shell/command-template.ts';
import { isUnwrapping } from '../episodes/find-edit.ts';

/**
 * In words that follow a colon, `replace \`--fast\` with \`--quick\``. Where fixes differ, it names each of them. Undefined
 * where that would be longer than `maxChars`.
 */
export function renderEdit({ program, steps, others = [] }: CommandEdit, maxChars: number): string | undefined {
  const fixes = [steps, ...others].map((fix) => renderSteps(fix, program));
  const texts = fixes.filter((fix) => fix !== undefined);
  const text = texts.length === 1 ? (texts[0] ?? '') : joinFixes(texts);
  return texts.length < fixes.length || texts.length > MAX_PARTS || text.length > maxChars ? undefined : text;
}

const MAX_PARTS = 3;

function renderSteps(steps: readonly EditStep[], program: string): string | undefined {
  const parts = joinAdded([...new Set(steps.flatMap((step) => renderStep(step, program)))]);
  if (parts.length === 0 || parts.length > MAX_PARTS) return undefined;
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** `replace \`--fast\` with \`--quick\` or \`--rapid\``: what the fixes begin and end with is told once. */
function joinFixes(fixes: readonly string[]): string {
  const forms = [
    /^(replace `[^`]+` with )(`[^`]+`)()$/,
    /^(use )(`[^`]+`)( instead of `[^`]+`)$/,
    /^(put the word with )(`[^`]+`)( in quotes, unless it is to name files)$/,
  ];
  for (const form of forms) {
    const parts = fixes.map((fix) => form.exec(fix));
    const [first] = parts;
    if (first && parts.every((one) => one?.[1] === first[1] && one?.[3] === first[3]))
      return `${first[1]}${joinOr(parts.map((one) => one?.[2] ?? ''))}${first[3]}`;
  }
  return `either ${joinOr(fixes)}`;
}

function joinOr(words: readonly string[]): string {
  return `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** `add \`-c\` and \`-o\``: the verb once. */
function joinAdded(parts: readonly string[]): readonly string[] {
  return parts.map((one, i) => (one.startsWith('add ') && parts[i - 1]?.startsWith('add ') ? one.slice(4) : one));
}

function renderStep(step: EditStep, program: string): readonly string[] {
  if ('list' in step && step.paired) return step.list.map((one, i) => `replace \`${one}\` with \`${step.by[i]}\``);
  if ('list' in step) {
    const [gone, come] = [step.list, step.by].map((list) => list.map((one) => `\`${one}\``).join(', '));
    return [step.by.length === 0 ? `leave out ${gone}` : `replace ${gone} with ${come}`];
  }
  if ('quote' in step) {
    const where = step.prefix === undefined ? 'the word' : `the value of \`${step.prefix.slice(0, -1)}\``;
    const signs = [...step.quote].map((sign) => `\`${sign}\``).join(' or ');
    return [`put ${where} with ${signs} in quotes${step.prefix === undefined ? ', unless it is to name files' : ''}`];
  }
  if ('first' in step) {
    const [head, folder] = step.first;
    if (head === 'cd' && folder !== undefined) return [`run it in the folder \`${renderWord(folder)}\``];
    return [`run \`${renderWords(step.first)}\` first`];
  }
  if ('make' in step) return [renderTemplate(step)];
  const [from, to] = [renderWords(step.from), renderWords(step.to)];
  if (step.at === 0) return [renderProgramStep(step, program, to)];
  if (from === '') return [`add \`${to}\``];
  if (to === '') return [`leave out \`${from}\``];
  return from === to || isBlank(step) ? [] : [`replace \`${from}\` with \`${to}\``];
}

/** What is new in it is only a kind of object, of which the next call has none: `<name>` is no advice. */
function isBlank({ from, to }: WordStep): boolean {
  const before = new Set(from.map(renderWord));
  const come = to.filter((word) => !before.has(renderWord(word)));
  return come.every((word) => typeof word !== 'string' && word.prefix === undefined && word.copy === undefined);
}

function renderProgramStep(step: WordStep, program: string, rendered: string): string {
  const { from, to } = step;
  if (isUnwrapping(step)) return `run it without \`${renderWords(from.slice(0, -1))}\``;
  // However the next call names the program.
  if (from.length === 1 && rendered.endsWith(`/${program}`)) return `run \`${program}\` as \`${rendered}\``;
  if (from.length > 0) return `use \`${rendered}\` instead of \`${from.length === 1 ? program : renderWords(from)}\``;
  const [word] = to;
  const isSet = /^[A-Za-z_]\w*=/.test(typeof word === 'string' ? word : (word?.prefix ?? ''));
  return isSet ? `set \`${rendered}\`` : `run it through \`${rendered}\``;
}

/** Many objects of one kind in a row are told as one. */
export function renderWords(words: readonly EditWord[]): string {
  const rendered = words.map(renderWord);
  const isMany = (word: string, i: number): boolean =>
    word.startsWith('<') && rendered[i - 1] === word && rendered[i - 2] === word;
  return rendered
    .flatMap((word, i) => (!isMany(word, i) ? [word] : isMany(rendered[i - 1] ?? '', i - 1) ? [] : ['…']))
    .join(' ');
}

export function renderWord(word: EditWord): string {
  return typeof word === 'string' ? word : `${word.prefix ?? ''}<${word.any}>`;
}

/**
 * A template in plain words. Letters stand for the words of the failing command that the next call may have otherwise:
 * `run \`mkdir -p <b up to its last "/">; cp <a> <b>\` instead of \`cp <a> <b>\``.
 */
function renderTemplate({ of, make, join }: TemplateStep): string {
  const letters = new Map<number, string>();
  of.forEach((form, i) => {
    if (typeof form === 'object') letters.set(i, String.fromCharCode(FIRST_LETTER + (letters.size % LETTERS)));
  });
  const from = of.map((form, i) => (typeof form === 'string' ? form : `<${letters.get(i)}${form.many ? ' …' : ''}>`));
  const lines = make.map((words) =>
    words.flatMap(([source]) => source ?? []).map((one) => renderSource(one, letters, of)),
  );
  const to = lines.map((words) => words.join(' ')).join(join === undefined ? '; ' : ` ${join} `);
  return `run \`${to}\` instead of \`${from.join(' ')}\``;
}

const FIRST_LETTER = 97;
const LETTERS = 26;

function renderSource(source: WordSource, letters: ReadonlyMap<number, string>, of: readonly WordForm[]): string {
  if (typeof source === 'string') return source;
  const { prefix = '', suffix = '' } = source;
  if ('told' in source) {
    const before = source.told.replace(/[`"'‘“]/g, '').trim();
    const place = before === '' ? 'first word of the error' : `word after "${before}" in the error`;
    return `${prefix}<the ${place}>${suffix}`;
  }
  const form = of[source.copy];
  if (typeof form === 'string') return prefix + form + suffix;
  return `${prefix}<${letters.get(source.copy)}${renderPart(source, form)}>${suffix}`;
}

function renderPart({ many, after, before }: CopiedWord, { begins, ends }: Exclude<WordForm, string> = {}): string {
  const parts = [
    ...(after === undefined
      ? []
      : [begins ? `without "${begins}"` : `behind its ${after.last ? 'last' : 'first'} "${after.at}"`]),
    ...(before === undefined
      ? []
      : [ends ? `without "${ends}"` : `up to its ${before.last ? 'last' : 'first'} "${before.at}"`]),
  ];
  return `${parts.length === 0 ? '' : ' '}${parts.join(' and ')}${many ? ' …' : ''}`;
}
