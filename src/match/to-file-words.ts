/** The words of a path that the index knows files by. */
import { toWord, type Word } from './word-filter.ts';

export interface FileWords {
  readonly folders: readonly Word[];
  readonly name: Word;
  /** What stands behind the last dot of the name. */
  readonly ext: Word | undefined;
}

export function toFileWords(path: string): FileWords {
  const folders: Word[] = [];
  let from = 0;
  for (let to = path.indexOf('/'); to >= 0; to = path.indexOf('/', from)) {
    folders.push(toWord(path, from, to));
    from = to + 1;
  }
  const dot = path.lastIndexOf('.');
  return { folders, name: toWord(path, from), ext: dot < from ? undefined : toWord(path, dot + 1) };
}
