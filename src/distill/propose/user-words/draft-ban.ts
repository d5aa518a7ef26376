/**
 * What a user does not want: a command, an option, or an edit of a file. The words name it, or they name what to do in its
 * place, and the calls show the rest: it was done just before them, and it is not done any more, or is taken back.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { toOptions } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { findFacts } from '../../../base/shell/programs/all-facts.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isInterpreter } from '../../../base/shell/sub-commands.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { type Around, type Draft, EDITS, type Found, findRun, has, RECENT, toDraft, withRunner } from './draft.ts';
import { arePeers, areRivals } from './find-pair.ts';
import { type Thing, toCommand, toName } from './named-things.ts';
import type { Message, Rule } from './read-words.ts';
import {
  isSameFile,
  list,
  pick,
  toFile,
  toGlob,
  toLackTriggers,
  toMadeFiles,
  toRun,
  toTriggers,
} from './thing-triggers.ts';

/** What must not be run or edited. */
export function draftUnwanted(rule: Rule, message: Message, around: Around): Found {
  const shown = rule.unwanted.length === 0 ? findShown(rule, message, around) : rule.unwanted;
  const [commands, files, options] = [toRun(shown), pick(shown, 'file'), pick(shown, 'option')];
  const isBanned = has(rule, 'firm', 'never', 'ours', 'not-behind', 'made');
  if (commands.length > 0) {
    const isRun = commands.every((one) => findRun(one, around.before) !== undefined || isWrapping(one, around.before));
    return isBanned || isRun ? draftInstead(rule, commands, files, options, around) : undefined;
  }
  const isEdited = files.length > 0 && files.every(({ text }) => around.edited.some((path) => isSameFile(path, text)));
  if (options.length > 0) return isBanned || findHad(options, around) ? draftOption(rule, options, around) : undefined;
  // "eslint.config.js, not .eslintrc.json"
  const isContrast = isEdited && pick(rule.wanted, 'file').length > 0;
  const isKept = isContrast || has(rule, 'change', 'made', 'by-hand', 'never', 'not-behind');
  if (files.length === 0 || rule.open.has('needed') || !isKept) return undefined;
  const isForever = has(rule, 'firm', 'never', 'ours', 'not-behind') || (has(rule, 'not') && has(rule, 'made'));
  return isEdited || (isForever && has(rule, 'change', 'made', 'by-hand')) ? draftHandsOff(rule, files) : undefined;
}

/** `sudo` of `sudo npm i`. */
function isWrapping({ text }: Thing, calls: readonly LiveCall[]): boolean {
  return calls.slice(-RECENT).some(({ command = '' }) => command.startsWith(`${text} `));
}

/** What the message names, was done just before it, and is not done any more. */
function findShown(rule: Rule, { named, isTeaching, isRejected }: Message, around: Around): readonly Thing[] {
  const { before, after, edited, editedAfter } = around;
  const parts = [...rule.wanted, ...rule.before, ...rule.when, ...rule.needed];
  const free = named.filter((one) => !parts.some(({ text }) => text === one.text));
  const wanted = toRun(rule.wanted).filter((one) => findRun(one, before) === undefined);
  // "In the container: docker compose exec web pytest", where `pytest` ran.
  const inner = wanted.flatMap((one) => findWrapped(one, before) ?? []);
  if (inner.length > 0) return inner;
  const run = free.filter(
    (one) => one.kind === 'command' && findRun(one, before) !== undefined && findRun(one, after) === undefined,
  );
  const isRival = wanted.some((one) =>
    run.some((other) => {
      const [then, was] = [findRun(one, after) ?? one.command, findRun(other, before)];
      return (
        then !== undefined &&
        was !== undefined &&
        then.program !== was.program &&
        (arePeers(then, was) || areRivals(then, was))
      );
    }),
  );
  if (run.length > 0 && (isRival || (isTeaching && (wanted.length > 0 || rule.open.has('unwanted'))))) return run;
  const about = rule.open.has('unwanted') ? named : rule.named;
  const others = about.filter((one) => free.includes(one));
  const kept = pick(others.length > 0 || UPDATE.test(rule.words) ? others : about, 'file').filter(
    ({ text }) => edited.some((path) => isSameFile(path, text)) && !editedAfter.some((path) => isSameFile(path, text)),
  );
  const isObjected = isRejected || has(rule, 'not', 'never', 'made', 'by-hand', 'not-behind', 'ours');
  const isUndone = isObjected && kept.every((one) => isReverted(one, after));
  if (kept.length > 0)
    return isUndone || (rule.open.has('unwanted') && has(rule, 'made', 'change', 'by-hand')) ? kept : [];
  // "That's a generated file."
  const last = edited.at(-1);
  const isLeft = last !== undefined && after.length > 0 && !editedAfter.includes(last);
  return isLeft && has(rule, 'made') && rule.open.has('unwanted') ? [toMadeFiles(last)] : [];
}

