/**
 * Finds the numbers of the lessons that may fire on a call: walks down the index (`base/model/manifest.ts`) along the
 * tool, commands, files and texts of the call. Each node gives its lessons once, however often a long command leads to
 * it.
 */

import {
  type IndexNode,
  MAX_INDEX_CHARS,
  MIN_INDEX_TEXT_CHARS,
  type TextDimension,
  toBounded,
} from '../base/model/manifest.ts';
import { isOption, type SimpleCommand, toPositionals } from '../base/shell/simple-command.ts';
import type { CallView } from '../base/triggers/call-view.ts';
import {
  findNamed,
  findNode,
  type OpenBranch,
  type OpenNode,
  openIndex,
  type TextGrams,
  toWord,
  type Word,
} from './open-index.ts';

/** More commands are not looked for in the line one by one. */
const FEW = 8;
const NO_CANDIDATES: ReadonlySet<number> = new Set();

let walks = 0;

export function findCandidates(index: IndexNode, call: CallView): ReadonlySet<number> {
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
  return walk.found ?? NO_CANDIDATES;
}

interface Walk extends Record<TextDimension, Haystack | undefined> {
  readonly call: CallView;
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
function toText(by: TextDimension, { commands, line = '', content = '', json = '' }: CallView): string {
  if (by !== 'shell') return toBounded(by === 'content' ? content : json);
  const whole = toBounded(line);
  let all = whole;
  // What stands over the seam of two is let through, and the regular expression says no.
  const isLong = commands.length > FEW;
  for (const { text } of commands) if (isLong || !whole.includes(text)) all += `\n${toBounded(text)}`;
  return all;
}

const MASK = (1 << 14) - 1;
const GRAM = 3;
/** Of one text so many are looked up. */
const GRAMS = 4;
/** Under it a search for each costs less than the table. */
const LITTLE = 300;
/** One byte each: the table stays where the processor has it at hand. */
const MAX_STAMP = 255;
const NO_TEXTS: readonly string[] = [];

/** A text of the call. */
interface Haystack {
  readonly by: TextDimension;
  readonly text: string;
  /** Of its letters in the table, once they are there. */
  stamp: number | undefined;
}

/** Kept, and not emptied: what bears another stamp than the last is not in the text. */
interface Table {
  readonly stamps: Uint8Array;
  last: number;
}

/** One for each kind of text that a call has: when its stamps begin anew, no other text of the call is in it. */
const tables: Partial<Record<TextDimension, Table>> = {};
let lowBytes = Buffer.alloc(0);

/**
 * Which of the texts of a branch stand in a text of the call. A look at three letters in a row, of which a table says
 * whether the call has them anywhere, drops nearly all of them: the call's text is gone through once, however many texts are
 * looked for in however many branches.
 */
function findTexts(branch: OpenBranch, haystack: Haystack): readonly string[] {
  const { text } = haystack;
  if (text.length < MIN_INDEX_TEXT_CHARS) return NO_TEXTS;
  branch.grams ??= makeGrams(Object.keys(branch.entries));
  const { texts, grams } = branch.grams;
  if (haystack.stamp === undefined && texts.length * text.length < LITTLE)
    return texts.filter((one) => text.includes(one));
  const table = fillTable(haystack);
  const { stamp } = haystack;
  const found: string[] = [];
  const count = texts.length;
  for (let i = 0; i < count; i++) {
    if (table[grams[i] as number] !== stamp || table[grams[i + count] as number] !== stamp) continue;
    if (table[grams[i + 2 * count] as number] !== stamp || table[grams[i + 3 * count] as number] !== stamp) continue;
    const one = texts[i] as string;
    if (text.includes(one)) found.push(one);
  }
  return found;
}

/** `GRAMS` of each text: the first ones of all, then the second ones. */
function makeGrams(texts: readonly string[]): TextGrams {
  const grams = new Uint16Array(GRAMS * texts.length);
  for (let i = 0; i < grams.length; i++) {
    grams[i] = getGram(texts[i % texts.length] as string, Math.floor(i / texts.length));
  }
  return { texts, grams };
}

/** From its beginning to its end, evenly. */
function getGram(text: string, k: number): number {
  const at = Math.floor((k * Math.max(0, text.length - GRAM)) / (GRAMS - 1));
  return toGram(text.charCodeAt(at) & 0xff, text.charCodeAt(at + 1) & 0xff, text.charCodeAt(at + 2) & 0xff);
}

function fillTable(haystack: Haystack): Uint8Array {
  const { by, text } = haystack;
  const table = tables[by] ?? { stamps: new Uint8Array(MASK + 1), last: 0 };
  const { stamps } = table;
  if (haystack.stamp !== undefined) return stamps;
  if (table.last === MAX_STAMP) stamps.fill(0);
  const stamp = table.last === MAX_STAMP ? 1 : table.last + 1;
  const bytes = toLowBytes(text);
  let [a, b] = [bytes[0] as number, bytes[1] as number];
  for (let at = GRAM - 1; at < text.length; at++) {
    const c = bytes[at] as number;
    stamps[toGram(a, b, c)] = stamp;
    a = b;
    b = c;
  }
  table.last = stamp;
  tables[by] = table;
  haystack.stamp = stamp;
  return stamps;
}

/** Of each letter, which is what `latin1` keeps. Gone through in half the time that the letters of a string take. */
function toLowBytes(text: string): Uint8Array {
  if (lowBytes.length < text.length) lowBytes = Buffer.allocUnsafe(2 * text.length);
  lowBytes.write(text, 'latin1');
  return lowBytes;
}

/** Of the low bytes of three letters. */
function toGram(a: number, b: number, c: number): number {
  return (a ^ (b << 4) ^ (c << 8)) & MASK;
}

interface FileWords {
  readonly folders: readonly Word[];
  readonly name: Word;
  /** What stands behind the last dot of the name. */
  readonly ext: Word | undefined;
}

/** The words of a path that the index knows files by. */
function toFileWords(path: string): FileWords {
  const folders: Word[] = [];
  let from = 0;
  for (let to = path.indexOf('/'); to >= 0; to = path.indexOf('/', from)) {
    folders.push(toWord(path, from, to));
    from = to + 1;
  }
  const dot = path.lastIndexOf('.');
  return { folders, name: toWord(path, from), ext: dot < from ? undefined : toWord(path, dot + 1) };
}
