/**
 * Finds the parts of a command that are only text (printed words, quoted messages, search patterns) and decides whether
 * a regular expression matches outside them. A command does not run what it prints or searches for, so a match must
 * begin outside these texts; it may continue into one (`git commit -m "WIP`). Variables do not count as text, nor do
 * printed words that an interpreter reads and runs.
 */

import { isProgram } from '../shell/programs/find-program.ts';
import {
  type Argument,
  hasHookTrait,
  hasWord,
  isOption,
  type SimpleCommand,
  toPositionals,
} from '../shell/simple-command.ts';
import { findRegex } from './regex.ts';

/** The search gives up after this many matches inside texts. */
const MAX_TRIES = 100;

/**
 * Leading parts of a regex that match anything: `.*`, `[\s\S]+`, `[^;]*`, `\s+`, an optional quote, alone or in
 * brackets, also after an assertion. An assertion alone is kept: `\brm` is not `rm`.
 */
const COUNTED = String.raw`(?:[*+]|\{\d+(?:,\d*)?\})\??`;
const QUOTE = String.raw`(?:["'\x60]|\[["'\\\x60]+\])[?*]\??`;
const ANYTHING = String.raw`(?:(?:\.|\\[sSwW]|\[(?:\^(?:[^\]\\]|\\.)*|\\[sSwWdD]\\[sSwWdD])\])${COUNTED}|\\s\??|${QUOTE})`;
const LEADING = new RegExp(
  String.raw`^(?:(?:\^|\\b)*(?:${ANYTHING}|\((?:\?:)?\^?${ANYTHING}{1,9}\)(?:${COUNTED}|\?)?))+`,
);

/** `isRun`: does an interpreter read and run what the command prints? */
export function beginsOutside(regex: string, command: SimpleCommand, isRun: () => boolean): boolean {
  const isPrinting = isProgram(command.program, 'prints');
  const all = listTexts(command, isPrinting);
  const texts = all.some(isPrinted) && isRun() ? all.filter((text) => !isPrinted(text)) : all;
  // The match proper begins after the leading wildcard.
  const source = regex.replace(LEADING, '');
  let at = 0;
  for (let n = 0; n < MAX_TRIES; n++) {
    const found = findRegex(source, command.text, at);
    if (found < 0) return false;
    const around = texts.find(({ from, to }) => from <= found && found < to);
    if (around === undefined) return true;
    at = around.to;
  }
  return false;
}

function isPrinted({ kind }: Text): boolean {
  return kind === 'printed';
}

interface Text {
  readonly from: number;
  readonly to: number;
  readonly kind: 'printed' | 'said';
}

