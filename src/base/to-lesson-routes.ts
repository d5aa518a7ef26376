/**
 * Where a lesson stands in the index (`lesson-index.ts`). Each route is a list of things that a call must have, from the
 * coarse to the fine; every call that the lesson can match has all of at least one route.
 */
import { findLiteral } from './find-literal.ts';
import { type Dimension, MAX_INDEX_CHARS, MIN_INDEX_TEXT_CHARS, type TextDimension } from './lesson-index.ts';
import type { CompiledLesson } from './manifest.ts';
import { isOption } from './program-words.ts';
import { toGlobSteps } from './to-glob-steps.ts';
import type { ProgramTrigger, Triggers } from './trigger.ts';

export interface Step {
  readonly by: Dimension;
  readonly value: string;
}

export interface Route {
  readonly steps: readonly Step[];
  /** So many are gone however few lessons there are: the scope, and what it is about. The rest where many meet. */
  readonly first: number;
}

/** A lesson that says it in so many ways stands on fewer, shorter routes. */
const MAX_ROUTES = 64;
const TEXT_PARTS: readonly (readonly [part: 'command' | 'line' | 'content' | 'input', by: TextDimension])[] = [
  ['command', 'shell'],
  ['line', 'shell'],
  ['content', 'content'],
  ['input', 'input'],
];
const ANYWHERE: readonly (readonly Step[])[] = [[]];

export function toLessonRoutes(lesson: Pick<CompiledLesson, 'projectId' | 'sessionId' | 'triggers'>): readonly Route[] {
  const scope = toScope(lesson);
  const starts = toStarts(lesson.triggers);
  const texts = listLiterals(lesson.triggers);
  const isWide = texts === undefined || starts.length * texts.length > MAX_ROUTES;
  return starts.flatMap((start) => {
    const begun = [...scope, ...start];
    const first = scope.length + Math.min(1, start.length);
    return isWide ? { steps: begun, first } : texts.map((text) => ({ steps: [...begun, text], first }));
  });
}

function toScope({ projectId, sessionId }: Pick<CompiledLesson, 'projectId' | 'sessionId'>): readonly Step[] {
  if (sessionId !== undefined) return [{ by: 'session', value: sessionId }];
  return projectId === undefined ? [] : [{ by: 'project', value: projectId }];
}

function toStarts({ programs, paths, tools, line, command }: Triggers): readonly (readonly Step[])[] {
  if (programs !== undefined) return programs.flatMap(toProgramSteps);
  const byFile = paths?.flatMap(toGlobSteps);
  // One glob that may mean any file, and the others need not be looked at.
  if (byFile?.every((steps) => steps.length > 0)) return byFile;
  if (tools !== undefined) return tools.map((value) => [{ by: 'tool', value }]);
  return (line ?? command) === undefined ? ANYWHERE : [[{ by: 'tool', value: 'shell' }]];
}

function toProgramSteps({ name, sub = [], args }: ProgramTrigger): readonly (readonly Step[])[] {
  const begun: Step[] = [{ by: 'program', value: name }];
  for (const value of sub) begun.push({ by: 'sub', value });
  return listWords(args)?.map((value) => [...begun, { by: isOption(value) ? 'option' : 'word', value }]) ?? [begun];
}

/** Words of which one must be there. Undefined when none is certain. */
function listWords({ all = [], any }: NonNullable<ProgramTrigger['args']> = {}): readonly string[] | undefined {
  let longest = '';
  for (const word of all) if (word.length > longest.length && word.length <= MAX_INDEX_CHARS) longest = word;
  if (longest !== '') return [longest];
  return any?.every((word) => word.length <= MAX_INDEX_CHARS) ? any : undefined;
}

/** Texts of which one must be in the call: of the part whose shortest is the longest. Undefined when none is certain. */
function listLiterals(triggers: Triggers): readonly Step[] | undefined {
  let best: readonly Step[] | undefined;
  let bestChars = MIN_INDEX_TEXT_CHARS - 1;
  for (const [part, by] of TEXT_PARTS) {
    const match = triggers[part]?.match;
    if (match === undefined) continue;
    const literals = match.map((source) => findLiteral(source).slice(0, MAX_INDEX_CHARS));
    const chars = Math.min(...literals.map(({ length }) => length));
    if (chars <= bestChars) continue;
    bestChars = chars;
    best = literals.map((value) => ({ by, value }));
  }
  return best;
}
