/**
 * A stated rule as a lesson: one plain sentence, and the calls at which it has to be known. The moment that the words name
 * comes first; where they name none, the files that were edited before them, or the commit that ends the work.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import type { LessonType } from '../../../base/model/lesson.ts';
import { toOperands, toOptions, toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { toIntent } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { findFacts, isKnownAs, listPrograms } from '../../../base/shell/programs/all-facts.ts';
import type { Trait } from '../../../base/shell/programs/vocabulary.ts';
import { type SimpleCommand, toPositionals } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { endsWithPath, toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, SessionCondition, Triggers } from '../../../base/triggers/trigger.ts';
import { type Thing, toCommand } from './named-things.ts';
import type { StatedRule } from './parse-rules.ts';

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
  /** The ones that the prompt names; all where it names none. */
  readonly meant: readonly string[];
}

export function draftRule(rule: StatedRule, before: Before): Draft | undefined {
  // "You should have used x instead of y": the calls tell more.
  if (rule.frame === 'omission' && toRun(rule.unwanted).length > 0) return undefined;
  return draftUnwanted(rule, before) ?? draftMoment(rule, before) ?? draftForm(rule, before) ?? draftRest(rule, before);
}

const EDITS = ['edit', 'write'] as const;
const MAX_FILES = 5;
/** Where the words name no moment, work ends here. */
const COMMIT: Thing = {
  kind: 'command',
  text: 'git commit',
  at: 0,
  end: 0,
  command: { program: 'git', args: [{ value: 'commit', text: 'commit' }], text: 'git commit' },
};

/** What must not be run or edited. */
function draftUnwanted(rule: StatedRule, before: Before): Draft | undefined {
  if (rule.frame === 'omission' || rule.frame === 'ensured') return undefined;
  const [commands, files, options] = [toRun(rule.unwanted), pick(rule.unwanted, 'file'), pick(rule.unwanted, 'option')];
  if (commands.length > 0) return draftInstead(rule, withRunners(commands, before), files, options);
  if (rule.frame !== 'lasting') return undefined;
  if (options.length > 0) return draftOption(rule, options, before);
  if (files.length === 0) return undefined;
  const instead = pick(rule.wanted, 'command');
  const how = instead.length === 0 ? `Leave ${list(files)} as it is` : `Run ${list(instead)} instead`;
  return toDraft(`Do not edit ${list(files)} by hand`, how, { tools: EDITS, paths: files.map(toGlob) });
}

function draftInstead(
  rule: StatedRule,
  commands: readonly Thing[],
  files: readonly Thing[],
  options: readonly Thing[],
): Draft | undefined {
  const needed = [...toRun(rule.without), ...(rule.wanted.length === 0 ? toRun(rule.before) : [])];
  if (needed.length > 0) return draftOrder(needed, commands);
  if (rule.without.length > 0) return draftLacking(rule.without, commands);
  // "Never push without a review" says when to push.
  if (rule.hasOpenWithout && !ASKING.test(rule.words)) return undefined;
  if (files.length > 0) return draftUncommitted(files);
  const onGit = commands.find(({ command }) => command?.program === 'git');
  const place = onGit && findBranch(rule.words, onGit);
  if (place === undefined && commands.some((one) => isNarrowed(one, rule.words))) return undefined;
  const extra = [...options.map(({ text }) => text), ...(place === undefined ? [] : [place])];
  const programs = toTriggers(commands).map((trigger) => addArgs(trigger, extra));
  const wrapper = commands.find(({ command }) => findFacts(command?.program ?? '')?.wraps !== undefined);
  if (wrapper?.command?.args.length === 0) return draftWrapper(wrapper);
  const what = [list(commands), options.length > 0 && `with ${list(options)}`, place && `on \`${place}\``]
    .filter((part) => part)
    .join(' ');
  const allowed = pick(rule.wanted, 'command');
  const instead = allowed.length > 0 ? allowed : pick(rule.wanted, 'option');
  // "Not `npm install`, `npm`" was not understood.
  const isBare = ({ command }: Thing): boolean => command?.args.length === 0;
  if (instead.some((one) => isBare(one) && commands.some(({ command }) => command?.program === one.text)))
    return undefined;
  // `bin/rails` and `rails`: a trigger cannot tell them apart.
  if (instead.some(({ command }) => programs.some((one) => command !== undefined && programHolds(one, command))))
    return undefined;
  // "Never run x on production" forbids no other run.
  if (instead.length === 0 && place === undefined && commands.some((one) => isPlaced(one, rule.words)))
    return undefined;
  if (instead.length === 0)
    return toDraft(`Do not run ${what}`, 'Leave it out, or ask the user first', { tools: ['shell'], programs });
  return toDraft(`Use ${list(instead)} instead of ${what}`, `Use ${list(instead)}`, { tools: ['shell'], programs });
}

