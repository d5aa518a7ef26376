/**
 * Shared steps of all commands that move promotions: files and store change together, for all named lessons or for
 * none, then the manifest is compiled. Other people read the files, so a lesson with a secret is refused, and a lesson
 * that names the user's home folder needs `--force`.
 */

import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import type { UserError } from '../../../../base/errors.ts';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { isOpen, PROMOTION_REASON, type Promotion, type PromotionUpdate } from '../../../../base/model/promotion.ts';
import { makeSecretScan } from '../../../../capture/secrets/scan-secrets.ts';
import { compileLessons } from '../../../../loop/compile-lessons.ts';
import { type Candidacy, judgeCandidate } from '../../../../promote/candidates.ts';
import { findStepRefusal, type PromotionStep } from '../../../../promote/promotions.ts';
import type { Author } from '../../../../promote/transition.ts';
import { getKnown, getNamed, lessonError } from '../../arguments/lessons.ts';
import type { CommandInput, CommandResult } from '../../command.ts';
import { renderDiff } from '../../diff.ts';
import { userError } from '../../errors.ts';
import { type OpenHome, withHome } from '../../open-home.ts';
import { toPlainText } from '../../text.ts';
import { makeAct } from '../change-lessons.ts';
import { type FileEdits, openFileEdits } from '../file-edits.ts';
import { checkForOthers } from '../share/share.ts';
import { readTrack } from './list.ts';
import { type Place, toPlace, toPromotedText, toTargetFile } from './target-files.ts';

/** One lesson of the command. */
export interface Chosen {
  readonly lesson: Lesson;
  /** What it would say in a file. */
  readonly text: string;
  readonly candidacy: Candidacy;
  /** Only these files; undefined for all. */
  readonly files: readonly string[] | undefined;
  /** Of this lesson, in this project and in these files; oldest first. */
  readonly promotions: readonly Promotion[];
  /** Of all lessons, in all projects. */
  readonly all: readonly Promotion[];
}

export interface Round {
  readonly place: Place;
  readonly act: Author;
  readonly edits: FileEdits;
  readonly open: OpenHome;
  readonly force: boolean;
  readonly dryRun: boolean;
}

export interface Moved {
  readonly promotion: Promotion;
  /** For the history of the lesson. */
  readonly what: string;
  /** Where the lesson changes too. */
  readonly lesson?: Lesson;
}

interface Changed {
  readonly promotions: readonly Promotion[];
  readonly lessons: readonly Lesson[];
  /** Some have not proven themselves: only `--force` proposes them. */
  readonly isUnproven: boolean;
  readonly round: Round;
}

interface Plan {
  /** Refuses before anything is done. */
  readonly check?: (chosen: Chosen, round: Round) => Promise<void>;
  /** Inside the transaction. */
  readonly decide: (chosen: Chosen, round: Round) => readonly Moved[];
}

type Named = Pick<Chosen, 'lesson' | 'text' | 'candidacy' | 'files'>;

export function changePromotions(input: CommandInput, { check, decide }: Plan): Promise<Changed> {
  return withHome(input, async (open) => {
    const round = await openRound(input, open);
    const known = await open.store.listPromotions();
    const named: Named[] = [];
    for (const name of new Set(input.arguments)) named.push(await readNamed(input, name, known, round));
    for (const one of named) await check?.(toChosen(one, known, round.place), round);
    const lessons = named.map(({ lesson }) => lesson);
    const promotions = await save(named, round, decide);
    if (!round.dryRun) await compileLessons(open);
    return { promotions, lessons, round, isUnproven: named.some(({ candidacy }) => candidacy.standing === 'short') };
  });
}

async function openRound({ options, cwd, ...input }: CommandInput, open: OpenHome): Promise<Round> {
  const place = toPlace(cwd, await open.store.listProjectAliases());
  const [force, dryRun] = [options.force === true, options.dryRun === true];
  const edits = openFileEdits({ root: place.root, force, dryRun });
  return { place, open, force, dryRun, edits, act: makeAct({ ...input, options, cwd }) };
}

/** A lesson, or one promotion by its id. */
async function readNamed(
  { options }: CommandInput,
  name: string,
  known: readonly Promotion[],
  { open, place }: Round,
): Promise<Named> {
  const one = known.find(({ id }) => id === name);
  const lesson = await getNamed(open.store, one?.lessonId ?? name);
  const targets = options.target as readonly string[] | undefined;
  const files = targets?.map((target) => toTargetFile(target, lesson, place)) ?? (one && [one.file]);
  const candidacy = judgeCandidate(lesson, await readTrack(open.store, lesson), open.settings.promotion);
  return { lesson, text: toPromotedText(lesson), candidacy, files };
}

function toChosen(named: Named, all: readonly Promotion[], place: Place): Chosen {
  const { lesson, files } = named;
  const promotions = all.filter(
    ({ lessonId, projectId, file }) =>
      lessonId === lesson.id && place.isHere(projectId) && (files === undefined || files.includes(file)),
  );
  return { ...named, promotions, all };
}

