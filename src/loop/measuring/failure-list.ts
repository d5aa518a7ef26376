/**
 * The one list of failures by kind that `start`, `sessions failures` and `sessions patterns` show: how often each kind
 * happened, how agents got past it, and the lesson about it.
 */
import type { Store } from '../../base/contracts/store.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { makeToProjectId } from '../../base/model/project.ts';
import { toSessionKey } from '../../base/model/session.ts';
import { dropAbsent } from '../../base/records.ts';
import type { FailureCells, FailureClass, FailureFilter } from '../../base/statistics/failures.ts';
import { isMistake } from '../../distill/episodes/classify-failure.ts';
import { type FailureKind, listFailureKinds } from '../../distill/patterns/failure-kinds.ts';
import { findPatterns } from '../../distill/patterns/find-patterns.ts';
import { isSpread } from '../../distill/patterns/make-pattern.ts';
import type { Pattern } from '../../distill/patterns/pattern.ts';
import type { PatternKnowledge } from '../../distill/patterns/pattern-context.ts';
import { chooseCure, type KnownCure, listKnownCures } from '../../match/cure-book.ts';

export interface KnownFailure extends FailureKind, Knowledge {
  readonly lastAt: string;
  /** What got agents past it, what worked in most sessions first. */
  readonly fixes: readonly KnownFix[];
}

type KnownFix = Pick<KnownCure, 'text' | 'sessions' | 'lastAt'>;

const MAX_FIXES = 5;

function toFix({ text, sessions, lastAt }: KnownCure): KnownFix {
  return { text, sessions, lastAt };
}

interface Knowledge {
  /** How agents got past it; null if no change is known. */
  readonly cure: KnownFix | null;
  readonly lesson: Pick<Lesson, 'id' | 'slug' | 'summary' | 'status'> | null;
}

export interface FailureList {
  /** The costliest first; see `listFailureKinds`. */
  readonly kinds: readonly KnownFailure[];
  /** How many failed calls are left out of `kinds`, by class, because no other call would have avoided them. */
  readonly leftOut: LeftOut;
  /** Older failures were not read. */
  readonly isCut: boolean;
}

export type LeftOut = Readonly<Partial<Record<FailureClass, number>>>;

/** Keeps memory bounded in the largest stores. */
const MAX_CELLS = 50_000;

type Selection = Omit<FailureFilter, 'limit'>;

/** `all`: failures of every class. */
export async function listFailures(store: Store, filter: Selection, all: boolean): Promise<FailureList> {
  const cells = await store.listFailureCells({ ...filter, limit: MAX_CELLS });
  return { ...separateLeftOut(await addKnowledge(store, cells), all), isCut: cells.isCut };
}

/** A kind of failure that came back in another session, or in several tasks of one. Runs of hooks are not the agent's. */
export function isRepeatedFailure(kind: FailureKind): boolean {
  return !kind.isHook && isSpread(kind);
}

/** Only what is known in the projects of the failures: agents get no cure or lesson of another project there. */
async function addKnowledge(store: Store, cells: FailureCells): Promise<readonly KnownFailure[]> {
  const cures = Map.groupBy(await store.listCures(), ({ signatureId }) => signatureId);
  const lessons = Map.groupBy(await store.listLessons(), ({ signatureId }) => signatureId);
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const messages = new Map(cells.cells.map((cell) => [toCellKey(cell), cell.message]));
  return listFailureKinds(cells).map((kind): KnownFailure => {
    const isHere = (projectId: string): boolean => kind.projectIds.includes(toProjectId(projectId));
    const known = kind.signatureIds.flatMap((id) => cures.get(id) ?? []).filter(({ projectId }) => isHere(projectId));
    const cure = chooseCure(known);
    const lesson = kind.signatureIds
      .flatMap((id) => lessons.get(id) ?? [])
      .filter(({ status, scope }) => status !== 'archived' && (scope.kind !== 'project' || isHere(scope.id ?? '')))
      .sort(byProof)[0];
    // The message of a failure that the cure got past, because others of the kind may name another word.
    const message = (cure?.cures[0] && messages.get(toCellKey(cure.cures[0]))) ?? kind.message;
    return {
      ...kind,
      ...dropAbsent({ message }),
      // An agent got past it by another call.
      ...(cure === undefined || kind.class === undefined || isMistake(kind.class) ? {} : { class: 'command' }),
      lastAt: kind.last,
      cure: cure === undefined ? null : toFix(cure),
      fixes: listKnownCures(known).slice(0, MAX_FIXES).map(toFix),
      lesson:
        lesson === undefined
          ? null
          : { id: lesson.id, slug: lesson.slug, summary: lesson.summary, status: lesson.status },
    };
  });
}

