/**
 * What a user taught as a lesson: one plain sentence, and the calls at which it has to be known. Words and calls are
 * evidence together: what was run or edited just before the words is what they are about, and what was done right after
 * them is what they ask for. The moment that the words name comes first; where they name none, the files that were edited
 * before them, or the commit that ends the work.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { toIntent } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isDoing, isLooking } from '../../../base/shell/program-kinds.ts';
import { isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import { type ProgramTrigger, renderProgram } from '../../../base/triggers/trigger.ts';
import {
  type Around,
  areFiles,
  type Draft,
  draftEdited,
  draftOrder,
  draftWith,
  EDITS,
  type Found,
  findRun,
  has,
  RECENT,
  toDoing,
  toDraft,
  withRunner,
} from './draft.ts';
import { draftUnwanted } from './draft-ban.ts';
import { PEERS } from './find-pair.ts';
import { COMPANIONS } from './name-words.ts';
import { type Thing, toCommand, toName } from './named-things.ts';
import type { Message, Rule } from './read-words.ts';
import {
  isSameFile,
  list,
  pick,
  toFile,
  toGlob,
  toKind,
  toPlaceRegex,
  toRan,
  toRun,
  toTaskTrigger,
  toTriggers,
} from './thing-triggers.ts';

const MAX_FILES = 5;
/** More than a wish for once. */
const STANDING = ['firm', 'never', 'blame', 'remind', 'must'] as const;

export function draftRule(rule: Rule, message: Message, around: Around): Found {
  const texts = rule.named.filter(({ isText }) => isText);
  if (texts.length > 0) return has(rule, 'firm', 'never', 'ours', 'must') ? draftText(rule, texts) : undefined;
  return (
    draftPlace(rule, around) ??
    draftNeeded(rule) ??
    draftUnwanted(rule, message, around) ??
    draftMoment(rule, around) ??
    draftForm(rule, message, around) ??
    draftPeers(rule, around) ??
    draftLeftOut(rule, around)
  );
}

/** How a commit has to be described: the words themselves tell. */
function draftText({ words }: Rule, texts: readonly Thing[]): Draft {
  return toDraft(
    `The user wants of ${list(texts)}: "${toShortChars(words, 100)}"`,
    toShortChars(words, 160),
    toTriggers(texts),
  );
}

/** "New migrations go to db/versions, not to migrations/" */
function draftPlace(rule: Rule, { written }: Around): Found {
  const isFolder = ({ kind, text }: Thing): boolean => kind === 'file' && text.endsWith('/');
  const isIn = (path: string, folders: readonly Thing[]): boolean => folders.some(({ text }) => isSameFile(path, text));
  const [from, to] = [rule.unwanted.filter(isFolder), rule.wanted.filter(isFolder)];
  if (!has(rule, 'put') || from.length + to.length === 0) return undefined;
  // What was put there tells what belongs elsewhere.
  const wrong = written.filter((path) => (from.length > 0 ? isIn(path, from) : !isIn(path, to)));
  const kind = wrong.map(toKind).at(-1);
  if (from.length === 0 && kind === undefined) return undefined;
  const paths = from.length > 0 ? from.map((one) => `${toGlob(one)}/${kind ?? '*'}`) : [`**/${kind}`];
  const where = to.length > 0 ? `in ${list(to)}` : 'elsewhere';
  const what = kind === undefined ? 'new files' : `files like \`${kind}\``;
  const summary = `Put ${what} ${where}${from.length > 0 ? `, not in ${list(from)}` : ''}`;
  const unless = to.length > 0 ? { unless: { paths: to.map(toGlob) } } : {};
  return toDraft(summary, `Put it ${where}`, { tools: EDITS, paths, ...unless });
}