/** The file is the task. */
const UPDATE = /^\W*(?:please |ok |now |and |then )*(?:update|add|write|create|change|edit|fix|extend|improve)\b/i;

const UNDOING = /^git (?:checkout|restore|revert|reset|stash)$/;

/** The agent took its change of a file back. */
function isReverted({ text }: Thing, after: readonly LiveCall[]): boolean {
  return after
    .flatMap(parseCall)
    .some(
      (one) =>
        UNDOING.test(toName(one).split(' ').slice(0, 2).join(' ')) &&
        one.args.some(({ value }) => isSameFile(value, text)),
    );
}

/** The program that was run as it is, and that a longer command runs. */
function findWrapped({ text, command }: Thing, calls: readonly LiveCall[]): Thing | undefined {
  const words = text.split(/\s+/);
  const run = calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .findLast((one) => one.piped !== true && one.program !== command?.program && words.indexOf(one.program) > 0);
  if (run === undefined) return undefined;
  const [script = ''] = run.args.map(({ value }) => value);
  const name = isInterpreter(run.program) && words.includes(script) ? `${run.program} ${script}` : run.program;
  const inner = toCommand(name);
  return inner && { ...toFile(name), kind: 'command', command: inner };
}

function draftHandsOff(rule: Rule, files: readonly Thing[]): Draft {
  const run = pick(rule.wanted, 'command');
  const others = pick(rule.wanted, 'file').filter((one) => !files.some(({ text }) => text === one.text));
  const how = [others.length > 0 && `change ${list(others)}`, run.length > 0 && `run ${list(run)}`]
    .filter(Boolean)
    .join(' and ');
  const remedy =
    how === '' ? 'Leave it as it is, or ask the user first' : `${how[0]?.toUpperCase()}${how.slice(1)} instead`;
  const inside = files.every(({ text }) => text.endsWith('/')) ? 'files in ' : '';
  return toDraft(`Do not edit ${inside}${list(files)}`, remedy, { tools: EDITS, paths: files.map(toGlob) });
}

function draftInstead(
  rule: Rule,
  commands: readonly Thing[],
  files: readonly Thing[],
  options: readonly Thing[],
  { before }: Around,
): Found {
  if (files.length > 0 && commands.some(({ kind }) => kind === 'deed')) return draftUncommitted(files);
  if (rule.open.has('needed') && pick(rule.wanted, 'command').length === 0 && !ASKING.test(rule.words))
    return undefined;
  // "… instead of npm in the Dockerfile" is about the file.
  if (
    rule.named.some(
      (one) => one.kind === 'file' && !one.text.endsWith('/') && IN_FILE.test(rule.words.slice(0, one.at)),
    )
  )
    return undefined;
  const typed = commands.map((one) => withRunner(one, before));
  const where = findWhere(typed, rule.words, before);
  const allowed = pick(rule.wanted, 'command').filter((one) => !typed.some(({ text }) => text === one.text));
  const instead = allowed.length > 0 ? allowed : pick(rule.wanted, 'option');
  if (where === undefined && instead.length === 0 && typed.some((one) => isNarrowed(one, rule.words))) return undefined;
  const wrapper = typed.find(({ command }) => findFacts(command?.program ?? '')?.wraps !== undefined);
  // A trigger on programs sees through `sudo`.
  if (wrapper?.command?.args.length === 0)
    return toDraft(`Do not use ${list([wrapper])}`, 'Leave it out, or ask the user first', {
      tools: ['shell'],
      line: { match: [`(?:^|[\\s;&|(])${toLiteral(wrapper.text)}\\s`] },
    });
  const more = options.flatMap(({ text }) => text.split(/[\s=]+/));
  const triggers = { ...toTriggers(typed, more), ...(where && { command: { match: [where.match] } }) };
  const isSelf = ({ command }: Thing): boolean =>
    command !== undefined &&
    (triggers.programs ?? []).some((one) => programHolds(one, command)) &&
    triggers.command === undefined;
  const same = instead.find(isSelf)?.command;
  // "Not `cmake .`, `cmake -S . -B build`": without the options. "Not `npm install`, `npm`" was not understood.
  const lacking =
    same && toOptions(same).filter((one) => !typed.some(({ command }) => command && toOptions(command).includes(one)));
  if (lacking?.length === 0) return undefined;
  const exact = lacking === undefined ? triggers : { ...triggers, ...toLackTriggers(triggers.programs ?? [], lacking) };
  const parts = [list(commands), options.length > 0 && `with ${list(options)}`, where && `on \`${where.name}\``];
  const what = parts.filter((part) => part).join(' ');
  if (instead.length === 0) return toDraft(`Do not run ${what}`, 'Leave it out, or ask the user first', triggers);
  return toDraft(`Use ${list(instead)} instead of ${what}`, `Use ${list(instead)}`, exact);
}

