/**
 * Words that the shell replaced, as its own complaint shows. zsh reads a bare word that begins with `=` as the path of a
 * program: `=ls` is `/bin/ls`, and `===` is the path of a program `==`. In double quotes, too, every shell runs what stands
 * between back quotes, which agents mean as Markdown. Other quotes keep both as they are.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
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

/** The texts of a line in single and in double quotes. */
const TEXTS = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"/g;
const UNFOUND = /\bcommand not found: (\S+)|(?:^|: )([^\s:]+): (?:command )?not found$/gm;

/** The word of a text in double quotes that the shell took for a program and did not find. */
export function findRunInText({ command = '', output = '' }: Pick<LiveCall, 'command' | 'output'>): string | undefined {
  if (!command.includes('`')) return undefined;
  const texts = [...command.matchAll(TEXTS)].map(([text]) => text).filter((text) => text.startsWith('"'));
  const names = [...output.matchAll(UNFOUND)].map(([, first, second]) => first ?? second ?? '');
  return names.find((name) => {
    const run = new RegExp(`(?<!\\\\)\`${toLiteral(name)}(?![\\w-])`);
    return name !== '' && texts.some((text) => run.test(text));
  });
}
