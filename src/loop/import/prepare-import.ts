/**
 * Turns parsed import entries into lessons that may be stored: without secrets, checked for orders to the agent, and
 * with the reason of every decision. A lesson from outside is only advice, and a draft until the user confirms it. Its
 * slug ends in characters derived from its content and scope, so a dry run shows the slugs that the import will use,
 * and the same file gives the same slugs.
 */

import { createHash } from 'node:crypto';
import { makeId, makeSlug } from '../../base/ids.ts';
import type { Lesson, Scope } from '../../base/model/lesson.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { cleanTexts } from '../../capture/secrets/clean-texts.ts';
import type { SecretScan } from '../../capture/secrets/scan-secrets.ts';
import { judgeForeign } from '../../distill/gate/outside-text/judge-foreign.ts';
import { findPoison } from '../../distill/gate/outside-text/poison-shapes.ts';
import { toPlainLine } from '../../distill/gate/outside-text/to-plain-line.ts';
import { toContentHash } from '../../distill/lessons/hash-lesson.ts';
import { findTriggerSecret } from '../checks/lesson-secrets.ts';
import { type Candidate, hasNoTriggers, type ImportFormat, type Refused } from './candidate.ts';
import { listTexts, mapTexts, mapTextsNow, toWords, withWords } from './lesson-words.ts';
import type { ParsedImport } from './parse-import.ts';

export interface Incoming {
  readonly name: string;
  readonly lesson: Lesson;
  /** Why it is a draft, and what was left out. */
  readonly reasons: readonly string[];
  /** Fields of the file that were left out. */
  readonly dropped: readonly string[];
  /** Its id comes from the file, so a later import recognizes it. */
  readonly hasOwnId: boolean;
  /** The user says that it is their own (`--trust`). */
  readonly isTrusted: boolean;
}

interface PrepareWish {
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
  // Redact before the summary becomes one line, because some secrets are recognized by their lines.
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
  // Redact each lesson separately, because a password of one may be an ordinary word of another.
  const words = await Promise.all(
    made.map(({ lesson }) => mapTexts(toWords(lesson), (texts) => cleanTexts(texts, scan))),
  );
  return made.map((one, n) => {
    const clean = words[n] ?? toWords(one.lesson);
    const worded = withWords(one.lesson, one.isTrusted ? clean : mapTextsNow(clean, toPlainLines));
    const lesson = { ...worded, contentHash: toContentHash(worded) };
    // The slug is made from the summary, so a secret must be removed from both.
    const slug = clean.summary === one.lesson.summary ? lesson.slug : toImportSlug(lesson);
    const name = toPlainLine(one.name === one.lesson.slug ? slug : one.name);
    return { ...one, name, lesson: { ...lesson, slug } };
  });
}

/** Removes invisible characters but keeps line breaks, because a remedy may have several lines. */
function toPlainLines(text: string): string {
  return text.split('\n').map(toPlainLine).join('\n').trim();
}

