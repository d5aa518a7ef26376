/**
 * `oncebitten lessons promote list`: shows the lessons that could be promoted in this project, and the state of its
 * promotions. It changes nothing. `readTrack` reads what became of the deliveries of a lesson.
 */

import { join } from 'node:path';
import type { Store } from '../../../../base/contracts/store.ts';
import type { Delivery, TrackRecord } from '../../../../base/model/delivery.ts';
import type { Lesson } from '../../../../base/model/lesson.ts';
import { isOpen, type Promotion } from '../../../../base/model/promotion.ts';
import type { PromotionSettings, Settings } from '../../../../base/model/settings.ts';
import { dropAbsent } from '../../../../base/records.ts';
import { findAnyStanding, isStanding, type Standing } from '../../../../loop/promoted-lessons.ts';
import { toEffects } from '../../../../measure/effects.ts';
import { judgeCandidate, NO_TRACK, type Track, toPercent } from '../../../../promote/candidates.ts';
import { renderNextCommand } from '../../../../promote/promotions.ts';
import type { Handler } from '../../command.ts';
import { readHome } from '../../open-home.ts';
import { toWholePage } from '../../paging.ts';
import { renderTable } from '../../table.ts';
import { toLine, toMinute, toPlainText } from '../../text.ts';
import { listUsedFiles, type Place, toPlace, toPromotedText } from './target-files.ts';

const STATE_CHARS = 'applied, changed'.length + 2;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const place = toPlace(input.cwd, await store.listProjectAliases());
    const all = await store.listPromotions();
    const candidates = await listCandidates({ store, settings }, all, place);
    const here = listHere(all, place);
    const wanted = input.options.all === true ? all : here;
    const lessons = new Map((await store.listLessons()).map((lesson) => [lesson.id, lesson]));
    const listed = wanted.map((promotion) => toListed(promotion, lessons.get(promotion.lessonId), place));
    const text = render(candidates, listed, place, input.columns) || renderNone(settings.promotion);
    return {
      json: { files: listUsedFiles(place.root), candidates: candidates.map(toJson), ...toWholePage(listed) },
      text: toPlainText(text),
    };
  });

/** What is open here, and what was rolled back and not proposed again. */
function listHere(all: readonly Promotion[], { isHere }: Place): readonly Promotion[] {
  const here = all.filter(({ projectId }) => isHere(projectId));
  const last = new Map(here.map((one) => [`${one.lessonId} ${one.file}`, one]));
  return here.filter((one) => isOpen(one) || (one.state === 'rolled_back' && [...last.values()].includes(one)));
}

interface Listed extends Promotion {
  readonly slug: string;
  /** Of one that is applied. */
  readonly standing?: Standing;
  /** What a person should know, and do. */
  readonly note?: string;
}

function toListed(promotion: Promotion, lesson: Lesson | undefined, place: Place): Listed {
  const slug = lesson?.slug ?? promotion.lessonId;
  if (lesson === undefined) return { ...promotion, slug };
  if (!isOpen(promotion)) return { ...promotion, slug, ...findStray(promotion, lesson, place) };
  const standing =
    promotion.state === 'applied' ? findAnyStanding(promotion, lesson, listRoots(promotion, place)) : undefined;
  const note = findNote(promotion, lesson, standing);
  return {
    ...promotion,
    slug,
    ...dropAbsent({ standing, note }),
  };
}

/** Another branch may bring it back. */
function findStray(promotion: Promotion, lesson: Lesson, { isHere, root }: Place): Pick<Listed, 'note'> {
  if (!isHere(promotion.projectId) || !isStanding(promotion, lesson, root)) return {};
  return { note: `it is still in ${promotion.file}: ${renderNextCommand('rollback', lesson.slug)}` };
}

/** Other clones where it may stand. */
function listRoots({ projectId }: Promotion, { isHere, root }: Place): readonly string[] {
  return isHere(projectId) ? [root] : [];
}

function findNote(promotion: Promotion, lesson: Lesson, standing: Standing | undefined): string | undefined {
  const { file, state, text } = promotion;
  const { slug, status } = lesson;
  if (standing === 'gone')
    return `somebody removed it from ${file}, so it fires again from the next session on; write it there again (promote apply), or keep it out: ${renderNextCommand('rollback', slug)}`;
  if (status !== 'active')
    return `the lesson is now ${status === 'draft' ? 'a draft' : status}: ${renderNextCommand(state === 'applied' ? 'rollback' : 'reject', slug)}`;
  if (standing === 'changed') return `somebody changed it in ${file}; that text stays, unless you use --force`;
  if (standing === 'unclear') return `${file} cannot be read, or its block is broken`;
  if (text === '' || text === toPromotedText(lesson)) return undefined;
  return `the lesson has changed since then: ${renderNextCommand(state === 'applied' ? 'apply' : 'approve', slug)}`;
}

function toJson({ lesson, track }: Candidate) {
  const { id, slug, summary, confidence, priority, scope } = lesson;
  return { id, slug, title: summary, confidence, priority, scope, ...track, effectiveness: track.clean / track.judged };
}

