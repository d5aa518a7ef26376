/** What a lesson says below its summary, in the parts that its type has (M8). Parts that are not known are left out. */
import type { Lesson } from '../base/lesson.ts';
import type { ChecklistBody, LessonBody, PatternBody, RequirementBody, WarningBody } from '../base/lesson-body.ts';

export interface LessonPart {
  /** Before the text, on the same line. */
  readonly label: string;
  readonly text: string;
  /** What to do: all that there is room for at a session's start. */
  readonly isRemedy?: true;
}

type Words = Pick<Lesson, 'type' | 'summary' | 'mistake' | 'remediation' | 'body' | 'tags'>;

export function toLessonParts(lesson: Words): readonly LessonPart[] {
  const said = new Set(['', toPlain(lesson.summary)]);
  // What was just said is not said again: its bytes are the user's.
  return listParts(lesson, lesson.body ?? toBody(lesson)).filter(({ text }) => {
    const isNew = !said.has(toPlain(text));
    said.add(toPlain(text));
    return isNew;
  });
}

function listParts(lesson: Words, body: LessonBody): readonly LessonPart[] {
  if ('items' in body) return [...listItems(body), ...(lesson.body === undefined ? [toWhy(lesson.mistake)] : [])];
  if ('situation' in body) return listPattern(body, lesson);
  return 'constraint' in body ? listRequirement(body, lesson) : listWarning(body, lesson);
}

/** Of a lesson that has none: the same parts, as far as its two texts fill them. */
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

/** Lines, or steps that are numbered in one line. */
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
