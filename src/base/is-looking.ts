/** Commands by how much they can be what a line is about: most lines prepare, do one thing, and look at something. */
import { toPositionals } from './program-words.ts';
import type { SimpleCommand } from './simple-command.ts';

const PREPARING = toSet('cd pushd popd export set source . unset umask ulimit true : sleep echo printf exit wait trap');

const LOOKING = toSet(
  'ls cat bat head tail less more grep egrep fgrep rg ag ack find fd tree stat file wc sort uniq cut tr sed awk jq yq nl ' +
    'column tee xxd od strings diff cmp comm pwd which type test [ date du df ps env printenv basename dirname realpath',
);
const LOOKING_SUB: Readonly<Record<string, ReadonlySet<string>>> = {
  git: toSet('status log diff show branch blame grep rev-parse ls-files remote config describe reflog cat-file'),
};

/** Prepares the shell, or says something. */
export function isPreparing({ program }: SimpleCommand): boolean {
  return PREPARING.has(program);
}

/** Shows how things are, or shortens what another command prints. */
export function isLooking(command: SimpleCommand): boolean {
  const subs = Object.hasOwn(LOOKING_SUB, command.program) ? LOOKING_SUB[command.program] : undefined;
  return LOOKING.has(command.program) || (subs?.has(toPositionals(command)[0] ?? '') ?? false);
}

function toSet(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}