/** "Never run x without --dry-run", "never push without updating CHANGELOG.md". */
function draftLacking(without: readonly Thing[], commands: readonly Thing[]): Draft | undefined {
  const options = pick(without, 'option');
  const [first] = commands;
  if (options.length === 0) return draftOrder(pick(without, 'file'), commands);
  return first?.command && draftWith(first.command, options);
}

function draftUncommitted(files: readonly Thing[]): Draft {
  const names = files.map(({ text }) => text);
  const programs = ['add', 'commit'].map((sub) => ({ name: 'git', sub: [sub], args: { any: names } }));
  return toDraft(`Do not commit ${list(files)}`, `Leave ${list(files)} out of commits`, { tools: ['shell'], programs });
}

const ASKING =
  /\bask|permission|approv|consent|\bok(?:ay)?\b|confirm|\bgo\b|i say|tell you|told|frag|erlaub|demand|accord|pregunt|permiso|pergunt|permiss|autoriz|[问問许許]/i;
/** Behind a deed, up to the end of the clause: nothing that tells which of them is meant. */
const WHOLE_DEED =
  /^(?:\s+(?:directly|yourself|by yourself|on your own|automatically|again|ever(?: again)?|here|please|anything|for me|at all|in this \w+|to (?:this|the) (?:repo|remote)|(?:or|and|und|oder|et|ou|y|o)\s+\S*(?:push|commit|merge|rebase)\S*|(?:without|unless|until|before|under|from now on)\b.*))*\s*(?:[,.;:!()–—-]|$)/i;

