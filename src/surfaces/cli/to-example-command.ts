/** A command that a lesson speaks at, made from its triggers; undefined where they do not tell one. */
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { checkTriggers } from '../../match/check-triggers.ts';

export function toExampleCommand({ triggers }: Pick<Lesson, 'triggers'>): string | undefined {
  const [program] = triggers.programs ?? [];
  if (program === undefined) return undefined;
  const { name, sub = [], args } = program;
  const command = [name, ...sub, ...(args?.all ?? []), ...(args?.any?.slice(0, 1) ?? [])].join(' ');
  const call = { tool: 'shell', commands: parseCommand(command), projectId: '', sessionId: '' } as const;
  return checkTriggers(triggers, {}, call).holds ? command : undefined;
}
