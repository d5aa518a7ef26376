/**
 * What a user taught as a lesson: one plain sentence, and the calls at which it has to be known. Words and calls are
 * evidence together: what was run or edited just before the words is what they are about, and what was done right after
 * them is what they ask for. The moment that the words name comes first; where they name none, the files that were edited
 * before them, or the commit that ends the work.
 */

import { toOptions } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import {
  type Around,
  type Draft,
  draftEdited,
  draftOrder,
  draftWith,
  findRun,
  has,
  isEdited,
  list,
  listRecent,
  pick,
  toCommandThing,
  toDoing,
  toDraft,
  toFile,
  toOptionName,
  toPlace,
  toRun,
  toTaskTrigger,
  toTriggers,
  withRunner,
} from './draft.ts';
import { draftUnwanted } from './draft-ban.ts';
import { COMPANIONS } from './name-words.ts';
import type { Thing } from './named-things.ts';
import type { Message, Rule } from './read-words.ts';

const MAX_FILES = 5;
/** More than a wish for once. */
const STANDING = ['firm', 'never', 'blame', 'remind', 'must'] as const;

export function draftRule(rule: Rule, message: Message, around: Around): Draft | undefined {
  return (
    draftNeeded(rule) ??
    draftUnwanted(rule, message, around) ??
    draftMoment(rule, around) ??
    draftForm(rule, message, around) ??
    draftTogether(rule, around) ??
    draftLeftOut(rule, around)
  );
}

/** "Never x without y". */
function draftNeeded({ needed, unwanted, wanted }: Rule): Draft | undefined {
  const moments = [...unwanted, ...wanted];
  const [run, files, options] = [toRun(moments), pick(moments, 'file'), pick(needed, 'option')];
  const things = [...toRun(needed), ...pick(needed, 'file')];
  if (run[0]?.command !== undefined && options.length > 0)
    return draftWith(
      run[0].command,
      options.map(({ text }) => text),
    );
  return run.length > 0 ? draftOrder(things, run) : draftEdited(files, things);
}

/** Before or after something that the words name. */
function draftMoment(rule: Rule, { before, edited }: Around): Draft | undefined {
  const [run, files] = [pick(rule.wanted, 'command'), pick(rule.wanted, 'file')];
  const things = run.length > 0 ? run : files.length > 0 ? files : toRun(rule.wanted);
  if (things.length === 0) return undefined;
  const moments = toRun(rule.before).map((one) => withRunner(one, before));
  if (moments.length > 0) return has(rule, ...STANDING) ? draftOrder(things, moments, rule.before) : undefined;
  if (run.length + files.length === 0) return undefined;
  const [changed, done] = [pick(rule.when, 'file'), toRun(rule.when)];
  // "When x changes, run y" is no wish for once; "after x run y" is.
  const isFirst = (changed[0]?.at ?? Number.POSITIVE_INFINITY) < (things[0]?.at ?? 0);
  if (!has(rule, ...STANDING, 'when', 'sync') && !(isFirst && has(rule, 'change'))) return undefined;
  if (done.length > 0)
    return toDraft(`${toDoing(things)} after ${list(done)}`, `${toDoing(things)} afterwards`, {
      ...toTriggers(done),
      ...toPlace(done, changed),
    });
  // "Change x together with y", and x was edited.
  const isTurned = things.every((one) => isEdited(one, edited)) && !changed.some((one) => isEdited(one, edited));
  return isTurned ? draftEdited(things, changed) : draftEdited(changed, things);
}

