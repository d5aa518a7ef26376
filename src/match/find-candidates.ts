/**
 * Finds the numbers of the lessons that may fire on a call: walks down the index (`base/model/manifest.ts`) along the
 * tool, commands, files and texts of the call. An entry is taken once, however often a long command leads to it.
 */

import {
  type IndexBranch,
  type IndexEntry,
  type IndexNode,
  MAX_INDEX_CHARS,
  type TextDimension,
  toBounded,
} from '../base/model/manifest.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import type { CallView } from '../base/triggers/call-view.ts';

interface Walk {
  readonly call: CallView;
  readonly found: Set<number>;
  readonly taken: Set<IndexEntry>;
  /** The program branches of the scopes that the call belongs to. */
  readonly programs: IndexBranch[];
  /** The texts of the call, made for the first entry that needs them. */
  readonly texts: Partial<Record<TextDimension, string>>;
}

export function findCandidates(index: IndexNode, call: CallView): ReadonlySet<number> {
  const walk: Walk = { call, found: new Set(), taken: new Set(), programs: [], texts: {} };
  enter(walk, take(walk, index));
  enter(walk, follow(walk, index.project, call.projectId));
  enter(walk, follow(walk, index.session, call.sessionId));
  if (walk.programs.length > 0) for (const command of call.commands) takeCommand(walk, command);
  return walk.found;
}

/** Walks on from a scope (everyone, the project, the session) by the tool and the file of the call. */
function enter(walk: Walk, scope: IndexNode | undefined): void {
  if (scope === undefined) return;
  follow(walk, scope.tool, walk.call.tool);
  if (scope.program !== undefined) walk.programs.push(scope.program);
  if (walk.call.path !== undefined) takeFile(walk, scope, toBounded(walk.call.path));
}

function takeCommand(walk: Walk, command: SimpleCommand): void {
  let positionals: readonly string[] | undefined;
  for (const programs of walk.programs) {
    let node = follow(walk, programs, command.program);
    for (let depth = 0; node !== undefined; depth++) {
      takeWords(walk, node, command);
      if (node.sub !== undefined) positionals ??= toPositionals(command);
      node = follow(walk, node.sub, positionals?.[depth]);
    }
  }
}

function takeWords(walk: Walk, { option, word }: IndexNode, { args }: SimpleCommand): void {
  if (option === undefined && word === undefined) return;
  for (const { value } of args) {
    if (!isOption(value)) follow(walk, word, value);
    else if (option !== undefined) takeOption(walk, option, value);
  }
}

/** `--stat=40` is `--stat` too. */
function takeOption(walk: Walk, options: IndexBranch, value: string): void {
  follow(walk, options, value);
  for (let at = value.indexOf('='); at > 0 && at <= MAX_INDEX_CHARS; at = value.indexOf('=', at + 1)) {
    follow(walk, options, value.slice(0, at));
  }
}

function takeFile(walk: Walk, { name, folder, ext }: IndexNode, path: string): void {
  if (name === undefined && folder === undefined && ext === undefined) return;
  const folders = path.split('/');
  const file = folders.pop() ?? '';
  const extension = file.includes('.') ? file.slice(file.lastIndexOf('.') + 1) : undefined;
  follow(walk, name, file);
  follow(walk, ext, extension);
  for (const one of folders) follow(walk, follow(walk, folder, one)?.ext, extension);
}

/** Takes the entry that a word of the call leads to. Only own keys count, because a word may be `constructor`. */
function follow(walk: Walk, branch: IndexBranch | undefined, word: string | undefined): IndexNode | undefined {
  if (branch === undefined || word === undefined || !Object.hasOwn(branch, word)) return undefined;
  return take(walk, branch[word]);
}

/** Collects the lessons of an entry and of the texts below it that the call has. Returns the node to walk on from. */
function take(walk: Walk, entry: IndexEntry | undefined): IndexNode | undefined {
  if (entry === undefined) return undefined;
  const node: IndexNode = isNumbers(entry) ? { here: entry } : entry;
  if (!walk.taken.has(entry)) {
    walk.taken.add(entry);
    for (const n of node.here ?? []) walk.found.add(n);
    takeTexts(walk, node.shell, 'shell');
    takeTexts(walk, node.content, 'content');
    takeTexts(walk, node.input, 'input');
  }
  return node;
}

function isNumbers(entry: IndexEntry): entry is readonly number[] {
  return Array.isArray(entry);
}

function takeTexts(walk: Walk, branch: IndexBranch | undefined, by: TextDimension): void {
  if (branch === undefined) return;
  walk.texts[by] ??= toText(by, walk.call);
  const text = walk.texts[by];
  for (const part of listTexts(branch)) if (text.includes(part)) take(walk, branch[part]);
}

const textsOf = new WeakMap<IndexBranch, readonly string[]>();

/** Cached for all calls of a daemon, because with 100,000 lessons listing takes half as long as the search itself. */
function listTexts(branch: IndexBranch): readonly string[] {
  const texts = textsOf.get(branch) ?? Object.keys(branch);
  textsOf.set(branch, texts);
  return texts;
}

/** More commands than this are all appended to the line, because searching the line for each would take too long. */
const FEW_COMMANDS = 8;

/**
 * For the shell: the line, and the commands that do not appear in it literally. A text across the border of two
 * commands may be found by mistake; the lesson's regular expression then rejects it.
 */
function toText(by: TextDimension, { commands, line = '', content = '', json = '' }: CallView): string {
  if (by !== 'shell') return toBounded(by === 'content' ? content : json);
  const whole = toBounded(line);
  const isLong = commands.length > FEW_COMMANDS;
  const missing = commands.filter(({ text }) => isLong || !whole.includes(text));
  return [whole, ...missing.map(({ text }) => toBounded(text))].join('\n');
}
