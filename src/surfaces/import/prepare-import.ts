/** What a file holds, as lessons that may be kept: without secrets, guarded, and with the reasons for what was decided. */
import type { Lesson, Scope } from '../../base/lesson.ts';
import { cleanTexts } from '../../capture/clean-texts.ts';
import type { SecretScan } from '../../capture/scan-secrets.ts';
import { toPlainLine } from '../../distill/guard/to-plain-line.ts';
import { toContentHash } from '../../distill/lesson/hash-lesson.ts';
import { findTriggerSecret } from '../find-trigger-secret.ts';
import { type Candidate, hasNoTriggers, type Refused } from './candidate.ts';
import { judgeWords } from './judge-words.ts';
import { toWords, withWords } from './lesson-words.ts';
import { listForeignDropped, makeForeignLesson, toForeignLesson } from './make-foreign-lesson.ts';
import { mapTexts, mapTextsNow } from './map-texts.ts';
import type { ParsedImport } from './parse-import.ts';
import { toImportSlug } from './to-import-slug.ts';

export interface Incoming {
  readonly name: string;
  readonly lesson: Lesson;
  /** Why it is a draft, and what was left behind. */
  readonly reasons: readonly string[];
  /** The fields of the file that were left behind. */
  readonly dropped: readonly string[];
  /** Its id is the file's: known again by it. */
  readonly hasOwnId: boolean;
  /** It is the user's own lesson, who says so. */
  readonly isTrusted: boolean;
}

export interface PrepareWish {
  readonly trust: boolean;
  readonly scope?: Scope | undefined;
  readonly at: string;
  readonly scan: SecretScan;
}

export interface Prepared {
  readonly incoming: readonly Incoming[];
  readonly refused: readonly Refused[];
}

export async function prepareImport(parsed: ParsedImport, wish: PrepareWish): Promise<Prepared> {
  const from = { format: parsed.format, scope: wish.scope, at: wish.at };
  // As the file has them: a summary is made one line, and secrets of some forms are known by their lines.
  const candidates = await Promise.all(parsed.candidates.map((candidate) => cleanCandidate(candidate, wish.scan)));
  const made: readonly Incoming[] = [
    ...parsed.own.map((lesson) => toOwn(lesson, wish, from)),
    ...candidates.map((candidate) => ({
      name: candidate.name,
      lesson: makeForeignLesson(candidate, from),
      reasons: candidate.remarks,
      dropped: candidate.dropped.map(toPlainLine),
      hasOwnId: false,
      isTrusted: false,
    })),
  ];
  const clean = await cleanAll(made, wish.scan);
  const judged = clean.map((one, n) => judge(one, parsed.own[n]));
  return {
    incoming: judged.filter((one) => 'lesson' in one),
    refused: [...parsed.refused, ...judged.flatMap((one) => ('lesson' in one ? [] : one))],
  };
}

async function cleanCandidate(candidate: Candidate, scan: SecretScan): Promise<Candidate> {
  const { summary, mistake, remediation, body, tags } = candidate;
  const words = { summary, mistake, remediation, tags, ...(body === undefined ? {} : { body }) };
  return { ...candidate, ...(await mapTexts(words, (texts) => cleanTexts(texts, scan))) };
}

function toOwn(lesson: Lesson, { trust, scope }: PrepareWish, from: Parameters<typeof toForeignLesson>[1]): Incoming {
  const kept = trust ? { ...lesson, ...(scope === undefined ? {} : { scope }) } : toForeignLesson(lesson, from);
  const dropped = trust ? [] : listForeignDropped(lesson);
  return { name: lesson.slug, lesson: kept, reasons: [], dropped, hasOwnId: true, isTrusted: trust };
}

async function cleanAll(made: readonly Incoming[], scan: SecretScan): Promise<readonly Incoming[]> {
  // Lesson by lesson, because a password of one may be a word of another.
  const words = await Promise.all(
    made.map(({ lesson }) => mapTexts(toWords(lesson), (texts) => cleanTexts(texts, scan))),
  );
  return made.map((one, n) => {
    const clean = words[n] ?? toWords(one.lesson);
    const worded = withWords(one.lesson, one.isTrusted ? clean : mapTextsNow(clean, toPlainLines));
    const lesson = { ...worded, contentHash: toContentHash(worded) };
    // A name is made of the summary: what was taken out of one must not stay in the other.
    const slug = clean.summary === one.lesson.summary ? lesson.slug : toImportSlug(lesson);
    const name = toPlainLine(one.name === one.lesson.slug ? slug : one.name);
    return { ...one, name, lesson: { ...lesson, slug } };
  });
}

/** What is read is what is seen; a remedy may have several lines. */
function toPlainLines(text: string): string {
  return text.split('\n').map(toPlainLine).join('\n').trim();
}

/** `own`: as the file has it, where it is an export of ours. */
function judge(one: Incoming, own: Lesson | undefined): Incoming | Refused {
  const { name, lesson, reasons, isTrusted } = one;
  const secret = findTriggerSecret(lesson.triggers);
  if (secret !== undefined) return { name, reason: `it has a secret in its trigger (${secret})` };
  const { isAttack, cautions } = judgeWords(lesson);
  if (isTrusted) return isAttack ? hold(one, 'its words give orders to whoever reads them') : one;
  if (isAttack) return { name, reason: 'its words give orders to the agent that reads them' };
  if (own?.status === 'archived') return { name, reason: 'it is archived where it comes from' };
  if (holdsHidden(lesson)) return { name, reason: 'its trigger has characters that cannot be seen' };
  if (lesson.summary === '') return { name, reason: 'nothing is left of its words' };
  const silent = hasNoTriggers(lesson.triggers) ? ['it has no trigger yet: it stays silent until you give it one'] : [];
  return { ...one, reasons: ['it comes from outside', ...cautions, ...silent, ...reasons] };
}

function hold(one: Incoming, reason: string): Incoming {
  const { status } = one.lesson;
  const lesson = { ...one.lesson, status: status === 'active' ? ('draft' as const) : status, needsReview: true };
  return { ...one, lesson, reasons: [...one.reasons, reason] };
}

function holdsHidden({ triggers }: Lesson): boolean {
  let isHidden = false;
  mapTextsNow(triggers, (text) => {
    isHidden ||= toPlainLine(text) !== text;
    return text;
  });
  return isHidden;
}
