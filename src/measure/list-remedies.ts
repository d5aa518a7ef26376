/**
 * What a lesson says to do, as commands: the code in its words, or all of them where they are a command. Of several in a row
 * those that are done to what the lesson is about, else the first that does more than prepare.
 */
import { findMainCommand } from '../base/find-main-command.ts';
import type { Lesson } from '../base/lesson.ts';
import { parseCommand } from '../base/parse-command.ts';
import type { SimpleCommand } from '../base/simple-command.ts';

const CODE = /`([^`\n]+)`/g;
/** What is named so is what not to do. */
const AGAINST =
  /\b(?:never|not|don't|cannot|avoid|instead of|rather than|without)\b(?:(?!,\s*(?:use|run|call|do|but)\b)[^.;!\n])*$/i;
/** A program, behind variables that are set for it. */
const COMMAND = /^(?:[A-Za-z_]\w*=\S*\s+)*(?:\.{0,2}\/)?[a-z0-9_][\w.+/-]*(?:\s|$)/;
/** How people begin a sentence that says what to do. */
const SENTENCE =
  /^(?:use|using|run|do|try|never|always|avoid|prefer|instead|first|before|after|when|if|check|read|add|set|ask|remember|ensure|be|keep|see|put|call|give|write|look|the|a|an|this|that|it|you|we|please|only|no|not|don't|just|and|or|make sure|wait)\b/i;
const MAX_WORDS = 12;

export type Advice = Pick<Lesson, 'remediation' | 'origin' | 'triggers'>;

export function listRemedies(lesson: Advice): readonly SimpleCommand[] {
  const { remediation } = lesson;
  const code = Array.from(remediation.matchAll(CODE)).filter(({ index }) => !AGAINST.test(remediation.slice(0, index)));
  const texts = remediation.includes('`') ? code.map(([, text = '']) => text) : isCommand(lesson) ? [remediation] : [];
  // Kinds of objects are no words of a command, and an option alone is none.
  const commands = texts.map((text) => text.replace(/<[a-z]+>|…/g, '').trim()).filter((text) => COMMAND.test(text));
  return commands.flatMap((text) => findMeant(text, lesson));
}

/** What was observed is one unless it is said in words; what was written is one only where it can be nothing else. */
function isCommand({ remediation, origin }: Advice): boolean {
  if (!COMMAND.test(remediation)) return false;
  if (origin.kind === 'episode') return true;
  return (
    !SENTENCE.test(remediation) &&
    !/[\w)`'"][.!?:,](?:\s|$)/.test(remediation) &&
    remediation.split(/\s+/).length <= MAX_WORDS
  );
}

function findMeant(text: string, { triggers }: Advice): readonly SimpleCommand[] {
  const commands = parseCommand(text).filter(({ program }) => program !== '');
  const own = commands.filter(({ program }) => triggers.programs?.some(({ name }) => name === program));
  const main = findMainCommand(text);
  return own.length > 0 ? own.slice(-1) : main === undefined ? [] : [main];
}
