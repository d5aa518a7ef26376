/**
 * A stated rule as a lesson: one plain sentence, and the calls at which it has to be known. The moment that the words name
 * comes first; where they name none, the files that were edited before them, or the commit that ends the work.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import type { LessonType } from '../../../base/model/lesson.ts';
import { toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { toIntent } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import type { Trait } from '../../../base/shell/programs/vocabulary.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { type Thing, toCommand } from './named-things.ts';
import type { Rule } from './read-rules.ts';
import {
  addArgs,
  COMMIT,
  findBranch,
  findEnding,
  isSameFile,
  list,
  pick,
  toFile,
  toGlob,
  toKind,
  toName,
  toRan,
  toRun,
  toSession,
  toTaskTrigger,
  toTrigger,
  toTriggers,
} from './thing-triggers.ts';

export interface Draft {
  readonly summary: string;
  readonly remediation: string;
  readonly triggers: Triggers;
  readonly type: LessonType;
}

/** What happened before the words. */
export interface Before {
  /** Oldest first. */
  readonly calls: readonly LiveCall[];
  /** Files that were edited, from the root of the project where that is known. */
  readonly edited: readonly string[];
  /** The ones that the prompt names; where it names none, all, and all files like the new ones. */
  readonly meant: readonly string[];
  /** The ones that were new. */
  readonly written: readonly string[];
}

export function draftRule(rule: Rule, before: Before): readonly Draft[] {
  const texts = rule.named.filter(({ isText }) => isText);
  if (texts.length > 0) return rule.force === 'standing' || rule.force === 'ours' ? [draftText(rule, texts)] : [];
  const found =
    draftPlace(rule, before) ??
    draftUnwanted(rule, before) ??
    draftMoment(rule, before) ??
    draftForm(rule, before) ??
    draftRest(rule, before);
  return found === undefined ? [] : [found].flat();
}

/** How a commit has to be described: the words themselves tell. */
function draftText({ words }: Rule, texts: readonly Thing[]): Draft {
  const triggers: Triggers = { tools: ['shell'], programs: toTriggers(texts) };
  return toDraft(`The user wants of ${list(texts)}: "${toShortChars(words, 100)}"`, toShortChars(words, 160), triggers);
}

type Found = Draft | readonly Draft[] | undefined;

const EDITS = ['edit', 'write'] as const;
const MAX_FILES = 5;
const RECENT = 6;

/** "New migrations go to db/versions, not to migrations/". */
function draftPlace({ roles, wanted, unwanted }: Rule, { edited, written, calls }: Before): Found {
  const isFolder = ({ kind, text }: Thing): boolean => kind === 'file' && text.endsWith('/');
  const [to, from] = [wanted.filter(isFolder), unwanted.filter(isFolder)];
  if (!roles.has('put') || to.length + from.length === 0) return undefined;
  const isIn = (path: string, folders: readonly Thing[]): boolean => folders.some(({ text }) => isSameFile(path, text));
  // What was put there tells what belongs elsewhere.
  const wrong = from.length > 0 ? edited.filter((path) => isIn(path, from)) : written;
  const kind = wrong
    .filter((path) => !isIn(path, to))
    .map(toKind)
    .at(-1);
  if (from.length === 0 && kind === undefined) return undefined;
  const paths = from.length > 0 ? from.map((one) => `${toGlob(one)}/${kind ?? '*'}`) : [`**/${kind}`];
  const where = to.length > 0 ? `in ${list(to)}` : 'elsewhere';
  const summary =
    from.length > 0 ? `Put new files ${where}, not in ${list(from)}` : `Put files like \`${kind}\` ${where}`;
  const unless = to.length > 0 ? { unless: { paths: to.map(toGlob) } } : {};
  const draft = toDraft(summary, `Put it ${where}`, { tools: EDITS, paths, ...unless });
  return [draft, ...draftShell(from, to, draft, calls)];
}

