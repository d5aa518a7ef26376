/**
 * Compiles the lessons of the store into the manifest that hooks read, and writes the spare manifest and the skill
 * files. Several processes compile at once; an older state of the lessons never replaces a newer one.
 * The languages of projects are read here, never while an agent waits.
 */

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../base/contracts/store.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isVouchedFor } from '../base/model/lesson-trust.ts';
import { makeToProjectId, type ProjectAlias } from '../base/model/project.ts';
import type { Settings } from '../base/model/settings.ts';
import { listWeighingLangs } from '../base/model/skill.ts';
import { dropAbsent } from '../base/records.ts';
import { findStack } from '../capture/projects/languages.ts';
import { REPORT_PROTOCOL, REPORT_PROTOCOL_VERSION } from '../distill/propose/self-reports/report-protocol.ts';
import { toSoundLesson } from '../distill/text/retell-lesson.ts';
import { compileManifest, listFiring, type ManifestInput } from '../keep/manifest/compile-manifest.ts';
import { listSkills } from '../keep/manifest/skills.ts';
import { toSpareManifestFile } from '../match/manifest.ts';
import { decideHoldout, findMeasuredFactor, mayWithhold, QUIET_MS, toQuietUntil } from '../measure/delivery-share.ts';
import { toEffects } from '../measure/effects.ts';
import { isProcedure } from '../measure/procedure.ts';
import { readSeed } from './home/holdout-seed.ts';
import { writeFileAtomically } from './home/write-file.ts';
import { listStanding } from './promoted-lessons.ts';
import { expireLessons } from './upkeep/expire-lessons.ts';
import { keepSkills } from './write-skills.ts';

/** Folders of a project that are read for its languages. Clones and worktrees are alike, so a few are enough. */
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
  /** The current time; a replay passes its own. */
  readonly now?: () => number;
  /** The current time if the clock is trusted. Lessons of long silent sessions are archived by it; without it, none are. */
  readonly findTrustedNow?: () => number | undefined;
  /** For the daemon: true if the data directory was removed, because writing would create it again. */
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
  const measured = await resetFutureMeasures(parts.store, open, nowMs);
  const generatedAt = new Date(nowMs).toISOString();
  const lessons = await keepSound(parts.store, measured, generatedAt);
  const aliases = await parts.store.listProjectAliases();
  const promoted = await listStanding(parts.store);
  const { settings, manifestFile } = parts;
  const protocol = settings.selfReportProtocol
    ? { protocol: REPORT_PROTOCOL, protocolVersion: REPORT_PROTOCOL_VERSION }
    : {};
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
  const bytes = compileManifest(input);
  if (parts.isGone?.() === true) return true;
  mkdirSync(dirname(manifestFile), { recursive: true, mode: 0o700 });
  if (!writeFileAtomically({ path: manifestFile, bytes, mode: 0o600, mayReplace })) return false;
  keepSpare(manifestFile, bytes);
  const firing = listFiring({ lessons, aliases, settings, now: generatedAt, promoted });
  keepSkills(manifestFile, listSkills(firing, makeToProjectId(aliases), settings.skills.minLessons));
  return true;
}

/**
 * Removes one-time values (a file name, a number) from the texts and edits of lessons that an earlier build learned, and
 * saves them, so that people read, approve and share the same text as agents.
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
  // Times in the future were recorded while the clock was ahead; they do not count yet.
  const now = new Date(nowMs).toISOString();
  const records = new Map((await store.listTrackRecords(now)).map((record) => [record.lessonId, record]));
  const trials = new Map((await store.listTrials(now)).map((counts) => [counts.lessonId, counts]));
  // Oldest first. A lesson that is quiet now was followed after this time.
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
            record,
            now,
            effect,
            mayWithhold: mayWithhold(lesson, settings.holdout),
            lastMissedAt: lastMissed.get(lesson.id),
          });
    return dropAbsent({ measured, quietUntil, withheld });
  };
}

/** A procedure never becomes quiet: it fires only on its occasion, and there the agent needs the whole list. */
function firesWhenFollowed(lesson: Lesson): boolean {
  return lesson.measure?.retest !== undefined || isVouchedFor(lesson) || isProcedure(lesson);
}

