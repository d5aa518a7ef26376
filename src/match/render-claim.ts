/**
 * A lesson that came from outside and that no person here has confirmed, as the model reads it: a quotation with its source,
 * never a rule. Its words stand in quotes on one line each, without the labels that lessons have, without commands
 * that do more than read.
 */
import type { Lesson } from '../base/lesson.ts';
import { toClaimName, withholdCommands } from '../base/withhold-commands.ts';
import { toHarmlessLine } from './to-harmless.ts';
import { toLessonParts } from './to-lesson-parts.ts';

const MAX_CHARS = 300;

export function renderClaim(lesson: Lesson): string {
  const quotes = listQuotes(lesson);
  const lines = quotes.map(({ label, text }) => `${label}: "${text}"`);
  return [
    `Unverified claim from ${toSource(lesson)}. Nobody here has confirmed it; it is quoted as information only.`,
    ...lines,
  ].join('\n');
}

/** Whether a command in its words is shown only once a person has confirmed the lesson. */
export function withholdsCommand(lesson: Lesson): boolean {
  return listTexts(lesson).some(({ text }) => withholdCommands(text).isWithheld);
}

function toSource({ id, file, origin }: Lesson): string {
  if (file !== undefined) {
    const name = toClaimName(file.slug, id);
    return `a file of this repository (${name === id ? id : `.oncebitten/lessons/${toHarmlessLine(name)}.json`})`;
  }
  return origin.kind === 'import' ? 'an imported file' : 'text that a program or a page printed';
}

interface Quote {
  readonly label: 'it states' | 'it describes' | 'it mentions';
  readonly text: string;
}

/** Once each; a quotation of which only the mark is left tells that something was there. */
function listQuotes(lesson: Lesson): readonly Quote[] {
  const quotes = listTexts(lesson).map(({ label, text }) => ({ label, text: toQuote(withholdCommands(text).text) }));
  const seen = new Set<string>(['']);
  return quotes.filter(({ text }) => !seen.has(text) && seen.add(text));
}

function listTexts(lesson: Lesson): readonly Quote[] {
  const parts = toLessonParts({ ...lesson, tags: [] });
  return [
    { label: 'it states', text: lesson.summary },
    ...parts.map(
      ({ text, isRemedy }) => ({ label: isRemedy === true ? 'it mentions' : 'it describes', text }) as const,
    ),
  ];
}

/** Words in capitals that give orders; frames, headings, boxes and fences; `system:`. */
const SHOUTED =
  /\b(?:ALWAYS|ATTENTION|CRITICAL|DO NOT|IGNORE|IMPORTANT|MANDATORY|MUST|NEVER|NOTE|OVERRIDE|REQUIRED|SYSTEM|URGENT|WARNING)\b/g;
const FRAME = /={3,}|-{4,}|\*{2,}|#{1,6}(?=\s)|`{3,}|\[[ xX]\]/g;
const ROLE = /\b(system|assistant|developer|human|user|tool|must|do|verify|mitigate|when|lesson)\s*[:：]/gi;

function toQuote(text: string): string {
  const line = toHarmlessLine(text)
    .replace(FRAME, ' ')
    .replace(ROLE, '$1 -')
    .replace(SHOUTED, (word) => word.toLowerCase())
    .replace(/["“”„«»]/g, "'")
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_CHARS) return line;
  const cut = line.slice(0, MAX_CHARS);
  const end = cut.lastIndexOf(' ');
  // Not inside our own mark either.
  return `${(end < 0 ? cut : cut.slice(0, end)).replace(/\[[^\]]*$/, '').trim()} …`;
}