/** Programs that changed something there before. */
function draftShell(
  from: readonly Thing[],
  to: readonly Thing[],
  { summary, remediation }: Draft,
  calls: readonly LiveCall[],
): readonly Draft[] {
  const names = from.map(({ text }) => toPlainPath(text));
  const touches = (one: SimpleCommand): boolean =>
    names.some((name) => toOperands(one).some((word) => `/${word}/`.includes(`/${name}/`)));
  const isWriting = (one: SimpleCommand): boolean =>
    one.program !== 'git' &&
    (!isKnownAs(one.program, 'looks', 'searches', 'views', 'lists') || toOptions(one).includes('-i'));
  const used = calls.flatMap(parseCall).filter((one) => touches(one) && isWriting(one));
  if (used.length === 0) return [];
  const programs = [...new Set(used.map(({ program }) => program))].map((name) => ({ name }));
  const match = names.map((name) => `(?:^|[\\s/"'=])${toLiteral(name)}(?:[/"'\\s]|$)`);
  const unless = to.map(({ text }) => toLiteral(toPlainPath(text)));
  const command = { match, ...(unless.length === 0 ? {} : { unless }) };
  return [toDraft(summary, remediation, { tools: ['shell'], programs, command })];
}

/** What must not be run or edited. */
function draftUnwanted(rule: Rule, before: Before): Found {
  const { force, roles, named } = rule;
  const isEdited = ({ kind, text }: Thing): boolean =>
    kind === 'file' && before.edited.some((path) => isSameFile(path, text));
  // "x.ts is generated", said after an edit of it.
  const made = roles.has('hands-off') ? named.filter(isEdited) : [];
  const unwanted = rule.unwanted.length > 0 ? rule.unwanted : made;
  const [commands, files, options] = [toRun(unwanted), pick(unwanted, 'file'), pick(unwanted, 'option')];
  const hasMoment = rule.without.length + rule.before.length > 0 && force !== 'blame';
  const isBanned = force === 'standing' || force === 'ours' || hasMoment;
  // What the user minds was done just before.
  const isRun =
    force !== 'blame' && !named.some(({ kind }) => kind === 'file') && commands.every((one) => wasRun(one, before));
  if (commands.length > 0)
    return isBanned || roles.has('did') || isRun
      ? draftInstead(rule, withRunners(commands, before), files, options)
      : undefined;
  if (!isBanned && !(rule.verbs.has('change') && files.some(isEdited))) return undefined;
  if (options.length > 0) return draftOption(rule, options, before);
  return files.length > 0 ? draftHandsOff(rule, files, before) : undefined;
}

function wasRun({ kind, command }: Thing, { calls }: Before): boolean {
  if (kind !== 'command' || command === undefined) return false;
  const trigger = toTrigger(command);
  const run = calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .filter(({ piped }) => piped !== true);
  return [...run, ...run.map(unwrapRunner)].some((one) => programHolds(trigger, one));
}

function draftHandsOff({ wanted, roles }: Rule, files: readonly Thing[], { calls }: Before): Found {
  const run = pick(wanted, 'command');
  const others = pick(wanted, 'file').filter((one) => !files.some(({ text }) => text === one.text));
  const how = [others.length > 0 && `change ${list(others)}`, run.length > 0 && `run ${list(run)}`]
    .filter((part) => part)
    .join(' and ');
  const remedy = how === '' ? `Leave ${list(files)} as it is` : `${how[0]?.toUpperCase()}${how.slice(1)} instead`;
  const summary = `Do not edit ${list(files)}${roles.has('hands-off') ? ' by hand' : ''}`;
  const draft = toDraft(summary, remedy, { tools: EDITS, paths: files.map(toGlob) });
  return [draft, ...draftShell(files, others, draft, calls)];
}