const IN_FILE = /\b(?:in|inside|im|dans|en|em|nel|na|no) (?:the |der |le |el )?[`"']?$/i;

const ASKING =
  /\bask|permission|approv|consent|\bok(?:ay)?\b|confirm|\bgo\b|i say|tell you|told|frag|erlaub|demand|accord|pregunt|permiso|pergunt|permiss|autoriz|chied|vra[ag]|спрос|разреш|[问問许許]|허락/i;

const BRANCH =
  /(?<![\w-])(?:to|on|onto|into|auf|nach|in|sur|vers|dans|a|en|para|na|no|su|op|naar|到|向|に|へ)?\s*[`'"]?(?:origin[/ ])?(main|master|develop|trunk|production|staging)[`'"]?(?![\w-]|\.\w)/gi;

/** The branch that must not be pushed to: the one nearest to the command. */
function findBranch(words: string, { at, end }: Thing): string | undefined {
  const far = ({ index }: RegExpExecArray): number => (index < at ? at - index : index - end);
  const isNear = ({ index }: RegExpExecArray): boolean =>
    !/[,.;:]/.test(index < at ? words.slice(index, at) : words.slice(end, index));
  return [...words.matchAll(BRANCH)].filter(isNear).sort((a, b) => far(a) - far(b))[0]?.[1];
}

/** A branch, or another word of the call, without which the command may be run. */
interface Where {
  readonly name: string;
  /** Regular expression for the command. */
  readonly match: string;
}

function findWhere(commands: readonly Thing[], words: string, before: readonly LiveCall[]): Where | undefined {
  const onGit = commands.find(({ command }) => command?.program === 'git');
  const branch = onGit && findBranch(words, onGit);
  if (branch !== undefined) return { name: branch, match: `(?:^|[\\s:/])${branch}(?:\\s|$)` };
  const place = findPlace(commands, words, before);
  return place === undefined ? undefined : { name: place, match: `(?:^|[\\s=:@/"'])${toLiteral(place)}` };
}

/** "Don't run psql against db-prod": what the words name behind the command, if it was run with it. */
function findPlace(commands: readonly Thing[], words: string, before: readonly LiveCall[]): string | undefined {
  const [only, ...others] = commands;
  const place = only && others.length === 0 ? AT_PLACE.exec(words.slice(only.end))?.[1] : undefined;
  const isRunThere =
    place !== undefined && findRun(only as Thing, before)?.args.some(({ value }) => value.includes(place));
  return isRunThere ? place : undefined;
}

const AT_PLACE =
  /^[`"']?\s+(?:for (?:any|every)thing |for files |any(?:thing|where) )?(?:on|against|for|in|inside|under|below|auf|bei|gegen|unter|sur|contre|sous|dans|en|contra|bajo|em|op|tegen)\s+(?:the )?[`"']?([\p{L}\d][\p{L}\d._/-]{2,}[\p{L}\d])/iu;

/** Behind a deed, up to the end of the clause: nothing that tells which of them is meant. */
const WHOLE_DEED =
  /^(?:\s+(?:directly|yourself|by yourself|on your own|automatically|again|ever(?: again)?|here|please|pls|anything|for me|at all|in this \w+|to (?:this|the) (?:repo|remote)|(?:or|and|und|oder|et|ou|y|o)\s+\S*(?:push|commit|merge|rebase)\S*|(?:without|unless|until|before|under|from now on)\b.*))*\s*(?:[,.;:!()–—-]|$)/i;

/** A place or a case, other than the project itself. */
const PLACED =
  /^[`"']?\s+(?:on|against|for|in|inside|during|while|if|when|from|outside|auf|bei|für|gegen|sur|pour|dans|para|contra|em|op)\s+(?!(?:this|the|our|any|these|here|future|general|there|you|edits?|search|tests?)\b)\p{L}/iu;

/** "Never commit secrets" forbids no commit, "never x on prod" no x. */
function isNarrowed({ kind, end }: Thing, words: string): boolean {
  const rest = words.slice(end);
  if (kind !== 'deed') return PLACED.test(rest) && /\bnever\b/i.test(words);
  return /^[\x20-\x7e\u00c0-\u024f]*$/.test(words) && !WHOLE_DEED.test(rest);
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
function draftOption(rule: Rule, options: readonly Thing[], around: Around): Found {
  const [named] = [...toRun(rule.wanted), ...toRun(rule.when)];
  const command = named?.command ?? findHad(options, around);
  if (command === undefined && options.some(({ text }) => /^-\w$/.test(text))) return undefined;
  const match = options.map(({ text }) => `(?:^|\\s)${toLiteral(text)}(?:[\\s=]|$)`);
  const names = options.flatMap(({ text }) => text.split(/[\s=]+/));
  const bare = command && { ...command, args: command.args.filter(({ value }) => !value.startsWith('-')) };
  const place = command === undefined ? '' : ` with \`${toName(command)}\``;
  const sub = bare && toCommand(toName(bare));
  const triggers: Triggers =
    sub === undefined ? { tools: ['shell'], command: { match } } : toTriggers([{ ...toFile(''), command: sub }], names);
  return toDraft(`Do not use ${list(options)}${place}`, 'Leave the option out', triggers);
}
