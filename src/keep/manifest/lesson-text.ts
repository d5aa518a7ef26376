/**
 * Renders a lesson as the text that the model reads, in the parts that its type has. The text is rendered when the
 * manifest is compiled, not during a call. A lesson from outside that nobody here has confirmed becomes a quotation
 * with its source, never a rule.
 */

import {
  type ChecklistBody,
  type Lesson,
  type LessonBody,
  type PatternBody,
  type RequirementBody,
  toLevel,
  type WarningBody,
} from '../../base/model/lesson.ts';
import { isUnconfirmed } from '../../base/model/lesson-trust.ts';
import { removeKnownTags, toHarmless, toHarmlessLine } from '../../base/text/harmless-text.ts';
import { toShortText } from '../../base/text/short-text.ts';
import { toQuotationName, withholdCommands } from '../../base/text/withhold-commands.ts';

const FRAME = '===';
const SHORT_BYTES = 500;

export function renderLesson(lesson: Lesson): string {
  if (isUnconfirmed(lesson)) return renderQuotation(lesson);
  const clean = toClean(lesson);
  const isCritical = toLevel(lesson.priority) === 'CRITICAL';
  const name = isCritical ? `${FRAME} CRITICAL lesson` : 'Lesson';
  return [
    `${name} ${toSource(lesson)} (${clean(lesson.slug)}): ${toOneLine(clean(lesson.summary))}`,
    ...renderParts(toLessonParts(lesson), clean),
    ...(isCritical ? [FRAME] : []),
  ].join('\n');
}

/** The short form for the list at the start of a session: the mistake and the remedy. */
export function renderShortLesson(lesson: Lesson): string {
  const fits = (text: string): boolean => Buffer.byteLength(text) <= SHORT_BYTES;
  if (isUnconfirmed(lesson)) return toShortText(`- ${renderQuotation(lesson).replaceAll('\n', '\n  ')}`, fits);
  const clean = toClean(lesson);
  const remedies = toLessonParts(lesson).filter(({ isRemedy }) => isRemedy);
  const line = `- ${clean(lesson.slug)}: ${toOneLine(clean(lesson.summary))}`;
  const whole = [line, ...renderParts(remedies, clean)].join('\n').replaceAll('\n', '\n  ');
  return fits(whole) ? whole : toShortText(line, fits);
}

function toSource({ status, file, scope }: Lesson): string {
  // A draft fires only in the session that taught it.
  if (status === 'draft') return 'from earlier in this session';
  // A person may have widened the scope since; then the lesson is theirs.
  return file !== undefined && scope.kind === 'project' ? 'from the files of this repository' : 'from earlier work';
}

/** The lines of a text are indented under its label, so that none can pass for a label, a frame or another lesson. */
function renderParts(parts: readonly LessonPart[], clean: (text: string) => string): readonly string[] {
  return parts.flatMap(({ label, text }) => {
    const cleaned = clean(text).trim().replace(/\s*\n/g, '\n  ');
    return cleaned === '' ? [] : [`${label}${cleaned}`];
  });
}

function toOneLine(text: string): string {
  return text.trim().replace(/\s*\n\s*/g, ' ');
}

function toClean({ origin, file, scope }: Lesson): (text: string) => string {
  const isForeign = origin.trust === 'foreign' || origin.kind === 'import' || origin.kind === 'model';
  return isForeign || file !== undefined || scope.kind === 'team' ? toHarmless : removeKnownTags;
}

const MAX_QUOTE_CHARS = 300;

/** Its words are quoted on one line each, without the labels of lessons and without commands that are not read-only. */
function renderQuotation(lesson: Lesson): string {
  const quotes = listQuotes(lesson);
  const lines = quotes.map(({ label, text }) => `${label}: "${text}"`);
  return [
    `Unverified claim from ${toQuotedSource(lesson)}. Nobody here has confirmed it; it is quoted as information only.`,
    ...lines,
  ].join('\n');
}

/** Does the lesson contain a command that is hidden until a person confirms the lesson? */
export function hidesCommand(lesson: Lesson): boolean {
  return listTexts(lesson).some(({ text }) => withholdCommands(text).isWithheld);
}

function toQuotedSource({ id, file, origin }: Lesson): string {
  if (file !== undefined) {
    const name = toQuotationName(file.slug, id);
    return `a file of this repository (${name === id ? id : `.oncebitten/lessons/${toHarmlessLine(name)}.json`})`;
  }
  return origin.kind === 'import' ? 'an imported file' : 'text that a program or a page printed';
}

interface Quote {
  readonly label: 'it states' | 'it describes' | 'it mentions';
  readonly text: string;
}

