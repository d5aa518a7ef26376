/** Why a lesson spoke, in a few words: what of the call its triggers name. */
import type { ProgramTrigger, TextTrigger, Triggers } from '../base/trigger.ts';

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
    name('word', [...actionKeywords, ...contextKeywords]),
  ].filter((part) => part !== '');
  return cut(parts.length === 0 ? name('tool', tools) || 'any call' : parts.join(', '));
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

function cut(text: string): string {
  const chars = [...text];
  return chars.length <= MAX_CHARS ? text : `${chars.slice(0, MAX_CHARS - 1).join('')}…`;
}
