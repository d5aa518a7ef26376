/**
 * Opens the index of a manifest node by node, only where calls walk through it. Nodes that calls have visited stay in
 * small maps, whatever the size of the index; a word filter rejects nearly all words that a branch does not contain.
 */

import type { Dimension, IndexBranch, IndexEntry, IndexNode } from '../base/model/manifest.ts';

export interface OpenNode extends Readonly<Record<Dimension, OpenBranch | undefined>> {
  readonly here: readonly number[] | undefined;
  /** The last walk that took its lessons. */
  takenBy: number;
}

export interface OpenBranch {
  readonly entries: IndexBranch;
  readonly nodes: Map<string, OpenNode>;
  /** Made once it pays. */
  filter: WordFilter | undefined;
  asked: number;
  /** To look for its words in a text (`find-candidates.ts`). */
  grams: TextGrams | undefined;
}

export interface TextGrams {
  readonly texts: readonly string[];
  readonly grams: Uint16Array;
}

/** A hook without a daemon asks less, and would make a filter for nothing. */
const PATIENCE = 64;

/** By what was parsed: it goes when its manifest goes. */
const opened = new WeakMap<IndexNode, OpenNode>();

export function openIndex(index: IndexNode): OpenNode {
  const before = opened.get(index);
  if (before !== undefined) return before;
  const node = openNode(index);
  opened.set(index, node);
  return node;
}

export function findNode(branch: OpenBranch, word: Word): OpenNode | undefined {
  if (branch.filter === undefined) {
    if (++branch.asked > PATIENCE) branch.filter = makeWordFilter(Object.keys(branch.entries));
  } else if (!mayHold(branch.filter, word)) return undefined;
  return findNamed(branch, word.text.slice(word.from, word.to));
}

/** Names that every object has lead to nothing, unless they are there: a function, or a node without lessons. */
export function findNamed(branch: OpenBranch, word: string): OpenNode | undefined {
  const before = branch.nodes.get(word);
  if (before !== undefined) return before;
  const entry: unknown = branch.entries[word];
  if (typeof entry !== 'object' || entry === null) return undefined;
  const node = openNode(entry as IndexEntry);
  // A copy: a part of a text would keep all of the text in memory.
  branch.nodes.set([...word].join(''), node);
  return node;
}

function openNode(entry: IndexEntry): OpenNode {
  const node: IndexNode = isNumbers(entry) ? { here: entry } : entry;
  return {
    here: node.here,
    takenBy: 0,
    tool: openBranch(node.tool),
    program: openBranch(node.program),
    sub: openBranch(node.sub),
    option: openBranch(node.option),
    word: openBranch(node.word),
    name: openBranch(node.name),
    folder: openBranch(node.folder),
    ext: openBranch(node.ext),
    shell: openBranch(node.shell),
    content: openBranch(node.content),
    input: openBranch(node.input),
    project: openBranch(node.project),
    session: openBranch(node.session),
  };
}

function openBranch(entries: IndexBranch | undefined): OpenBranch | undefined {
  return entries && { entries, nodes: new Map(), filter: undefined, asked: 0, grams: undefined };
}

function isNumbers(entry: IndexEntry): entry is readonly number[] {
  return Array.isArray(entry);
}

/**
 * Which words may be in a branch of the index, in two bytes for each of its words: nearly every word of a call is in none, and
 * is told so by what the processor has at hand. One in fifty passes though it is not there.
 */
const BITS_PER_WORD = 16;
const MIN_CELLS = 2;

type WordFilter = Int32Array;

/** A place in a text: most words lead nowhere, and are not cut out for that. */
export interface Word {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** Once a filter asked for it. */
  hash: number | undefined;
}

export function toWord(text: string, from = 0, to = text.length): Word {
  return { text, from, to, hash: undefined };
}

export function makeWordFilter(words: readonly string[]): WordFilter {
  let cells = MIN_CELLS;
  while (cells * 32 < words.length * BITS_PER_WORD) cells *= 2;
  const filter = new Int32Array(cells);
  for (const word of words) {
    const hash = toHash(word, 0, word.length);
    const at = toCell(filter, hash);
    filter[at] = (filter[at] as number) | toBits(hash);
  }
  return filter;
}

/** Never false of a word that is there. */
export function mayHold(filter: WordFilter, word: Word): boolean {
  word.hash ??= toHash(word.text, word.from, word.to);
  const { hash } = word;
  const bits = toBits(hash);
  return ((filter[toCell(filter, hash)] as number) & bits) === bits;
}

function toHash(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return hash ^ (hash >>> 13);
}

function toCell(filter: WordFilter, hash: number): number {
  return (hash >>> 10) & (filter.length - 1);
}

function toBits(hash: number): number {
  return (1 << (hash & 31)) | (1 << ((hash >>> 5) & 31));
}
