/**
 * Moves a promotion through its states (pending, approved, applied, rolled back, or rejected), and computes the bytes
 * of a file with or without the promoted lesson. The functions are pure and touch only the section of this lesson. The
 * lesson's text is data in somebody's Markdown, so it must not end the block, hide the text after it, or import another
 * file.
 */

import { hashText } from '../base/ids.ts';
import type { Lesson } from '../base/model/lesson.ts';
import type { Promotion, PromotionState } from '../base/model/promotion.ts';
import type { PromotionSettings } from '../base/model/settings.ts';
import {
  decodeBytes,
  dropSection,
  encode,
  type ManagedBlock,
  parseManagedBlock,
  putSection,
  type Section,
  toBytes,
} from './managed-block.ts';
import { isRefused, type Refusal } from './transition.ts';

export type PromotionStep = 'approve' | 'reject' | 'apply' | 'rollback';

const FROM: Readonly<Record<PromotionStep, readonly PromotionState[]>> = {
  approve: ['pending'],
  reject: ['pending', 'approved'],
  apply: ['approved', 'applied'],
  rollback: ['applied'],
};

/** What one in that state is, and what to do with it. */
const WORDS: Readonly<Record<PromotionState, readonly [is: string, verb: string]>> = {
  pending: ['waits for approval', 'approve'],
  approved: ['is approved and not written yet', 'apply'],
  applied: ['is written already', 'rollback'],
  rolled_back: ['was rolled back', 'propose'],
  rejected: ['was rejected', 'propose'],
};

interface Moving {
  readonly step: PromotionStep;
  /** What the lesson would say in the file by now. */
  readonly text: string;
  readonly slug: string;
  /** What was written is not in the file as it was: it may be written again. */
  readonly isOff?: boolean;
  /** It has not proven itself: only `--force` proposes it. */
  readonly isUnproven?: boolean;
}

/** Undefined when it may take this step. */
export function findStepRefusal(promotion: Promotion, { step, text, slug, ...moving }: Moving): Refusal | undefined {
  const { state, file } = promotion;
  const isChanged = promotion.text !== text;
  const isCurrent = state === 'applied' && !isChanged && moving.isOff !== true;
  // What was approved is what a person has read.
  if (state === 'approved' && step === 'apply' && isChanged)
    return { refused: `was changed since it was approved (${file})`, next: renderNextCommand('approve', slug) };
  if (state === 'approved' && step === 'approve' && isChanged) return undefined;
  if (FROM[step].includes(state) && !(step === 'apply' && isCurrent)) return undefined;
  const [is, verb] = WORDS[state];
  const force = verb === 'propose' && moving.isUnproven ? ' --force' : '';
  return { refused: `${is} (${file})`, next: `${renderNextCommand(verb, slug)}${force}` };
}

export function renderNextCommand(verb: string, slug: string): string {
  return `oncebitten promote ${verb} ${slug}`;
}

interface Application {
  readonly promotion: Pick<Promotion, 'hash'>;
  readonly slug: string;
  readonly text: string;
  readonly limits: PromotionSettings;
  /** Also over what a person changed in this lesson's section. */
  readonly force: boolean;
  /** What a file begins with that is made for it. */
  readonly head: string;
}

interface Applied {
  readonly bytes: Buffer;
}

const OPEN_ENDS = { fence: 'a code fence (``` or ~~~)', comment: 'a comment (<!--)' } as const;

/** `bytes`: undefined where there is no such file. */
export function applyPromotion(bytes: Buffer | undefined, application: Application): Applied | Refusal {
  const { promotion, slug, force, limits } = application;
  const raw = bytes === undefined ? encode(application.head, '\n') : decodeBytes(bytes);
  const found = parseManagedBlock(raw);
  if (isRefused(found)) return found;
  if (found.block === undefined && found.openEnd !== undefined)
    return {
      refused: `ends inside ${OPEN_ENDS[found.openEnd]}: what is written behind it would be part of that`,
      next: 'end it first',
    };
  const section = found.block?.sections.find((one) => one.slug === slug);
  if (section !== undefined && !force && isEdited(section, promotion))
    return refuseEdited(section, application.text, `replace it: oncebitten promote apply ${slug} --force`);
  const written = putSection(raw, found.block, application);
  const fault = findExcess(written, section === undefined, limits);
  if (fault !== undefined) return fault;
  return { bytes: toBytes(written) };
}

/** Of what we wrote we know the hash; of what others wrote with this program the marker has it. */
export function isEdited({ text, hash }: Section, promotion: Pick<Promotion, 'hash'>): boolean {
  return hashText(text) !== (promotion.hash ?? hash);
}

