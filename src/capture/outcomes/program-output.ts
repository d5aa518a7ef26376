/** Programs by what their output says about how they ended. */

import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toPositionals } from '../../base/shell/simple-command.ts';

const toSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** They print files, history and other people's words. */
const SHOWING = toSet(
  'cat bat head tail less more sed awk cut sort uniq tr jq yq nl column tee xxd od strings base64',
  'grep egrep fgrep zgrep rg ag ack diff cmp comm man curl wget gh journalctl',
);

/** They print names, numbers and what they were told to print. */
const QUIET = toSet(
  'cd pwd echo printf true false test [ : which command type sleep date wc find fd ls tree stat file du df',
  'rm mkdir cp mv touch chmod chown ln rmdir export set unset source . exit wait kill read basename dirname realpath',
);

const SHOWING_SUB: Readonly<Record<string, readonly string[]>> = {
  git: ['log', 'show', 'diff', 'blame', 'grep', 'cat-file'],
  docker: ['logs'],
  kubectl: ['logs', 'describe', 'get'],
};
const QUIET_SUB: Readonly<Record<string, readonly string[]>> = {
  git: [
    'status',
    'branch',
    'stash',
    'reflog',
    'ls-files',
    'add',
    'fetch',
    'checkout',
    'switch',
    'remote',
    'rev-parse',
    'config',
  ],
};

/** It shows what others wrote: an error line of any program may stand in it. */
export function isShowing(command: SimpleCommand): boolean {
  return SHOWING.has(command.program) || hasSub(SHOWING_SUB, command);
}

/** It prints no text of its own beyond names. */
export function isQuiet(command: SimpleCommand): boolean {
  return QUIET.has(command.program) || hasSub(QUIET_SUB, command);
}

function hasSub(subs: Readonly<Record<string, readonly string[]>>, command: SimpleCommand): boolean {
  const known = Object.hasOwn(subs, command.program) ? subs[command.program] : undefined;
  return known?.includes(toPositionals(command)[0] ?? '') ?? false;
}