/** Each quotation once. A quotation of which only the mark is left shows that something was removed. */
function listQuotes(lesson: Lesson): readonly Quote[] {
  const quotes = listTexts(lesson).map(({ label, text }) => ({ label, text: toQuote(withholdCommands(text).text) }));
  const seen = new Set<string>(['']);
  return quotes.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function listTexts(lesson: Lesson): readonly Quote[] {
  const parts = toLessonParts({ ...lesson, tags: [] });
  return [
    { label: 'it states', text: lesson.summary },
    ...parts.map(
      ({ text, isRemedy }) => ({ label: isRemedy === true ? 'it mentions' : 'it describes', text }) as const,
    ),
  ];
}

/** Orders in capitals; frames, headings, boxes and fences; `system:`. */
const SHOUTED =
  /\b(?:ALWAYS|ATTENTION|CRITICAL|DO NOT|IGNORE|IMPORTANT|MANDATORY|MUST|NEVER|NOTE|OVERRIDE|REQUIRED|SYSTEM|URGENT|WARNING)\b/g;
const MARKUP = /={3,}|-{4,}|\*{2,}|#{1,6}(?=\s)|`{3,}|\[[ xX]\]/g;
const ROLE = /\b(system|assistant|developer|human|user|tool|must|do|verify|mitigate|when|lesson)\s*[:：]/gi;

function toQuote(text: string): string {
  const line = toHarmlessLine(text)
    .replace(MARKUP, ' ')
    .replace(ROLE, '$1 -')
    .replace(SHOUTED, (word) => word.toLowerCase())
    .replace(/["“”„«»]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_QUOTE_CHARS) return line;
  const cut = line.slice(0, MAX_QUOTE_CHARS);
  const end = cut.lastIndexOf(' ');
  // Does not end inside our own mark.
  return `${(end < 0 ? cut : cut.slice(0, end)).replace(/\[[^\]]*$/, '').trim()} …`;
}

interface LessonPart {
  /** The label before the text, on the same line. */
  readonly label: string;
  readonly text: string;
  /** The remedy, which is the only part shown at the start of a session. */
  readonly isRemedy?: true;
}

type Words = Pick<Lesson, 'type' | 'summary' | 'mistake' | 'remediation' | 'body' | 'tags'>;

/** The parts of a lesson below its summary, by its type. Unknown parts are left out. */
export function toLessonParts(lesson: Words): readonly LessonPart[] {
  const rendered = new Set(['', toPlain(lesson.summary)]);
  // Repeated text is left out, because it would waste the user's budget.
  return listParts(lesson, lesson.body ?? toBody(lesson)).filter(({ text }) => {
    const isNew = !rendered.has(toPlain(text));
    rendered.add(toPlain(text));
    return isNew;
  });
}

function listParts(lesson: Words, body: LessonBody): readonly LessonPart[] {
  if ('items' in body) return [...listItems(body), ...(lesson.body === undefined ? [toWhy(lesson.mistake)] : [])];
  if ('situation' in body) return listPattern(body, lesson);
  return 'constraint' in body ? listRequirement(body, lesson) : listWarning(body, lesson);
}

/** For a lesson without a body: the same parts, as far as its two texts fill them. */
function toBody({ type, mistake, remediation }: Words): LessonBody {
  if (type === 'checklist') return { title: '', ...toItems(remediation) };
  if (type === 'pattern') return { situation: '', action: remediation };
  if (type === 'requirement') return { constraint: remediation };
  return { risk: mistake };
}

function listItems({ title, items, format }: ChecklistBody): readonly LessonPart[] {
  const boxes = items.map((text, n) => {
    const label = format === 'ordered' ? `${n + 1}. [ ] ` : '- [ ] ';
    return { label, text, isRemedy: true } as const;
  });
  return [{ label: '', text: title }, ...boxes];
}

function listPattern(body: PatternBody, { mistake }: Words): readonly LessonPart[] {
  return [
    { label: 'When: ', text: body.situation },
    { label: 'Do: ', text: body.action, isRemedy: true },
    toWhy(body.rationale ?? mistake),
    { label: 'Example: ', text: body.example ?? '' },
  ];
}

function listWarning(body: WarningBody, { remediation, tags }: Words): readonly LessonPart[] {
  return [
    { label: 'Risk: ', text: body.risk },
    { label: 'Severity: ', text: body.severity ?? findTag(tags, 'severity:') },
    { label: 'Detect: ', text: body.detection ?? '' },
    { label: 'Mitigate: ', text: body.mitigation ?? remediation, isRemedy: true },
  ];
}

function listRequirement(body: RequirementBody, { mistake }: Words): readonly LessonPart[] {
  return [
    { label: 'Must: ', text: body.constraint, isRemedy: true },
    toWhy(body.rationale ?? mistake),
    { label: 'Verify: ', text: body.validation ?? '' },
  ];
}

function toWhy(text: string): LessonPart {
  return { label: 'Why: ', text };
}

const NUMBER = /^\d+[.)]\s+/;
const MARK = /^(?:[-*•]\s+)?(?:\[[ x]\]\s+)?/i;

/** Lines, or numbered steps on one line. */
function toItems(text: string): Pick<ChecklistBody, 'items' | 'format'> {
  const lines = text.split('\n').flatMap((line) => splitNumbers(line.trim()));
  const items = lines.map((line) => line.replace(NUMBER, '').replace(MARK, '')).filter((item) => item !== '');
  const isOrdered = lines.length > 1 && lines.every((line) => line === '' || NUMBER.test(line));
  return { items, ...(isOrdered ? { format: 'ordered' as const } : {}) };
}

function splitNumbers(line: string): readonly string[] {
  return /^1[.)] .*\s2[.)] /.test(line) ? line.split(/\s+(?=\d{1,2}[.)] )/) : [line];
}

function findTag(tags: readonly string[], prefix: string): string {
  return tags.find((tag) => tag.startsWith(prefix))?.slice(prefix.length) ?? '';
}

function toPlain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}