function draftInstead(
  rule: Rule,
  commands: readonly Thing[],
  files: readonly Thing[],
  options: readonly Thing[],
): Found {
  const needed = [...toRun(rule.without), ...(rule.wanted.length === 0 ? toRun(rule.before) : [])];
  if (needed.length + rule.without.length > 0) return draftNeeded(rule, needed, commands);
  if (files.length > 0) return commands.some(({ kind }) => kind === 'deed') ? draftUncommitted(files) : undefined;
  const onGit = commands.find(({ command }) => command?.program === 'git');
  const branch = onGit && findBranch(rule.words, onGit);
  const allowed = pick(rule.wanted, 'command');
  const instead = allowed.length > 0 ? allowed : pick(rule.wanted, 'option');
  if (isLimited(rule, commands, branch, instead.length === 0)) return undefined;
  const wrapper = commands.find(({ command }) => findFacts(command?.program ?? '')?.wraps !== undefined);
  if (wrapper?.command?.args.length === 0) return draftWrapper(wrapper);
  const extra = [...options.flatMap(({ text }) => text.split(/[\s=]+/)), ...(branch === undefined ? [] : [branch])];
  const programs = toTriggers(commands).map((trigger) => addArgs(trigger, extra));
  if (instead.some((one) => isSelf(one, commands, programs))) return undefined;
  const parts = [list(commands), options.length > 0 && `with ${list(options)}`, branch && `on \`${branch}\``];
  const what = parts.filter((part) => part).join(' ');
  const triggers: Triggers = { tools: ['shell'], programs };
  if (instead.length === 0) return toDraft(`Do not run ${what}`, 'Leave it out, or ask the user first', triggers);
  return toDraft(`Use ${list(instead)} instead of ${what}`, `Use ${list(instead)}`, triggers);
}

/** "Never x without y" */
function draftNeeded({ without }: Rule, needed: readonly Thing[], commands: readonly Thing[]): Found {
  if (needed.length > 0) return draftOrder(needed, commands);
  const [lacking, [first]] = [pick(without, 'option'), commands];
  if (lacking.length === 0) return draftOrder(pick(without, 'file'), commands);
  return first?.command && draftWith(first.command, lacking);
}

/** Is it forbidden in one place or one case only, which no trigger knows? */
function isLimited(
  { words, open }: Rule,
  commands: readonly Thing[],
  branch: string | undefined,
  isBan: boolean,
): boolean {
  // "Never push without a review" says when to push.
  if (open.has('without') && !ASKING.test(words)) return true;
  if (branch !== undefined) return false;
  const isPlaced = ({ kind, end }: Thing): boolean => kind === 'command' && PLACED.test(words.slice(end));
  return commands.some((one) => isNarrowed(one, words) || (isBan && isPlaced(one)));
}

/** "Not `npm install`, `npm`" was not understood, and a trigger cannot tell `bin/rails` from `rails`. */
function isSelf({ command }: Thing, commands: readonly Thing[], programs: readonly ProgramTrigger[]): boolean {
  if (command === undefined) return false;
  const isBare = command.args.length === 0 && commands.some((one) => one.command?.program === command.program);
  return isBare || programs.some((one) => programHolds(one, command));
}

const ASKING =
  /\bask|permission|approv|consent|\bok(?:ay)?\b|confirm|\bgo\b|i say|tell you|told|frag|erlaub|demand|accord|pregunt|permiso|pergunt|permiss|autoriz|chied|vra[ag]|спрос|разреш|[问問许許]|허락/i;
/** Behind a deed, up to the end of the clause: nothing that tells which of them is meant. */
const WHOLE_DEED =
  /^(?:\s+(?:directly|yourself|by yourself|on your own|automatically|again|ever(?: again)?|here|please|pls|anything|for me|at all|in this \w+|to (?:this|the) (?:repo|remote)|(?:or|and|und|oder|et|ou|y|o)\s+\S*(?:push|commit|merge|rebase)\S*|(?:without|unless|until|before|under|from now on)\b.*))*\s*(?:[,.;:!()–—-]|$)/i;

/** "Never commit secrets" forbids no commit, nor does "in the commit" or "merge commits". */
function isNarrowed({ kind, at, end }: Thing, words: string): boolean {
  if (kind !== 'deed' || !/^[\x20-\x7e\u00c0-\u024f]*$/.test(words)) return false;
  const isNoun =
    /\b(?:in|into|from|of) (?:the|a|an|this|that|your|my|one|every|each|any)(?: \w+)? $|\b(?:merge|squash|fixup|wip|empty|signed|atomic|small|big|huge) $/i;
  return isNoun.test(words.slice(0, at)) || !WHOLE_DEED.test(words.slice(end));
}

