/**
 * Numbers of the lessons that may speak about a call: down the index (`base/lesson-index.ts`) along everything that the
 * call has. Each node gives its lessons once, however often a long command leads to it.
 */
import {
  type IndexBranch,
  type IndexEntry,
  type IndexNode,
  MAX_INDEX_CHARS,
  type TextDimension,
  toBounded,
} from '../base/lesson-index.ts';
import { isOption, toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { findTexts, type Haystack } from './find-texts.ts';
import type { MatchCall } from './match-call.ts';

const FEW = 8;

export function findCandidates(index: IndexNode, call: MatchCall): ReadonlySet<number> {
  const file = call.path === undefined ? undefined : toFileWords(call.path);
  const walk: Walk = { call, file, scopes: [], found: new Set(), seen: new Set(), texts: {} };
  enter(walk, index);
  enter(walk, findIn(index.project, call.projectId));
  enter(walk, findIn(index.session, call.sessionId));
  for (const command of call.commands) takeCommand(walk, command);
  return walk.found;
}

interface FileWords {
  readonly folders: readonly string[];
  readonly name: string;
  readonly ext: string | undefined;
}

interface Walk {
  readonly call: MatchCall;
  readonly file: FileWords | undefined;
  /** Those in which lessons about programs are. */
  readonly scopes: IndexBranch[];
  readonly found: Set<number>;
  readonly seen: Set<IndexEntry>;
  /** Of the call, made when a node asks for one. */
  readonly texts: Partial<Record<TextDimension, Haystack>>;
}

/** A scope: everything that the call has may lead on from here. */
function enter(walk: Walk, entry: IndexEntry | undefined): void {
  const node = take(walk, entry);
  if (node === undefined) return;
  take(walk, findIn(node.tool, walk.call.tool));
  if (node.program !== undefined) walk.scopes.push(node.program);
  if (walk.file !== undefined) takeFile(walk, node, walk.file);
}

function takeCommand(walk: Walk, command: SimpleCommand): void {
  let positionals: readonly string[] | undefined;
  for (const programs of walk.scopes) {
    let node = take(walk, findIn(programs, command.program));
    for (let depth = 0; node !== undefined; depth++) {
      if ((node.option ?? node.word) !== undefined) takeWords(walk, node, command);
      if (node.sub === undefined) break;
      positionals ??= toPositionals(command);
      const word = positionals[depth];
      node = word === undefined ? undefined : take(walk, findIn(node.sub, word));
    }
  }
}

function takeWords(walk: Walk, { option, word }: IndexNode, { args }: SimpleCommand): void {
  for (const { value } of args) {
    if (!isOption(value)) {
      if (word !== undefined && value.length <= MAX_INDEX_CHARS) take(walk, findIn(word, value));
    } else if (option !== undefined) takeOption(walk, option, value);
  }
}

/** `--stat=40` is `--stat` too. */
function takeOption(walk: Walk, options: IndexBranch, value: string): void {
  if (value.length <= MAX_INDEX_CHARS) take(walk, findIn(options, value));
  for (let at = value.indexOf('='); at > 0 && at <= MAX_INDEX_CHARS; at = value.indexOf('=', at + 1)) {
    take(walk, findIn(options, value.slice(0, at)));
  }
}

function takeFile(walk: Walk, node: IndexNode, { folders, name, ext }: FileWords): void {
  if (node.name !== undefined) take(walk, findIn(node.name, name));
  if (node.ext !== undefined && ext !== undefined) take(walk, findIn(node.ext, ext));
  if (node.folder === undefined) return;
  for (const folder of folders) {
    const below = take(walk, findIn(node.folder, folder));
    if (below?.ext !== undefined && ext !== undefined) take(walk, findIn(below.ext, ext));
  }
}

function toFileWords(path: string): FileWords {
  const folders = toBounded(path).split('/');
  const name = folders.pop() ?? '';
  const dot = name.lastIndexOf('.');
  return { folders, name, ext: dot < 0 ? undefined : name.slice(dot + 1) };
}

/** The lessons of a node, and of the texts below it that the call has. Gives it back to go on from. */
function take(walk: Walk, entry: IndexEntry | undefined): IndexNode | undefined {
  if (entry === undefined) return undefined;
  if (isNumbers(entry)) {
    // So few that to remember them would cost more.
    if (entry.length <= FEW || isNew(walk, entry)) for (const n of entry) walk.found.add(n);
    return undefined;
  }
  if (!isNew(walk, entry)) return entry;
  if (entry.here !== undefined) for (const n of entry.here) walk.found.add(n);
  if (entry.shell !== undefined) takeTexts(walk, entry.shell, 'shell');
  if (entry.content !== undefined) takeTexts(walk, entry.content, 'content');
  if (entry.input !== undefined) takeTexts(walk, entry.input, 'input');
  return entry;
}

function isNew({ seen }: Walk, entry: IndexEntry): boolean {
  if (seen.has(entry)) return false;
  seen.add(entry);
  return true;
}

function takeTexts(walk: Walk, branch: IndexBranch, by: TextDimension): void {
  const haystack = walk.texts[by] ?? { by, text: toText(by, walk.call) };
  walk.texts[by] = haystack;
  for (const text of findTexts(branch, haystack)) take(walk, branch[text]);
}

/** For the shell: the line, and commands that are not in it as they are run. */
function toText(by: TextDimension, { commands, line = '', content = '', json = '' }: MatchCall): string {
  if (by !== 'shell') return toBounded(by === 'content' ? content : json);
  const whole = toBounded(line);
  let all = whole;
  // What stands over the seam of two is let through, and the regular expression says no.
  const isLong = commands.length > FEW;
  for (const { text } of commands) if (isLong || !whole.includes(text)) all += `\n${toBounded(text)}`;
  return all;
}

/** Names that every object has lead nowhere, unless they are there. */
function findIn(branch: IndexBranch | undefined, value: string): IndexEntry | undefined {
  if (branch === undefined) return undefined;
  const entry: unknown = branch[value];
  return typeof entry === 'object' && entry !== Object.prototype ? (entry as IndexEntry) : undefined;
}

function isNumbers(entry: IndexEntry): entry is readonly number[] {
  return Array.isArray(entry);
}
