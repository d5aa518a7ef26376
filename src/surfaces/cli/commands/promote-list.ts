/** `oncebitten promote list`: what could be promoted here, and what became of what was. It changes nothing. */
import type { Lesson } from '../../../base/lesson.ts';
import { isOpen, type Promotion } from '../../../base/promotion.ts';
import type { PromotionSettings } from '../../../base/settings.ts';
import { toPercent } from '../../../promote/judge-candidate.ts';
import { toNext } from '../../../promote/move-promotion.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { findStanding, type Standing } from '../promote/find-standing.ts';
import { listUsedFiles } from '../promote/find-target-files.ts';
import { type Candidate, listCandidates } from '../promote/list-candidates.ts';
import { type Place, toPlace } from '../promote/to-place.ts';
import { toPromotedText } from '../promote/to-promoted-text.ts';
import { renderTable } from '../render-table.ts';
import { toLine, toMinute } from '../to-line.ts';
import { toPlainText } from '../to-plain-text.ts';

const MAX_SUMMARY = 80;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const place = toPlace(input.cwd, await store.listProjectAliases());
    const all = await store.listPromotions();
    const candidates = await listCandidates({ store, settings }, all, place);
    const wanted = all.filter((one) => input.options.all === true || (isOpen(one) && place.isHere(one.projectId)));
    const lessons = new Map((await store.listLessons()).map((lesson) => [lesson.id, lesson]));
    const listed = wanted.map((promotion) => toListed(promotion, lessons.get(promotion.lessonId), place));
    const text = render(candidates, listed) || renderNone(settings.promotion);
    return {
      json: { files: listUsedFiles(place.root), candidates: candidates.map(toJson), promotions: listed },
      text: toPlainText(text),
    };
  });

interface Listed extends Promotion {
  readonly slug: string;
  /** Of one that is applied. */
  readonly standing?: Standing;
  /** What a person should know, and do. */
  readonly note?: string;
}

function toListed(promotion: Promotion, lesson: Lesson | undefined, place: Place): Listed {
  const slug = lesson?.slug ?? promotion.lessonId;
  if (lesson === undefined || !isOpen(promotion)) return { ...promotion, slug };
  const standing = promotion.state === 'applied' ? findAnyStanding(promotion, lesson, place) : undefined;
  const note = findNote(promotion, lesson, standing);
  return {
    ...promotion,
    slug,
    ...(standing === undefined ? {} : { standing }),
    ...(note === undefined ? {} : { note }),
  };
}

/** It is gone when it is neither in the clone that it was written in nor in this one. */
function findAnyStanding(promotion: Promotion, lesson: Lesson, { isHere, root }: Place): Standing {
  const there = findStanding(promotion, lesson);
  return there === 'gone' && isHere(promotion.projectId) ? findStanding(promotion, lesson, root) : there;
}

function findNote(promotion: Promotion, lesson: Lesson, standing: Standing | undefined): string | undefined {
  const { file, state, text } = promotion;
  const { slug, status } = lesson;
  if (standing === 'gone')
    return `somebody took it out of ${file}; let it speak at its calls again: ${toNext('rollback', slug)}`;
  if (status !== 'active')
    return `the lesson is ${status} by now: ${toNext(state === 'applied' ? 'rollback' : 'reject', slug)}`;
  if (standing === 'changed') return `somebody changed it in ${file}: that stays, unless you say --force`;
  if (standing === 'unclear') return `${file} cannot be read, or its block is broken`;
  if (text === '' || text === toPromotedText(lesson)) return undefined;
  return `the lesson says something else by now: ${toNext(state === 'applied' ? 'apply' : 'approve', slug)}`;
}

function toJson({ lesson, track }: Candidate) {
  const { id, slug, summary, confidence, priority, scope } = lesson;
  return { id, slug, title: summary, confidence, priority, scope, ...track, effectiveness: track.clean / track.judged };
}

function render(candidates: readonly Candidate[], listed: readonly Listed[]): string {
  const notes = listed.flatMap(({ slug, note }) => (note === undefined ? [] : [`${slug}: ${note}`]));
  const [first] = candidates;
  return [
    ...(first === undefined
      ? []
      : [
          `Proven, and nobody has decided yet:\n\n${renderCandidates(candidates)}\n\nRead one: ${toNext('show', first.lesson.slug)}`,
        ]),
    ...(listed.length === 0 ? [] : [renderListed(listed)]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
  ].join('\n\n');
}

function renderCandidates(candidates: readonly Candidate[]): string {
  const rows = candidates.map(({ lesson, track }) => [
    toPercent(track.clean / track.judged),
    `${track.judged}`,
    `${track.sessions}`,
    lesson.confidence.toFixed(2),
    lesson.slug,
    toLine(lesson.summary, MAX_SUMMARY),
  ]);
  return renderTable(['CLEAN', 'JUDGED', 'SESSIONS', 'CONF', 'LESSON', 'SAYS'], rows);
}

function renderListed(listed: readonly Listed[]): string {
  const rows = listed.map(({ state, standing, file, slug, by, at }) => [
    standing === undefined || standing === 'there' ? state : `${state}, ${standing}`,
    file,
    slug,
    toMinute(at),
    by,
  ]);
  return renderTable(['STATE', 'FILE', 'LESSON', 'SINCE', 'BY'], rows);
}

function renderNone({ minEffectiveness, minTasks, minConfidence }: PromotionSettings): string {
  return [
    `Nothing to promote here. A lesson is proposed once ${toPercent(minEffectiveness)} of its judged deliveries stayed clean,`,
    `in ${minTasks} sessions or more, at confidence ${minConfidence} or more (settings: promotion).`,
    'Propose one yourself: oncebitten promote propose <lesson> --force',
  ].join('\n');
}
