/**
 * Numbers of the lessons that may speak about a call: down the index (`base/lesson-index.ts`) along everything that the
 * call has. Each node gives its lessons once, however often a long command leads to it.
 */
import { type IndexNode, MAX_INDEX_CHARS, type TextDimension, toBounded } from '../base/lesson-index.ts';
import { isOption, toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { findTexts, type Haystack } from './find-texts.ts';
import type { MatchCall } from './match-call.ts';
import { findNamed, findNode, type OpenBranch, type OpenNode, openIndex } from './open-index.ts';
import { type FileWords, toFileWords } from './to-file-words.ts';
import { toWord, type Word } from './word-filter.ts';

/** More commands are not looked for in the line one by one. */
const FEW = 8;
const NONE: ReadonlySet<number> = new Set();

let walks = 0;

export function findCandidates(index: IndexNode, call: MatchCall): ReadonlySet<number> {
  const root = openIndex(index);
  const walk: Walk = {
    call,
    id: ++walks,
    tool: toWord(call.tool),
    programs: [],
    file: undefined,
    found: undefined,
    shell: undefined,
    content: undefined,
    input: undefined,
  };
  enter(walk, root);
  if (root.project !== undefined) enter(walk, findNode(root.project, toWord(call.projectId)));
  if (root.session !== undefined) enter(walk, findNode(root.session, toWord(call.sessionId)));
  if (walk.programs.length > 0) for (const command of call.commands) takeCommand(walk, command);
  return walk.found ?? NONE;
}

interface Walk extends Record<TextDimension, Haystack | undefined> {
  readonly call: MatchCall;
  readonly id: number;
  readonly tool: Word;
  /** Of the scopes in which there are lessons about programs. */
  readonly programs: OpenBranch[];
  /** Made when a node asks for it, as are the texts of the call. */
  file: FileWords | undefined;
  found: Set<number> | undefined;
}

/** A scope: everything that the call has may lead on from here. */
function enter(walk: Walk, node: OpenNode | undefined): void {
  if (node === undefined) return;
  const { path } = walk.call;
  take(walk, node);
  go(walk, node.tool, walk.tool);
  if (node.program !== undefined) walk.programs.push(node.program);
  if (path === undefined || (node.name ?? node.ext ?? node.folder) === undefined) return;
  walk.file ??= toFileWords(toBounded(path));
  takeFile(walk, node, walk.file);
}

function takeCommand(walk: Walk, command: SimpleCommand): void {
  const program = toWord(command.program);
  let positionals: readonly string[] | undefined;
  for (const programs of walk.programs) {
    let node = go(walk, programs, program);
    for (let depth = 0; node !== undefined; depth++) {
      if ((node.option ?? node.word) !== undefined) takeWords(walk, node, command);
      if (node.sub === undefined) break;
      positionals ??= toPositionals(command);
      const word = positionals[depth];
      node = word === undefined ? undefined : go(walk, node.sub, toWord(word));
    }
  }
}

function takeWords(walk: Walk, { option, word }: OpenNode, { args }: SimpleCommand): void {
  for (const { value } of args) {
    const branch = isOption(value) ? option : word;
    if (branch === undefined) continue;
    if (value.length <= MAX_INDEX_CHARS) go(walk, branch, toWord(value));
    if (branch === option) takeOption(walk, option, value);
  }
}

/** `--stat=40` is `--stat` too. */
function takeOption(walk: Walk, options: OpenBranch, value: string): void {
  for (let at = value.indexOf('='); at > 0 && at <= MAX_INDEX_CHARS; at = value.indexOf('=', at + 1)) {
    go(walk, options, toWord(value, 0, at));
  }
}

function takeFile(walk: Walk, node: OpenNode, { folders, name, ext }: FileWords): void {
  go(walk, node.name, name);
  if (ext !== undefined) go(walk, node.ext, ext);
  if (node.folder === undefined) return;
  for (const folder of folders) {
    const below = go(walk, node.folder, folder);
    if (below !== undefined && ext !== undefined) go(walk, below.ext, ext);
  }
}

function go(walk: Walk, branch: OpenBranch | undefined, word: Word): OpenNode | undefined {
  return branch === undefined ? undefined : take(walk, findNode(branch, word));
}

/** The lessons of a node, and of the texts below it that the call has. Gives it back to go on from. */
function take(walk: Walk, node: OpenNode | undefined): OpenNode | undefined {
  if (node === undefined || node.takenBy === walk.id) return node;
  node.takenBy = walk.id;
  if (node.here !== undefined) {
    walk.found ??= new Set();
    for (const n of node.here) walk.found.add(n);
  }
  if (node.shell !== undefined) takeTexts(walk, node.shell, 'shell');
  if (node.content !== undefined) takeTexts(walk, node.content, 'content');
  if (node.input !== undefined) takeTexts(walk, node.input, 'input');
  return node;
}

function takeTexts(walk: Walk, branch: OpenBranch, by: TextDimension): void {
  walk[by] ??= { by, text: toText(by, walk.call), stamp: undefined };
  for (const text of findTexts(branch, walk[by])) take(walk, findNamed(branch, text));
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