/** A place or a case, other than the project itself. */
const PLACED =
  /^[`"']?\s+(?:on|against|for|in|inside|during|while|if|when|from|outside|auf|bei|für|gegen|sur|pour|dans|en|para|contra|em)\s+(?!(?:this|the|our|any|these|diese\w*|ce|cette|est[ea]|nest[ea])\s+(?:repo|proje[ck]?t|proyecto|codebase|monorepo|workspace|team|dépôt)|future|general\b)\p{L}/iu;

function isPlaced({ kind, end }: Thing, words: string): boolean {
  return kind === 'command' && PLACED.test(words.slice(end));
}

/** "Never commit secrets" forbids no commit. */
function isNarrowed({ kind, end }: Thing, words: string): boolean {
  return kind === 'deed' && /^[\x20-\x7e\u00c0-\u024f]*$/.test(words) && !WHOLE_DEED.test(words.slice(end));
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
function draftOption(rule: StatedRule, options: readonly Thing[], { calls }: Before): Draft {
  const names = options.map(({ text }) => toOptionName(text));
  const named = pick(rule.wanted, 'command').flatMap(({ command }) => command ?? []);
  const had = calls.flatMap(parseCall).findLast((one) => toOptions(one).some((option) => names.includes(option)));
  const command = named[0] ?? had;
  const match = names.map((name) => `(?:^|\\s)${toLiteral(name)}(?:[\\s=]|$)`);
  return toDraft(
    `Do not use ${list(options)}${command === undefined ? '' : ` with \`${toName(command)}\``}`,
    'Leave the option out',
    command === undefined
      ? { tools: ['shell'], command: { match } }
      : { tools: ['shell'], programs: [{ ...toProgramTrigger(command), args: { any: names } }] },
  );
}

/** Before or after something that the words name. */
function draftMoment(rule: StatedRule, before: Before): Draft | undefined {
  if (rule.frame === 'ours') return undefined;
  const [run, files] = [pick(rule.wanted, 'command'), pick(rule.wanted, 'file')];
  const things = run.length > 0 ? run : files.length > 0 ? files : toRun(rule.wanted);
  if (things.length === 0) return undefined;
  if (rule.without.length > 0 && files.length === 0) return draftOrder(toRun(rule.without), things);
  const moments = toRun(rule.before);
  if (moments.length > 0) return draftOrder(things, moments);
  const far = rule.before.filter(({ kind, command }) => kind === 'deed' && command === undefined);
  if (far.length > 0) return draftFar(things, far);
  return draftAfter(rule, things, before);
}

function draftAfter(rule: StatedRule, things: readonly Thing[], { edited }: Before): Draft | undefined {
  const [changed, after] = [pick(rule.after, 'file'), toRun(rule.after)];
  if (changed.length > 0) return draftEdited(changed, things);
  if (after.length > 0) {
    const doing = toDoing(things);
    const triggers: Triggers = { tools: ['shell'], programs: toTriggers(after) };
    return toDraft(`${doing} after ${list(after)}`, `${doing} afterwards`, triggers);
  }
  // "After you changed the api": what was edited tells.
  if (!rule.hasOpenMoment || rule.frame === 'ensured' || edited.length === 0) return undefined;
  return draftEdited(edited.slice(-MAX_FILES).map(toFile), things);
}

function draftEdited(changed: readonly Thing[], things: readonly Thing[]): Draft | undefined {
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
  const doing = toDoing(needed);
  const programs = toTriggers(moments).map(({ args: _, ...trigger }) => trigger);
  const triggers: Triggers = { tools: ['shell'], programs, session: toSession(needed) };
  return toDraft(`${doing} before ${list(moments)}`, `${doing} first`, triggers);
}

/** A deed that no one command does: the words of the conversation tell. */
function draftFar(needed: readonly Thing[], deeds: readonly Thing[]): Draft {
  const doing = toDoing(needed);
  const words = deeds.map(({ text }) => text);
  const triggers: Triggers = { tools: ['shell'], actionKeywords: words, session: toSession(needed) };
  return toDraft(`${doing} before a ${words.join(' or ')}`, `${doing} first`, triggers);
}

function toDoing(things: readonly Thing[]): string {
  return `${areFiles(things) ? 'Update' : 'Run'} ${list(things)}`;
}

function areFiles(things: readonly Thing[]): boolean {
  return things.every(({ kind }) => kind === 'file');
}

function draftTogether(changed: readonly Thing[], files: readonly Thing[]): Draft | undefined {
  const left = changed.filter((one) => !files.some(({ text }) => isSameFile(one.text, text)));
  if (left.length === 0) return undefined;
  return {
    summary: `When you change ${list(left, 'or')}, also update ${list(files)}`,
    remediation: `Also update ${list(files)}`,
    triggers: { tools: EDITS, paths: [...new Set([...left, ...files].map(toGlob))] },
    type: 'checklist',
  };
}

/** How a command has to be written: with an option, through a runner, with another program. */
function draftForm(rule: StatedRule, { calls }: Before): Draft | undefined {
  const { wanted, after, frame, isUse } = rule;
  // Whose option it is, or when the command is due, is not clear.
  const hasDeed = toRun(wanted).length > pick(wanted, 'command').length && pick(wanted, 'option').length > 0;
  if (rule.hasOpenBefore || (hasDeed && pick(wanted, 'command').length > 0)) return undefined;
  const options = pick(wanted, 'option').map(({ text }) => text);
  // "Use -s when you commit"
  const named = options.length === wanted.length ? toRun(after) : pick(wanted, 'command');
  const [first, second] = named.flatMap(({ command, text }) => (command ? [{ command, text }] : []));
  if (first === undefined) return undefined;
  const isStated = frame === 'lasting' || frame === 'omission' || frame === 'reminder';
  const all = [...options, ...toOptions(first.command)];
  if (isStated && all.length > 0 && second === undefined) {
    const name = `\`${toName(first.command)}\``;
    const shown = options.length > 0 ? `${name} with \`${all.join(' ')}\`` : `\`${first.text}\`, not plain ${name}`;
    const programs = [{ ...toProgramTrigger(first.command), args: { none: all.map(toOptionName) } }];
    return toDraft(`Run ${shown}`, `Add \`${all.join(' ')}\``, { tools: ['shell'], programs });
  }
  const whole = second === undefined ? first.command : toCommand(`${second.text} ${first.text}`);
  const inner = whole === undefined ? undefined : unwrapRunner(whole);
  if (isStated && whole !== undefined && inner !== undefined && inner !== whole && inner.program !== whole.program) {
    const triggers: Triggers = { tools: ['shell'], programs: [{ name: inner.program }] };
    return toDraft(`Run \`${inner.program}\` as \`${toName(whole)}\``, `Use \`${toName(whole)}\``, triggers);
  }
  if (!isUse || frame === 'ours') return undefined;
  const others = findOthers(first.command, calls, frame === 'lasting');
  if (others.length === 0) return undefined;
  const programs = others.map((name) => ({ name }));
  const shown = others.map((name) => `\`${name}\``).join(' or ');
  return toDraft(`Use \`${first.text}\` instead of ${shown}`, `Use \`${first.text}\``, { tools: ['shell'], programs });
}

