/**
 * The words of a model are foreign text: whoever wrote an output that the model has read may speak through it. A proposal
 * that names an address, installs or downloads something, changes permissions, or tells to run a program, or a word of a
 * command, that no call of the user has run waits for a person, whatever its trigger is worth. Lists of bad things are
 * never complete; that every word of a command was run before is what a forger cannot arrange by printing.
 */

import type { Finding } from '../../base/model/finding.ts';
import { BASH, parseCommand } from '../../base/shell/parse-command.ts';
import { isOption, type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { listTriggerWords } from '../../base/triggers/trigger-parts.ts';
import { guardFinding } from './guard-finding.ts';
import { judgeTriggerWords, RUNS_PACKAGE, runsPackage } from './outside-text/judge-foreign.ts';
import { findPoison } from './outside-text/poison-shapes.ts';
import { toPlainLine } from './outside-text/to-plain-line.ts';
import type { GuardWindow } from './outside-text/to-sources.ts';
import { findRisks } from './risky-remedies/judge-remedy.ts';

/** `hasRun`: has a call of the user run this program or tool, this word of a program (`npx jest`), or this word (` jest`)? */
export function guardProposal(finding: Finding, window: GuardWindow, hasRun: (program: string) => boolean): Finding {
  const guarded = guardFinding(finding, window);
  const typed = window.calls.find(({ callId }) => callId === finding.failingCallId)?.command ?? '';
  const reasons = [...judgeWords(finding, typed, hasRun), ...judgeMistake(finding.mistake, typed)];
  if (reasons.length === 0) return guarded;
  const known = guarded.caution === undefined ? [] : guarded.caution.split(', ');
  return { ...guarded, caution: [...new Set([...known, ...reasons])].join(', '), trust: 'foreign' };
}

const REASON_CHARS = 160;

/** A reason of a model as a person may read it: one short line, or nothing where it speaks to its reader. */
export function toOwnWords(reason: string): string {
  const line = toPlainLine(reason.normalize('NFKC'));
  return ADDRESS.test(line) || isStrange(line) ? '(its reason is not repeated here)' : toShortChars(line, REASON_CHARS);
}

/** `typed`: the failed command. What it did is what the words are about. */
function judgeWords(
  { summary, mistake, remediation, triggers }: Finding,
  typed: string,
  hasRun: (program: string) => boolean,
): readonly string[] {
  const [headline, cause, remedy] = [summary, mistake, remediation].map((text) => text.normalize('NFKC')) as [
    ...[string, string, string],
  ];
  const words = [blankTyped(headline, typed), blankTyped(cause, typed), remedy];
  const advice = [blankTyped(headline, typed), remedy];
  const [isAddressed, isForeign] = [words.some((text) => ADDRESS.test(text)), words.some(isStrange)];
  return [
    ...(isAddressed ? ['it names an address'] : []),
    ...(isForeign ? ['its words speak to the agent as no lesson does'] : []),
    ...(advice.some(installs) ? ['its advice installs or downloads something'] : []),
    ...(advice.some((text) => PERMISSIONS.test(text)) ? ['its advice changes permissions'] : []),
    ...(advice.some((text) => listPrograms(text).some((program) => !hasRun(program)))
      ? ['its advice runs a program that no call has run']
      : []),
    ...(advice.some((text) => hasNewWords(text, { triggers, typed, hasRun }))
      ? ['its advice has words of a command that no call has run']
      : []),
    ...(words.some(persuades) ? ['it talks about more than a call'] : []),
    ...(advice.some((text) => PROSE_RISK.test(text))
      ? ['its advice deletes something, shows a secret or runs a text']
      : []),
    ...(advice.some((text) => runsOtherPackage(text, hasRun)) ? [RUNS_PACKAGE] : []),
    ...(listTriggerWords(triggers).some(isStrange) ? ['its trigger speaks to the agent'] : []),
    ...(triggers.failure === true ? [] : judgeTriggerWords(triggers)),
  ];
}

/** Without the code that the failed call itself had. */
function blankTyped(text: string, typed: string): string {
  return text.replace(/`([^`]+)`/g, (code, inner: string) => (typed.includes(inner.trim()) ? '`…`' : code));
}

interface Grounds {
  readonly triggers: Finding['triggers'];
  readonly typed: string;
  readonly hasRun: (program: string) => boolean;
}

/** Does code of the text have a word that no call of its program had? Placeholders (`<file>`) and small numbers are free. */
function hasNewWords(text: string, { triggers, typed, hasRun }: Grounds): boolean {
  const own = [...parseCommand(typed, BASH), ...(triggers.programs ?? []).map(({ name }) => ({ program: name }))];
  const programs = [...new Set(own.map(({ program }) => program))];
  const known = new Set(listWords(typed));
  const isNew = (word: string, of: readonly string[]): boolean =>
    !FREE.test(word) && !known.has(word) && !of.some((program) => hasRun(`${program} ${word}`));
  return listCode(text.replace(PLACEHOLDER, '…')).some((code) => {
    const words = listWords(code);
    if (isOption(code.trim())) return words.some((word) => isNew(word, programs));
    if (!/\s/.test(code.trim())) return /[/=]|^\./.test(code) && words.some((word) => isNew(word, ['']));
    return parseCommand(code, BASH).some(({ program, text: line }) => {
      const rest = listWords(line).filter((word) => word !== program && !word.endsWith(`/${program}`));
      return PROGRAM.test(program) && rest.some((word) => isNew(word, [program]));
    });
  });
}

/** Words of a command with those of its assignments and redirections. */
export function listWords(line: string): readonly string[] {
  return line.split(/[\s=<>|&;]+/).flatMap((word) => word.replace(/^["'()]+|["'()]+$/g, '') || []);
}

const PLACEHOLDER = /<[a-z][\w ./|-]*>/gi;
const FREE = /…|^\.{3}$|^[^\p{L}\p{N}]*$|^\d{1,5}$/u;

/** A package that calls have run before is the project's own. */
function runsOtherPackage(text: string, hasRun: (program: string) => boolean): boolean {
  if (!runsPackage(text)) return false;
  const commands = listCode(text).flatMap((code) => parseCommand(code, BASH));
  const running = commands.filter(({ text: line }) => runsPackage(line));
  return running.length === 0 || !running.every((one) => hasRun(toPackage(one)));
}

/** `npx jest`: a program that runs a package by its name, and that name. */
export function toPackage(command: SimpleCommand): string {
  return [command.program, toPositionals(command)[0] ?? ''].join(' ');
}

function listCode(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code);
}

/** The same of what went wrong, but for what the failing call itself did. */
function judgeMistake(mistake: string, typed: string): readonly string[] {
  const words = mistake.normalize('NFKC');
  const isNew = (pattern: RegExp): boolean => pattern.test(words) && !pattern.test(typed);
  const known = findRisks(typed, {}).map(({ name }) => name);
  return [
    ...(isNew(FETCH) || isNew(INSTALL) || (runsPackage(words) && !runsPackage(typed))
      ? ['it tells of an installation that the call did not make']
      : []),
    ...(isNew(PERMISSIONS) ? ['it tells of permissions that the call did not change'] : []),
    ...(isNew(SYSTEM_PLACE) ? ['it names a place of the system'] : []),
    ...findRisks(words, {}).flatMap(({ name, reason }) => (known.includes(name) ? [] : [reason])),
  ];
}

/** Where things run by themselves, or where anybody may put a file. */
const SYSTEM_PLACE =
  /(?:^|[\s"'`=(])(?:\/tmp|\/var\/tmp|\/dev\/shm|\/etc|~\/\.(?:ssh|bashrc|zshrc|profile|config))(?:\/|\b)|\bcrontab\b/i;

