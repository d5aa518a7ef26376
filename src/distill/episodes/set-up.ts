/**
 * What a line does first so that its programs are found: it sets the PATH, sources an environment, activates one. An
 * agent's shell forgets that with the call, so it stands in the very line.
 */

import { toLiteral } from '../../base/text/regex-literal.ts';

/** The tag of a lesson about it. The files that it names are those of every session. */
export const SET_UP = 'topic:set-up';

/** Where a command begins: as the first word, or after what ends another one. */
const START = '(?:^|[;&|(\\n]\\s*)';
/** What only a shell can take apart is left out. */
const WORD = '(?:"[^"\\n]*"|\'[^\'\\n]*\'|[^\\s;&|"\'`()])+(?=[\\s;&|]|$)';

/** As a trigger's `unless`. Linear-time. */
export const SETS_UP = [
  `${START}(?:export\\s+|env\\s+)?(?:[A-Z_]+=\\S*\\s+)*PATH=`,
  `${START}(?:source|\\.)\\s+\\S`,
  `${START}eval\\s+\\S`,
  `${START}(?:conda|mamba|micromamba|nvm|fnm|sdk|pyenv)\\s+(?:activate|use|shell)\\s`,
].join('|');

const SETTING = new RegExp(SETS_UP);
const FIRST = new RegExp(
  `${START}((?:export\\s+)?PATH=${WORD}|(?:source|\\.|eval)\\s+${WORD}|\\w+\\s+(?:activate|use|shell)\\s+[\\w.-]+)`,
);

export function setsUp(line: string): boolean {
  return SETTING.test(line);
}

/** The set-up as it was typed: `source .venv/bin/activate`. */
export function findSetUp(line: string): string | undefined {
  return setsUp(line) ? FIRST.exec(line)?.[1] : undefined;
}

/** All that a line does before the program, if it sets the shell up. */
export function findSetUpHead(line: string, program: string): string | undefined {
  const at = line.search(new RegExp(`(?<=[;&|\\n]\\s*)${toLiteral(program)}(?=\\s)`));
  const head = line.slice(0, Math.max(at, 0)).replace(/[\s;&|]+$/, '');
  return setsUp(`${head} `) ? head : undefined;
}
