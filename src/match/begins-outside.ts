/**
 * Does a regular expression find something in a command that is more than a text? What a command prints, says in a message or
 * searches for is not what it does: a match must begin elsewhere. It may go on into such a text (`git commit -m "WIP`), and
 * variables in it are no text.
 */
import { isListed } from '../base/is-listed.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import { listTexts, type Text } from './list-texts.ts';
import { findRegex } from './test-regex.ts';

/** So often one match after the other is only a text, and nobody looks for more. */
const MAX_TRIES = 100;

/** In lower case: PowerShell does not ask for it. */
const PRINTING =
  'echo printf print write-host write-output write-error write-warning write-information write-verbose write-debug';

/**
 * What may stand in front of anything: `.*`, `[\s\S]+`, `[^;]*`, `\s+`, an optional quote, alone or in brackets, behind what is
 * only a place. Of a place alone nothing is taken: `\brm` is not `rm`.
 */
const COUNTED = String.raw`(?:[*+]|\{\d+(?:,\d*)?\})\??`;
const QUOTE = String.raw`(?:["'\x60]|\[["'\\\x60]+\])[?*]\??`;
const ANYTHING = String.raw`(?:(?:\.|\\[sSwW]|\[(?:\^(?:[^\]\\]|\\.)*|\\[sSwWdD]\\[sSwWdD])\])${COUNTED}|\\s\??|${QUOTE})`;
const LEADING = new RegExp(
  String.raw`^(?:(?:\^|\\b)*(?:${ANYTHING}|\((?:\?:)?\^?${ANYTHING}{1,9}\)(?:${COUNTED}|\?)?))+`,
);

/** `isRun`: what it prints is read by a program that runs it. */
export function beginsOutside(regex: string, command: SimpleCommand, isRun: () => boolean): boolean {
  const isPrinting = isListed(command.program.toLowerCase(), PRINTING);
  const all = listTexts(command, isPrinting);
  const texts = all.some(isPrinted) && isRun() ? all.filter((text) => !isPrinted(text)) : all;
  // Where anything may stand in front, the match begins behind it.
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
