/** Keep -> match: the lessons of the store as the manifest that hooks read. */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isVouchedFor } from '../../base/is-vouched-for.ts';
import type { Lesson } from '../../base/lesson.ts';
import type { CompiledLesson } from '../../base/manifest.ts';
import { makeToProjectId, type ProjectAlias } from '../../base/project-alias.ts';
import type { Settings } from '../../base/settings.ts';
import { listLangTags, type Skill } from '../../base/skill.ts';
import type { Store } from '../../base/store.ts';
import { toSoundLesson } from '../../distill/lesson/retell-lesson.ts';
import { PROTOCOL_VERSION, REPORT_PROTOCOL } from '../../distill/self-report/report-protocol.ts';
import { compileManifest, type ManifestInput } from '../../keep/compile-manifest.ts';
import { listSkills } from '../../keep/list-skills.ts';
import { listSpeaking } from '../../keep/list-speaking.ts';
import { toSpareManifestFile } from '../../match/read-manifest.ts';
import { renderLesson, renderShortLesson } from '../../match/render-lesson.ts';
import { decideHoldout, mayWithhold } from '../../measure/decide-holdout.ts';
import { isProcedure } from '../../measure/procedure.ts';
import { toEffects } from '../../measure/to-effects.ts';
import { toMeasuredFactor } from '../../measure/to-measured-factor.ts';
import { QUIET_MS, type QuietQuestion, toQuietUntil } from '../../measure/to-quiet-until.ts';
import { writeOwnFile } from '../write-own-file.ts';
import { boundMeasured } from './bound-measured.ts';
import { expireLessons } from './expire-lessons.ts';
import { listStanding } from './list-standing.ts';
import { makeStackFinder } from './make-stack-finder.ts';
import { readSeed } from './read-seed.ts';
import { toSkillsDir, writeSkills } from './write-skills.ts';

const findStack = makeStackFinder();

/** Others change lessons all the time while a scan runs: the last of them compiles. */
const MAX_TRIES = 3;

interface Parts {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  /** The time of day; a replay has its own. */
  readonly now?: () => number;
  /** The time of day if it can be trusted: lessons of sessions long silent are archived by it. Absent: none are, unless `now` says. */
  readonly findTrustedNow?: () => number | undefined;
  /** The daemon's: true when somebody has removed the data directory. Writing would make it anew. */
  readonly isGone?: () => boolean;
}

/** Once more when a lesson was changed meanwhile: whoever did may have been faster, and been written over. */
export async function compileLessons(parts: Parts): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const stamp = await parts.store.readLessonStamp();
    await compileOnce(parts);
    if ((await parts.store.readLessonStamp()) === stamp) return;
  }
}

async function compileOnce(parts: Parts): Promise<void> {
  const nowMs = (parts.now ?? Date.now)();
  const { lessons: open } = await expireLessons(parts.store, { nowMs: (parts.findTrustedNow ?? parts.now)?.() });
  const bound = await boundMeasured(parts.store, open, nowMs);
  const generatedAt = new Date(nowMs).toISOString();
  const lessons = await keepSound(parts.store, bound, generatedAt);
  const aliases = await parts.store.listProjectAliases();
  const promoted = await listStanding(parts.store);
  const { settings, manifestFile } = parts;
  const protocol = settings.selfReportProtocol ? { protocol: REPORT_PROTOCOL, protocolVersion: PROTOCOL_VERSION } : {};
  const seed = settings.holdout.share === 0 ? undefined : readSeed(manifestFile);
  const measure = await makeMeasure(parts, nowMs);
  const stacks = await findStacks(parts.store, lessons, aliases);
  const input = {
    lessons,
    aliases,
    hookAliases: await listMet(parts.store, aliases),
    promoted,
    settings,
    generatedAt,
    measure,
    stacks,
    ...protocol,
    ...(seed === undefined ? {} : { seed }),
  };
  const bytes = compileManifest({ ...input, render: renderLesson, renderShort: renderShortLesson });
  if (parts.isGone?.() === true) return;
  writeOwnFile(manifestFile, bytes);
  keepSpare(manifestFile, bytes);
  const speaking = listSpeaking({ lessons, aliases, settings, now: generatedAt, promoted });
  keepSkills(manifestFile, listSkills(speaking, makeToProjectId(aliases), settings.skills.minLessons));
}

/**
 * The lessons with words and edits that are right for any call. What an earlier build learned may carry objects of one day:
 * it is saved as it is told from now on, so that people read, approve and share what agents read.
 */
async function keepSound(store: Store, lessons: readonly Lesson[], at: string): Promise<readonly Lesson[]> {
  const kept: Lesson[] = [];
  for (const lesson of lessons) {
    kept.push(toSoundLesson(lesson));
    if (kept.at(-1) === lesson) continue;
    await store.updateLessons([lesson.id], ([now]) => {
      const sound = now && toSoundLesson(now);
      if (sound === undefined || sound === now) return [];
      const change = { by: RETOLD_BY, reason: 'its advice named what was wanted in the calls it came from', at };
      return [{ lesson: { ...sound, updatedAt: at }, change }];
    });
  }
  return kept;
}

