/**
 * Compiles the lessons of the store into the manifest that hooks read, and writes the spare manifest, the skill files
 * and the holdout seed. Several processes compile at once; an older state of the lessons never replaces a newer one.
 * The languages of projects are read here, never while an agent waits.
 */

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Store } from '../base/contracts/store.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isVouchedFor } from '../base/model/lesson-trust.ts';
import { makeToProjectId, type ProjectAlias } from '../base/model/project.ts';
import type { Settings } from '../base/model/settings.ts';
import { listWeighingLangs, type Skill } from '../base/model/skill.ts';
import { dropAbsent } from '../base/records.ts';
import { findStack } from '../capture/projects/languages.ts';
import { PROTOCOL_VERSION, REPORT_PROTOCOL } from '../distill/propose/self-reports/report-protocol.ts';
import { toSoundLesson } from '../distill/text/retell-lesson.ts';
import { compileManifest, type ManifestInput } from '../keep/manifest/compile-manifest.ts';
import { listFiring } from '../keep/manifest/firing-lessons.ts';
import { listSkills } from '../keep/manifest/skills.ts';
import { renderLesson, renderShortLesson } from '../match/lesson-text.ts';
import { toSpareManifestFile } from '../match/manifest.ts';
import { decideHoldout, findMeasuredFactor, mayWithhold, QUIET_MS, toQuietUntil } from '../measure/delivery-share.ts';
import { toEffects } from '../measure/effects.ts';
import { isProcedure } from '../measure/procedure.ts';
import { renderSkill, toSkillName } from '../promote/render-skill.ts';
import { writeFileAtomically, writeOwnFile } from './home/write-file.ts';
import { listStanding } from './promoted-lessons.ts';
import { expireLessons } from './upkeep/expire-lessons.ts';

/** Clones and worktrees of one project are alike. */
const MAX_ROOTS = 3;

const findLanguages = makeStackFinder();

/**
 * Two lost races are enough: the process that won the second one began to read after the first one was written, which
 * is after our own change, so its manifest contains our change.
 */
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

/**
 * A process that finds a manifest written since it began to read compiles again, because its own lessons are older. It
 * also compiles again when a lesson changed: the other manifest may have come between the last look and the rename.
 */
export async function compileLessons(parts: Parts): Promise<void> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const before = findFileVersion(parts.manifestFile);
    const stamp = await parts.store.readLessonStamp();
    const isWritten = await compileOnce(parts, () => findFileVersion(parts.manifestFile) === before);
    if (isWritten && (await parts.store.readLessonStamp()) === stamp) return;
  }
}

/** Every write makes a new file. */
function findFileVersion(path: string): string {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats === undefined ? 'absent' : `${stats.ino} ${stats.ctimeNs} ${stats.size}`;
}

/** False when the manifest was not replaced, because `mayReplace` said no. */
async function compileOnce(parts: Parts, mayReplace: () => boolean): Promise<boolean> {
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
    ...dropAbsent({ seed }),
  };
  const bytes = compileManifest({ ...input, render: renderLesson, renderShort: renderShortLesson });
  if (parts.isGone?.() === true) return true;
  mkdirSync(dirname(manifestFile), { recursive: true, mode: 0o700 });
  if (!writeFileAtomically({ path: manifestFile, bytes, mode: 0o600, mayReplace })) return false;
  keepSpare(manifestFile, bytes);
  const firing = listFiring({ lessons, aliases, settings, now: generatedAt, promoted });
  keepSkills(manifestFile, listSkills(firing, makeToProjectId(aliases), settings.skills.minLessons));
  return true;
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
    const measured = findMeasuredFactor(lesson, record);
    const quietUntil =
      record === undefined || firesWhenFollowed(lesson)
        ? undefined
        : toQuietUntil({
            ...{ record, now, effect, mayWithhold: mayWithhold(lesson, settings.holdout) },
            lastMissedAt: lastMissed.get(lesson.id),
          });
    return dropAbsent({ measured, quietUntil, withheld });
  };
}