/** "Never x without y", "no x before y". */
function draftNeeded(rule: Rule): Found {
  const { unwanted, wanted } = rule;
  const isLate = rule.needed.length === 0 && wanted.length === 0 && unwanted.length > 0 && rule.before.length > 0;
  const needed = isLate ? rule.before : rule.needed;
  if (needed.length === 0) return undefined;
  const moments = [...unwanted, ...wanted];
  const [run, files, options] = [toRun(moments), pick(moments, 'file'), pick(needed, 'option')];
  const [first] = run;
  const things = [...toRun(needed), ...pick(needed, 'file')];
  if (first?.command !== undefined)
    return options.length > 0 ? draftWith(first.command, options) : draftOrder(things, run);
  return files.length > 0 ? draftEdited(files, things) : undefined;
}

/** Before or after something that the words name. */
function draftMoment(rule: Rule, { edited, meant, before }: Around): Found {
  if (!has(rule, ...STANDING, 'before', 'when', 'sync')) return undefined;
  const [run, files] = [pick(rule.wanted, 'command'), pick(rule.wanted, 'file')];
  const isDone = ({ text }: Thing): boolean => edited.some((path) => isSameFile(path, text));
  const things = run.length > 0 ? run : files.length > 0 ? files : toRun(rule.wanted);
  if (things.length === 0) return undefined;
  const moments = (rule.before.length > 0 ? toRun(rule.before) : findNamedMoment(rule, run, before)).map((one) =>
    withRunner(one, before),
  );
  // It was just done without.
  const isLate =
    has(rule, 'before') && moments.some((one) => findRun(one, before)) && things.every((one) => !findRun(one, before));
  if (moments.length > 0) return isLate || has(rule, ...STANDING) ? draftOrder(things, moments) : undefined;
  const [changed, done] = [pick(rule.when, 'file'), toRun(rule.when)];
  if (run.length + files.length === 0) return undefined;
  if (done.length > 0) return draftAfter(things, done, changed);
  const isTurned = areFiles(things) && things.every(isDone) && !changed.some(isDone);
  if (changed.length > 0) return isTurned ? draftEdited(things, changed) : draftEdited(changed, things);
  // "After you changed the api": what was edited tells.
  const isTold = rule.open.has('when') && has(rule, 'when') && has(rule, 'firm', 'blame', 'must') && before.length > 0;
  // An option says how, not when.
  const isForm = pick(rule.wanted, 'option').length > 0;
  return isTold && !isForm && edited.length > 0 ? draftEdited(meant.slice(-MAX_FILES).map(toFile), things) : undefined;
}

/** "Make stubs before you build": the latest command with a word that stands behind the "before". */
function findNamedMoment(rule: Rule, needed: readonly Thing[], before: readonly LiveCall[]): readonly Thing[] {
  if (!rule.open.has('before') || needed.length === 0) return [];
  const last = needed.at(-1)?.end ?? 0;
  const words = new Set(
    rule.words
      .slice(last)
      .toLowerCase()
      .match(/\p{L}{4,}/gu),
  );
  const command = before
    .slice(-RECENT)
    .flatMap(parseCall)
    .findLast(
      (one) =>
        isDoing(one) &&
        toName(one)
          .toLowerCase()
          .split(/[^\p{L}]+/u)
          .some((word) => words.has(word)),
    );
  return command === undefined ? [] : [toMoment(toName(command))];
}

function draftAfter(things: readonly Thing[], moments: readonly Thing[], places: readonly Thing[]): Draft {
  const match = places.map(({ text }) => toPlaceRegex(text));
  const triggers = { ...toTriggers(moments), ...(match.length > 0 && { command: { match } }) };
  return toDraft(`${toDoing(things)} after ${list(moments)}`, `${toDoing(things)} afterwards`, triggers);
}