/** `own`: the lesson as the file has it, if the file is an Oncebitten export. */
function judge(one: Incoming, own: Lesson | undefined): Incoming | Refused {
  const { name, lesson, reasons, isTrusted } = one;
  const secret = findTriggerSecret(lesson.triggers);
  if (secret !== undefined) return { name, reason: `it has a secret in its trigger (${secret})` };
  const { isAttack, cautions } = judgeWords(lesson);
  if (isTrusted) return isAttack ? hold(one, 'its text gives orders to its readers') : one;
  if (isAttack) return { name, reason: 'its text gives orders to the agent that reads it' };
  if (own?.status === 'archived') return { name, reason: 'it is archived in the store that it comes from' };
  if (holdsHidden(lesson)) return { name, reason: 'its trigger has characters that cannot be seen' };
  if (lesson.summary === '') return { name, reason: 'nothing is left of its text' };
  const silent = hasNoTriggers(lesson.triggers) ? ['it has no trigger yet, so it does not fire until you add one'] : [];
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

interface WordsCheck {
  /** It gives orders to the agent that reads it. */
  readonly isAttack: boolean;
  readonly cautions: readonly string[];
}

/** What the guard finds in all texts of an imported lesson. */
function judgeWords(lesson: Lesson): WordsCheck {
  const isAttack = listTexts(toWords(lesson)).some((text) => findPoison(toPlainLine(text)) === 'attack');
  return { isAttack, cautions: isAttack ? [] : judgeForeign(lesson) };
}

interface ForeignFrom {
  readonly format: ImportFormat;
  /** Default: the scope of the lesson itself, or every project. */
  readonly scope?: Scope | undefined;
  readonly at: string;
}

const MAX_SUMMARY = 300;

/** If not even the first word fits, the line counts as one without words. */
function toOneWord(line: string): string {
  return `${[...line].slice(0, MAX_SUMMARY / 2).join('')}…`;
}

/** Makes a lesson of an imported text: advice only, and a draft until a person confirms it. */
function makeForeignLesson(candidate: Candidate, from: ForeignFrom): Lesson {
  const { name: _, slug, remarks: __, dropped: ___, counts, body, ...fields } = candidate;
  const line = fields.summary.replace(/\s+/g, ' ').trim();
  const summary = toShortChars(line, MAX_SUMMARY) || toOneWord(line);
  const { mistake, remediation, triggers } = fields;
  const scope = from.scope ?? { kind: 'user' };
  const contentHash = toContentHash({ mistake, remediation, triggers });
  return {
    id: makeId('les', Date.parse(from.at)),
    slug: slug ?? toImportSlug({ summary, contentHash, scope }),
    ...fields,
    summary,
    ...(body === undefined ? {} : { body }),
    ...toForeign(from),
    scope,
    evidence: [],
    occurrences: 0,
    sessions: 0,
    projects: 0,
    ...counts,
    validity: { models: [], agentVersions: [] },
    contentHash,
  };
}

/** Fields that only mean something on the machine that wrote them. */
const ELSEWHERE = [
  ...(['provisional', 'archival', 'learnedAs', 'lastMatchedAt', 'reviewedBy', 'file'] as const),
  ...(['tested', 'replacement', 'modeBy', 'measure'] as const),
];

/** What `toForeignLesson` leaves behind, by name. */
function listForeignDropped({ validity, mode, ...lesson }: Lesson): readonly string[] {
  const { models: _, agentVersions: __, ...limits } = validity;
  return [
    ...ELSEWHERE.filter((name) => lesson[name] !== undefined),
    ...(mode === 'note' ? [] : ['mode']),
    ...Object.keys(limits).map((name) => `validity.${name}`),
  ];
}

/** Keeps the text and evidence of the lesson, but no decision of another machine. */
function toForeignLesson(lesson: Lesson, from: ForeignFrom): Lesson {
  const { provisional, archival, learnedAs, lastMatchedAt, reviewedBy, file, validity, ...kept } = lesson;
  const { tested, replacement, edit, modeBy, measure, ...imported } = kept;
  const { models, agentVersions } = validity;
  return {
    ...imported,
    ...toForeign(from),
    scope: from.scope ?? imported.scope,
    evidence: imported.evidence.map(({ file: _, lines: __, ...one }) => one),
    validity: { models, agentVersions },
    // The newer of two files wins, so a time in the future is not accepted.
    updatedAt: imported.updatedAt < from.at ? imported.updatedAt : from.at,
  };
}

function toForeign({ format, at }: ForeignFrom) {
  return {
    origin: { kind: 'import', by: `import/${format}`, trust: 'foreign' },
    mode: 'note',
    status: 'draft',
    needsReview: true,
    createdAt: at,
    updatedAt: at,
  } as const;
}

const SIGNS = 4;

/**
 * The slug of an imported lesson. Its last characters are derived from content and scope, so a dry run shows the final
 * slug and the same file always gives the same slugs.
 */
type Named = Pick<Lesson, 'summary' | 'contentHash' | 'scope'>;

/** `words`: text for the slug, if not the summary. */
export function toImportSlug(
  { summary, contentHash, scope }: Named,
  isTaken: (slug: string) => boolean = () => false,
  words = summary,
): string {
  const stem = makeSlug(words).slice(0, -SIGNS);
  for (let n = 0; ; n++) {
    const seed = JSON.stringify([summary, contentHash, scope.kind, scope.id ?? '', n]);
    const slug = `${stem}${toSigns(seed)}`;
    if (!isTaken(slug)) return slug;
  }
}

function toSigns(seed: string): string {
  const number = createHash('sha256').update(seed).digest().readUIntBE(0, 6);
  return (number % 36 ** SIGNS).toString(36).padStart(SIGNS, '0');
}