/** Options with a message, which follows in the same word or in the next. */
const MESSAGE_OPTION = /^--(?:message|body|title|description|notes?|comment|subject|summary|grep)(?:=?["'].*)?$/s;
const SHORT_MESSAGE_OPTION = /^-[a-z]*m(?:=?["'].*)?$/s;
const HUB_TEXT = /^(?:-[btdn](?:["'].*)?|(?:body|title|message|description|notes)=.*)$/s;

/** The next word, or the rest of this one, is a search pattern. */
const BEFORE_PATTERN = /^(?:-[a-zA-Z]*e|--regexp|-[Pp]attern)$/;
const WITH_PATTERN = /^(?:-[a-zA-Z]*e["']|--regexp=)/;
/** The next word is a value, not a search pattern. */
const BEFORE_VALUE =
  /^(?:-[a-zA-Z]*[ABCmgtTjM]|--(?:in|ex)clude(?:-dir)?|--i?glob|--type(?:-not)?|--max-\w+|--(?:after-|before-)?context|--threads|-(?:[Ll]iteral)?[Pp]ath)$/;

/** A program reads `<<< "text"`; only a shell runs it. */
const HERE_STRING = /<<<[ \t]*("(?:[^"\\]|\\.)*"|'[^']*')/s;

export function listTexts(command: SimpleCommand, isPrinting: boolean): readonly Text[] {
  const { program, args, text } = command;
  const isText = isPrinting ? () => true : toTextTest(command);
  const found: Text[] = [];
  let at = Math.max(0, text.toLowerCase().indexOf(program.toLowerCase())) + program.length;
  args.forEach((word, i) => {
    const from = text.indexOf(word.text, at);
    if (from < 0) return;
    // The blank between two printed words is printed, too.
    const isNext = isPrinting && text.slice(at, from).trim() === '';
    const start = isNext ? at : from;
    at = from + word.text.length;
    if (isText(word, i)) addText(found, text.slice(start, at), start, isPrinting ? 'printed' : 'said');
  });
  const [here, given = ''] = HERE_STRING.exec(text) ?? [];
  if (here !== undefined) addText(found, given, text.indexOf(here) + here.length - given.length, 'printed');
  return found;
}

function toTextTest(command: SimpleCommand): (word: Argument, i: number) => boolean {
  const { program, args } = command;
  const pattern = findPattern(command);
  const hasMessages = isProgram(program, 'messages');
  const isHub = isProgram(program, 'hub');
  const isMessageOption = (word = ''): boolean =>
    MESSAGE_OPTION.test(word) || (hasMessages && SHORT_MESSAGE_OPTION.test(word)) || (isHub && HUB_TEXT.test(word));
  return ({ text }, i) => {
    if (!/["']/.test(text)) return false;
    return (
      i === pattern ||
      (pattern !== undefined && isPattern(args, i)) ||
      isMessageOption(args[i - 1]?.text) ||
      isMessageOption(text)
    );
  };
}

/** The index of the search pattern: the first word that is not an option; -1 if an option gives the pattern. */
function findPattern(command: SimpleCommand): number | undefined {
  const { program, args } = command;
  const isGit = program === 'git' && toPositionals(command)[0] === 'grep';
  if (!isGit && !isProgram(program, 'searches')) return undefined;
  const first = isGit ? args.findIndex(({ value }) => value === 'grep') + 1 : 0;
  if (args.some((_, i) => i >= first && isPattern(args, i))) return -1;
  return args.findIndex(
    ({ value, text }, i) => i >= first && !isOption(value || text) && !BEFORE_VALUE.test(args[i - 1]?.value ?? ''),
  );
}

function isPattern(args: readonly Argument[], i: number): boolean {
  return BEFORE_PATTERN.test(args[i - 1]?.value ?? '') || WITH_PATTERN.test(args[i]?.text ?? '');
}

/** The end of a quoted part, the start of a part without substitution, or a variable. */
const PART = /\\.|\$?'|"|\$\(|`|\$\{[#!]?(?:env:)?\w*|\$(?:env:)?\w+/gs;

/** Adds a word without its variables. The commands in `$(…)` are parsed and checked separately. */
function addText(found: Text[], word: string, offset: number, kind: Text['kind']): void {
  let from = 0;
  let isDouble = false;
  PART.lastIndex = 0;
  for (let part = PART.exec(word); part !== null; part = PART.exec(word)) {
    const [mark] = part;
    if (mark === '"') isDouble = !isDouble;
    else if (mark.endsWith("'")) {
      if (!isDouble) PART.lastIndex = skipTo(word, "'", PART.lastIndex);
    } else if (mark === '`') PART.lastIndex = skipTo(word, '`', PART.lastIndex);
    else if (mark.startsWith('$')) {
      found.push({ from: offset + from, to: offset + part.index, kind });
      from = PART.lastIndex;
      if (mark === '$(') PART.lastIndex = skipBrackets(word, from);
    }
  }
  found.push({ from: offset + from, to: offset + word.length, kind });
}

function skipTo(word: string, mark: string, from: number): number {
  const end = word.indexOf(mark, from);
  return end < 0 ? word.length : end + 1;
}

/** A here-document may contain unbalanced brackets. */
function skipBrackets(word: string, from: number): number {
  if (word.includes('<<', from)) return Math.max(from, word.lastIndexOf(')') + 1);
  let depth = 1;
  for (let i = from; i < word.length; i++) {
    const char = word.charAt(i);
    if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return i + 1;
  }
  return word.length;
}

const GIVEN = ['-c', '-e', '-f', '--command', '--execute', '--file'];
/** A program that `xargs` runs does not read the pipe itself. */
const TO_XARGS = /^(?:[^;&|\n]|\|(?!\|))*\|\s*(?:sudo\s[^|]*)?(?:xargs|parallel)\s/;

/** Does an interpreter run what this command prints? `echo "rm x" | bash` does, `echo "rm x" | grep rm` does not. */
export function feedsInterpreter(command: SimpleCommand, commands: readonly SimpleCommand[], line = ''): boolean {
  const end = line.indexOf(command.text) + command.text.length;
  if (line.includes(command.text) && TO_XARGS.test(line.slice(end))) return true;
  if (isFed(command) && command.text.includes('<<<')) return true;
  for (let i = commands.indexOf(command) + 1; i < commands.length; i++) {
    const next = commands[i] as SimpleCommand;
    if (next.piped && isFed(next)) return true;
    // A `$(…)` inside the command is listed between it and the next command.
    if (!next.piped && !command.text.includes(next.text)) return false;
  }
  return false;
}

/** Does the command run its standard input: an interpreter without a script, or a console without a command? */
function isFed(command: SimpleCommand): boolean {
  const { program, args } = command;
  if (isProgram(program, 'shell', 'power-shell', 'interpreter'))
    return (
      args.every(({ value, text }) => isOption(value) && !/["']/.test(text)) ||
      args.some(({ value }) => value === '-' || value === '-s')
    );
  if (isProgram(program, 'console')) return !GIVEN.some((option) => hasWord(command, option));
  if (!hasHookTrait(command, 'elsewhere')) return false;
  // On a remote host, the last word is the program.
  const last = args.findLast(({ value }) => !isOption(value))?.value ?? '';
  return (
    isProgram(last, 'shell', 'power-shell', 'interpreter', 'console') ||
    (program === 'ssh' && toPositionals(command).length < 2)
  );
}