/** How a command has to be written: with an option. */
function draftForm(rule: Rule, message: Message, { before, after }: Around): Found {
  const [commands, options] = [pick(rule.wanted, 'command'), pick(rule.wanted, 'option')];
  const told = commands.length > 0 ? commands : [...toRun(rule.wanted), ...toRun(rule.when)];
  // "Our PRs go to develop. --base develop."
  const named =
    told.length > 0 || !rule.words.startsWith('-')
      ? told
      : toRun(message.named).filter((one) => findRun(one, before) !== undefined);
  const names = [...new Set(named.map(toRan))];
  const [first] = named;
  const bare = options.map(({ text }) => (/^\w/.test(text) ? text : (text.split(/[= ]/, 1)[0] ?? text)));
  // The option alone: the command that got it right after the words.
  const got = after
    .flatMap(parseCall)
    .find((one) => bare.length > 0 && bare.every((name) => toOptions(one).includes(name)));
  const command = first?.command ?? got;
  if (command === undefined || names.length > 1 || rule.open.has('before')) return undefined;
  const wanted = [...bare, ...(commands.length > 0 ? toOptions(command) : [])];
  if (wanted.length === 0) return undefined;
  const plain = toTaskTrigger(command);
  const isRun = before
    .slice(-RECENT)
    .flatMap(parseCall)
    .some((one) => programHolds(plain, one) && !wanted.some((option) => hasOption(one, option)));
  const isHad = !isRun && commands.some((one) => findRun(one, before) !== undefined);
  const isMeant =
    has(rule, 'firm', 'never') ||
    (has(rule, 'blame', 'ours', 'remind') && (isRun || first !== undefined)) ||
    ((message.isTeaching || rule.words.startsWith('-')) && isRun);
  return isMeant && !isHad
    ? draftWith(
        command,
        wanted.map((text) => ({ ...toFile(text), kind: 'option' as const })),
      )
    : undefined;
}

/** `-r` of `-rn`, too. */
function hasOption({ args }: SimpleCommand, option: string): boolean {
  const letter = /^-\w$/.test(option) ? new RegExp(`^-\\w*${option.slice(1)}`) : undefined;
  return args.some(({ value }) => value === option || value.startsWith(`${option}=`) || letter?.test(value) === true);
}

/** "Always use rg": what was run before the words for the same purpose; else all programs like it. */
function draftPeers(rule: Rule, { before, after }: Around): Found {
  const [first] = pick(rule.wanted, 'command');
  const { command } = first ?? {};
  if (command === undefined || !has(rule, 'firm', 'ours') || !has(rule, 'want', 'ours', 'firm')) return undefined;
  const trait = PEERS.find((one) => isKnownAs(command.program, one));
  const isLike = (one: SimpleCommand): boolean =>
    unwrapRunner(one).program !== unwrapRunner(command).program &&
    (trait === undefined ? toIntent(one) === toIntent(command) : isKnownAs(one.program, trait));
  const seen = before.slice(-RECENT).flatMap(parseCall).filter(isLike);
  const isBare = command.args.length === 0 && has(rule, 'firm') && has(rule, 'want');
  const all = trait === undefined || !isBare ? [] : listPrograms(trait).filter((name) => name !== command.program);
  if (trait === undefined && !has(rule, 'firm') && findRun(first as Thing, after) === undefined) return undefined;
  const toPeer = (one: SimpleCommand): ProgramTrigger =>
    unwrapRunner(one) === one ? { name: one.program } : toProgramTrigger(one);
  const programs: readonly ProgramTrigger[] =
    seen.length > 0 ? seen.map(toPeer) : all.slice(0, RECENT).map((name) => ({ name }));
  if (programs.length === 0 || programs.some((one) => programHolds(one, command))) return undefined;
  const shown = [...new Set(programs.map(renderProgram))].join(' or ');
  const wanted = list([first as Thing]);
  return toDraft(`Use ${wanted} instead of ${shown}`, `Use ${wanted}`, { tools: ['shell'], programs });
}

