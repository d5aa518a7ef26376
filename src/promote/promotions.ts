/**
 * Moves a promotion through its states (pending, approved, applied, rolled back, or rejected), and computes the bytes
 * of a file with or without the promoted lesson. The functions are pure and touch only the section of this lesson.
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

/** The description of each state, and the command for the next step. */
const WORDS: Readonly<Record<PromotionState, readonly [is: string, verb: string]>> = {
  pending: ['waits for approval', 'approve'],
  approved: ['is approved and not written yet', 'apply'],
  applied: ['is written already', 'rollback'],
  rolled_back: ['was rolled back', 'propose'],
  rejected: ['was rejected', 'propose'],
};

interface Moving {
  readonly step: PromotionStep;
  /** The lesson's current text for the file. */
  readonly text: string;
  readonly slug: string;
  /** The file no longer contains the written text, so it may be written again. */
  readonly isOff?: boolean;
  /** The lesson lacks evidence, so only `--force` proposes it. */
  readonly isUnproven?: boolean;
}

/** Undefined if the promotion may take this step. */
export function findStepRefusal(promotion: Promotion, { step, text, slug, ...moving }: Moving): Refusal | undefined {
  const { state, file } = promotion;
  const isChanged = promotion.text !== text;
  const isCurrent = state === 'applied' && !isChanged && moving.isOff !== true;
  // A person approved the text that they read.
  if (state === 'approved' && step === 'apply' && isChanged)
    return { refused: `was changed after it was approved (${file})`, next: renderNextCommand('approve', slug) };
  if (state === 'approved' && step === 'approve' && isChanged) return undefined;
  if (FROM[step].includes(state) && !(step === 'apply' && isCurrent)) return undefined;
  const [is, verb] = WORDS[state];
  const force = verb === 'propose' && moving.isUnproven ? ' --force' : '';
  const next = `${renderNextCommand(verb, slug)}${force}`;
  return { refused: `${is} (${file})`, next: state === 'applied' ? `nothing to do; to remove it: ${next}` : next };
}

export function renderNextCommand(verb: string, slug: string): string {
  return `oncebitten lessons promote ${verb} ${slug}`;
}

interface Application {
  readonly promotion: Pick<Promotion, 'hash'>;
  readonly slug: string;
  readonly text: string;
  readonly limits: PromotionSettings;
  /** Also overwrites a person's changes in this lesson's section. */
  readonly force: boolean;
  /** The beginning of a file that is created for the promotion. */
  readonly head: string;
}

interface Applied {
  readonly bytes: Buffer;
}

const OPEN_ENDS = { fence: 'a code fence (``` or ~~~)', comment: 'a comment (<!--)' } as const;

/** `bytes`: undefined if the file does not exist. */
export function applyPromotion(bytes: Buffer | undefined, application: Application): Applied | Refusal {
  const { promotion, slug, force, limits } = application;
  const raw = bytes === undefined ? encode(application.head, '\n') : decodeBytes(bytes);
  const found = parseManagedBlock(raw);
  if (isRefused(found)) return found;
  if (found.block === undefined && found.openEnd !== undefined)
    return {
      refused: `ends inside ${OPEN_ENDS[found.openEnd]}, so text after it would become part of that`,
      next: 'end it first',
    };
  const section = found.block?.sections.find((one) => one.slug === slug);
  if (section !== undefined && !force && isEdited(section, promotion))
    return refuseEdited(section, application.text, `replace it: oncebitten lessons promote apply ${slug} --force`);
  const written = putSection(raw, found.block, application);
  const fault = findExcess(written, section === undefined, limits);
  if (fault !== undefined) return fault;
  return { bytes: toBytes(written) };
}

/** For text that we wrote we know the hash; for text that others wrote with this program, the marker contains it. */
export function isEdited({ text, hash }: Section, promotion: Pick<Promotion, 'hash'>): boolean {
  return hashText(text) !== (promotion.hash ?? hash);
}

/** Why the section of this lesson must not be overwritten. */
function refuseEdited(section: Section, ours: string, next: string): Refusal {
  const differs = [...toLines('-', ours), ...toLines('+', section.text)].join('\n');
  return { refused: `has a section that somebody changed (- original, + changed):\n${differs}`, next };
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
  const next = 'roll back what helps least (oncebitten lessons promote list)';
  if (isNew && block.sections.length > maxPerFile)
    return {
      refused: `has ${maxPerFile} promoted lessons already; more would cost every session and help none`,
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
  /** The file was created for a promotion and began with this text; if nothing else is left, it is deleted. */
  readonly madeWith?: string;
}

/** `gone`: somebody already removed it. Without bytes, the file is deleted. */
export type RolledBack = { readonly gone: true } | { readonly gone: false; readonly bytes: Buffer | undefined };

/** Removes the lesson's section from a file, even if somebody edited it, because its place was ours. */
export function rollbackPromotion(bytes: Buffer | undefined, rollback: Rollback): RolledBack | Refusal {
  const { promotion, slug, force, madeWith } = rollback;
  if (bytes === undefined) return { gone: true };
  const raw = decodeBytes(bytes);
  const found = parseManagedBlock(raw);
  if (isRefused(found)) return found;
  const section = found.block?.sections.find((one) => one.slug === slug);
  if (found.block === undefined || section === undefined) return { gone: true };
  if (!force && isEdited(section, promotion))
    return refuseEdited(
      section,
      promotion.text,
      `remove it anyway: oncebitten lessons promote rollback ${slug} --force`,
    );
  const left = dropSection(raw, found.block, section);
  const isOnlyOurs = madeWith !== undefined && left === encode(madeWith, '\n');
  return { gone: false, bytes: isOnlyOurs ? undefined : toBytes(left) };
}

/**
 * Renders a lesson for a file that agents always read: one list item, as short as possible. Its text is data in
 * somebody's Markdown, so it must not end our block, hide the text after it, or import another file (`@file`).
 */
export function renderPromotion(lesson: Lesson, clean: (text: string) => string): string {
  const [summary, mistake, remediation] = [lesson.summary, lesson.mistake, lesson.remediation].map((text) =>
    toTame(clean(text)),
  ) as [string, string, string];
  return [
    `- ${toOneLine(summary)}`,
    // Repeating the summary would cost tokens in every session.
    ...(summary.includes(mistake) ? [] : [`  Wrong: ${indent(mistake)}`]),
    ...(summary.includes(remediation) ? [] : [`  Instead: ${indent(remediation)}`]),
  ].join('\n');
}

/** Escapes text that could pass for a marker or for Markdown that continues after our block. */
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

/** In a code span, `@file` is plain text. */
function quoteImports(line: string): string {
  const parts = line.split('`');
  // A code span that does not end on its line could begin another one.
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
