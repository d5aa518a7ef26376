/** A cure never weakens a check, widens permissions, discards work, hides an exit code or reaches for another host. */

import type { LiveCall } from '../../base/model/call.ts';
import type { CommandEdit } from '../../base/shell/command-edit.ts';
import { parseCommand } from '../../base/shell/parse-command.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { isDestroying, isForcing, isGuarding, isHarmfulWord, isOvercoming } from '../gate/risky-remedies/is-forcing.ts';
import { findRisks } from '../gate/risky-remedies/judge-remedy.ts';
import { listSent } from './find-attempt.ts';
import type { Made } from './find-tool-cure.ts';

/** Longer lines contain data. */
const MAX_LINE_CHARS = 4_000;
/** Puts files back as they were committed: whatever was changed in them is gone. */
const DISCARDING =
  /\bgit\b[^\n|;&]{0,80}\s(?:checkout\s+(?:\S+\s+)*?(?:--\s+\S|[^\s-]\S*\.\w{1,9}(?:\s|$))|restore\s+(?!(?:\S+\s+)*?(?:--staged|-S)\s))/;

export function isHarmful({ edit, line, kind, text }: Omit<Made, 'at'>, failing: LiveCall, fixing: LiveCall): boolean {
  if (kind === 'input') return isHarmfulInput(text);
  const [before = [], after = []] = [failing, fixing].map(({ command = '' }) => command.split(/\s+/));
  const advice = line ?? (edit === undefined ? '' : (fixing.command ?? ''));
  const acts = [...listAdded(edit), ...listActs(line ?? '', fixing)];
  // `git stash push` puts work aside and sends nothing.
  const isAside = !/\bpush\b/.test(`${line ?? ''} ${fixing.command ?? ''}`.replace(/\bstash\s+push\b/g, ''));
  const brought = isAside ? acts.filter((word) => word !== 'push') : acts;
  const known = kind === 'form' ? before : brought.filter((word) => before.some((one) => isMisspelled(one, word)));
  // `git worktree delete` was meant to remove something.
  const isMeant = before.some(isDestroying);
  if (brought.some((word) => isHarmfulWord(word) && !known.includes(word) && !(isMeant && isDestroying(word))))
    return true;
  // The whole line, because parsing looks through some programs.
  const isWorse = (word: string): boolean => (isOption(word) ? isForcing(word) : isOvercoming(word));
  const come = [...after, ...(line?.split(/\s+/) ?? [])].flatMap(toBoth);
  if (come.some((word) => isWorse(word) && !before.flatMap(toBoth).includes(word))) return true;
  if (before.some((word) => isGuarding(word) && !after.includes(word))) return true;
  return (
    DISCARDING.test(advice.slice(0, MAX_LINE_CHARS)) ||
    findRisks(advice, { named: [failing.command ?? ''], cwd: failing.cwd }).length > 0
  );
}

/** The call meant this very option. */
function isMisspelled(typed: string, word: string): boolean {
  return (
    isOption(word) &&
    word.length > SAME_START_CHARS &&
    typed.slice(0, SAME_START_CHARS) === word.slice(0, SAME_START_CHARS)
  );
}

/** An option with a name; short ones (`-f`) mean another thing to each program. */
const NAMED_OPTION = /^--\w|^-(?!D)[a-z][\w-]+(?:=|$)/;
const SAME_START_CHARS = 8;

/**
 * Does the advice of a lesson bring an option that forces or switches a check off, or that is a sentence? Not if the
 * call only misspelled it, nor if the user wrote it (`said`).
 */
export function isHarmfulAdvice(
  { edit, remediation }: Advice,
  [failing, fixing]: Pair,
  said: readonly string[],
): boolean {
  const [before, after] = [failing, fixing].map((command) => command.split(/\s+/)) as [string[], string[]];
  const code = [...remediation.matchAll(/`([^`]+)`/g)].flatMap(([, found = '']) => found.split(/\s+/));
  const options = [...code, ...listAdded(edit)].filter((word) => NAMED_OPTION.test(word));
  // Values are told as their kinds: `--validate=<name>`.
  const typed = options.map((word) => after.find((one) => one.startsWith(`${word.split('=', 1)[0]}=`)) ?? word);
  const isNew = (word: string): boolean =>
    !before.some((one) => isMisspelled(one, word)) && !said.some((text) => text.includes(word));
  return typed.some((word) => isHarmfulWord(word) && isNew(word));
}

type Pair = readonly [failing: string, fixing: string];

interface Advice {
  readonly edit?: CommandEdit | undefined;
  readonly remediation: string;
}

/** With and without a quote before it: a script in quotes begins with one. */
function toBoth(word: string): readonly string[] {
  return [word, word.replace(/^["'(]+/, '')];
}

/**
 * The names and values of parameters that the text tells: `force: true`, `dry_run: false`. To ask the user for more
 * rights, through a parameter of the agent's own tool, is no harm; to leave such a guard out or to switch it off is.
 */
function isHarmfulInput(text: string): boolean {
  return [...text.matchAll(/`([^`:]+)(?:: ([^`]*))?`/g)].some(([, name = '', value]) => {
    const option = `--${name.replaceAll('_', '-')}`;
    if (isForcing(option) || (isGuarding(option) && (value === undefined || OFF.test(value)))) return true;
    return value !== undefined && (isForcing(`${option}=${value}`) || isHarmfulWord(value));
  });
}

const OFF = /^(?:false|off|no|none|0|never)$/i;

/** The programs of a line with their options and sub-commands. Texts, such as the message of a commit, do nothing. */
function listActs(line: string, { rawTool }: LiveCall): readonly string[] {
  const commands = parseCommand(line, { rawTool });
  return [...commands, ...commands.flatMap(listSent)].flatMap(({ program, args }) => {
    const words = args.map(({ value }) => value);
    return [
      program,
      ...words.filter(isOptionName),
      ...words.filter((word) => !isOption(word)).slice(0, MAX_SUB_COMMANDS),
    ];
  });
}

const MAX_SUB_COMMANDS = 3;

/** A text that begins with a dash has signs or blanks that no option has. */
export function isOptionName(word: string): boolean {
  return isOption(word) && /^[\w.,:+@/-]+$/.test(word.split('=', 1)[0] ?? '');
}

function listAdded(edit: CommandEdit | undefined): readonly string[] {
  const words = edit?.steps.flatMap((step) => ('from' in step ? step.to : 'first' in step ? step.first : [])) ?? [];
  return words.filter((word) => typeof word === 'string');
}