async function save(named: readonly Named[], round: Round, decide: Plan['decide']): Promise<readonly Promotion[]> {
  const { open, place, act, dryRun, edits } = round;
  const ids = named.map(({ lesson }) => lesson.id);
  let moved: readonly PromotionUpdate[] = [];
  try {
    await open.store.updatePromotions(ids, (fresh, all) => {
      moved = named.flatMap((one, i) => {
        const lesson = getKnown(one.lesson.slug, fresh[i]);
        if (toPromotedText(lesson) !== one.text || lesson.status !== one.lesson.status)
          throw lessonError(lesson, 'was changed by another process just now', 'run the command again');
        return decide(toChosen({ ...one, lesson }, all, place), round).map(toUpdate(lesson, act));
      });
      return dryRun ? [] : moved;
    });
  } catch (error) {
    edits.undo();
    throw error;
  }
  return moved.map(({ promotion }) => promotion);
}

function toUpdate(lesson: Lesson, act: Author): (moved: Moved) => PromotionUpdate {
  return ({ promotion, what, lesson: changed = lesson }) => {
    const reason = `${PROMOTION_REASON}${what}${act.reason === undefined ? '' : `: ${act.reason}`}`;
    return { promotion, lesson: { ...changed, updatedAt: act.at }, change: { ...act, reason } };
  };
}

/** The promotions that may take the step. If there are none, the error gives the reason of the newest. */
export function getMovable(
  { promotions, lesson, text, candidacy }: Chosen,
  step: PromotionStep,
  isOff: (promotion: Promotion) => boolean = () => false,
): readonly Promotion[] {
  const open = promotions.filter(isOpen);
  const candidates = open.length > 0 ? open : promotions.slice(-1);
  const moving = { step, text, slug: lesson.slug, isUnproven: candidacy.standing === 'short' };
  const refusals = candidates.map((one) => findStepRefusal(one, { ...moving, isOff: isOff(one) }));
  const movable = candidates.filter((_, i) => refusals[i] === undefined);
  const refusal = refusals.findLast((one) => one !== undefined);
  if (movable.length > 0 || refusal === undefined) return movable;
  throw lessonError(lesson, refusal.refused, refusal.next);
}

/** Whether a lesson may stand in a file at all, and what it says there may be read by others. */
export async function checkLesson(chosen: Chosen, { open, force, place }: Round): Promise<void> {
  const { lesson, candidacy } = chosen;
  if (!existsSync(place.root))
    throw userError(`folder ${place.root}`, 'no longer exists', 'choose a project whose folder exists');
  checkHere(lesson, place);
  if (candidacy.standing === 'barred') throw lessonError(lesson, candidacy.reason, candidacy.next);
  await checkForOthers(lesson, { scan: makeSecretScan({ log: open.log }), force });
}

export function checkHere(lesson: Lesson, { isHere, root }: Place): void {
  const { kind, id = '' } = lesson.scope;
  if (kind !== 'project' || isHere(id)) return;
  throw lessonError(lesson, `belongs to another project than ${root}`, 'run the command in a folder of its project');
}

export function refuseFile(file: string, reason: string, next: string): UserError {
  return userError(file, reason, next);
}

interface Words {
  readonly done: string;
  readonly next: string;
  /** The next step is to propose them. */
  readonly isProposing?: boolean;
}

/** What a command that moved promotions answers. */
export function toPromotionResult(changed: Changed, { done, next, isProposing }: Words): CommandResult {
  const { promotions, lessons, round, isUnproven } = changed;
  const { dryRun, edits, place } = round;
  const files = edits.list().map(({ path, before, after, otherNames }) => {
    const file = relative(place.root, path);
    return { file, path, diff: renderDiff(file, before, after), otherNames };
  });
  const otherNames = files.flatMap(renderOtherNames);
  const slugs = new Map(lessons.map(({ id, slug }) => [id, slug]));
  const lines = promotions.map(({ lessonId, file }) => `  ${slugs.get(lessonId) ?? lessonId}: ${file}`);
  const names = [...slugs.values(), ...(isProposing && isUnproven ? ['--force'] : [])].join(' ');
  return {
    json: { dryRun, promotions, files },
    text: toPlainText(
      dryRun
        ? [...files.map(({ diff }) => diff), ...otherNames, 'Nothing was changed: this is a dry run.'].join('\n')
        : [`${done}:`, ...lines, ...renderFiles(files), ...otherNames, `${next} ${names}`].join('\n'),
    ),
  };
}

function renderFiles(files: readonly { readonly path: string }[]): readonly string[] {
  return files.length === 0
    ? []
    : ['Commit these files, so that others get the change:', ...files.map(({ path }) => `  ${path}`)];
}

/** Who linked it may have forgotten, and the other name may be in another project. */
function renderOtherNames({ file, otherNames }: { readonly file: string; readonly otherNames: number }) {
  if (otherNames === 0) return [];
  const names = otherNames === 1 ? 'another name (a hard link)' : `${otherNames} other names (hard links)`;
  return [`${file} has ${names}: the text is the same there.`];
}
