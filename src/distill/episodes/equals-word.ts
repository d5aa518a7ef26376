/**
 * zsh reads a bare word that begins with `=` as the path of a program: `=ls` is `/bin/ls`, and `===` is the path of a
 * program `==`. It says `== not found` and runs nothing of the command. Quotes keep the word as it is.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { listCommands } from './find-attempt.ts';
import type { Made } from './find-tool-cure.ts';

const SAYS = /^(?:zsh|\(eval\)|\S*\bzsh)(?::\d+)?: (\S+) not found$/gm;
const MAX_STEPS = 6;

/** Did zsh look for the program that a word of the call names behind its `=`? */
export function isEqualsExpanded({ command = '', output = '' }: LiveCall): boolean {
  return [...output.matchAll(SAYS)].some(([, name = '']) => command.includes(`=${name}`));
}

/** A later call of the same program, without such a word or with quotes around it, worked. */
export function findEqualsQuoted(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const failed = listExpanded(failing);
  const at = next
    .slice(0, MAX_STEPS)
    .findIndex(
      (call) =>
        call.tool === 'shell' &&
        call.outcome === 'success' &&
        listCommands(call).some(({ program }) => failed.some((one) => one.program === program)) &&
        !listCommands(call).some(({ args }) => args.some(isBare)),
    );
  if (at < 0) return undefined;
  const text = 'put quotes around a word that begins with `=`, because zsh takes it for the path of a program';
  return { at, kind: 'form', text };
}

/** The commands of the call that have such a word. */
export function listExpanded(call: LiveCall): readonly SimpleCommand[] {
  return listCommands(call).filter(({ args }) => args.some(isBare));
}

function isBare({ text }: { readonly text: string }): boolean {
  return /^=./.test(text);
}
