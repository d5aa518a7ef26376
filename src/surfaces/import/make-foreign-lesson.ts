/** Somebody else's lesson here: text from outside, advice only, a draft until a person has confirmed it. */
import { makeId } from '../../base/ids.ts';
import type { Lesson, Scope } from '../../base/lesson.ts';
import { toShortChars } from '../../base/short-text.ts';
import { toContentHash } from '../../distill/lesson/hash-lesson.ts';
import type { Candidate, ImportFormat } from './candidate.ts';
import { toImportSlug } from './to-import-slug.ts';

export interface ForeignFrom {
  readonly format: ImportFormat;
  /** Absent: the lesson's own, or everywhere. */
  readonly scope?: Scope | undefined;
  readonly at: string;
}

const MAX_SUMMARY = 300;

/** Not even its first word has room: then there are no words in it. */
function toOneWord(line: string): string {
  return `${[...line].slice(0, MAX_SUMMARY / 2).join('')}…`;
}

export function makeForeignLesson(candidate: Candidate, from: ForeignFrom): Lesson {
  const { name: _, slug, remarks: __, dropped: ___, counts, body, ...told } = candidate;
  const line = told.summary.replace(/\s+/g, ' ').trim();
  const summary = toShortChars(line, MAX_SUMMARY) || toOneWord(line);
  const { mistake, remediation, triggers } = told;
  const scope = from.scope ?? { kind: 'user' };
  const contentHash = toContentHash({ mistake, remediation, triggers });
  return {
    id: makeId('les', Date.parse(from.at)),
    slug: slug ?? toImportSlug({ summary, contentHash, scope }),
    ...told,
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
export function listForeignDropped({ validity, mode, ...lesson }: Lesson): readonly string[] {
  const { models: _, agentVersions: __, ...limits } = validity;
  return [
    ...ELSEWHERE.filter((name) => lesson[name] !== undefined),
    ...(mode === 'note' ? [] : ['mode']),
    ...Object.keys(limits).map((name) => `validity.${name}`),
  ];
}

/** What another machine decided about it means nothing here; what it says and where it was seen does. */
export function toForeignLesson(lesson: Lesson, from: ForeignFrom): Lesson {
  const { provisional, archival, learnedAs, lastMatchedAt, reviewedBy, file, validity, ...kept } = lesson;
  const { tested, replacement, edit, modeBy, measure, ...told } = kept;
  const { models, agentVersions } = validity;
  return {
    ...told,
    ...toForeign(from),
    scope: from.scope ?? told.scope,
    evidence: told.evidence.map(({ file: _, lines: __, ...one }) => one),
    validity: { models, agentVersions },
    // The newer of two files wins; nothing is newer than now.
    updatedAt: told.updatedAt < from.at ? told.updatedAt : from.at,
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
