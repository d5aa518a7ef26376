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

export function findCandidates(index: IndexNode, call: MatchCall): ReadonlySet<number> {
  const walk: Walk = { call, scopes: [], found: new Set(), seen: new Set(), texts: {} };
  enter(walk, index);
  enter(walk, findIn(index.project, call.projectId));
  enter(walk, findIn(index.session, call.sessionId));
  for (const command of call.commands) takeCommand(walk, command);
  return walk.found;
}

interface Walk {
  readonly call: MatchCall;
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
  const { tool, path } = walk.call;
  take(walk, findIn(node.tool, tool));
  if (node.program !== undefined) walk.scopes.push(node.program);
  if (path !== undefined && (node.name ?? node.folder ?? node.ext) !== undefined) takeFile(walk, node, path);
}

function takeCommand(walk: Walk, command: SimpleCommand): void {
  let positionals: readonly string[] | undefined;
  for (const programs of walk.scopes) {
    let node = take(walk, findIn(programs, command.program));
    for (let depth = 0; node !== undefined; depth++) {
      if (node.word !== undefined) takeWords(walk, node.word, command);
      if (node.sub === undefined) break;
      positionals ??= toPositionals(command);
      const word = positionals[depth];
      node = word === undefined ? undefined : take(walk, findIn(node.sub, word));
    }
  }
}

/** `--stat=40` is `--stat` too. */
function takeWords(walk: Walk, words: IndexBranch, { args }: SimpleCommand): void {
  for (const { value } of args) {
    if (value.length <= MAX_INDEX_CHARS) take(walk, findIn(words, value));
    if (!isOption(value)) continue;
    for (let at = value.indexOf('='); at > 0 && at <= MAX_INDEX_CHARS; at = value.indexOf('=', at + 1)) {
      take(walk, findIn(words, value.slice(0, at)));
    }
  }
}

function takeFile(walk: Walk, node: IndexNode, path: string): void {
  const folders = toBounded(path).split('/');
  const name = folders.pop() ?? '';
  const dot = name.lastIndexOf('.');
  const ext = dot < 0 ? undefined : name.slice(dot + 1);
  take(walk, findIn(node.name, name));
  if (ext !== undefined) take(walk, findIn(node.ext, ext));
  if (node.folder === undefined) return;
  for (const folder of folders) {
    const below = take(walk, findIn(node.folder, folder));
    if (below?.ext !== undefined && ext !== undefined) take(walk, findIn(below.ext, ext));
  }
}

/** The lessons of a node, and of the texts below it that the call has. Gives it back to go on from. */
function take(walk: Walk, entry: IndexEntry | undefined): IndexNode | undefined {
  if (entry === undefined) return undefined;
  const isNew = !walk.seen.has(entry);
  if (isNew) walk.seen.add(entry);
  if (isNumbers(entry)) {
    if (isNew) for (const n of entry) walk.found.add(n);
    return undefined;
  }
  if (!isNew) return entry;
  if (entry.here !== undefined) for (const n of entry.here) walk.found.add(n);
  if (entry.shell !== undefined) takeTexts(walk, entry.shell, 'shell');
  if (entry.content !== undefined) takeTexts(walk, entry.content, 'content');
  if (entry.input !== undefined) takeTexts(walk, entry.input, 'input');
  return entry;
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
  for (const { text } of commands) if (!whole.includes(text)) all += `\n${toBounded(text)}`;
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
