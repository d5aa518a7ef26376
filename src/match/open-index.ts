/**
 * The index of a manifest as calls go through it: opened where they go, and no farther. What they went through before is
 * together in small maps, however much else there is; what is not there is told by a filter.
 */
import type { Dimension, IndexBranch, IndexEntry, IndexNode } from '../base/lesson-index.ts';
import { makeWordFilter, mayHold, type Word, type WordFilter } from './word-filter.ts';

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
  /** To look for its words in a text (`find-texts.ts`). */
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