function draftWith(command: SimpleCommand, options: readonly Thing[]): Draft {
  const shown = options.map(({ text }) => text);
  const programs = [{ ...toProgramTrigger(command), args: { none: shown.map(toOptionName) } }];
  return toDraft(`Run \`${toName(command)}\` with \`${shown.join(' ')}\``, `Add \`${shown.join(' ')}\``, {
    tools: ['shell'],
    programs,
  });
}

function toOptionName(option: string): string {
  return option.split('=', 1)[0] ?? option;
}

/** Programs that can stand in for each other. */
const PEERS: readonly Trait[] = ['node-packages', 'searches', 'finds', 'http'];
const RECENT = 6;

/** What was run before the words and the user wants to be run otherwise; for a rule, also all programs like it. */
function findOthers(wanted: SimpleCommand, calls: readonly LiveCall[], isRule: boolean): readonly string[] {
  const trait = PEERS.find((one) => isKnownAs(wanted.program, one));
  const isLike = (one: SimpleCommand): boolean =>
    one.program !== wanted.program &&
    (trait === undefined ? toIntent(one) === toIntent(wanted) : isKnownAs(one.program, trait));
  const seen = calls.slice(-RECENT).flatMap(parseCall).filter(isLike);
  if (seen.length > 0) return [...new Set(seen.map(({ program }) => program))];
  return isRule && trait !== undefined
    ? listPrograms(trait)
        .filter((name) => name !== wanted.program)
        .slice(0, RECENT)
    : [];
}

