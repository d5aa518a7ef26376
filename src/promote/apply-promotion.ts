/** What a file is once a lesson stands in it, or why it must not: pure. Only the section of this lesson is touched. */
import { hashText } from '../base/hash.ts';
import type { Promotion } from '../base/promotion.ts';
import type { PromotionSettings } from '../base/settings.ts';
import { encode, type ManagedBlock, type Section, toBytes, toRaw } from './managed-block.ts';
import { parseManagedBlock } from './parse-managed-block.ts';
import { putSection } from './put-section.ts';
import { isRefused, type Refusal } from './transition.ts';

export interface Application {
  readonly promotion: Pick<Promotion, 'hash'>;
  readonly slug: string;
  readonly text: string;
  readonly limits: PromotionSettings;
  /** Also over what a person changed in this lesson's section. */
  readonly force: boolean;
  /** What a file begins with that is made for it. */
  readonly head: string;
}

export interface Applied {
  readonly bytes: Buffer;
}

const OPEN_ENDS = { fence: 'a code fence (``` or ~~~)', comment: 'a comment (<!--)' } as const;

/** `bytes`: undefined where there is no such file. */
export function applyPromotion(bytes: Buffer | undefined, application: Application): Applied | Refusal {
  const { promotion, slug, force, limits } = application;
  const raw = bytes === undefined ? encode(application.head, '\n') : toRaw(bytes);
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

export function refuseEdited(section: Section, ours: string, next: string): Refusal {
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
