/**
 * What a user does not want: a command, an option, or an edit of a file. The words name it, or they name what to do in its
 * place, and the calls show the rest: it was done just before them, and it is not done any more.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { toProgramTrigger } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isLooking } from '../../../base/shell/program-kinds.ts';
import { findFacts, isKnownAs } from '../../../base/shell/programs/all-facts.ts';
import type { Trait } from '../../../base/shell/programs/vocabulary.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { isInterpreter } from '../../../base/shell/sub-commands.ts';
import { toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { isNamedCommand, programHolds } from '../../../base/triggers/check-triggers.ts';
import {
  type Around,
  type Draft,
  EDITS,
  findPlace,
  findRun,
  has,
  isEdited,
  list,
  listRecent,
  pick,
  toCommandThing,
  toDraft,
  toGlob,
  toRun,
  toTaskTrigger,
  toTriggers,
  withRunner,
} from './draft.ts';
import { PLACE_WORDS } from './name-words.ts';
import { type Thing, toName } from './named-things.ts';
import type { Message, Rule } from './read-words.ts';

/** What must not be run or edited. */
export function draftUnwanted(rule: Rule, message: Message, around: Around): Draft | undefined {
  const unwanted = rule.unwanted.length === 0 ? findShown(rule, message, around) : rule.unwanted;
  const [commands, files, options] = [toRun(unwanted), pick(unwanted, 'file'), pick(unwanted, 'option')];
  const isBanned = has(rule, 'firm', 'never', 'not-behind', 'made');
  if (commands.length > 0) {
    const isRun = commands.some((one) => {
      const wrapped = toWrapped(one);
      if (wrapped !== undefined) return around.before.some(({ command = '' }) => new RegExp(wrapped).test(command));
      return findRun(one, around.before) !== undefined;
    });
    return isBanned || isRun ? draftInstead(rule, unwanted, around) : undefined;
  }
  if (options.length > 0) return isBanned || findHad(options, around) ? draftOption(rule, options, around) : undefined;
  if (files.length === 0) return undefined;
  const isKept = files.every((one) => isEdited(one, around.edited))
    ? has(rule, 'change', 'made', 'never', 'not-behind') || isElsewhere(pick(rule.wanted, 'file'), files)
    : isBanned && has(rule, 'change', 'made') && !DELETING.test(rule.words);
  return isKept ? draftHandsOff(rule, files) : undefined;
}

/** "Never delete build/" forbids no edit. */
const DELETING = /\b(?:delet|remov)(?:e|ing)\b/i;

/** "x.py in this folder, not the one in that" was mixed up. */
function isElsewhere(wanted: readonly Thing[], files: readonly Thing[]): boolean {
  const toNameOf = ({ text }: Thing): string => toBaseName(toPlainPath(text));
  return wanted.length > 0 && !wanted.some((one) => files.map(toNameOf).includes(toNameOf(one)));
}

/** The parser drops `sudo`, and a trigger on programs sees through it. */
function toWrapped({ text }: Thing): string | undefined {
  return findFacts(text.split(/\s/, 1)[0] ?? '')?.wraps && `(?:^|[\\s;&|(])${toLiteral(text)}\\s`;
}

/** What the words do not call unwanted: it was done just before them, and it is not done any more. */
function findShown(rule: Rule, message: Message, around: Around): readonly Thing[] {
  const { before, after, edited, editedAfter } = around;
  const placed = [...rule.before, ...rule.when, ...rule.needed].map(({ text }) => text);
  const toFree = (named: readonly Thing[]): readonly Thing[] => named.filter(({ text }) => !placed.includes(text));
  const free = toFree(message.named);
  // "Tom pulled and got errors" asks for nothing.
  const isTold = ({ kind, sentence, end }: Thing): boolean => kind === 'deed' && /ed$/.test(sentence.slice(0, end));
  const wanted = toRun(rule.wanted).filter((one) => findRun(one, before) === undefined && !isTold(one));
  const run = pick(free, 'command').filter((one) => findRun(one, before) && !findRun(one, after));
  const isAbout = message.isTeaching && (wanted.length > 0 || rule.open.has('unwanted'));
  if (run.length > 0 && isAbout) return run;
  const rivals = findRivals(wanted, rule, message, around);
  if (rivals.length > 0) return rivals;
  // "You edited it by hand, never do that": what the message names.
  const about = rule.open.has('unwanted') || rule.named.length === 0 ? free : toFree(rule.named);
  const options = pick(about, 'option');
  if (options.length > 0 && rule.open.has('unwanted') && findHad(options, around)) return options;
  const isObjected = has(rule, 'made') || (rule.open.has('unwanted') && has(rule, 'change'));
  return isObjected ? pick(about, 'file').filter((one) => isEdited(one, edited) && !isEdited(one, editedAfter)) : [];
}