/** No moment is named: a file belongs to the files that were edited before. */
function draftLeftOut(rule: Rule, around: Around): Found {
  const { edited, meant, editedAfter } = around;
  const files = pick(rule.wanted, 'file');
  const isDone = ({ text }: Thing): boolean => edited.some((path) => isSameFile(path, text));
  const [done, missing] = [files.filter(isDone), files.filter((one) => !isDone(one))];
  const left = missing.filter((one) => !isInside(one, rule) && (!one.isShown || has(rule, 'blame', 'change')));
  const isSplit = done.length > 0 && left.length > 0;
  if (files.length > 1 && has(rule, 'sync')) {
    const changed = isSplit ? done : files.slice(0, 1);
    return draftEdited(
      changed,
      files.filter((one) => !changed.includes(one)),
    );
  }
  const added = missing.filter(
    ({ text, isShown }) => !(isShown && done.length === 0) && editedAfter.some((path) => isSameFile(path, text)),
  );
  if (added.length > 0 && done.length > 0 && has(rule, 'firm', 'must', 'blame', 'without'))
    return draftEdited(done, added);
  const run = pick(rule.wanted, 'command');
  if (run.length > 0 || left.length === 0) return draftDue(rule, run, done, around);
  return isLeftOut(rule) && edited.length > 0 ? draftEdited(meant.slice(-MAX_FILES).map(toFile), left) : undefined;
}

/** Do the words say that something is missing, rather than what to do next? */
function isLeftOut(rule: Rule): boolean {
  if (has(rule, 'blame')) return true;
  if (has(rule, 'remind')) return has(rule, 'change') || (!MUST.test(rule.words) && rule.others <= MAX_OTHERS);
  return has(rule, 'put') ? has(rule, 'must', 'firm') : has(rule, 'firm') && has(rule, 'change');
}

/** A command is due after an edit, before what was run last, or at the commit that ends the work. */
function draftDue(rule: Rule, run: readonly Thing[], changed: readonly Thing[], { before }: Around): Found {
  const [first] = run;
  if (first?.command === undefined) return undefined;
  if (has(rule, 'blame') && changed.length > 0) return draftEdited(changed, run);
  const last = before.slice(-RECENT).flatMap(parseCall).findLast(isDoing);
  const isFirst = has(rule, 'firm', 'must', 'blame') && FIRST.test(rule.words);
  const missing = run.filter((one) => findRun(one, before) === undefined);
  if (isFirst && last !== undefined && missing.length > 0) return draftOrder(missing, [toMoment(toName(last))]);
  const isTimed = rule.open.has('before') || rule.open.has('when') || rule.open.has('needed');
  const isDue =
    has(rule, 'blame') ||
    (has(rule, 'remind', 'firm') && has(rule, 'want') && run.length === 1 && toRun(rule.wanted).length === 1);
  const isOpen = !isTimed && missing.length > 0 && !isLooking(first.command);
  const ending = findEnding(before);
  return isDue && isOpen && ending !== undefined ? draftOrder(missing, [ending]) : undefined;
}

const FIRST = /(?<!\p{L})(?:first|zuerst|erst|d'abord|primero|primeiro|prima|eerst|сначала)(?!\p{L})/iu;

/** More words say that something else is meant. */
const MAX_OTHERS = 3;

const MUST = /\b(?:must|(?:need|have|has|got) to|i (?:told|asked))\b/i;

const CODE_IN = /(?:\p{L}{3,} )(?:in|of|from|inside|im|dans|en|em|nel|nella|in der) (?:the )?[`"']?$/iu;

const COMPANION = new RegExp(`\\.(?:${COMPANIONS.replaceAll(' ', '|')})$|file$|readme|changelog`, 'i');

/** "The null check in auth.ts" is missing in code, not a file. */
function isInside({ text, at }: Thing, { words }: Rule): boolean {
  return !COMPANION.test(text) && CODE_IN.test(words.slice(0, at));
}

/** What handed work on before the words: a commit, a push, a request to merge. Edits end with a commit. */
function findEnding(calls: readonly LiveCall[]): Thing | undefined {
  const names = calls.slice(-RECENT).flatMap(parseCall).map(toName);
  const isEnding = (name: string): boolean =>
    /^(?:git (?:commit|push|tag)|gh (?:pr|release) create|\w+ publish)$/.test(name);
  const isEdited = calls.some(({ tool }) => tool === 'edit' || tool === 'write');
  const name = names.findLast(isEnding) ?? (isEdited ? 'git commit' : undefined);
  return name === undefined ? undefined : toMoment(name);
}

function toMoment(name: string): Thing {
  return { ...toFile(name), kind: 'command', command: toCommand(name) as SimpleCommand };
}
