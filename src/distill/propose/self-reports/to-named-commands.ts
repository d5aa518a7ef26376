/** The commands in an agent's words: what stands between backticks, or the whole if it does not read like a sentence. */
import { ANY_SHELL, parseCommand } from '../../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';

const SPAN = /`([^`]+)`/g;
const PROMPT = /^\$\s+/;
const SENTENCE =
  /^(?:always|any|avoid|before|after|calling|do|don'?t|every|if|instead|it|never|run|running|the|this|to|use|using|when|whenever|while)\b|\b(?:is|are|was|were|should|must|because|instead|without|the)\b/i;
const PROGRAM = /^[\w.+-]+$/;

/** Each is a command line of its own. */
export function toNamedCommands(words: string): readonly (readonly SimpleCommand[])[] {
  const spans = [...words.matchAll(SPAN)].map(([, span = '']) => span);
  const lines = spans.length > 0 ? spans : SENTENCE.test(words) ? [] : [words];
  return lines
    .map((line) =>
      parseCommand(line.trim().replace(PROMPT, ''), ANY_SHELL).filter(({ program }) => PROGRAM.test(program)),
    )
    .filter((commands) => commands.length > 0);
}
