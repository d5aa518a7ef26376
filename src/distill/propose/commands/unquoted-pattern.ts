/**
 * A word that zsh takes for a file pattern, finds no file for, and therefore runs nothing: `--include=*.go`,
 * `repos/x/comments?per_page=100`, `pkg[extra]`. The cure is the same word in quotes.
 */

import type { CommandEdit } from '../../../base/shell/command-edit.ts';
import { toPlainSubCommand, toProgramTrigger } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isOption } from '../../../base/shell/simple-command.ts';
import { toLiteral } from '../../../base/text/regex-literal.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import { findLater } from '../../episodes/find-later.ts';
import { makePairDetector } from '../../episodes/make-pair-detector.ts';
import { toEditText } from '../../text/edit-text.ts';
import { UNQUOTED } from './unquoted.ts';

const MAX_STEPS = 4;
const NO_MATCH = /^\S*: ?no matches found: (\S+)$/;
const QUOTED = /["'\\]/;
const WORD = `${UNQUOTED}\\s`;
const BARE = `[^\\s"'\\\\]*`;
const OPTION = /^--?[\w-]+=/;
const QUERY = /\w\/?\?[\w.-]+=/;
const EXTRA = /\w\[[\w,-]+\]/;

export const unquotedPattern = makePairDetector({
  name: 'distill/unquoted-pattern@1',
  kind: 'corrected-command',
  maxSteps: MAX_STEPS,
  findCure(trouble) {
    const word = trouble.toLines().flatMap((line) => NO_MATCH.exec(line)?.[1] ?? [])[0];
    const failed = trouble.commands.find(({ args }) => args.some(({ text }) => text === word));
    if (word === undefined || failed === undefined || failed.program === '') return undefined;
    const isQuoted = ({ args }: SimpleCommand): boolean =>
      args.some(({ value, text }) => QUOTED.test(text) && (value === word || isAlike(value, word)));
    const later = findLater(trouble, MAX_STEPS, (one) => one.program === failed.program && isQuoted(one));
    if (later === undefined) return undefined;
    return {
      index: later.index,
      text: toEditText({
        claim: `The shell (zsh) takes ${toKind(word)} for a file pattern`,
        ...{ failed, fixing: later.command, said: 'no matches found', edit: toEdit(failed, word) },
        tags: [`tool:${failed.program}`, 'topic:shell-quoting'],
        points: { told: word },
      }),
      triggers: toTriggers(failed, word),
      signals: later.signals,
    };
  },
});

/** Of any word of its kind, as the trigger is. */
function toKind(word: string): string {
  const option = OPTION.exec(word)?.[0];
  return `${option === undefined ? 'a word' : `\`${option}\``} with ${toSigns(word)
    .map((sign) => `\`${sign}\``)
    .join(' and ')}`;
}

function toSigns(word: string): readonly string[] {
  const value = word.slice(OPTION.exec(word)?.[0].length ?? 0);
  return ['*', '?', '['].filter((sign) => value.includes(sign));
}

function toEdit(failed: SimpleCommand, word: string): CommandEdit {
  const prefix = OPTION.exec(word)?.[0];
  const sub = toPlainSubCommand(failed);
  const step = { quote: toSigns(word).join(''), ...(prefix === undefined ? {} : { prefix }) };
  return { program: failed.program, ...(sub.length === 0 ? {} : { sub }), steps: [step] };
}

/** Another address, another pattern of the same option: what the shell takes it for is the same. */
function isAlike(value: string, word: string): boolean {
  const option = OPTION.exec(word)?.[0];
  if (option !== undefined) return value.startsWith(option) && /[*?[]/.test(value.slice(option.length));
  return (QUERY.test(word) && QUERY.test(value)) || (EXTRA.test(word) && EXTRA.test(value));
}

function toTriggers(command: SimpleCommand, word: string): Triggers {
  const option = command.args[command.args.findIndex(({ text }) => text === word) - 1]?.value ?? '';
  return {
    tools: ['shell'],
    programs: [toProgramTrigger(command)],
    command: { match: [toPattern(word, option)] },
  };
}

/** As wide as the shell's own rule for words of this kind; a plain `*.log` only fails while there is no such file. */
function toPattern(word: string, optionBefore: string): string {
  const equals = OPTION.exec(word)?.[0];
  if (equals !== undefined) return `${WORD}${toLiteral(equals)}${BARE}[*?\\[]`;
  if (QUERY.test(word)) return `${WORD}${BARE}\\w/?\\?[\\w.\\-]+=`;
  if (EXTRA.test(word)) return `${WORD}${BARE}\\w\\[[\\w,\\-]+\\]`;
  if (isOption(optionBefore)) return `${WORD}${toLiteral(optionBefore)}\\s+${BARE}[*?\\[]`;
  return `${WORD}${toLiteral(word)}(?:\\s|$)`;
}