/** A place or a case, other than the project itself. */
const PLACED =
  /^[`"']?\s+(?:on|against|for|in|inside|during|while|if|when|from|outside|auf|bei|für|gegen|sur|pour|dans|en|para|contra|em|su|op)\s+(?!(?:this|the|our|any|these|diese\w*|ce|cette|est[ea]|nest[ea]|quest[oa]|dit|deze)\s+(?:repo|proje[ck]?t|proyecto|progetto|codebase|monorepo|workspace|team|dépôt)|future|general\b|there\b|here\b|you\b)\p{L}/iu;

function draftUncommitted(files: readonly Thing[]): Draft {
  const names = files.map(({ text }) => text);
  const programs = ['add', 'commit'].map((sub) => ({ name: 'git', sub: [sub], args: { any: names } }));
  return toDraft(`Do not commit ${list(files)}`, `Leave ${list(files)} out of commits`, { tools: ['shell'], programs });
}

/** `prisma db push` as the session ran it: `npx prisma db push`. */
function withRunners(commands: readonly Thing[], { calls }: Before): readonly Thing[] {
  const run = calls.flatMap(parseCall);
  return commands.map((thing) => {
    const { program = '' } = thing.command ?? {};
    const typed = run.findLast((one) => one.program !== program && unwrapRunner(one).program === program);
    const command = typed && toCommand(`${typed.text.split(` ${program}`, 1)[0]} ${thing.text}`);
    return command === undefined ? thing : { ...thing, command };
  });
}

/** A trigger on programs sees through `sudo`. */
function draftWrapper(wrapper: Thing): Draft {
  const match = [`(?:^|[\\s;&|(])${toLiteral(wrapper.text)}\\s`];
  return toDraft(`Do not use ${list([wrapper])}`, 'Leave it out, or ask the user first', {
    tools: ['shell'],
    line: { match },
  });
}

/** "Never use --no-verify": with the command that had it, if one did. */
function draftOption({ wanted }: Rule, options: readonly Thing[], { calls }: Before): Draft | undefined {
  const names = options.flatMap(({ text }) => text.split(/[\s=]+/));
  const named = pick(wanted, 'command').flatMap(({ command }) => command ?? []);
  const had = calls
    .flatMap(parseCall)
    .findLast((one) => names.every((name) => one.args.some(({ value }) => value.split('=')[0] === name)));
  const command = named[0] ?? had;
  if (command === undefined && options.some(({ text }) => /^-\w$/.test(text))) return undefined;
  const match = options.map(({ text }) => `(?:^|\\s)${toLiteral(text)}(?:[\\s=]|$)`);
  const args = names.length === options.length ? { any: names } : { all: names };
  return toDraft(
    `Do not use ${list(options)}${command === undefined ? '' : ` with \`${toName(command)}\``}`,
    'Leave the option out',
    command === undefined
      ? { tools: ['shell'], command: { match } }
      : { tools: ['shell'], programs: [{ ...toProgramTrigger(command), args }] },
  );
}

/** Before or after something that the words name. */
function draftMoment(rule: Rule, { edited, meant }: Before): Found {
  const { force, wanted, without, after } = rule;
  if (force === 'ours' || force === 'none') return undefined;
  const [done] = toRun(rule.done);
  if (done !== undefined && without.length > 0) return draftNeeded(rule, toRun(without), [done]);
  const [run, files] = [pick(wanted, 'command'), pick(wanted, 'file')];
  const things = run.length > 0 ? run : files.length > 0 ? files : toRun(wanted);
  if (things.length === 0) return undefined;
  if (toRun(without).length > 0 && files.length === 0) return draftOrder(toRun(without), things);
  const moments = toRun(rule.before);
  if (moments.length > 0) return draftOrder(things, moments);
  const changed = pick(after, 'file');
  if (changed.length > 0) return draftEdited(changed, things);
  if (toRun(after).length > 0)
    return pick(wanted, 'option').length === wanted.length ? undefined : draftAfter(things, toRun(after));
  // "After you changed the api": what was edited tells.
  if (!rule.open.has('after') || force === 'remind' || edited.length === 0) return undefined;
  return draftEdited(meant.slice(-MAX_FILES).map(toFile), things);
}

function draftAfter(things: readonly Thing[], moments: readonly Thing[]): Draft {
  const triggers: Triggers = { tools: ['shell'], programs: toTriggers(moments) };
  return toDraft(`${toDoing(things)} after ${list(moments)}`, `${toDoing(things)} afterwards`, triggers);
}

function draftEdited(changed: readonly Thing[], things: readonly Thing[]): Found {
  if (areFiles(things)) return draftTogether(changed, things);
  const triggers: Triggers = { tools: EDITS, paths: changed.map(toGlob) };
  return toDraft(
    `Run ${list(things)} after a change of ${list(changed, 'or')}`,
    `Run ${list(things)} afterwards`,
    triggers,
  );
}

function draftOrder(needed: readonly Thing[], moments: readonly Thing[]): Draft | undefined {
  const isSelf = needed.some((one) => moments.some((other) => toRan(one) === toRan(other)));
  if (needed.length === 0 || moments.length === 0 || isSelf) return undefined;
  const programs = toTriggers(moments).map(({ args: _, ...trigger }) => trigger);
  const triggers: Triggers = { tools: ['shell'], programs, session: toSession(needed) };
  return toDraft(`${toDoing(needed)} before ${list(moments)}`, `${toDoing(needed)} first`, triggers);
}

function toDoing(things: readonly Thing[]): string {
  return `${areFiles(things) ? 'Update' : 'Run'} ${list(things)}`;
}

function areFiles(things: readonly Thing[]): boolean {
  return things.every(({ kind }) => kind === 'file');
}

function draftTogether(changed: readonly Thing[], files: readonly Thing[]): Draft | undefined {
  const left = changed.filter((one) => !files.some(({ text }) => isSameFile(one.text, text)));
  if (left.length === 0 || files.length === 0) return undefined;
  return {
    summary: `When you change ${list(left, 'or')}, also update ${list(files)}`,
    remediation: `Also update ${list(files)}`,
    triggers: { tools: EDITS, paths: [...new Set([...left, ...files].map(toGlob))] },
    type: 'checklist',
  };
}

/** How a command has to be written: with an option, through a runner, with another program. */
function draftForm(rule: Rule, { calls }: Before): Found {
  const { wanted, where, after, force, open } = rule;
  const [commands, options] = [pick(wanted, 'command'), pick(wanted, 'option')];
  // Whose option it is, or when the command is due, is not clear.
  const isUnclear = options.length > 0 && commands.length > 0 && new Set(toRun(wanted).map(toRan)).size > 1;
  if (open.has('before') || isUnclear || (force !== 'standing' && force !== 'blame')) return undefined;
  // "Use -s when you commit"
  const named = options.length > 0 && commands.length === 0 ? [...toRun(wanted), ...toRun(after)] : commands;
  const [first, second] = named;
  if (first?.command === undefined) return undefined;
  const own = toOptions(first.command).map((text) => ({ ...first, text }));
  const [place] = where;
  if (place !== undefined && options.length + own.length === 0) return draftWhere(commands, place);
  if (options.length + own.length > 0 && (second === undefined || second.text === first.text))
    return draftWith(first.command, [...options, ...own], options.length === 0 ? first.text : undefined);
  return draftPeers(rule, first, first.command, calls);
}

/** "Run npm in web/" */
function draftWhere(commands: readonly Thing[], place: Thing): Draft {
  const directory = { outside: toPlainPath(place.text) };
  const triggers: Triggers = { tools: ['shell'], programs: toTriggers(commands), directory };
  return toDraft(`Run ${list(commands)} in ${list([place])}`, `Change to ${list([place])} first`, triggers);
}

/** "Always use rg" */
function draftPeers(
  { force, verbs, roles }: Rule,
  { text }: Thing,
  command: SimpleCommand,
  calls: readonly LiveCall[],
): Found {
  const isUse = verbs.has('use') || (verbs.size === 0 && roles.has('always'));
  const others = force === 'standing' && isUse ? findOthers(command, calls) : [];
  if (others.length === 0) return undefined;
  const shown = others.map((name) => `\`${name}\``).join(' or ');
  const triggers: Triggers = { tools: ['shell'], programs: others.map((name) => ({ name })) };
  return toDraft(`Use \`${text}\` instead of ${shown}`, `Use \`${text}\``, triggers);
}