/** A scheme, an e-mail address, a name of a host with a common ending, or a number of one. */
const ADDRESS =
  /(?:^|[\s"'`(=])\/\/\w|\[(?:[\da-f]*:){2,}|\w\s?[[(](?:\.|dot)[\])]\s?\w|\w\sdot\s\w+\sdot\s\w|[\u3002\uff61]\w|\bdata:\w|\b[a-z][a-z0-9+.-]{1,20}:\/\/(?!(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|<)(?:[:/]|\b))|\bwww\.|\b[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|ai|co|ru|cn|xyz|top|info|biz|site|online|cc|tk|example|invalid|onion)\b(?!\w|\()|\b(?!(?:127|0)\.)\d{1,3}(?:\.\d{1,3}){3}\b/i;

/** It speaks to its reader, or hides what it says. */
function isStrange(text: string): boolean {
  const poison = findPoison(toPlainLine(text));
  return poison === 'attack' || poison === 'command' || HIDDEN.test(text) || MARKUP.test(text.replace(/`[^`]*`/g, ''));
}

/** Comments, closing tags, links, images and headings: a lesson is plain sentences. */
const MARKUP = /<!|<\/|\]\(|(?:^|\s)#{1,6}\s/;

/**
 * A lesson is about calls. It neither vouches for its reader's user, nor judges other notes or the program that shows it.
 */
function persuades(text: string): boolean {
  return PERSUADES.some((pattern) => pattern.test(text));
}

const PERSUADES: readonly RegExp[] = [
  /\b(?:users?|humans?|owners?|maintainers?|admins?)\b[^.\n]{0,30}\b(?:approv|allow|agree|consent|confirm|permit|authori[sz])/i,
  /\bwithout asking\b|\byes to (?:all|every|any|each)/i,
  /\b(?:ignor|disregard|forget|mut|skip|distrust)\w*\b[^.\n]{0,40}\b(?:notes?|lessons?|hints?|warnings?|reminders?)\b/i,
  /\b(?:notes?|lessons?|hints?|reminders?)\b[^.\n]{0,40}\b(?:outdated|obsolete|stale|wrong|false|untrue)\b|\boncebitten\b/i,
];

const PROSE_RISK =
  /\b(?:delete|remove|erase|wipe|discard|overwrite|truncate|purge|destroy)\b\s+(?:\w+\s+){0,3}`?(?:folders?|director(?:y|ies)|files?|tests?|checks?|branch(?:es)?|databases?|tables?|data|repositor(?:y|ies)|commits?|history|backups?|volumes?|\.\w)|\b(?:print|show|read|open|copy|commit|include|content|echo|cat)\w*\b[^.\n]{0,30}(?:\.env\b|\.ssh\b|\bid_rsa\b|\bcredentials?\b|\bprivate keys?\b)|\b(?:pipe|feed|pass|paste)\b[^.\n]{0,60}\b(?:shell|bash|sh|zsh|interpreter|terminal)\b|\b(?:decode|rot13|base64|unhex)\b/i;

/** Characters that nobody sees, words of two alphabets, and long rows of a code that nobody reads. */
const HIDDEN =
  /\p{Default_Ignorable_Code_Point}|\p{Script=Latin}[\p{Script=Cyrillic}\p{Script=Greek}]|[\p{Script=Cyrillic}\p{Script=Greek}]\p{Script=Latin}|(?=[a-zA-Z+/]*\d)(?=[a-z\d+/]*[A-Z])(?=[A-Z\d+/]*[a-z])[A-Za-z\d+/]{40,}={0,2}|(?:\\x[\da-fA-F]{2}){4,}/u;

const FETCH =
  /\b(?:curl|wget|aria2c|invoke-webrequest|invoke-restmethod|iwr|irm|certutil|bitsadmin|git\s+clone|scp|rsync|sftp|ftp)\b/i;
/** With the name of what is installed: the dependencies that a project itself names are its own. */
const INSTALL =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:-\S+\s+)*(?:install|i|add|link|global)\s+(?:-\S+\s+)*[\w@./<]|\b(?:pip3?|pipx|uv|poetry|conda|mamba|gem|cargo|go|brew|port|apt|apt-get|dnf|yum|pacman|apk|zypper|snap|flatpak|winget|choco|scoop|nix-env|deno|composer|dotnet|helm|krew|cpan|luarocks|opam|stack|cabal|mix|code)\s+(?:-\S+\s+)*(?:pip\s+|tool\s+|repo\s+)?(?:install|add|get|tap|require|--install-extension|-s|-i)\s+(?:-\S+\s+)*[\w@./<:]|\b[\w-]+\s+(?:mcp|plugins?|extensions?)\s+(?:marketplace\s+)?(?:add|install)\b|\b(?:install|download|fetch)(?:ing)?\s+(?:the\s+|a\s+|an\s+)?(?:\S+\s+)?(?:package|module|plugin|extension|binary|script|tool|certificate|key|helper|agent|server)\b/i;

function installs(text: string): boolean {
  return FETCH.test(text) || INSTALL.test(text);
}

const PERMISSIONS =
  /\b(?:chmod|chown|chgrp|setfacl|icacls|takeown|sudo|doas|su|runas|visudo|setcap|usermod|passwd|xattr|spctl|setenforce|umask|cacls)\b|\b(?:grant|allow|disable|bypass|skip|approve|turn\s+off|switch\s+off)\b[^.\n]{0,40}\b(?:permissions?|access|sandbox|approvals?|hooks?|checks?|verification|protection|safeguards?|security|certificates?|signatures?|confirmations?|prompts?)\b|--dangerously|bypassPermissions|\byolo\b/i;

/** The programs that a text tells to run: code in backticks, and the word after "run". */
function listPrograms(text: string): readonly string[] {
  const code = [...text.matchAll(/`([^`]+)`/g)];
  const commands = code.flatMap(([, span = ''], n) => {
    const before = text.slice(0, code[n]?.index ?? 0);
    const isTold = RUN.test(before);
    // A call of a function is code of another language.
    if (/^[\w.]+\(/.test(span)) return [];
    return parseCommand(span, BASH).flatMap((command) => {
      const { program, args } = command;
      const isCommand =
        args.length > 0 && (toPositionals(command).length > 0 || args.some(({ value }) => isOption(value)));
      return PROGRAM.test(program) && !isOption(program) && (isCommand || isTold) ? [program] : [];
    });
  });
  const plain = [...text.replace(/`[^`]*`/g, ' ').matchAll(PLAIN_RUN)].flatMap(([, word = '']) =>
    COMMON.has(word.toLowerCase()) ? [] : [word],
  );
  return [...commands, ...plain];
}

/** Words in capitals are those of another language, such as SQL. */
const PROGRAM = /^(?![A-Z]+$)[\w.+@-]+$/;
const RUN = /\b(?:run|runs|running|execute|executes|invoke|invokes|launch|start|call)\s+(?:\w+\s+)?$/i;
const PLAIN_RUN = /\b(?:run|execute|invoke|launch)\s+([a-z][\w.+-]*)/gi;
/** Words after "run" in a sentence. */
const COMMON: ReadonlySet<string> = new Set(
  'it its the a an this that these those your all only first again from in inside with without tests test both each command commands one them and or on at by as into once before after outside under every any where when if not no either directly separately manually locally together other another same such via through to of for time'.split(
    ' ',
  ),
);
