/** Applies a person's edit to a lesson. From then on the words are theirs, and later findings only add evidence. */
import { addForm, type Lesson, type LessonValidity } from '../base/model/lesson.ts';
import { toCanonicalJson } from '../base/records.ts';
import { restartMeasuring } from './lesson-states.ts';
import type { Author, Transition } from './transition.ts';

type Words = 'type' | 'summary' | 'mistake' | 'remediation' | 'body';
type Edited = Words | 'triggers' | 'priority' | 'mode' | 'scope' | 'tags';

/** Only the fields to change. `null` removes a limit. */
export type LessonPatch = Partial<Pick<Lesson, Edited>> & {
  readonly validFrom?: string | null;
  readonly validUntil?: string | null;
};

type ToContentHash = (content: Pick<Lesson, 'mistake' | 'remediation' | 'triggers'>) => string;

export function editLesson(lesson: Lesson, patch: LessonPatch, act: Author, toContentHash: ToContentHash): Transition {
  const { validFrom, validUntil, ...fields } = patch;
  const { from, until, ...rest } = lesson.validity;
  const validity = toValidity(rest, {
    from: validFrom === undefined ? from : validFrom,
    until: validUntil === undefined ? until : validUntil,
  });
  if (validity.from !== undefined && validity.until !== undefined && validity.from >= validity.until)
    return { refused: 'would never be valid', next: 'give an end that is after its beginning' };
  const edited = {
    ...dropUnproven(dropBody(lesson, patch), patch),
    ...fields,
    ...(patch.mode === undefined ? {} : { modeBy: act.by }),
    validity,
  };
  if (isSame(edited, lesson))
    return { refused: 'would not change', next: 'see what can be changed: oncebitten lessons edit --help' };
  return {
    lesson: {
      ...(changesMeaning(patch) ? restartMeasuring(edited, act.at) : edited),
      ...toForms(lesson, edited),
      contentHash: toContentHash(edited),
      reviewedBy: act.by,
      updatedAt: act.at,
    },
  };
}

/** Measurements are valid only for the words, trigger and mode that were measured. */
function changesMeaning({ summary, mistake, remediation, body, triggers, mode }: LessonPatch): boolean {
  return [summary, mistake, remediation, body, triggers, mode].some((field) => field !== undefined);
}

/** The body repeats the words in parts, so a change of the words removes it. */
function dropBody(lesson: Lesson, patch: LessonPatch): Lesson {
  const isChanged = (['type', 'summary', 'mistake', 'remediation'] as const).some(
    (key) => patch[key] !== undefined && patch[key] !== lesson[key],
  );
  if (!isChanged || patch.body !== undefined) return lesson;
  const { body: _, ...rest } = lesson;
  return rest;
}

/** Results of calls are valid only for the trigger and the fix that produced them. */
function dropUnproven(lesson: Lesson, { triggers, remediation }: LessonPatch): Lesson {
  const { tested, replacement, edit, ...rest } = lesson;
  const isTriggerChanged = triggers !== undefined && !isSame(triggers, lesson.triggers);
  const isFixChanged = remediation !== undefined && remediation !== lesson.remediation;
  return {
    ...rest,
    ...(tested === undefined || isTriggerChanged ? {} : { tested }),
    ...(replacement === undefined || isTriggerChanged || isFixChanged ? {} : { replacement }),
    ...(edit === undefined || isTriggerChanged || isFixChanged ? {} : { edit }),
  };
}

/** The form before the edit stays known. */
function toForms(before: Lesson, after: Lesson): Pick<Lesson, 'learnedAs'> {
  const isSameForm = isSame(addForm([], before), addForm([], after));
  return isSameForm ? {} : { learnedAs: addForm(before.learnedAs, before) };
}

function toValidity(
  rest: Omit<LessonValidity, 'from' | 'until'>,
  { from, until }: Readonly<Record<'from' | 'until', string | null | undefined>>,
): LessonValidity {
  return { ...rest, ...(from == null ? {} : { from }), ...(until == null ? {} : { until }) };
}

function isSame(a: unknown, b: unknown): boolean {
  return (a === undefined) === (b === undefined) && toCanonicalJson(a) === toCanonicalJson(b);
}