/** How a command has to be written: with an option. */
function draftForm(rule: Rule, message: Message, { before, after }: Around): Draft | undefined {
  const [commands, options] = [pick(rule.wanted, 'command'), pick(rule.wanted, 'option')];
  const named = commands.length > 0 ? commands : [...toRun(rule.wanted), ...toRun(rule.when)];
  const names = options.map(({ text }) => toOptionName(text));
  // The option alone: the command that got it right after the words.
  const got = after
    .flatMap(parseCall)
    .find((one) => names.length > 0 && names.every((name) => toOptions(one).includes(name)));
  const meant = named.find((one) => one.command && toOptions(one.command).length > 0) ?? named[0];
  const command = meant === undefined ? got : withRunner(meant, before).command;
  // "Always pull with --rebase before you start" is about the moment, "run x with --check before running it" about x.
  if (command === undefined || (rule.open.has('before') && names.length === 0)) return undefined;
  const wanted = [...names, ...(commands.length > 0 ? toOptions(command) : [])];
  if (wanted.length === 0) return undefined;
  const plain = toTaskTrigger(command);
  const was = listRecent(before).filter((one) => programHolds(plain, one));
  const isRun = was.some((one) => !wanted.some((option) => toOptions(one).includes(option)));
  // "psql -1 -f", where `psql -f` was run: the other options are no news.
  const isNews = (option: string): boolean => !was.some((one) => toOptions(one).includes(option));
  const news = wanted.some(isNews) ? wanted.filter(isNews) : wanted;
  const isMeant = has(rule, 'firm', 'never', 'blame', 'remind') || (message.isTeaching && isRun);
  return isMeant ? draftWith(command, news) : undefined;
}

/** Files that change together: the ones that were edited before the words lead. */
function draftTogether(rule: Rule, { edited }: Around): Draft | undefined {
  const files = pick(rule.wanted, 'file');
  if (files.length < 2 || !has(rule, 'sync')) return undefined;
  const done = files.filter((one) => isEdited(one, edited));
  const changed = done.length > 0 && done.length < files.length ? done : files.slice(0, 1);
  return draftEdited(
    changed,
    files.filter((one) => !changed.includes(one)),
  );
}

/** No moment is named: a file belongs to the files that were edited before, a command to the commit that ends the work. */
function draftLeftOut(rule: Rule, { edited, meant, before }: Around): Draft | undefined {
  if (!isLeftOut(rule) || rule.open.has('before') || rule.open.has('needed') || edited.length === 0) return undefined;
  const changed = [...new Set(meant.slice(-MAX_FILES).map((path) => widen(path, rule.words)))].map(toFile);
  const run = pick(rule.wanted, 'command').filter(({ command }) => command !== undefined && !isLooking(command));
  if (run.length > 0) {
    const isKind = changed.every(({ text }) => text.endsWith('/'));
    if (!has(rule, 'blame') && !(isKind && rule.open.has('when'))) return undefined;
    // "You forgot to run it after you changed the api": what was edited tells.
    if (rule.open.has('when')) return draftEdited(changed, run);
    const missing = run.filter((one) => findRun(one, before) === undefined);
    return draftOrder(missing, toCommandThing('git commit'));
  }
  const left = pick(rule.wanted, 'file').filter((one) => !isEdited(one, edited) && !isCode(one, rule));
  return draftEdited(changed, left);
}

/** "Whenever you change a model" is about the folder `models` that the edited file is in. */
function widen(path: string, words: string): string {
  const folders = path.split('/').slice(0, -1);
  const isSaid = (name: string): boolean =>
    new RegExp(`\\b(?:an?|any|each|every) (?:new )?${toLiteral(name.replace(/s$/, ''))}s?\\b`, 'i').test(words);
  const at = folders.findIndex(isSaid);
  return at < 0 ? path : `${folders.slice(0, at + 1).join('/')}/`;
}

/** More words say that something else is meant. */
const MAX_OTHERS = 3;

const MUST = /\b(?:must|(?:need|have|has|got) to|i (?:told|asked))\b/i;

/** Do the words say that something is missing, rather than what to do next? */
function isLeftOut(rule: Rule): boolean {
  if (has(rule, 'blame')) return true;
  if (has(rule, 'remind')) return has(rule, 'change') || (!MUST.test(rule.words) && rule.others <= MAX_OTHERS);
  return has(rule, 'firm') && has(rule, 'change');
}

const CODE_IN = /(?:it|them|\p{L}{3,}) (?:in|of|from|inside|im|dans|en|em|nel|nella|in der) (?:the )?[`"']?$/iu;

const COMPANION = new RegExp(`\\.(?:${COMPANIONS.replaceAll(' ', '|')})$|file$|readme|changelog`, 'i');

/** "The null check in auth.ts" is missing in code, not a file; "you also need to update auth.ts" holds once. */
function isCode({ text, sentence, at }: Thing, rule: Rule): boolean {
  return !COMPANION.test(text) && (!has(rule, 'blame', 'firm') || CODE_IN.test(sentence.slice(0, at)));
}