/** No moment is named. */
function draftRest(rule: StatedRule, before: Before): Draft | undefined {
  const { wanted, frame, isAlso, isSync } = rule;
  const [run, files] = [pick(wanted, 'command'), pick(wanted, 'file')];
  if (isSync && files.length > 1) {
    const isEdited = ({ text }: Thing): boolean => before.edited.some((path) => isSameFile(path, text));
    const [first] = [...files.filter(isEdited), ...files];
    return draftTogether(
      files.filter((one) => one === first),
      files.filter((one) => one !== first),
    );
  }
  if (frame === 'ours' || (frame === 'ensured' && !isAlso)) return undefined;
  if (files.length > 0 && run.length === 0) return rule.isChange ? draftLeftOut(rule, files, before) : undefined;
  const isMeant = !rule.hasOpenBefore && (frame === 'lasting' || (frame !== 'ensured' && before.calls.length > 0));
  return run.length > 0 && !rule.isUse && isMeant ? draftOrder(run, [findEnding(before) ?? COMMIT]) : undefined;
}

/** Files that nobody edited, after others were; or that have to be edited before work is handed on. */
function draftLeftOut({ frame, isAlso }: StatedRule, files: readonly Thing[], before: Before): Draft | undefined {
  const { edited, meant } = before;
  const left = files.filter(({ text }) => !edited.some((path) => isSameFile(path, text)));
  if ((frame !== 'lasting' || isAlso) && left.length > 0 && edited.length > 0)
    return draftTogether(meant.slice(-MAX_FILES).map(toFile), left);
  const ending = findEnding(before);
  if (frame === 'lasting') return draftOrder(files, [ending ?? COMMIT]);
  return frame === 'omission' && ending !== undefined ? draftOrder(left, [ending]) : undefined;
}

/** What handed work on before the words. */
function findEnding({ calls }: Before): Thing | undefined {
  const last = calls.slice(-RECENT).flatMap(parseCall).findLast(isEnding);
  return last === undefined ? undefined : toMoment(last);
}

/** What hands work on: a commit, a push, a request to merge. */
function isEnding(command: SimpleCommand): boolean {
  return /^(?:git (?:commit|push|tag)|gh (?:pr|release) create|\w+ publish)$/.test(
    toName(command).split(' ').slice(0, 3).join(' '),
  );
}

/** Without its objects. */
function toMoment(command: SimpleCommand): Thing {
  const text = toName(command);
  return { ...COMMIT, text, command: toCommand(text) ?? command };
}

function toDraft(summary: string, remediation: string, triggers: Triggers): Draft {
  return { summary, remediation, triggers, type: 'requirement' };
}

/** Of `vitest` and `npx vitest run` the longer one says it all. */
function pick(things: readonly Thing[], kind: Thing['kind']): readonly Thing[] {
  const all = things.filter((thing) => thing.kind === kind);
  if (kind !== 'command') return all;
  return all.filter((one) => !all.some((other) => other.text.length > one.text.length && hasWords(other, one)));
}

function hasWords({ text }: Thing, part: Thing): boolean {
  return ` ${text} `.includes(` ${part.text} `);
}

/** Commands, and deeds that a command does. */
function toRun(things: readonly Thing[]): readonly Thing[] {
  return things.filter(({ command }) => command !== undefined);
}

function list(things: readonly Thing[], word = 'and'): string {
  const names = [
    ...new Set(things.map(({ kind, text }) => `\`${kind === 'file' ? toShown(text) : text.replaceAll(/\s+/g, ' ')}\``)),
  ];
  return names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
}

/** The last names of a path. */
function toShown(path: string): string {
  const end = path.endsWith('/') ? '/' : '';
  return `${toPlainPath(path).split('/').slice(-3).join('/')}${end}`;
}

function toName(command: SimpleCommand): string {
  const sub = toPlainSubCommand(command);
  return [command.program, ...(sub.length > 0 ? sub : toPositionals(command).filter(isWord).slice(0, 2))].join(' ');
}

function isWord(word: string): boolean {
  return /^[a-z][\w:-]*$/i.test(word);
}