/** What was run for the purpose of the command that is wanted. */
function findRivals(
  wanted: readonly Thing[],
  rule: Rule,
  message: Message,
  { before, after }: Around,
): readonly Thing[] {
  const isFirm = has(rule, 'firm');
  if (!isFirm && !message.isTeaching) return [];
  const later = after.filter(hasWorked).flatMap(parseCall);
  const rivals = listRecent(before).filter((was) => {
    if (later.some(({ program }) => program === was.program)) return false;
    return wanted.some((one) => {
      const then = findRun(one, after.filter(hasWorked));
      if (isFirm && isWrapping(one, was)) return true;
      if (then === undefined) return isFirm && one.command !== undefined && arePeers(was, one.command);
      return arePeers(was, then) || (!isLooking(was) && !isLooking(then) && areRivals(was, then));
    });
  });
  return [...new Set(rivals.map(({ program }) => program))].flatMap(toCommandThing);
}

/** `pytest`, where `docker compose exec web pytest` is wanted. */
function isWrapping({ text }: Thing, { program }: SimpleCommand): boolean {
  return !isInterpreter(program) && text.split(/\s+/).indexOf(program) > 0;
}

/** Programs that can stand in for each other. */
const PEERS: readonly Trait[] = ['node-packages', 'searches', 'finds', 'http'];

function arePeers(one: SimpleCommand, other: SimpleCommand): boolean {
  return (
    one.program !== other.program &&
    PEERS.some((trait) => isKnownAs(one.program, trait) && isKnownAs(other.program, trait))
  );
}

/** Have both commands a word in common that says what they work on? */
function areRivals(one: SimpleCommand, other: SimpleCommand): boolean {
  const words = new Set(toPositionals(other));
  return toPositionals(one).some((word) => words.has(word) && !PASSING.test(word));
}

/** Names of one day, and the words of a runner, which say nothing about what it runs. */
const PASSING = /^\d|^[0-9a-f]{7,}$|:\/\/|\s|^.{0,1}$|[*?$<>]|^(?:run|exec|x|dlx|task)$/;

function draftHandsOff(rule: Rule, files: readonly Thing[]): Draft {
  const run = pick(rule.wanted, 'command');
  const others = pick(rule.wanted, 'file').filter((one) => !files.some(({ text }) => text === one.text));
  const areFolders = files.every(({ text }) => text.endsWith('/'));
  const triggers = { tools: EDITS, paths: files.map(toGlob) };
  if (areFolders && others.length > 0 && others.every(({ text }) => text.endsWith('/')))
    return toDraft(`Put files in ${list(others)}, not in ${list(files)}`, `Put it in ${list(others)}`, {
      ...triggers,
      unless: { paths: others.map(toGlob) },
    });
  const how = [others.length > 0 && `change ${list(others)}`, run.length > 0 && `run ${list(run)}`]
    .filter(Boolean)
    .join(' and ');
  const remedy =
    how === '' ? 'Leave it as it is, or ask the user first' : `${how[0]?.toUpperCase()}${how.slice(1)} instead`;
  return toDraft(`Do not edit ${areFolders ? 'files in ' : ''}${list(files)}`, remedy, triggers);
}

