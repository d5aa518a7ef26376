/**
 * Rewrites the commands in messages so that the user can type them, with the user's way of calling Oncebitten and the
 * `--home` that they gave, and finds the user's folder. In a clone or with npx, `oncebitten` is not on the PATH, and
 * npm runs a script in the folder of its package, wherever the user called it.
 */

import { dirname, join } from 'node:path';
import { isInFolder } from '../../base/text/paths.ts';
import { quoteWord } from './text.ts';

interface Typing {
  /** Names of all commands. */
  readonly commands: readonly string[];
  /** As it was given with `--home`. */
  readonly home?: string | undefined;
  /** What they type before the command: `oncebitten`, or what npm needs. */
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

/** How the person called us, for what we tell them to type: in a clone, or with npx, `oncebitten` is not on the PATH. */
export function toCaller(env: NodeJS.ProcessEnv): string {
  const { npm_lifecycle_event: event, npm_package_name: name } = env;
  if (event === 'npx') return `npx ${NAME}`;
  // A script of another package has us on its PATH.
  if (event === undefined || (name !== undefined && name !== NAME)) return NAME;
  const { INIT_CWD: folder, npm_package_json: of } = env;
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