/** A procedure fires on its occasion only, and there the agent needs the whole list, however often it was followed. */
function firesWhenFollowed(lesson: Lesson): boolean {
  return lesson.measure?.retest !== undefined || isVouchedFor(lesson) || isProcedure(lesson);
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

/** The languages of each project. Empty unless a lesson is about a language, because then nobody asks. */
export async function findStacks(
  store: Store,
  lessons: readonly Lesson[],
  aliases: readonly ProjectAlias[],
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (!lessons.some((lesson) => lesson.status === 'active' && listWeighingLangs(lesson).length > 0)) return {};
  const toProjectId = makeToProjectId(aliases);
  const byProject = Map.groupBy(await store.listProjectRoots(), ([id]) => toProjectId(id));
  const stacks = [...byProject].map(([id, all]) => [id, findLanguages(all.flatMap(([, roots]) => roots))] as const);
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

/** Another machine may have named the moment. */
const CLOCKS_MS = 60_000;

/**
 * A lesson that is measured from a time that is still to come was decided about while the clock was ahead. Nothing
 * would count until then: it is measured from now on. The lessons as they are then.
 */
async function boundMeasured(store: Store, lessons: readonly Lesson[], nowMs: number): Promise<readonly Lesson[]> {
  const bounded: Lesson[] = [];
  for (const lesson of lessons) bounded.push(isAhead(lesson, nowMs) ? await bound(store, lesson, nowMs) : lesson);
  return bounded;
}

function isAhead({ measure }: Lesson, nowMs: number): boolean {
  return measure?.from !== undefined && Date.parse(measure.from) > nowMs + CLOCKS_MS;
}

async function bound(store: Store, lesson: Lesson, nowMs: number): Promise<Lesson> {
  const at = new Date(nowMs).toISOString();
  let bounded = lesson;
  await store.updateLessons([lesson.id], ([now]) => {
    if (now === undefined) return [];
    // Somebody may have decided about it meanwhile.
    bounded = isAhead(now, nowMs) ? { ...now, measure: { ...now.measure, from: at }, updatedAt: at } : now;
    if (bounded === now) return [];
    const reason = `measured from now on: the clock was ahead when ${now.measure?.from} was noted`;
    return [{ lesson: bounded, change: { by: 'promote/measure-anew', reason, at } }];
  });
  return bounded;
}

/** The languages of projects, read from their folders when lessons are compiled: never while an agent waits. */
type StackFinder = (roots: readonly string[]) => readonly string[];

/** A folder is read again when something was added to it or removed. */
export function makeStackFinder(): StackFinder {
  const known = new Map<string, { readonly stamp: number; readonly langs: readonly string[] }>();
  const find = (root: string): readonly string[] => {
    try {
      const stamp = statSync(root).mtimeMs;
      const before = known.get(root);
      if (before?.stamp === stamp) return before.langs;
      const langs = findStack(readdirSync(root));
      known.set(root, { stamp, langs });
      return langs;
    } catch {
      return [];
    }
  };
  // The folder seen last is the likeliest to be there.
  return (roots) => [...new Set(roots.slice(-MAX_ROOTS).flatMap(find))].sort();
}

const NAME = 'holdout-seed';
const SEED = /^[0-9a-z]{8,64}$/;

/**
 * What chance is drawn from when lessons are withheld: made once for a data home and kept, so that a session's answer
 * stays the same whenever lessons are compiled. Nobody's secret. Undefined when it can be neither read nor kept: then
 * nothing is withheld.
 */
export function readSeed(manifestFile: string): string | undefined {
  const file = join(dirname(manifestFile), NAME);
  const seed = read(file);
  if (seed !== undefined) return seed;
  // Of no use to anybody: a full disk makes files without content.
  rmSync(file, { force: true });
  return make(file) ? read(file) : undefined;
}

function read(file: string): string | undefined {
  try {
    const seed = readFileSync(file, 'utf8').trim();
    return SEED.test(seed) ? seed : undefined;
  } catch {
    return undefined;
  }
}

/** Who is first makes it: two that compile at once must not have two. */
function make(file: string): boolean {
  const seed = Array.from({ length: 2 }, () => Math.random().toString(36).slice(2, 12).padEnd(10, '0')).join('');
  try {
    writeFileSync(file, `${seed}\n`, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST';
  }
}

/**
 * Keeps the files of dense tools up to date: `skills/<user or project>/<tool>/SKILL.md` in the data directory. A file
 * whose lessons are gone is removed; one that would not change is not touched.
 */
const SKILL_FILE = 'SKILL.md';
const EVERYONE = 'user';

/** Beside the manifest that they come with. */
function toSkillsDir(manifestFile: string): string {
  return join(dirname(manifestFile), 'skills');
}

export function writeSkills(skillsDir: string, skills: readonly Skill[]): void {
  const wanted = new Map(skills.map((skill) => [toFile(skillsDir, skill), skill]));
  for (const file of listFiles(skillsDir).filter((one) => !wanted.has(one))) remove(skillsDir, file);
  for (const [file, skill] of wanted) {
    const text = renderSkill(skill);
    if (find(file) !== text) writeOwnFile(file, text);
  }
}

function toFile(skillsDir: string, { projectId, tool }: Skill): string {
  return join(skillsDir, projectId || EVERYONE, toSkillName(tool), SKILL_FILE);
}

function listFiles(skillsDir: string): readonly string[] {
  if (!existsSync(skillsDir)) return [];
  return readdirSync(skillsDir, { recursive: true, encoding: 'utf8' })
    .map((path) => join(skillsDir, path))
    .filter((path) => path.endsWith(SKILL_FILE));
}

/** Folders that are empty then go too; what a person put beside the file stays. */
function remove(skillsDir: string, file: string): void {
  rmSync(file, { force: true });
  try {
    rmdirSync(join(file, '..'));
    rmdirSync(join(file, '../..'));
    rmdirSync(skillsDir);
  } catch {
    // Not empty.
  }
}

function find(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
