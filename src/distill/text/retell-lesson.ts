/**
 * The words of a lesson anew, from the two calls that its evidence shows: where the calls that it was told from are
 * forgotten, and where it was learned by a build that kept the objects of one day, or cut, in its words.
 */

import type { Lesson } from '../../base/model/lesson.ts';
import type { CommandEdit } from '../../base/shell/command-edit.ts';
import { findObjectKind } from '../../base/shell/object-kind.ts';
import { BASH, parseCommand } from '../../base/shell/parse-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { hasClosedQuotes } from '../../base/text/short-text.ts';
import { findCulprit } from '../episodes/find-culprit.ts';
import { joinEdits } from '../episodes/join-edits.ts';
import { SET_UP } from '../episodes/set-up.ts';
import { narrowStored } from '../episodes/teachable-edit.ts';
import { toContentHash } from '../lessons/hash-lesson.ts';
import { USER_RULE } from '../lessons/same-rule.ts';
import { REMEDY_CHARS, SUMMARY_CHARS, toEditText, toSentence } from './edit-text.ts';
import { renderEdit } from './render-edit.ts';
import { toShortCommand } from './to-short-command.ts';

/** Between what went wrong and what helped, in an excerpt. */
export const FIXED_BY = '\nfixed by: ';

type Words = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'edit'>;

/** Behind the complaint of a summary stands what to do, which is the example's. */
const ADVICE = /: (?:either )?(?:use|replace|leave out|add|run|put|set) (?=`|it |the )|, as in `/;

export function toSummaryComplaint({ summary }: Pick<Lesson, 'summary'>): string {
  return summary.split(ADVICE)[0] ?? summary;
}

/** Undefined where the excerpt does not show both commands whole. */
export function retell(lesson: Pick<Lesson, 'summary' | 'tags'>, excerpt: string): Words | undefined {
  const [mistake = '', fix = ''] = excerpt.split(FIXED_BY);
  const [, wrong = '', said = ''] = /^`([^`]+)` failed(?: again)?(?:: (.*))?$/s.exec(mistake) ?? [];
  const [failed, ...more] = findWhole(wrong);
  const [fixing, ...others] = findWhole(fix);
  if (failed === undefined || fixing === undefined || more.length + others.length > 0) return undefined;
  const culprit = findCulprit([failed], said);
  const {
    tags: _,
    example: __,
    ...words
  } = toEditText({
    complaint: toSummaryComplaint(lesson),
    failed,
    fixing,
    said,
    tags: lesson.tags,
    points:
      culprit === undefined
        ? { message: said }
        : culprit.role === 'program'
          ? { program: true, message: said }
          : { culprit },
  });
  return words;
}

function findWhole(command: string) {
  return isWhole(command) ? parseCommand(command, BASH) : [];
}

/** Neither cut nor told by kinds. */
function isWhole(command: string): boolean {
  return command !== '' && hasClosedQuotes(command) && !/…|<[a-z]+>|<<|\s-$/.test(command);
}

/** What is wrong with the words of a lesson: cut, no whole command or sentence, or with objects that no trigger names. */
type TextFault = 'cut' | 'fragment' | 'object';

function findTextFault({
  summary,
  remediation,
  triggers,
}: Pick<Lesson, 'summary' | 'remediation' | 'triggers'>): TextFault | undefined {
  const about = JSON.stringify(triggers).replaceAll('\\', '');
  const codes = [summary, remediation].flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  const all = isBareCommand(remediation) ? [...codes, remediation] : codes;
  if ([summary, remediation].some((text) => !hasClosedQuotes(text)) || all.some((code) => /[^\s>]…|^…/.test(code)))
    return 'cut';
  if (remediation !== '' && !/\s/.test(remediation.trim())) return 'fragment';
  if (all.some((code) => /<<-?\s*['"]?\w|\s-$|^\S+\s-$/.test(code))) return 'fragment';
  return all.some((code) => hasObject(code, about)) ? 'object' : undefined;
}

/** As lessons were told before: the command that worked, without a word around it. */
function isBareCommand(text: string): boolean {
  return !text.includes('`') && /^(?:[A-Za-z_]\w*=\S*\s+)*[~./\w-]+(?:\s|$)/.test(text) && /^[^A-Z]|=/.test(text);
}

function hasObject(code: string, about: string): boolean {
  return parseCommand(code.replace(/<[a-z]+>|…|\{\w+\}/g, ''), BASH).some(({ args }) =>
    args.some((word) => {
      const value = word.value.slice(isOption(word.value) ? word.value.indexOf('=') + 1 : 0);
      const kind = isOption(value) || value === '' ? undefined : findObjectKind({ value, text: value });
      const isOfDay =
        kind !== undefined && !['name', 'pattern'].includes(kind) && /\w\w/.test(value) && !code.includes('{');
      return isOfDay && !about.includes(value.replace(/^\.\/|\/$/g, ''));
    }),
  );
}

/** What the user named is what the rule is about, and a set-up is the same for every call. */
const ABOUT_OBJECTS = [USER_RULE, SET_UP];

