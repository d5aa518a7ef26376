/**
 * Does a regular expression find something in a command that is more than a text? What a command prints, says in a message or
 * searches for is not what it does: a match must begin elsewhere. It may go on into such a text (`git commit -m "WIP`), and
 * variables in it are no text.
 */
import { isListed } from '../base/is-listed.ts';
import type { Argument, SimpleCommand } from '../base/simple-command.ts';
import { findRegex } from './test-regex.ts';

const PRINTING = 'echo printf print Write-Host Write-Output Write-Error';
const SEARCHING = 'grep egrep fgrep rg ag ack';
/** Options with a message, a text right behind them or the next word. */
const SAYING = /^(?:-[a-z]*m|--(?:message|body|title|description|notes?|comment|subject|summary|grep))(?:=?["'].*)?$/s;
/** So often one match after the other is only a text, and nobody looks for more. */
const MAX_TRIES = 100;

type Span = readonly [from: number, to: number];

export function beginsOutside(regex: string, command: SimpleCommand): boolean {
  const { text } = command;
  const texts = listTexts(command);
  // Where anything may stand in front, the match begins behind it.
  const source = regex.replace(/^\^?(?:\.\*\??)+/, '');
  let at = 0;
  for (let n = 0; n < MAX_TRIES; n++) {
    const found = findRegex(source, text, at);
    if (found < 0) return false;
    const around = texts.find(([from, to]) => from <= found && found < to);
    if (around === undefined || text.slice(Math.max(0, found - 2), found + 1).includes('$')) return true;
    at = around[1];
  }
  return false;
}

function listTexts({ program, args, text }: SimpleCommand): readonly Span[] {
  const spans: Span[] = [];
  const start = text.indexOf(program) + program.length;
  let at = start;
  args.forEach((word, i) => {
    const from = text.indexOf(word.text, at);
    if (from < 0) return;
    at = from + word.text.length;
    if (isText(word, args[i - 1], program)) spans.push([from, at]);
  });
  return isListed(program, PRINTING) ? [[start, at]] : spans;
}

function isText({ text }: Argument, before: Argument | undefined, program: string): boolean {
  if (!/["']/.test(text)) return false;
  return isListed(program, SEARCHING) || SAYING.test(before?.text ?? '') || SAYING.test(text);
}