function render(
  candidates: readonly Candidate[],
  listed: readonly Listed[],
  place: Place,
  columns: number | undefined,
): string {
  const notes = listed.flatMap(({ slug, note }) => (note === undefined ? [] : renderNote(slug, note)));
  const [first] = candidates;
  return [
    ...(first === undefined
      ? []
      : [
          `Proven lessons that wait for your decision:\n\n${renderCandidates(candidates, columns)}\n\nRead one: ${renderNextCommand('show', first.lesson.slug)}`,
        ]),
    ...(listed.length === 0 ? [] : [listed.flatMap((one) => renderListed(one, place)).join('\n')]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ].join('\n\n');
}

/** A command stands on its own line, whole. */
function renderNote(slug: string, note: string): readonly string[] {
  const [said = '', next] = note.split(/: (?=oncebitten )/);
  return [`${slug}:`, `  ${said}`, ...(next === undefined ? [] : [`  next: ${next}`])];
}

function renderCandidates(candidates: readonly Candidate[], columns: number | undefined): string {
  const rows = candidates.map(({ lesson, track }) => [
    toPercent(track.clean / track.judged),
    `${track.judged}`,
    `${track.sessions}`,
    lesson.confidence.toFixed(2),
    lesson.slug,
    toLine(lesson.summary),
  ]);
  return renderTable(['AVOIDED', 'CASES', 'SESSIONS', 'CONFIDENCE', 'LESSON', 'SUMMARY'], rows, { columns });
}

/** Two lines: a file and a name may both be long. */
function renderListed(listed: Listed, { isHere }: Place): readonly string[] {
  const { standing, file, slug, by, at, root, projectId } = listed;
  const state = listed.state.replace('_', ' ');
  const said = standing === undefined || standing === 'there' ? state : `${state}, ${standing}`;
  const path = toLine(isHere(projectId) ? file : join(root, file));
  return [`${said.padEnd(STATE_CHARS)}${slug}`, `${' '.repeat(STATE_CHARS)}${path}, ${toMinute(at)}, by ${toLine(by)}`];
}

function renderNone({ minEffectiveness, minTasks, minConfidence }: PromotionSettings): string {
  return [
    'There is no lesson to promote in this project. Oncebitten proposes a lesson only if (settings: promotion):',
    `  - its effect was measured in at least ${minTasks} sessions`,
    `  - agents that saw it avoided the mistake in at least ${toPercent(minEffectiveness)} of the cases`,
    `  - its confidence is at least ${minConfidence}`,
    'Propose a lesson that is not proven: oncebitten lessons promote propose <lesson> --force',
  ].join('\n');
}

interface Candidate {
  readonly lesson: Lesson;
  readonly track: Track;
}

/** Lessons proven in this project that nobody has decided about yet. */
async function listCandidates(
  { store, settings }: { readonly store: Store; readonly settings: Settings },
  promotions: readonly Promotion[],
  place: Place,
): Promise<readonly Candidate[]> {
  const decided = new Set(promotions.filter(({ projectId }) => place.isHere(projectId)).map((one) => one.lessonId));
  const records = new Map((await store.listTrackRecords()).map((record) => [record.lessonId, record]));
  const candidates: Candidate[] = [];
  for (const lesson of await store.listLessons({ status: 'active' })) {
    const record = records.get(lesson.id);
    if (record === undefined || decided.has(lesson.id) || !mayBe(lesson, record, settings)) continue;
    const deliveries = await listJudged(store, lesson);
    const track = { ...toTrack(record, deliveries), ...(await readEffect(store, lesson)) };
    if (judgeCandidate(lesson, track, settings.promotion).standing !== 'candidate') continue;
    if (await isUsedHere(store, lesson, deliveries, place)) candidates.push({ lesson, track });
  }
  return candidates;
}

/** A cheap test first, so that the deliveries of most lessons are never read. */
function mayBe(lesson: Lesson, { judged, clean }: TrackRecord, { promotion }: Settings): boolean {
  const best = { judged, clean, sessions: Number.POSITIVE_INFINITY };
  return judgeCandidate(lesson, best, promotion).standing === 'candidate';
}

/** Number of recent sessions that are checked for the use of a lesson for all projects. */
const MAX_SESSIONS = 50;

export async function readTrack(store: Store, lesson: Lesson): Promise<Track> {
  const record = (await store.listTrackRecords()).find(({ lessonId }) => lessonId === lesson.id);
  if (record === undefined) return NO_TRACK;
  return { ...toTrack(record, await listJudged(store, lesson)), ...(await readEffect(store, lesson)) };
}

async function readEffect(store: Store, { id, measure }: Lesson): Promise<Pick<Track, 'effect'>> {
  const since = measure?.from;
  const trials = await store.readTrials({ lessonId: id, ...(since === undefined ? {} : { since }) });
  const { effect } = toEffects(trials);
  return effect === undefined ? {} : { effect };
}

function toTrack({ judged, clean }: TrackRecord, deliveries: readonly Delivery[]): Track {
  return { judged, clean, sessions: listSessions(deliveries).length };
}

/** Since it is measured, as its record is counted. */
async function listJudged(store: Store, { id, measure }: Lesson): Promise<readonly Delivery[]> {
  const closed = await store.listDeliveries({ lessonId: id, open: false });
  const counted = closed.filter(({ deliveredAt }) => deliveredAt > (measure?.from ?? ''));
  return counted.filter(({ kind, arm, outcome }) => kind === 'call' && arm === 'shown' && outcome !== 'incomplete');
}

async function isUsedHere(
  store: Store,
  { scope }: Lesson,
  deliveries: readonly Delivery[],
  { isHere }: Place,
): Promise<boolean> {
  if (scope.kind === 'project') return isHere(scope.id ?? '');
  for (const { agent, sessionId } of listSessions(deliveries).slice(-MAX_SESSIONS)) {
    const session = await store.findSession(agent, sessionId);
    if (session !== undefined && isHere(session.projectId)) return true;
  }
  return false;
}

function listSessions(deliveries: readonly Delivery[]): readonly Delivery[] {
  return [...new Map(deliveries.map((one) => [`${one.agent} ${one.sessionId}`, one])).values()];
}