/**
 * A lesson whose words and edit are right for any call. What a person wrote, approved or changed keeps its words. Of what
 * was learned, an edit of an earlier build is narrowed to what the error points at, and words that are not sound are told
 * anew, from the edit or from the evidence; where that is not possible the lesson says less. The lesson itself comes back
 * where nothing has to change.
 */
export function toSoundLesson(lesson: Lesson): Lesson {
  const isLearned = lesson.origin.kind === 'episode' || lesson.origin.trust === 'observed';
  // A known fix may name a folder or a word of its project, because it is shown with the same error only.
  if (!isLearned || lesson.triggers.failure === true) return lesson;
  const isOwn = lesson.reviewedBy !== undefined || lesson.file !== undefined;
  const edit = lesson.edit && narrowEdit(lesson, lesson.edit);
  const isSame = edit === lesson.edit;
  if (isOwn) return isSame ? lesson : putEdit(lesson, edit);
  const found = findTextFault(lesson);
  const fault = found === 'object' && lesson.tags.some((tag) => ABOUT_OBJECTS.includes(tag)) ? undefined : found;
  // The words of an edit may name objects that the lesson is about.
  const isEditSound = isSame && (fault === undefined || fault === 'object');
  const isSound = lesson.edit === undefined ? fault === undefined && !isBareCommand(lesson.remediation) : isEditSound;
  if (isSound) return lesson;
  const words = (edit && tellEdit(lesson, edit)) ?? findRetold(lesson);
  const sound = words === undefined ? sayLess(lesson) : { ...putEdit(lesson, undefined), ...words };
  return { ...sound, contentHash: toContentHash(sound) };
}

function putEdit({ edit: _, ...lesson }: Lesson, edit: CommandEdit | undefined): Lesson {
  return edit === undefined ? lesson : { ...lesson, edit };
}

/** The given edit itself where all of it may be told. */
function narrowEdit({ mistake, triggers }: Lesson, edit: CommandEdit): CommandEdit | undefined {
  if (edit.narrowed) return edit;
  const [, said = mistake] = /^`[^`]+` failed[^:]*: (.*)$/s.exec(mistake) ?? [];
  const words = (triggers.programs ?? []).flatMap(({ args }) => [...(args?.any ?? []), ...(args?.all ?? [])]);
  const found = narrowStored(edit, words, said);
  return JSON.stringify(found) === JSON.stringify(edit) ? edit : found && { ...found, narrowed: true };
}

/** Adds the fix of more evidence. Where it differs from the known one, the lesson names both, and corrects no call. */
export function addFix(lesson: Lesson, added: CommandEdit): Lesson {
  const edit = lesson.edit && joinEdits(lesson.edit, added);
  if (edit === undefined || edit === lesson.edit) return lesson;
  const words = tellEdit(lesson, edit) ?? tellNothing(lesson, edit);
  const { replacement, ...rest } = lesson;
  const isOne = edit.others === undefined && replacement !== undefined;
  const next = { ...rest, ...words, ...(isOne ? { replacement } : {}) };
  return { ...next, contentHash: toContentHash(next) };
}

/** Fixes that differ too much to name them all. */
function tellNothing(lesson: Lesson, edit: CommandEdit): Words {
  const name = [edit.program, ...(edit.sub ?? [])].join(' ');
  return {
    summary: toSummaryComplaint(lesson),
    mistake: lesson.mistake,
    remediation: `Look up how \`${name}\` is used: several different changes worked`,
    edit,
  };
}

function tellEdit(lesson: Lesson, edit: CommandEdit): Words | undefined {
  const how = renderEdit(edit, REMEDY_CHARS);
  if (how === undefined) return undefined;
  const summary = `${toSummaryComplaint(lesson)}: ${how}`;
  const words = {
    summary: summary.length > SUMMARY_CHARS ? toSummaryComplaint(lesson) : summary,
    remediation: toSentence(how),
  };
  return findTextFault({ ...lesson, ...words }) === 'cut' ? undefined : { mistake: lesson.mistake, ...words, edit };
}

function findRetold(lesson: Lesson): Words | undefined {
  for (const { excerpt = '' } of lesson.evidence.toReversed()) {
    const words = retell(lesson, excerpt);
    if (words !== undefined && findTextFault({ ...lesson, ...words }) === undefined)
      return words.edit === undefined ? words : { ...words, edit: { ...words.edit, narrowed: true } };
  }
  return undefined;
}

function sayLess(lesson: Lesson): Lesson {
  const [fixing, ...others] = findWhole(isBareCommand(lesson.remediation) ? lesson.remediation : '');
  const template = fixing === undefined || others.length > 0 ? '' : toShortCommand(fixing, 120);
  const remediation = template.includes(' ') ? `Use \`${template}\`` : '';
  // Beside the complaint a summary tells the edit, which is not told any more.
  const isSummarySound = lesson.edit === undefined && findTextFault({ ...lesson, remediation: '' }) === undefined;
  const { edit: _, ...bare } = lesson;
  return { ...bare, summary: isSummarySound ? lesson.summary : toSummaryComplaint(lesson), remediation };
}