function toCellKey(of: { readonly agent: string; readonly sessionId: string; readonly signatureId?: string }): string {
  return `${toSessionKey(of)}\n${of.signatureId}`;
}

/** Active lessons before drafts, then the one that was seen most often. */
function byProof(a: Lesson, b: Lesson): number {
  return Number(b.status === 'active') - Number(a.status === 'active') || b.occurrences - a.occurrences;
}

/** What a lesson is about is always listed. */
function isListed({ class: of, lesson }: KnownFailure): boolean {
  return of === undefined || isMistake(of) || lesson !== null;
}

function separateLeftOut(kinds: readonly KnownFailure[], all: boolean): Omit<FailureList, 'isCut'> {
  if (all) return { kinds, leftOut: {} };
  return { kinds: kinds.filter(isListed), leftOut: countByClass(kinds.filter((kind) => !isListed(kind))) };
}

function countByClass(kinds: readonly KnownFailure[]): LeftOut {
  const counts: Partial<Record<FailureClass, number>> = {};
  for (const { class: of, count } of kinds) if (of !== undefined) counts[of] = (counts[of] ?? 0) + count;
  return counts;
}

/** A pattern, with the fields of its kind of failure. */
export interface KnownPattern extends Pattern, Knowledge, Partial<Pick<FailureKind, 'program' | 'template' | 'class'>> {
  readonly times: number;
  readonly lastAt: string;
}

export interface PatternList extends Pick<FailureList, 'leftOut' | 'isCut'> {
  readonly patterns: readonly KnownPattern[];
  /** All failures of agents that were looked at, masked ones too. */
  readonly failures: number;
}

export async function listPatterns(
  store: Store,
  {
    filter,
    all,
    knowledge,
  }: { readonly filter: Selection; readonly all: boolean; readonly knowledge: PatternKnowledge },
): Promise<PatternList> {
  const cells = await store.listFailureCells({ ...filter, limit: MAX_CELLS });
  const kinds = (await addKnowledge(store, cells)).filter(({ isHook }) => !isHook);
  const bySignature = new Map(kinds.flatMap((kind) => kind.signatureIds.map((id) => [id, kind] as const)));
  const findKind = ({ kind, signatureIds }: Pattern): KnownFailure | undefined => {
    const found = new Set(signatureIds.map((id) => bySignature.get(id)));
    return kind === 'dominant-category' || found.size !== 1 ? undefined : [...found][0];
  };
  const known = findPatterns({ ...cells, ...(await store.countPlaces(filter)) }, knowledge).map((pattern) => ({
    pattern,
    kind: findKind(pattern),
  }));
  const isLeft = ({ pattern, kind }: (typeof known)[number]): boolean =>
    !all && pattern.kind === 'repeated-failure' && kind !== undefined && !isListed(kind);
  return {
    patterns: known.filter((one) => !isLeft(one)).map(({ pattern, kind }) => toKnownPattern(pattern, kind)),
    failures: kinds.reduce((sum, { times }) => sum + times, 0),
    leftOut: countByClass(known.filter(isLeft).flatMap(({ kind }) => kind ?? [])),
    isCut: cells.isCut,
  };
}

function toKnownPattern(pattern: Pattern, kind: KnownFailure | undefined): KnownPattern {
  const known = { ...pattern, times: pattern.frequency, lastAt: pattern.last };
  if (kind === undefined) return { ...known, cure: null, lesson: null };
  const { cure, lesson, program, template, class: of } = kind;
  return {
    ...known,
    cure,
    lesson,
    program,
    ...(template === undefined ? {} : { template }),
    ...(of === undefined ? {} : { class: of }),
  };
}