function draftInstead(rule: Rule, unwanted: readonly Thing[], { before }: Around): Draft | undefined {
  const [commands, files, options] = [toRun(unwanted), pick(unwanted, 'file'), pick(unwanted, 'option')];
  if (files.length > 0 && commands.some(({ kind }) => kind === 'deed')) return draftUncommitted(files);
  // "No grep -r, because grep takes ages" asks for no grep.
  const isTold = (one: SimpleCommand): boolean =>
    commands.some(({ command }) => command && programHolds(toTaskTrigger(one), command));
  const allowed = pick(rule.wanted, 'command').filter(
    (one) => findPlace(one) !== undefined || !one.command || !isTold(one.command),
  );
  // "Not before I had a look" holds for now.
  if (rule.open.has('needed') && allowed.length === 0 && !ASKING.test(rule.words)) return undefined;
  // "… instead of npm in the Dockerfile" is about the file.
  if (pick(rule.named, 'file').some((one) => IN_FILE.test(one.sentence.slice(0, one.at)))) return undefined;
  const match = commands.flatMap((one) => toWrapped(one) ?? []);
  if (match.length > 0)
    return toDraft(`Do not use ${list(commands)}`, 'Leave it out, or ask the user first', {
      tools: ['shell'],
      line: { match },
    });
  const run = commands.map((one) => withRunner(one, before));
  // "Don't run train.py with python" names one call twice.
  const isPart = ({ command, text }: Thing): boolean =>
    run.some((one, i) => one !== commands[i] && one.command?.program === command?.program && text === command?.program);
  const typed = run.filter((one, i) => one !== commands[i] || !isPart(one));
  const branch = findBranch(typed);
  const target = branch === undefined ? typed.flatMap((one) => findTarget(one, before) ?? []) : [];
  const instead = allowed.length > 0 ? allowed : pick(rule.wanted, 'option');
  if (branch === undefined && instead.length === 0 && target.length === 0 && typed.some((one) => isNarrowed(one, rule)))
    return undefined;
  const more = [...options.flatMap(({ text }) => text.split(/[\s=]+/)), ...target];
  const onBranch = branch === undefined ? {} : { command: { match: [`(?:^|[\\s:/])${branch}(?:\\s|$)`] } };
  const ran = { ...toTriggers(typed, more), ...onBranch };
  // "Not `npm install`, `npm`" was not understood.
  const others = rule.wanted.filter((one) => !commands.some(({ text }) => text === one.text));
  const same = others
    .map((one) => withRunner(one, before))
    .filter(({ command }) => command && isNamedCommand(ran, command));
  const places = same.flatMap((one) => findPlace(one) ?? []);
  if (same.length > places.length && branch === undefined) return undefined;
  const triggers = places.length === 0 ? ran : { ...ran, command: { ...ran.command, unless: places.map(toLiteral) } };
  const parts = [
    list(typed),
    more.length > 0 && `with ${more.map((word) => `\`${word}\``).join(' ')}`,
    branch && `on \`${branch}\``,
  ];
  const what = parts.filter(Boolean).join(' ');
  if (instead.length === 0) return toDraft(`Do not run ${what}`, 'Leave it out, or ask the user first', triggers);
  return toDraft(`Use ${list(instead)} instead of ${what}`, `Use ${list(instead)}`, triggers);
}

