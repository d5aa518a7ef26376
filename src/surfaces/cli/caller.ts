/**
 * Rewrites the commands in messages so that the user can type them, with the user's way of calling Oncebitten and the
 * `--home` that they gave, and finds the user's folder. In a clone or with npx, `oncebitten` is not on the PATH, and
 * npm runs a script in the folder of its package, wherever the user called it.
 */

import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve, sep } from 'node:path';
import { isInFolder } from '../../base/text/paths.ts';
import { quoteWord } from './text.ts';

interface Typing {
  /** Names of all commands. */
  readonly commands: readonly string[];
  /** As it was given with `--home`. */
  readonly home?: string | undefined;
  /** What they type before the command: `oncebitten`, its path, or what npm needs. */
  readonly caller: string;
}

/** What stands before a command to type. Elsewhere in a sentence, `oncebitten` is only a name. */
export const BEFORE_COMMAND = '(?<=[:;,?|] |[`(]|\\b(?:or|see|with|then) |^ {2,}|^)';

export function toTyped(text: string, { commands, home, caller }: Typing): string {
  // The longest first: `lessons list` is not `lessons`.
  const names = [...new Set(commands.flatMap(listBeginnings))].sort().reverse().join('|');
  const hints = new RegExp(
    `${BEFORE_COMMAND}oncebitten (?:(${names})(?![\\w-])|(?=--[a-z]|[[<]))( --home | --help)?`,
    'gm',
  );
  return text.replaceAll(hints, (_hint, name: string | undefined, placed: string | undefined) => {
    const isPlaced = placed !== undefined || name === undefined || !commands.includes(name);
    const place = home === undefined || isPlaced ? '' : ` --home ${quoteWord(home)}`;
    return `${caller} ${name ?? ''}${place}${placed ?? ''}`;
  });
}

/** `lessons promote list` is in the groups `lessons` and `lessons promote`. */
function listBeginnings(name: string): readonly string[] {
  const words = name.split(' ');
  return words.map((_word, end) => words.slice(0, end + 1).join(' '));
}

/** The name of the package, of its program, and of the npm script that runs a command. */
const NAME = 'oncebitten';

/**
 * What the person types to call us: the command of the data directory once it is installed, because it works in every
 * folder. Before that, what they called: in a clone, or with npx, `oncebitten` is not on the PATH.
 */
export function toCaller(env: NodeJS.ProcessEnv, commandFile: string): string {
  const { npm_lifecycle_event: event, npm_package_name: name } = env;
  // A script of another package has us on its PATH.
  const isAnothers = event !== undefined && event !== 'npx' && name !== undefined && name !== NAME;
  // npm and npx add folders to the PATH that the person's shell does not have.
  if (isAnothers || (event === undefined && findOnPath(NAME, env) !== undefined)) return NAME;
  if (existsSync(commandFile)) return isFolderOnPath(dirname(commandFile), env) ? NAME : toShortWord(commandFile);
  if (event === undefined) return NAME;
  return event === 'npx' ? `npx ${NAME}` : toScriptCaller(env);
}

/** The program's file in the first folder of the PATH that has it. */
export function findOnPath(program: string, env: NodeJS.ProcessEnv): string | undefined {
  return listPath(env)
    .map((folder) => join(folder, program))
    .find((file) => existsSync(file));
}

function isFolderOnPath(folder: string, env: NodeJS.ProcessEnv): boolean {
  return listPath(env).some((one) => resolve(one) === folder);
}

function listPath({ PATH = '' }: NodeJS.ProcessEnv): readonly string[] {
  return PATH.split(delimiter).filter((folder) => folder !== '');
}

/** `~/.oncebitten/bin/oncebitten`, if a shell reads it as that. */
function toShortWord(file: string): string {
  const short = file.startsWith(`${homedir()}${sep}`) ? `~${file.slice(homedir().length)}` : file;
  return quoteWord(short) === short ? short : quoteWord(file);
}

function toScriptCaller({ INIT_CWD: folder, npm_package_json: of }: NodeJS.ProcessEnv): string {
  const place =
    of === undefined || folder === undefined || isInFolder(folder, dirname(of))
      ? ''
      : ` --prefix ${quoteWord(dirname(of))}`;
  return `npm${place} run -s ${NAME} --`;
}

/**
 * Where the person stands: npm runs a script in the folder of its package, wherever it was called. Undefined where
 * npm has nothing to do with it: then it is the folder we are in.
 */
export function findCallersFolder(env: NodeJS.ProcessEnv, packageRoot: string): string | undefined {
  const { INIT_CWD: folder, npm_lifecycle_event: script, npm_package_json: of } = env;
  // A script of the user's own package that calls us runs where it should.
  return script === NAME && of === join(packageRoot, 'package.json') ? folder : undefined;
}