/** `make fmt`: the words of a runner of tasks are what it is about. Other operands may stand anywhere. */
function toTrigger(command: SimpleCommand): ProgramTrigger {
  const sub = toPlainSubCommand(command);
  const operands = toOperands(command);
  if (sub.length === 0 && operands.length > 0 && operands.every(isWord))
    return addArgs({ name: command.program, sub: operands }, toOptions(command));
  return addArgs(toProgramTrigger(command), [...operands, ...toOptions(command)]);
}

function addArgs(trigger: ProgramTrigger, words: readonly string[]): ProgramTrigger {
  const all = [...new Set([...(trigger.args?.all ?? []), ...words])];
  if (all.length === 0) return trigger;
  // Two names of one option.
  if (all.length === 1 && all[0] === '--force') return { ...trigger, args: { any: ['--force', '-f'] } };
  return { ...trigger, args: { all } };
}

function toTriggers(things: readonly Thing[]): readonly ProgramTrigger[] {
  return things.flatMap(({ command }) => {
    if (command === undefined) return [];
    const trigger = toTrigger(command);
    const by = INTERPRETERS.find(([ending]) => command.program.endsWith(ending))?.[1] ?? [];
    return [trigger, ...by.map((name) => ({ ...trigger, name, sub: [command.program, ...(trigger.sub ?? [])] }))];
  });
}

/** What also runs a script: `python setup.py install`. */
const INTERPRETERS: readonly (readonly [ending: string, programs: readonly string[]])[] = [
  ['.py', ['python', 'python3']],
  ['.sh', ['bash', 'sh']],
  ['.rb', ['ruby']],
];

/** Silent once the first of them is done. */
function toSession([first]: readonly Thing[]): Triggers['session'] & {} {
  const unless: SessionCondition[] = [];
  if (first !== undefined)
    unless.push(first.kind === 'file' ? { read: toPlainPath(first.text) } : { ran: toRan(first) });
  return { unless };
}

function toRan({ command, text }: Thing): string {
  if (command === undefined) return text;
  const words = toPositionals(command);
  // `warnings` of `cargo clippy -- -D warnings` is the value of an option.
  const typed = command.args.map(({ value }) => value);
  const options = typed.findIndex((word, i) => i > 0 && word.startsWith('-'));
  const end = words.findIndex((word) => !isWord(word) || (options > 0 && typed.indexOf(word) > options));
  return [command.program, ...(end < 0 ? words : words.slice(0, end))].join(' ');
}

const BRANCH =
  /(?<![\w-])(?:to|on|onto|into|auf|nach|in|sur|vers|dans|a|en|para|na|no|direkt auf|到|向|に|へ)?\s*[`'"]?(?:origin[/ ])?(main|master|develop|trunk|production|staging)[`'"]?(?![\w-]|\.\w)/gi;

/** The branch that must not be pushed to: the one nearest to the command. */
function findBranch(words: string, { at, end }: Thing): string | undefined {
  const far = ({ index }: RegExpExecArray): number => (index < at ? at - index : index - end);
  return [...words.matchAll(BRANCH)].sort((a, b) => far(a) - far(b))[0]?.[1];
}

export function toFile(path: string): Thing {
  return { kind: 'file', text: path, at: 0, end: 0 };
}

/** Any file of that name or below that folder; `README` has some ending. */
function toGlob({ text }: Thing): string {
  const path = toPlainPath(text.replace(/^@/, ''));
  if (/\/\*{0,2}$/.test(text)) return `**/${path.replace(/\/\*+$/, '')}/**`;
  const isBare = /^(?:readme|changelog)$/i.test(toBaseName(path));
  const name = isBare ? path.replace(/readme|changelog/i, (word) => word.toUpperCase()) : path;
  return `**/${name}${isBare ? '*' : ''}`;
}

function isSameFile(path: string, named: string): boolean {
  const isBare = /^(?:readme|changelog)$/i.test(named);
  if (isBare) return toBaseName(path).toLowerCase().startsWith(named.toLowerCase());
  return endsWithPath(path, named) || endsWithPath(named, path);
}