function draftWith(command: SimpleCommand, options: readonly Thing[], whole?: string): Draft {
  const shown = options.map(({ text }) => text).join(' ');
  const programs = [{ ...toTaskTrigger(command), args: { none: options.map(({ text }) => toOptionName(text)) } }];
  const name = `\`${toName(command)}\``;
  const summary = whole === undefined ? `Run ${name} with \`${shown}\`` : `Run \`${whole}\`, not plain ${name}`;
  return toDraft(summary, `Add \`${shown}\``, { tools: ['shell'], programs });
}

function toOptionName(option: string): string {
  return option.split(/[= ]/, 1)[0] ?? option;
}

/** Programs that can stand in for each other. */
const PEERS: readonly Trait[] = ['node-packages', 'searches', 'finds', 'http'];

/** What was run before the words and the user wants to be run otherwise; else all programs like it. */
function findOthers(wanted: SimpleCommand, calls: readonly LiveCall[]): readonly string[] {
  const trait = PEERS.find((one) => isKnownAs(wanted.program, one));
  const isLike = (one: SimpleCommand): boolean =>
    one.program !== wanted.program &&
    (trait === undefined ? toIntent(one) === toIntent(wanted) : isKnownAs(one.program, trait));
  const seen = calls.slice(-RECENT).flatMap(parseCall).filter(isLike);
  if (seen.length > 0) return [...new Set(seen.map(({ program }) => program))];
  return trait === undefined
    ? []
    : listPrograms(trait)
        .filter((name) => name !== wanted.program)
        .slice(0, RECENT);
}

