/**
 * The words of a lesson anew, from the two calls that its evidence shows: where the calls that it was told from are
 * forgotten, and where it was learned by a build that kept the objects of one day, or cut, in its words.
 */
import type { Lesson } from '../../base/lesson.ts';
import { findObjectKind } from '../../base/object-kind.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { isOption } from '../../base/program-words.ts';
import { isClosed } from '../../base/short-text.ts';
import { findCulprit } from '../culprit/find-culprit.ts';
import { toEditText } from '../edit-text.ts';
import { toShortCommand } from '../to-short-command.ts';

/** Between what went wrong and what helped, in an excerpt. */
export const FIXED_BY = '\nfixed by: ';

export type Words = Pick<Lesson, 'summary' | 'mistake' | 'remediation' | 'edit'>;

/** Behind the claim of a summary stands what to do, which is the example's. */
const ADVICE = /: (?:use|replace|leave out|add|run|put|set) (?=`|it |the )|, as in `/;

export function toClaim({ summary }: Pick<Lesson, 'summary'>): string {
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
    ...{ claim: toClaim(lesson), failed, fixing, said, tags: lesson.tags },
    points:
      culprit === undefined ? { told: said } : culprit.role === 'program' ? { program: true, told: said } : { culprit },
  });
  return words;
}

function findWhole(command: string) {
  return isWhole(command) ? parseCommand(command, { rawTool: 'Bash' }) : [];
}

/** Neither cut nor told by kinds. */
function isWhole(command: string): boolean {
  return command !== '' && isClosed(command) && !/…|<[a-z]+>|<<|\s-$/.test(command);
}

/** What is wrong with the words of a lesson: cut, no whole command or sentence, or with objects that no trigger names. */
export type TextFault = 'cut' | 'fragment' | 'object';

export function findTextFault({
  summary,
  remediation,
  triggers,
}: Pick<Lesson, 'summary' | 'remediation' | 'triggers'>): TextFault | undefined {
  const about = JSON.stringify(triggers).replaceAll('\\', '');
  const codes = [summary, remediation].flatMap((text) => [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code));
  const all = isBareCommand(remediation) ? [...codes, remediation] : codes;
  if ([summary, remediation].some((text) => !isClosed(text)) || all.some((code) => /[^\s>]…|^…/.test(code)))
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
  return parseCommand(code.replace(/<[a-z]+>|…|\{\w+\}/g, ''), { rawTool: 'Bash' }).some(({ args }) =>
    args.some((word) => {
      const value = word.value.slice(isOption(word.value) ? word.value.indexOf('=') + 1 : 0);
      const kind = isOption(value) || value === '' ? undefined : findObjectKind({ value, text: value });
      const isOfDay =
        kind !== undefined && !['name', 'pattern'].includes(kind) && /\w\w/.test(value) && !code.includes('{');
      return isOfDay && !about.includes(value.replace(/^\.\/|\/$/g, ''));
    }),
  );
}

/**
 * A lesson whose words are right for any call. What a person wrote, approved or changed is theirs. Of what was learned the
 * words are told anew from its evidence where they are not sound; where that is not possible it says less.
 */
export function toSoundLesson(lesson: Lesson): Lesson {
  const isLearned = lesson.origin.kind === 'episode' || lesson.origin.trust === 'observed';
  if (!isLearned || lesson.reviewedBy !== undefined || lesson.file !== undefined || lesson.edit !== undefined)
    return lesson;
  if (findTextFault(lesson) === undefined && !isBareCommand(lesson.remediation)) return lesson;
  for (const { excerpt = '' } of lesson.evidence.toReversed()) {
    const told = retell(lesson, excerpt);
    if (told !== undefined && findTextFault({ ...lesson, ...told }) === undefined) return { ...lesson, ...told };
  }
  return sayLess(lesson);
}

function sayLess(lesson: Lesson): Lesson {
  const [fixing, ...others] = findWhole(isBareCommand(lesson.remediation) ? lesson.remediation : '');
  const template = fixing === undefined || others.length > 0 ? '' : toShortCommand(fixing, 120);
  const remediation = template.includes(' ') ? `Use \`${template}\`` : '';
  const isSummarySound = findTextFault({ ...lesson, remediation: '' }) === undefined;
  return { ...lesson, summary: isSummarySound ? lesson.summary : toClaim(lesson), remediation };
}