/** Aliases of folders that are gone. No hook runs there, but people ask about them. */
const MAX_GONE = 100;

/** Most joined folders are gone, and listing all of them would slow down every cold call. */
async function listMet(store: Store, aliases: readonly ProjectAlias[]): Promise<readonly ProjectAlias[]> {
  if (aliases.length <= MAX_GONE) return aliases;
  const roots = await store.listProjectRoots();
  const isThere = ({ fromId, proof }: ProjectAlias): boolean =>
    proof === undefined || roots.get(fromId)?.some((root) => existsSync(root)) === true;
  const { there = [], gone = [] } = Object.groupBy(aliases, (alias) => (isThere(alias) ? 'there' : 'gone'));
  return [...there, ...gone.slice(-MAX_GONE)];
}

/** The languages of each project. Empty if no lesson is about a language. */
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

/**
 * Writes a spare copy for hooks if the manifest breaks. It holds the same lessons, so that a rejected lesson does not
 * fire again.
 */
function keepSpare(manifestFile: string, bytes: Buffer): void {
  const [spare, draft] = [toSpareManifestFile(manifestFile), `${toSpareManifestFile(manifestFile)}.${process.pid}`];
  try {
    writeFileSync(draft, bytes, { mode: 0o600 });
    renameSync(draft, spare);
  } catch {
    // There is no room for a copy, and an outdated copy must not replace the manifest.
    rmSync(draft, { force: true });
    rmSync(spare, { force: true });
  }
}

/** Tolerance for the clocks of other machines. */
const CLOCKS_MS = 60_000;

/**
 * Resets lessons that are measured from a future time to the current time. The clock was ahead when that time was
 * stored, and nothing would count until then. Returns the lessons after the change.
 */
async function resetFutureMeasures(
  store: Store,
  lessons: readonly Lesson[],
  nowMs: number,
): Promise<readonly Lesson[]> {
  const bounded: Lesson[] = [];
  for (const lesson of lessons)
    bounded.push(isAhead(lesson, nowMs) ? await measureFromNow(store, lesson, nowMs) : lesson);
  return bounded;
}

function isAhead({ measure }: Lesson, nowMs: number): boolean {
  return measure?.from !== undefined && Date.parse(measure.from) > nowMs + CLOCKS_MS;
}

async function measureFromNow(store: Store, lesson: Lesson, nowMs: number): Promise<Lesson> {
  const at = new Date(nowMs).toISOString();
  let bounded = lesson;
  await store.updateLessons([lesson.id], ([now]) => {
    if (now === undefined) return [];
    // Another process may have changed it meanwhile.
    bounded = isAhead(now, nowMs) ? { ...now, measure: { ...now.measure, from: at }, updatedAt: at } : now;
    if (bounded === now) return [];
    const reason = `measured from now on: the clock was ahead when ${now.measure?.from} was noted`;
    return [{ lesson: bounded, change: { by: 'promote/measure-anew', reason, at } }];
  });
  return bounded;
}

/** Finds the languages of a project in its folders. Runs while compiling, never while an agent waits. */
type StackFinder = (roots: readonly string[]) => readonly string[];

/** Reads a folder again only after an entry was added or removed. */
export function makeStackFinder(): StackFinder {
  const known = new Map<string, { readonly stamp: number; readonly langs: readonly string[] }>();
  const readLanguages = (root: string): readonly string[] => {
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
  // The folder that was seen last most likely still exists.
  return (roots) => [...new Set(roots.slice(-MAX_ROOTS).flatMap(readLanguages))].sort();
}
