/**
 * Did a user say the same thing again, perhaps in other words? Rules are compared by the commands and files that they are
 * about, and by their sense: run this first, use another, change both.
 */
import type { Lesson } from '../../base/model/lesson.ts';
import { isSamePath } from '../../base/text/paths.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';

/** The tag of a rule that a user stated. */
export const USER_RULE = 'topic:user-rule';

type Rule = Pick<Lesson, 'triggers' | 'remediation'>;

/** The remedy of a rule for which there are no other words than the user's. */
export function toSaidRemedy(words: string): string {
  return `The user said: "${words}"`;
}

/** The user's words in such a remedy. */
export function findSaidWords(remediation: string): string | undefined {
  return /^The user said: "(.*)"$/s.exec(remediation)?.[1];
}

export function isSameRule(a: Rule, b: Rule): boolean {
  return isSamePlace(a, b) && mayMeanTheSame(a.remediation, b.remediation);
}

/**
 * One command may be refused for several reasons. Where a remedy is what the user said, the other one has to share half of
 * the words that tell something.
 */
function mayMeanTheSame(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => findSaidWords(text) ?? text) as [string, string];
  if (one === other || (one === a && other === b)) return true;
  const [some, others] = [listTelling(one), listTelling(other)];
  const shared = some.filter((word) => others.includes(word)).length;
  return shared > 0 && shared * 2 >= Math.min(some.length, others.length);
}

const COMMON = new Set(
  'the and for but not don doesn didn shouldn mustn never ever always please stop hey nope just only say said ask asked tell told use run want need should must can will would did does any anything something again here you your our'.split(
    ' ',
  ),
);

/** Words without their endings: `commits` and `committing` tell the same. */
function listTelling(text: string): readonly string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? [];
  const telling = words.filter((word) => !COMMON.has(word));
  return [...new Set(telling.map((word) => word.replace(/(?<=...)(?:ing|ed|s)$/, '').replace(/(.)\1$/, '$1')))];
}

function isSamePlace(a: Rule, b: Rule): boolean {
  const [one, other] = [a.triggers, b.triggers];
  if (!isSame(one.tools, other.tools)) return false;
  if (one.session !== undefined || other.session !== undefined) return isSame(one.session, other.session);
  if (one.paths !== undefined && other.paths !== undefined)
    return a.remediation === b.remediation || sharePaths(one.paths, other.paths);
  return isSame(one.command, other.command) && shareProgram(one, other);
}

function shareProgram({ programs: some = [] }: Triggers, { programs: others = [] }: Triggers): boolean {
  if (some.length + others.length === 0) return true;
  return some.some((a) => others.some((b) => a.name === b.name && isSame(a.args, b.args) && isWithin(a, b)));
}

/** `npm` and `npm install`, but not `npm install` and `npm test`. */
function isWithin({ sub: some = [] }: ProgramTrigger, { sub: others = [] }: ProgramTrigger): boolean {
  return some.every((word, i) => others[i] === undefined || others[i] === word);
}

/** Two files of one rule: one alone may be in many. */
function sharePaths(some: readonly string[], others: readonly string[]): boolean {
  const shared = some.filter((path) => others.some((other) => isSamePath(toPath(path), toPath(other))));
  return shared.length >= Math.min(2, some.length, others.length);
}

function toPath(glob: string): string {
  return glob.replace(/^\*\*\//, '');
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
