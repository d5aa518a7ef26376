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
import { isInterpreter, unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { endsWithPath, toBaseName, toPlainPath } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import { programHolds } from '../../../base/triggers/check-triggers.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { type Thing, toCommand } from './named-things.ts';
import { FIRST, type Rule } from './read-rules.ts';

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
/** Where the words name no moment, work ends here. */
const COMMIT: Thing = toMoment({ program: 'git', args: [{ value: 'commit', text: 'commit' }], text: 'git commit' });

/** "New migrations go to db/versions, not to migrations/". */
function draftPlace({ roles, wanted, unwanted }: Rule, { edited, written, calls }: Before): Found {
  if (!roles.has('put')) return undefined;
  const isFolder = ({ kind, text }: Thing): boolean => kind === 'file' && text.endsWith('/');
  const [to, from] = [wanted.filter(isFolder), unwanted.filter(isFolder)];
  if (to.length + from.length === 0) return undefined;
  const wrong = (from.length > 0 ? edited : written).filter((path) => !to.some((one) => isSameFile(path, one.text)));
  // What was put there tells what belongs elsewhere.
  const kinds = [
    ...new Set(wrong.filter((path) => from.length === 0 || from.some((one) => isSameFile(path, one.text))).map(toKind)),
  ];
  const moved = kinds.length > 0 ? kinds.slice(-1) : ['*'];
  if (from.length === 0 && kinds.length === 0) return undefined;
  const paths =
    from.length > 0
      ? from.flatMap((one) => moved.map((kind) => `${toGlob(one)}/${kind}`))
      : moved.map((kind) => `**/${kind}`);
  const unless = to.length > 0 ? { unless: { paths: to.map(toGlob) } } : {};
  const where = to.length > 0 ? `in ${list(to)}` : 'elsewhere';
  const summary =
    from.length > 0 ? `Put new files ${where}, not in ${list(from)}` : `Put files like \`${moved[0]}\` ${where}`;
  const draft = toDraft(summary, `Put it ${where}`, { tools: EDITS, paths, ...unless });
  return [draft, ...draftShell(from, to, summary, `Put it ${where}`, calls)];
}

/** `test_*.py` of `test_slug.py`, `*.sql` of `0042_orders.sql`. */
function toKind(path: string): string {
  const [, stem = '', ending = ''] = /^(.*?)(\.\w+)?$/.exec(toBaseName(path)) ?? [];
  if (/^test_/.test(stem)) return `test_*${ending}`;
  const part = /[._-](?:test|spec|stories|e2e)$/.exec(stem)?.[0] ?? '';
  return `*${part}${ending}`;
}

/** Programs that changed something there before. */
function draftShell(
  from: readonly Thing[],
  to: readonly Thing[],
  summary: string,
  how: string,
  calls: readonly LiveCall[],
): readonly Draft[] {
  const names = from.map(({ text }) => toPlainPath(text));
  const touches = (one: SimpleCommand): boolean =>
    names.some((name) => toOperands(one).some((word) => `/${word}/`.includes(`/${name}/`)));
  const isWriting = (one: SimpleCommand): boolean =>
    !isKnownAs(one.program, 'looks', 'searches', 'views', 'lists') || toOptions(one).includes('-i');
  const used = [
    ...new Set(
      calls
        .flatMap(parseCall)
        .filter((one) => touches(one) && isWriting(one) && one.program !== 'git')
        .map(({ program }) => program),
    ),
  ];
  if (used.length === 0) return [];
  const match = names.map((name) => `(?:^|[\\s/"'=])${toLiteral(name)}(?:[/"'\\s]|$)`);
  const unless = to.map(({ text }) => toLiteral(toPlainPath(text)));
  const command = { match, ...(unless.length === 0 ? {} : { unless }) };
  return [toDraft(summary, how, { tools: ['shell'], programs: used.map((name) => ({ name })), command })];
}

/** What must not be run or edited. */
function draftUnwanted(rule: Rule, before: Before): Found {
  const { force, unwanted } = rule;
  const [commands, files, options] = [toRun(unwanted), pick(unwanted, 'file'), pick(unwanted, 'option')];
  const isBanned =
    force === 'standing' || force === 'ours' || (rule.without.length + rule.before.length > 0 && force !== 'blame');
  if (commands.length > 0) {
    const isSaid =
      isBanned ||
      rule.roles.has('did') ||
      (commands.every((one) => one.kind === 'command' && wasRun(one, before)) &&
        force !== 'blame' &&
        !rule.named.some(({ kind }) => kind === 'file'));
    return isSaid ? draftInstead(rule, withRunners(commands, before), files, options) : undefined;
  }
  // What the user minds was done just before.
  const isEdited = rule.verbs.has('change') && files.some(({ text }) => before.edited.some((path) => isSameFile(path, text)));
  if (!isBanned && !isEdited) return undefined;
  if (options.length > 0) return draftOption(rule, options, before);
  return files.length > 0 ? draftHandsOff(rule, files, before) : undefined;
}

function wasRun({ command }: Thing, { calls }: Before): boolean {
  if (command === undefined) return false;
  const trigger = toTrigger(command);
  return calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .some((one) => one.piped !== true && (programHolds(trigger, one) || programHolds(trigger, unwrapRunner(one))));
}

function draftHandsOff({ wanted, roles }: Rule, files: readonly Thing[], { calls }: Before): Found {
  const [run, others] = [
    pick(wanted, 'command'),
    pick(wanted, 'file').filter((one) => !files.some(({ text }) => text === one.text)),
  ];
  const [change, rerun] = [others.length > 0 ? `Change ${list(others)}` : '', run.length > 0 ? `run ${list(run)}` : ''];
  const how = [change, rerun].filter((part) => part !== '').join(' and ');
  const hand = roles.has('hands-off') ? ' by hand' : '';
  const summary = `Do not edit ${list(files)}${hand}`;
  const remedy = how === '' ? `Leave ${list(files)} as it is` : `${how[0]?.toUpperCase()}${how.slice(1)} instead`;
  const draft = toDraft(summary, remedy, { tools: EDITS, paths: files.map(toGlob) });
  return [draft, ...draftShell(files, others, summary, remedy, calls)];
}

function draftInstead(
  rule: Rule,
  commands: readonly Thing[],
  files: readonly Thing[],
  options: readonly Thing[],
): Found {
  const needed = [...toRun(rule.without), ...(rule.wanted.length === 0 ? toRun(rule.before) : [])];
  if (needed.length > 0) return draftOrder(needed, commands);
  if (rule.without.length > 0) {
    const [first] = commands;
    const lacking = pick(rule.without, 'option');
    if (lacking.length === 0) return draftOrder(pick(rule.without, 'file'), commands);
    return first?.command && draftWith(first.command, lacking);
  }
  // "Never push without a review" says when to push.
  if (rule.open.has('without') && !ASKING.test(rule.words)) return undefined;
  if (files.length > 0) return commands.some(({ kind }) => kind === 'deed') ? draftUncommitted(files) : undefined;
  const onGit = commands.find(({ command }) => command?.program === 'git');
  const place = onGit && findBranch(rule.words, onGit);
  if (place === undefined && commands.some((one) => isNarrowed(one, rule.words))) return undefined;
  const allowed = pick(rule.wanted, 'command');
  // "No commits to main, always git switch -c first"
  if (FIRST.test(rule.words) && allowed.length > 0) return draftOrder(allowed, commands);
  const extra = [...options.map(({ text }) => text), ...(place === undefined ? [] : [place])];
  const programs = toTriggers(commands).map((trigger) =>
    addArgs(
      trigger,
      extra.flatMap((one) => one.split(/[\s=]+/)),
    ),
  );
  const wrapper = commands.find(({ command }) => findFacts(command?.program ?? '')?.wraps !== undefined);
  if (wrapper?.command?.args.length === 0) return draftWrapper(wrapper);
  const what = [list(commands), options.length > 0 && `with ${list(options)}`, place && `on \`${place}\``]
    .filter((part) => part)
    .join(' ');
  const instead = allowed.length > 0 ? allowed : pick(rule.wanted, 'option');
  // "Not `npm install`, `npm`" was not understood, and a trigger cannot tell `bin/rails` from `rails`.
  const isBare = ({ command }: Thing): boolean =>
    command?.args.length === 0 && commands.some((one) => one.command?.program === command.program);
  const isSelf = ({ command }: Thing): boolean =>
    command !== undefined && programs.some((one) => programHolds(one, command));
  if (instead.some((one) => isBare(one) || isSelf(one))) return undefined;
  // "Never run x on production" forbids no other run.
  if (
    instead.length === 0 &&
    place === undefined &&
    commands.some(({ kind, end }) => kind === 'command' && PLACED.test(rule.words.slice(end)))
  )
    return undefined;
  const triggers: Triggers = { tools: ['shell'], programs };
  if (instead.length === 0) return toDraft(`Do not run ${what}`, 'Leave it out, or ask the user first', triggers);
  return toDraft(`Use ${list(instead)} instead of ${what}`, `Use ${list(instead)}`, triggers);
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
function draftMoment(rule: Rule, { edited }: Before): Found {
  const { force, wanted, after } = rule;
  if (force === 'ours' || force === 'none') return undefined;
  const [done] = toRun(rule.done);
  const lacking = pick(rule.without, 'option');
  if (lacking.length > 0 && done?.command !== undefined) return draftWith(done.command, lacking);
  if (rule.without.length > 0 && done !== undefined) return draftOrder(rule.without, toRun(rule.done));
  const [run, files] = [pick(wanted, 'command'), pick(wanted, 'file')];
  const things = run.length > 0 ? run : files.length > 0 ? files : toRun(wanted);
  if (things.length === 0) return undefined;

  if (toRun(rule.without).length > 0 && files.length === 0) return draftOrder(toRun(rule.without), things);
  const moments = toRun(rule.before);
  if (moments.length > 0) return draftOrder(things, moments);
  const far = rule.before.filter(({ kind, command }) => kind === 'deed' && command === undefined);
  if (far.length > 0) return draftFar(things, far);
  const [changed, ended] = [pick(after, 'file'), toRun(after)];
  if (changed.length > 0) return draftEdited(changed, things);
  if (ended.length > 0) {
    const triggers: Triggers = { tools: ['shell'], programs: toTriggers(ended) };
    return pick(wanted, 'option').length === wanted.length
      ? undefined
      : toDraft(`${toDoing(things)} after ${list(ended)}`, `${toDoing(things)} afterwards`, triggers);
  }
  // "After you changed the api": what was edited tells.
  if (!rule.open.has('after') || force === 'remind' || edited.length === 0) return undefined;
  return draftEdited(edited.slice(-MAX_FILES).map(toFile), things);
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

/** A deed that no one command does: the words of the conversation tell. */
function draftFar(needed: readonly Thing[], deeds: readonly Thing[]): Draft {
  const words = deeds.map(({ text }) => text);
  const triggers: Triggers = { tools: ['shell'], actionKeywords: words, session: toSession(needed) };
  return toDraft(`${toDoing(needed)} before a ${words.join(' or ')}`, `${toDoing(needed)} first`, triggers);
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
function draftForm({ wanted, where, after, force, verbs, open, roles }: Rule, { calls }: Before): Found {
  const commands = pick(wanted, 'command');
  const options = pick(wanted, 'option').map(({ text }) => text);
  // Whose option it is, or when the command is due, is not clear.
  if (open.has('before') || (options.length > 0 && commands.length > 0 && new Set(toRun(wanted).map(toRan)).size > 1))
    return undefined;
  // "Use -s when you commit"
  const named = options.length > 0 && commands.length === 0 ? [...toRun(wanted), ...toRun(after)] : commands;
  const [first, second] = named.flatMap(({ command, text }) => (command ? [{ command, text }] : []));
  const isStated = force === 'standing' || force === 'blame';
  if (first === undefined || !isStated) return undefined;
  const [place] = where;
  if (place !== undefined && options.length === 0 && toOptions(first.command).length === 0)
    return toDraft(`Run ${list(commands)} in ${list([place])}`, `Change to ${list([place])} first`, {
      ...{ tools: ['shell'], programs: toTriggers(commands), directory: { outside: toPlainPath(place.text) } },
    });
  const all = [...options, ...toOptions(first.command)];
  if (all.length > 0 && (second === undefined || second.text === first.text))
    return draftWith(
      first.command,
      all.map((text) => ({ ...COMMIT, text })),
      options.length === 0 ? first.text : undefined,
    );
  const whole = second === undefined ? first.command : toCommand(`${second.text} ${first.text}`);
  const inner = whole === undefined ? undefined : unwrapRunner(whole);
  if (whole !== undefined && inner !== undefined && inner !== whole && inner.program !== whole.program) {
    const triggers: Triggers = { tools: ['shell'], programs: [{ name: inner.program }] };
    return toDraft(`Run \`${inner.program}\` as \`${toName(whole)}\``, `Use \`${toName(whole)}\``, triggers);
  }
  if (force !== 'standing' || !(verbs.has('use') || (verbs.size === 0 && roles.has('always')))) return undefined;
  const others = findOthers(first.command, calls);
  if (others.length === 0) return undefined;
  const shown = others.map((name) => `\`${name}\``).join(' or ');
  const triggers: Triggers = { tools: ['shell'], programs: others.map((name) => ({ name })) };
  return toDraft(`Use \`${first.text}\` instead of ${shown}`, `Use \`${first.text}\``, triggers);
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
  const isMeant =
    !rule.open.has('before') &&
    rule.verbs.has('run') &&
    (force === 'standing' || (before.calls.length > 0 && (force === 'blame' || roles.has('remind'))));
  return run.length > 0 && isMeant ? draftOrder(run, [findEnding(before) ?? COMMIT]) : undefined;
}

/** Files that belong together, of which some were edited; or that have to be edited before work is handed on. */
function draftLeftOut({ force, roles, verbs, named }: Rule, files: readonly Thing[], before: Before): Found {
  const { edited, meant } = before;
  const isDone = ({ text }: Thing): boolean => edited.some((path) => isSameFile(path, text));
  const [done, left] = [files.filter(isDone), files.filter((one) => !isDone(one))];
  if (files.length > 1 && (roles.has('sync') || (done.length > 0 && left.length > 0 && roles.has('also')))) {
    const [first] = [...done, ...files];
    const changed = done.length > 0 && left.length > 0 ? done : files.filter((one) => one === first);
    return draftTogether(
      changed,
      files.filter((one) => !changed.includes(one)),
    );
  }
  const isAlso = force === 'blame' || roles.has('also') || roles.has('remind');
  if (isAlso && left.length > 0 && edited.length > 0) return draftTogether(meant.slice(-MAX_FILES).map(toFile), left);
  const ending = findEnding(before);
  if (force === 'standing' && verbs.has('change') && !named.some(({ kind }) => kind === 'command')) return draftOrder(files, [ending ?? COMMIT]);
  return force === 'blame' && ending !== undefined ? draftOrder(left, [ending]) : undefined;
}

/** What handed work on before the words: a commit, a push, a request to merge. */
function findEnding({ calls }: Before): Thing | undefined {
  const last = calls
    .slice(-RECENT)
    .flatMap(parseCall)
    .findLast((one) =>
      /^(?:git (?:commit|push|tag)|gh (?:pr|release) create|\w+ publish)$/.test(
        toName(one).split(' ').slice(0, 3).join(' '),
      ),
    );
  return last === undefined ? undefined : toMoment(last);
}

/** Without its objects. */
function toMoment(command: SimpleCommand): Thing {
  const text = toName(command);
  return { kind: 'command', text, at: 0, end: 0, command: toCommand(text) ?? command };
}

function toDraft(summary: string, remediation: string, triggers: Triggers): Draft {
  return { summary, remediation, triggers, type: 'requirement' };
}

/** Of `vitest` and `npx vitest run` the longer one says it all. */
function pick(things: readonly Thing[], kind: Thing['kind']): readonly Thing[] {
  const all = things.filter((thing) => thing.kind === kind);
  if (kind !== 'command') return all;
  return all.filter(
    (one) => !all.some(({ text }) => text.length > one.text.length && ` ${text} `.includes(` ${one.text} `)),
  );
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
  return `${toPlainPath(path).split('/').slice(-3).join('/')}${path.endsWith('/') ? '/' : ''}`;
}

function toName(command: SimpleCommand): string {
  const sub = toPlainSubCommand(command);
  return [command.program, ...(sub.length > 0 ? sub : toPositionals(command).filter(isWord).slice(0, 2))].join(' ');
}

function isWord(word: string): boolean {
  return /^[a-z][\w:-]*$/i.test(word);
}

/** `make fmt`, `python train.py`: the words of a runner are what it is about. */
function toTaskTrigger(command: SimpleCommand): ProgramTrigger {
  const operands = toOperands(command);
  const [script = ''] = operands;
  if (isInterpreter(command.program) && /\.\w+$/.test(script)) return { name: command.program, sub: [script] };
  const isTask = toPlainSubCommand(command).length === 0 && operands.length > 0 && operands.every(isWord);
  return isTask ? { name: command.program, sub: operands } : toProgramTrigger(command);
}

/** Other operands may stand anywhere. */
function toTrigger(command: SimpleCommand): ProgramTrigger {
  const trigger = toTaskTrigger(command);
  const operands = toOperands(command).filter((word) => !trigger.sub?.includes(word) && !/[<>]/.test(word));
  return addArgs(trigger, [...operands, ...toOptions(command)]);
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
  if (first === undefined) return { unless: [] };
  return { unless: [first.kind === 'file' ? { read: toPlainPath(first.text) } : { ran: toRan(first) }] };
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
  /(?<![\w-])(?:to|on|onto|into|auf|nach|in|sur|vers|dans|a|en|para|na|no|su|op|naar|direkt auf|到|向|に|へ)?\s*[`'"]?(?:origin[/ ])?(main|master|develop|trunk|production|staging)[`'"]?(?![\w-]|\.\w)/gi;

/** The branch that must not be pushed to: the one nearest to the command. */
function findBranch(words: string, { at, end }: Thing): string | undefined {
  const far = ({ index }: RegExpExecArray): number => (index < at ? at - index : index - end);
  return [...words.matchAll(BRANCH)].sort((a, b) => far(a) - far(b))[0]?.[1];
}

export function toFile(path: string): Thing {
  return { kind: 'file', text: path, at: 0, end: 0 };
}

/** Any file of that name; `README` has some ending. */
function toGlob({ text }: Thing): string {
  const path = toPlainPath(text);
  const isBare = /^(?:readme|changelog)$/i.test(toBaseName(path));
  const name = isBare ? path.replace(/readme|changelog/i, (word) => word.toUpperCase()) : path;
  return `**/${name}${isBare ? '*' : ''}${text.endsWith('/') ? '/**' : ''}`;
}

export function isSameFile(path: string, named: string): boolean {
  if (named.endsWith('/')) return `/${path}`.includes(`/${toPlainPath(named)}/`);
  if (named.startsWith('*')) return path.endsWith(named.slice(1));
  const isBare = /^(?:readme|changelog)$/i.test(named);
  if (isBare) return toBaseName(path).toLowerCase().startsWith(named.toLowerCase());
  return endsWithPath(path, named) || endsWithPath(named, path);
}