const RETOLD_BY = 'distill/retell-lesson';

async function makeMeasure({ store, settings }: Parts, nowMs: number): Promise<NonNullable<ManifestInput['measure']>> {
  // What was noted while the clock was ahead does not count before its time has come.
  const now = new Date(nowMs).toISOString();
  const records = new Map((await store.listTrackRecords(now)).map((record) => [record.lessonId, record]));
  const trials = new Map((await store.listTrials(now)).map((counts) => [counts.lessonId, counts]));
  // Oldest first; what is quiet by now was followed later than this.
  const missed = await store.listMissed({ since: new Date(nowMs - QUIET_MS).toISOString() });
  const lastMissed = new Map(missed.filter(({ at }) => at <= now).map(({ lessonId, at }) => [lessonId, at]));
  return (lesson) => {
    const counts = trials.get(lesson.id);
    const effect = counts && toEffects(counts).effect;
    const withheld = decideHoldout(lesson, counts, effect, settings.holdout);
    const record = records.get(lesson.id);
    const asked = {
      now,
      effect,
      mayWithhold: mayWithhold(lesson, settings.holdout),
      lastMissedAt: lastMissed.get(lesson.id),
    };
    const weight = record === undefined ? {} : toWeight(lesson, { record, ...asked });
    return { ...weight, ...(withheld === undefined ? {} : { withheld }) };
  };
}

function toWeight(lesson: Lesson, question: QuietQuestion): Pick<CompiledLesson, 'measured' | 'quietUntil'> {
  // What was raised, or is measured anew, must be heard: what was measured before is no argument.
  const isAnew = lesson.measure?.retest !== undefined || lesson.measure?.raised !== undefined;
  const factor = isAnew ? undefined : toMeasuredFactor(question.record);
  const measured = factor !== undefined && isVouchedFor(lesson) ? Math.max(1, factor) : factor;
  // A procedure fires on its occasion only, and there the whole list is wanted, however often it was followed.
  const isAlwaysSaid = lesson.measure?.retest !== undefined || isVouchedFor(lesson) || isProcedure(lesson);
  const quietUntil = isAlwaysSaid ? undefined : toQuietUntil(question);
  return { ...(measured === undefined ? {} : { measured }), ...(quietUntil === undefined ? {} : { quietUntil }) };
}

/** Of folders that are gone: no hook runs there, but people ask about them. */
const MAX_GONE = 100;

/** Most folders that were joined by a proof are gone: all of them would make every cold call slower. */
async function listMet(store: Store, aliases: readonly ProjectAlias[]): Promise<readonly ProjectAlias[]> {
  if (aliases.length <= MAX_GONE) return aliases;
  const roots = await store.listProjectRoots();
  const isThere = ({ fromId, proof }: ProjectAlias): boolean =>
    proof === undefined || roots.get(fromId)?.some((root) => existsSync(root)) === true;
  const { there = [], gone = [] } = Object.groupBy(aliases, (alias) => (isThere(alias) ? 'there' : 'gone'));
  return [...there, ...gone.slice(-MAX_GONE)];
}

/** Only where some lesson is about a language: else nobody asks. */
async function findStacks(
  store: Store,
  lessons: readonly Lesson[],
  aliases: readonly ProjectAlias[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (!lessons.some((lesson) => lesson.status === 'active' && listLangTags(lesson).length > 0)) return {};
  const toProjectId = makeToProjectId(aliases);
  const byProject = Map.groupBy(await store.listProjectRoots(), ([id]) => toProjectId(id));
  const stacks = [...byProject].map(([id, all]) => [id, findStack(all.flatMap(([, roots]) => roots))] as const);
  return Object.fromEntries(stacks.filter(([, langs]) => langs.length > 0));
}

/** Files for people and agents to read: hooks do without. */
function keepSkills(manifestFile: string, skills: readonly Skill[]): void {
  try {
    writeSkills(toSkillsDir(manifestFile), skills);
  } catch {
    // No room, or not ours to write: what is said at calls comes from the manifest.
  }
}

/** Whatever becomes of the file, hooks have these lessons. Not the ones before: what was rejected must not speak again. */
function keepSpare(manifestFile: string, bytes: Buffer): void {
  const [spare, draft] = [toSpareManifestFile(manifestFile), `${toSpareManifestFile(manifestFile)}.${process.pid}`];
  try {
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, spare);
  } catch {
    // No room for a second one: an old one must not take the place of this.
    rmSync(draft, { force: true });
    rmSync(spare, { force: true });
  }
}