/** What a file is once a lesson stands in it, or why it must not: pure. Only the section of this lesson is touched. */
function refuseEdited(section: Section, ours: string, next: string): Refusal {
  const differs = [...toLines('-', ours), ...toLines('+', section.text)].join('\n');
  return { refused: `has a section that somebody changed (- ours, + theirs):\n${differs}`, next };
}

function toLines(sign: string, text: string): readonly string[] {
  return text === '' ? [] : text.split('\n').map((line) => `    ${sign} ${line}`);
}

function findExcess(
  raw: string,
  isNew: boolean,
  { maxPerFile, maxBytesPerFile }: PromotionSettings,
): Refusal | undefined {
  const block = (parseManagedBlock(raw) as { readonly block: ManagedBlock }).block;
  const next = 'roll back what helps least (oncebitten promote list)';
  if (isNew && block.sections.length > maxPerFile)
    return {
      refused: `has ${maxPerFile} promoted lessons already: more would cost every session and help none`,
      next: `${next}, or raise it: oncebitten config set promotion.maxPerFile ${maxPerFile + 5}`,
    };
  const bytes = block.end - block.start;
  if (bytes > maxBytesPerFile)
    return {
      refused: `would have ${bytes} bytes of promoted lessons, more than ${maxBytesPerFile}`,
      next: `${next}, or shorten the lesson: oncebitten lessons edit`,
    };
  return undefined;
}

export interface Rollback {
  readonly promotion: Pick<Promotion, 'hash' | 'text'>;
  readonly slug: string;
  readonly force: boolean;
  /** The file was made for a promoted lesson, and began like this: with nothing else in it, it goes. */
  readonly madeWith?: string;
}

/** `gone`: somebody took it out already. Without bytes the file goes. */
export type RolledBack = { readonly gone: true } | { readonly gone: false; readonly bytes: Buffer | undefined };

/** What a file is once a lesson is taken out of it again: pure. Its section goes, whoever wrote it: what stood there before was ours, too. */
export function rollbackPromotion(bytes: Buffer | undefined, rollback: Rollback): RolledBack | Refusal {
  const { promotion, slug, force, madeWith } = rollback;
  if (bytes === undefined) return { gone: true };
  const raw = decodeBytes(bytes);
  const found = parseManagedBlock(raw);
  if (isRefused(found)) return found;
  const section = found.block?.sections.find((one) => one.slug === slug);
  if (found.block === undefined || section === undefined) return { gone: true };
  if (!force && isEdited(section, promotion))
    return refuseEdited(section, promotion.text, `remove it all the same: oncebitten promote rollback ${slug} --force`);
  const left = dropSection(raw, found.block, section);
  const isOnlyOurs = madeWith !== undefined && left === encode(madeWith, '\n');
  return { gone: false, bytes: isOnlyOurs ? undefined : toBytes(left) };
}

/**
 * A lesson as it stands in a file that agents always read: one item of a list, as short as it can be. Its text is data in
 * somebody's Markdown: it must not end our block, hide what follows, or have another file read (`@file` is an import there).
 */
export function renderPromotion(lesson: Lesson, clean: (text: string) => string): string {
  const [summary, mistake, remediation] = [lesson.summary, lesson.mistake, lesson.remediation].map((text) =>
    toTame(clean(text)),
  ) as [string, string, string];
  return [
    `- ${toOneLine(summary)}`,
    // What the first line says already costs twice.
    ...(summary.includes(mistake) ? [] : [`  Wrong: ${indent(mistake)}`]),
    ...(summary.includes(remediation) ? [] : [`  Instead: ${indent(remediation)}`]),
  ].join('\n');
}

/** What could pass for a marker or for Markdown that goes on after us. */
function toTame(text: string): string {
  const plain = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/gu, '')
    .replaceAll('<!--', '<! --')
    .replaceAll('-->', '-- >')
    .replace(/`{2,}/g, "'")
    .replace(/~{3,}/g, '~~');
  return plain.split('\n').map(quoteImports).join('\n').trim();
}

/** In a code span it is a word like any other. */
function quoteImports(line: string): string {
  const parts = line.split('`');
  // A span that does not end on its line could begin one elsewhere.
  if (parts.length % 2 === 0) return quoteWords(parts.join("'"));
  return parts.map((part, i) => (i % 2 === 0 ? quoteWords(part) : part)).join('`');
}

function quoteWords(text: string): string {
  return text.replace(/(?<![\w`])@[^\s`]+/g, '`$&`');
}

function toOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ');
}

function indent(text: string): string {
  return text.replace(/\s*\n/g, '\n    ');
}