/** No moment is named. */
function draftRest(rule: Rule, before: Before): Found {
  const { wanted, force, roles } = rule;
  const [run, files] = [pick(wanted, 'command'), pick(wanted, 'file')];
  if (force === 'ours' || force === 'none') return undefined;
  if (files.length > 0 && run.length === 0) return draftLeftOut(rule, files, before);
  const isAlone = rule.named.filter(({ kind }) => kind !== 'deed').length === run.length && run.length === 1;
  const isMeant =
    !rule.open.has('before') &&
    rule.verbs.has('run') &&
    (force === 'standing' ? isAlone : force === 'blame' || roles.has('remind'));
  return run.length > 0 && isMeant ? draftOrder(run, [findEnding(before.calls) ?? COMMIT]) : undefined;
}

/** Files that belong together, of which some were edited; or that have to be edited before work is handed on. */
function draftLeftOut({ force, roles, verbs, named }: Rule, files: readonly Thing[], before: Before): Found {
  const { edited, meant } = before;
  const isDone = ({ text }: Thing): boolean => edited.some((path) => isSameFile(path, text));
  const [done, left] = [files.filter(isDone), files.filter((one) => !isDone(one))];
  const isSplit = done.length > 0 && left.length > 0;
  if (files.length > 1 && (roles.has('sync') || (isSplit && roles.has('also')))) {
    const changed = isSplit ? done : files.slice(0, 1);
    return draftTogether(
      changed,
      files.filter((one) => !changed.includes(one)),
    );
  }
  const isAlso =
    force === 'blame' || roles.has('also') || roles.has('remind') || (force === 'standing' && roles.has('must'));
  if (isAlso && left.length > 0 && edited.length > 0) return draftTogether(meant.slice(-MAX_FILES).map(toFile), left);
  const ending = findEnding(before.calls);
  const isAlone = verbs.has('change') && !named.some(({ kind }) => kind === 'command');
  if (force === 'standing' && isAlone) return draftOrder(files, [ending ?? COMMIT]);
  return force === 'blame' && ending !== undefined ? draftOrder(left, [ending]) : undefined;
}

function toDraft(summary: string, remediation: string, triggers: Triggers): Draft {
  return { summary, remediation, triggers, type: 'requirement' };
}
