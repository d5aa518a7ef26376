/** Why a lesson spoke, in a few words: what of the call its triggers name. */
import { toShortChars } from './short-text.ts';
import type { ProgramTrigger, TextTrigger, Triggers } from './trigger.ts';

const MAX_CHARS = 80;

export function renderWhy(triggers: Triggers): string {
  const { programs = [], paths, subagents, workflows, actionKeywords = [], contextKeywords = [], tools } = triggers;
  const parts = [
    name('program', unique(programs.map(toProgram))),
    name('option', unique(programs.flatMap(({ args }) => [...(args?.all ?? []), ...(args?.any ?? [])]))),
    ...(triggers.directory === undefined ? [] : ['folder']),
    ...texts('command', triggers.command ?? triggers.line),
    name('path', paths),
    ...texts('new', triggers.content),
    ...texts('input', triggers.input),
    name('sub-agent', subagents),
    name('workflow', workflows),
    // Beside tools and paths keywords are no condition: perhaps nobody said them.
    ...(tools !== undefined && paths !== undefined ? [] : [name('word', [...actionKeywords, ...contextKeywords])]),
  ].filter((part) => part !== '');
  const why = parts.length === 0 ? name('tool', tools) || 'any call' : parts.join(', ');
  // Where not even the first value has room, its kind has.
  return toShortChars(why, MAX_CHARS) || (why.split(' ', 1)[0] ?? '');
}

function name(kind: string, values: readonly string[] = []): string {
  return values.length === 0 ? '' : `${kind} ${values.join(' or ')}`;
}

function texts(kind: string, trigger: TextTrigger | undefined): readonly string[] {
  return trigger === undefined ? [] : [`${kind} text`];
}

function toProgram({ name: program, sub = [] }: ProgramTrigger): string {
  return [program, ...sub].join(' ');
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
