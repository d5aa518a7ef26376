/** A template in plain words. Letters stand for the words of the failing command that the next call may have otherwise. */
import type { CopiedWord, TemplateStep, WordForm, WordSource } from '../../base/shell/command-template.ts';

/** `run \`mkdir -p <b up to its last "/">; cp <a> <b>\` instead of \`cp <a> <b>\``. */
export function renderTemplate({ of, make, join }: TemplateStep): string {
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