const IN_FILE = /\b(?:in|inside|im|dans|en|em|nel|na|no) (?:the |der |le |el )?[`"']?$/i;

/** Behind "without" and "unless": the user wants to be asked. */
const ASKING =
  /\bask|permission|approv|consent|\bok(?:ay)?\b|confirm|\bgo\b|i say|tell you|told|frag|erlaub|demand|accord|pregunt|permiso|pergunt|permiss|autoriz|chied|vra[ag]|спрос|разреш|[问問许許]|허락/i;

const BRANCH =
  /(?<![\w-])(?:to|on|onto|into|auf|nach|in|sur|vers|dans|a|en|para|na|no|su|op|naar|到|向|に|へ)?\s*[`'"]?(?:origin[/ ])?(main|master|develop|trunk|production|staging)[`'"]?(?![\w-]|\.\w)/gi;

/** The branch that must not be pushed to: the one nearest to the command. */
function findBranch(commands: readonly Thing[]): string | undefined {
  const onGit = commands.find(({ command }) => command?.program === 'git');
  if (onGit === undefined) return undefined;
  const { sentence, at, end } = onGit;
  const between = ({ index }: RegExpExecArray): string =>
    index < at ? sentence.slice(index, at) : sentence.slice(end, index);
  return [...sentence.matchAll(BRANCH)]
    .filter((found) => !/[,.;:]/.test(between(found)))
    .sort((a, b) => between(a).length - between(b).length)[0]?.[1];
}

/** "Don't run psql against db-main": a word of the call that was made, behind a word of place. */
function findTarget(thing: Thing, before: readonly LiveCall[]): string | undefined {
  const word = TARGET.exec(thing.sentence.slice(thing.end))?.[1];
  const values = findRun(thing, before)?.args.flatMap(({ value }) => [value, value.replace(/^--?\w[\w-]*=/, '')]) ?? [];
  return values.find((value) => value === word);
}

const TARGET = new RegExp(
  `^[\`"']? (?:${PLACE_WORDS}|for)(?: the)? (?:-{1,2}\\w[\\w-]* )?[\`"']?(\\w(?:[\\w.:/@-]*\\w)?)`,
  'i',
);

/** Behind a deed, up to the end of the clause: nothing that tells which of them is meant. */
const WHOLE_DEED =
  /^(?:\s+(?:directly|yourself|by yourself|on your own|automatically|again|ever(?: again)?|here|please|pls|anything|(?:my|your|the) (?:changes|work|stuff|things|commits)|for me|at all|in this \w+|to (?:this|the) (?:repo|remote)|(?:or|and|und|oder|et|ou|y|o)\s+\S*(?:push|commit|merge|rebase)\S*|(?:without|unless|until|before|under|from now on)\b.*))*\s*(?:[,.;:!()–—-]|$)/i;

/** A place or a purpose, other than the project itself. */
const NARROWED =
  /^[`"']?\s+(?:against|for|during|(?:in|on)(?! (?:any|my|our|the|these|this) (?:code ?base|projects?|repos?(?:itor(?:y|ies))?|machines?|box|laptop|computer)\b))\s/i;

/** "Never commit secrets" forbids no commit, "never helm upgrade on prod" no upgrade. */
function isNarrowed({ kind, sentence, at, end }: Thing, rule: Rule): boolean {
  const rest = sentence.slice(end);
  // "Never change prod with kubectl"
  if (has(rule, 'change') && /\bwith (?:the )?[`"]?$/.test(sentence.slice(0, at))) return true;
  if (kind !== 'deed') return NARROWED.test(rest) && /\bnever\b/i.test(sentence);
  return /^[\x20-\x7e\u00c0-\u024f]*$/.test(sentence) && !WHOLE_DEED.test(rest);
}

function draftUncommitted(files: readonly Thing[]): Draft {
  const names = files.map(({ text }) => text);
  const programs = ['add', 'commit'].map((sub) => ({ name: 'git', sub: [sub], args: { any: names } }));
  return toDraft(`Do not commit ${list(files)}`, `Leave ${list(files)} out of commits`, { tools: ['shell'], programs });
}

function findHad(options: readonly Thing[], { before }: Around): SimpleCommand | undefined {
  const names = options.flatMap(({ text }) => text.split(/[\s=]+/));
  return before
    .flatMap(parseCall)
    .findLast((one) => names.every((name) => one.args.some(({ value }) => value.split('=')[0] === name)));
}

/** "Never use --no-verify": with the command that had it, if one did. */
function draftOption(rule: Rule, options: readonly Thing[], around: Around): Draft | undefined {
  const [named] = [...toRun(rule.wanted), ...toRun(rule.when)];
  const command = named?.command ?? findHad(options, around);
  // `-v` means something else to every program.
  if (command === undefined && options.some(({ text }) => /^-\w$/.test(text))) return undefined;
  const match = options.map(({ text }) => `(?:^|\\s)${toLiteral(text)}(?:[\\s=]|$)`);
  const place = command === undefined ? '' : ` with \`${toName(command)}\``;
  const programs = command === undefined ? {} : { programs: [toProgramTrigger(command)] };
  const triggers = { tools: ['shell'] as const, ...programs, command: { match } };
  return toDraft(`Do not use ${list(options)}${place}`, 'Leave the option out', triggers);
}
