/**
 * Finds the command or group that a command line names: walks the tree of names word by word, follows old names to
 * their commands, and suggests a name for a mistyped one.
 */

import { toEditDistance } from '../../base/text/edit-distance.ts';
import type { Command, CommandGroup } from './command.ts';
import { COMMANDS, COMMANDS_AND_GROUPS } from './commands.ts';
import { type UsageError, usageError } from './errors.ts';

/** A place in the tree of names: a command, a group of commands, or both. The root has no name. */
export interface CommandNode {
  readonly entry: Command | CommandGroup;
  readonly children: readonly CommandNode[];
}

interface FoundCommand {
  readonly node: CommandNode;
  /** The words behind the name. */
  readonly rest: readonly string[];
  /** `oncebitten help …` */
  readonly isHelp: boolean;
  /** The former name that was typed. Undefined also for other names that stay. */
  readonly oldName?: string;
}

const ROOT: Command = {
  name: '',
  summary: 'Learn from the failed calls of coding agents',
  about:
    'Oncebitten learns from the failed calls of your coding agents and from the calls that fixed them. When an agent repeats a mistake, it reads the fix together with the result of its call. Begin with `oncebitten start`, then connect an agent with `oncebitten install`. `oncebitten` without a command shows your lessons, agents and daemon, and what to do next.',
  load: async () => (await import('./overview/overview.ts')).run,
};

export const COMMAND_TREE: CommandNode = toNode(ROOT);

function toNode(entry: Command | CommandGroup): CommandNode {
  const depth = toWords(entry.name).length + 1;
  const children = COMMANDS_AND_GROUPS.filter(
    ({ name }) => toWords(name).length === depth && (entry.name === '' || name.startsWith(`${entry.name} `)),
  );
  return { entry, children: children.map(toNode) };
}

function toWords(name: string): readonly string[] {
  return name === '' ? [] : name.split(' ');
}

export function findCommand(typed: readonly string[]): FoundCommand {
  const { common, words } = takeCommon(typed);
  const isHelp = words[0] === 'help';
  const { renamed, oldName } = followOldName(isHelp ? words.slice(1) : words);
  const { rest, ...found } = walk(COMMAND_TREE, renamed, isHelp);
  return { ...found, rest: [...common, ...rest], ...(oldName === undefined ? {} : { oldName }) };
}

/** The options that every command has may also stand before its name, or inside it: `oncebitten --json lessons list`. */
function takeCommon(words: readonly string[]) {
  let end = 0;
  for (let word = words[0]; word !== undefined && COMMON.test(word); word = words[end])
    end += word === '--home' ? 2 : 1;
  return { common: words.slice(0, end), words: words.slice(end) };
}

const COMMON = /^--(?:json|home(?:=.*)?)$/s;

function walk(node: CommandNode, typed: readonly string[], isHelp: boolean): FoundCommand {
  if (node.children.length === 0) return { node, rest: typed, isHelp };
  const { common, words } = takeCommon(typed);
  const found = walkFrom(node, words, isHelp);
  return { ...found, rest: [...common, ...found.rest] };
}

function walkFrom(node: CommandNode, words: readonly string[], isHelp: boolean): FoundCommand {
  const [word, ...rest] = words;
  if (word === undefined || word.startsWith('-')) return { node, rest: words, isHelp };
  if (word === 'help') return walk(node, rest, true);
  const child = findChild(node, word);
  if (child === undefined) throw refuseWord(node, word, rest);
  return walk(child, rest, isHelp);
}

function findChild({ children }: CommandNode, word: string): CommandNode | undefined {
  return children.find(({ entry }) => toLastWord(entry.name) === word);
}

export function toLastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

interface Renaming {
  readonly name: string;
  readonly isAnnounced: boolean;
}

/** Old and other names, also those of whole groups: `promote` is `lessons promote`. */
const RENAMED: ReadonlyMap<string, Renaming> = new Map(
  COMMANDS.flatMap(({ name, oldNames = [], otherNames = [] }) => [
    ...oldNames.flatMap((old) => toRenamings(old, { name, isAnnounced: true })),
    ...otherNames.flatMap((other) => toRenamings(other, { name, isAnnounced: false })),
  ]),
);

function toRenamings(old: string, renaming: Renaming): readonly (readonly [string, Renaming])[] {
  const [group, last] = [old.lastIndexOf(' '), ` ${toLastWord(old)}`];
  if (group < 0) return [[old, renaming]];
  const name = renaming.name.slice(0, -last.length);
  return [
    [old, renaming],
    [old.slice(0, group), { name, isAnnounced: true }],
  ];
}

function followOldName(words: readonly string[]): { renamed: readonly string[]; oldName?: string } {
  // Old names have one or two words.
  for (const count of [2, 1]) {
    const old = words.slice(0, count).join(' ');
    const renaming = words.length < count ? undefined : RENAMED.get(old);
    if (renaming === undefined) continue;
    const renamed = [...toWords(renaming.name), ...words.slice(count)];
    return renaming.isAnnounced ? { renamed, oldName: old } : { renamed };
  }
  return { renamed: words };
}

const MAX_SUGGESTIONS = 3;
/** Groups with more commands are too long for a hint. */
const MAX_LISTED = 8;

function refuseWord({ entry, children }: CommandNode, word: string, rest: readonly string[]): UsageError {
  const { name: group } = entry;
  const names = suggestNames(group, word).map((name) => extendName(name, rest));
  const help = `oncebitten ${`${group} --help`.trimStart()}`;
  const isShort = children.length <= MAX_LISTED;
  const all = isShort
    ? `use ${children.map((child) => toLastWord(child.entry.name)).join(', ')}; see ${help}`
    : `see the commands: ${help}`;
  return usageError(
    group === '' ? 'the command line' : group,
    `unknown command '${word}'${names.length === 0 ? '' : ` (did you mean ${names.join(', or ')}?)`}`,
    names.length === 1 ? `oncebitten ${names[0]}` : all,
  );
}

/** The nearest names: one of this group before the same word in another group. */
function suggestNames(group: string, word: string): readonly string[] {
  const near = COMMANDS_AND_GROUPS.flatMap(({ name }) => {
    const last = toLastWord(name);
    const letters = toDistance(word, last);
    return letters === undefined
      ? []
      : [{ name, far: 2 * letters + (name === `${group} ${last}`.trimStart() ? 0 : 1) }];
  });
  const least = Math.min(...near.map(({ far }) => far));
  return near.flatMap(({ name, far }) => (far === least ? [name] : [])).slice(0, MAX_SUGGESTIONS);
}

/** How far a typed word is from a name. Undefined when it is too far to have been meant. */
function toDistance(word: string, name: string): number | undefined {
  if (word.length >= 3 && name.startsWith(word)) return 1;
  const letters = toEditDistance(word, name);
  return letters <= (Math.min(word.length, name.length) > 4 ? 2 : 1) ? letters : undefined;
}

/** `lesons list` meant `lessons list`. */
function extendName(name: string, rest: readonly string[]): string {
  const [word = ''] = rest;
  const longer = `${name} ${word}`;
  return COMMANDS_AND_GROUPS.some((one) => one.name === longer) ? extendName(longer, rest.slice(1)) : name;
}
