/**
 * The index of a manifest: a tree of what a call must have before a lesson can speak about it. A lesson stands wherever a
 * call that it matches arrives; that it matches is for its triggers to say. So a call looks at few lessons, however many
 * there are.
 */

/**
 * `tool`. `program`; below it `sub`, its next word that is not an option, and `option` and `word`, any of its options and of its
 * other words. `name`, `folder`, `ext`: base name, one of the folders and extension of the file. The last three: something
 * that must stand in a text of the call, which for `shell` is the command line and each of its commands.
 */
export const DIMENSIONS = [
  ...(['project', 'session', 'tool', 'program', 'sub', 'option', 'word', 'name', 'folder', 'ext'] as const),
  ...(['shell', 'content', 'input'] as const),
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

export type TextDimension = 'shell' | 'content' | 'input';

export type IndexBranch = Readonly<Record<string, IndexEntry>>;
/** Numbers of lessons alone are a node with nothing below. */
export type IndexEntry = IndexNode | readonly number[];

export interface IndexNode extends Readonly<Partial<Record<Dimension, IndexBranch>>> {
  /** Lessons of which nothing narrower is certain, or too few to be told apart. */
  readonly here?: readonly number[];
}

/** No regular expression looks farther into a text, and nothing is searched farther. */
export const MAX_TEXT_CHARS = 64 * 1024;

/** Longer words lead nowhere in the index, nor do shorter texts: they are in about every call. */
export const MAX_INDEX_CHARS = 200;
export const MIN_INDEX_TEXT_CHARS = 3;

export function toBounded(text: string): string {
  return text.length > MAX_TEXT_CHARS ? text.slice(0, MAX_TEXT_CHARS) : text;
}
