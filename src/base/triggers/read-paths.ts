/**
 * The files and folders that a call reads, searches or runs, as the call names them: the file of a read, the folder of a
 * search, words of a command that shows, searches or runs files. HOT: runs while an agent waits.
 */

import { isProgram } from '../shell/programs/find-program.ts';
import { type SimpleCommand, toPositionals } from '../shell/simple-command.ts';
import { isInFolder, leadsTo, toBaseName, toPlainPath } from '../text/paths.ts';
import type { CallView } from './call-view.ts';

type Reading = Pick<CallView, 'tool' | 'commands' | 'path' | 'json' | 'cwd'>;

/** Does the call read this path of the project, or something in it? */
export function readsPath(path: string, call: Reading): boolean {
  return listReadPaths(call).some((word) => isAt(path, toPlainPath(word), call.cwd));
}

/** An absolute path may be that of another project. It is one of this project if the call runs in or below its root. */
function isAt(path: string, word: string, cwd: string | undefined): boolean {
  if (!word.startsWith('/')) return isInFolder(word, path);
  if (cwd === undefined) return leadsTo(word, path);
  const at = `${word}/`.indexOf(`/${path}/`);
  const root = word.slice(0, at);
  // Where the shell stands there is a folder.
  return at > 0 && isInFolder(cwd, root) && !isInFolder(cwd, `${root}/${path}`);
}

/** The parameters of a search that name its folder or file. */
const PLACE = /"\w*(?:path|dir|directory|folder)s?" *: *"((?:[^"\\]|\\.)*)"/gi;

export function listReadPaths({ tool, commands, path, json = '' }: Reading): readonly string[] {
  if (tool === 'shell') return commands.flatMap(listOfCommand);
  return path === undefined ? [...json.matchAll(PLACE)].map(([, place = '']) => place) : [path];
}

/** A command that throws its errors away asks whether the file is there. So do `ls`, `stat` and `test`. */
const DISCARDS_ERRORS = /(?:2|&)> ?\/dev\/null/;

function listOfCommand(command: SimpleCommand): readonly string[] {
  const { program, text } = command;
  if (DISCARDS_ERRORS.test(text)) return [];
  const ran = text
    .split(/\s+/)
    .filter((word) => word.includes('/') && toBaseName(word) === program)
    .slice(0, 1);
  if (!isProgram(program, 'shows', 'interpreter', 'shell')) return ran;
  const words = toPositionals(command);
  return [...ran, ...(isProgram(program, 'searches') ? words.slice(1) : words)];
}
