/** A lesson as the text that the model reads. Rendered when the manifest is compiled, not during a call. */
import { isUnconfirmed } from '../base/is-vouched-for.ts';
import { type Lesson, toLevel } from '../base/lesson.ts';
import { toShortText } from '../base/short-text.ts';
import { renderClaim } from './render-claim.ts';
import { toHarmless, toUnmarked } from './to-harmless.ts';
import { type LessonPart, toLessonParts } from './to-lesson-parts.ts';

const FRAME = '===';
const SHORT_BYTES = 500;

export function renderLesson(lesson: Lesson): string {
  if (isUnconfirmed(lesson)) return renderClaim(lesson);
  const clean = toClean(lesson);
  const isCritical = toLevel(lesson.priority) === 'CRITICAL';
  const name = isCritical ? `${FRAME} CRITICAL lesson` : 'Lesson';
  return [
    `${name} ${toSource(lesson)} (${clean(lesson.slug)}): ${toOneLine(clean(lesson.summary))}`,
    ...renderParts(toLessonParts(lesson), clean),
    ...(isCritical ? [FRAME] : []),
  ].join('\n');
}

/** For a session's start, where lessons stand in a list: what it is, and what to do. */
export function renderShortLesson(lesson: Lesson): string {
  const fits = (text: string): boolean => Buffer.byteLength(text) <= SHORT_BYTES;
  if (isUnconfirmed(lesson)) return toShortText(`- ${renderClaim(lesson).replaceAll('\n', '\n  ')}`, fits);
  const clean = toClean(lesson);
  const remedies = toLessonParts(lesson).filter(({ isRemedy }) => isRemedy);
  const line = `- ${clean(lesson.slug)}: ${toOneLine(clean(lesson.summary))}`;
  const whole = [line, ...renderParts(remedies, clean)].join('\n').replaceAll('\n', '\n  ');
  return fits(whole) ? whole : toShortText(line, fits);
}

function toSource({ status, file, scope }: Lesson): string {
  // A draft speaks only in the session that taught it.
  if (status === 'draft') return 'from earlier in this session';
  // A person may have widened it since: then it is theirs.
  return file !== undefined && scope.kind === 'project' ? 'from the files of this repository' : 'from earlier work';
}

/** Lines of a text stand under its label: none of them can pass for a label, a frame or another lesson. */
function renderParts(parts: readonly LessonPart[], clean: (text: string) => string): readonly string[] {
  return parts.flatMap(({ label, text }) => {
    const said = clean(text).trim().replace(/\s*\n/g, '\n  ');
    return said === '' ? [] : [`${label}${said}`];
  });
}

function toOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

function toClean({ origin, file, scope }: Lesson): (text: string) => string {
  const isForeign = origin.trust === 'foreign' || origin.kind === 'import' || origin.kind === 'model';
  return isForeign || file !== undefined || scope.kind === 'team' ? toHarmless : toUnmarked;
}
