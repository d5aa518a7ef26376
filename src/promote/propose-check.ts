/** What a machine could check instead of telling the agent once more (P4): words for a person, nothing is set up by itself. */
import type { Lesson } from '../base/lesson.ts';
import type { ProgramTrigger } from '../base/trigger.ts';

export function proposeCheck({ triggers, summary }: Lesson): string {
  const [program] = triggers.programs ?? [];
  if (program !== undefined)
    return `refuse \`${toWords(program)}\`: a permission rule of the agent, or a wrapper named ${program.name} before it on the PATH that says: ${summary}`;
  if (triggers.content !== undefined)
    return `a lint rule, or a pre-commit hook, that finds ${toList(triggers.content.match)} in what is written: ${summary}`;
  if (triggers.paths !== undefined)
    return `a pre-commit hook or a check in CI on ${toList(triggers.paths)}: ${summary}`;
  const texts = triggers.command?.match ?? triggers.line?.match;
  if (texts !== undefined)
    return `a permission rule of the agent that refuses commands like ${toList(texts)}: ${summary}`;
  return `a check in CI, or a hook of your own, that refuses it: ${summary}`;
}

function toWords({ name, sub = [], args }: ProgramTrigger): string {
  return [name, ...sub, ...(args?.all ?? []), ...(args?.any ?? []).slice(0, 1)].join(' ');
}

function toList(texts: readonly string[] = []): string {
  return texts
    .slice(0, 3)
    .map((text) => `\`${text}\``)
    .join(' or ');
}
