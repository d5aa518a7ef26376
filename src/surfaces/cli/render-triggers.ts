/** A lesson's triggers in words. */
import type { ProgramTrigger, Triggers } from '../../base/trigger.ts';

export function renderTriggers(triggers: Triggers): string {
  const parts = [
    triggers.programs?.map(renderProgram).join(' or '),
    triggers.command?.match === undefined ? undefined : `text like ${triggers.command.match.map(quote).join(' or ')}`,
    triggers.command?.unless === undefined
      ? undefined
      : `no text like ${triggers.command.unless.map(quote).join(' or ')}`,
    triggers.paths === undefined ? undefined : `file ${triggers.paths.map(quote).join(' or ')}`,
    triggers.content === undefined ? undefined : 'certain new text',
    triggers.subagents === undefined ? undefined : `sub-agent ${triggers.subagents.join(' or ')}`,
  ].filter((part) => part !== undefined);
  if (parts.length > 0) return parts.join(', ');
  return triggers.tools === undefined ? 'every call' : `every ${triggers.tools.join(' or ')} call`;
}

function renderProgram({ name, sub, args }: ProgramTrigger): string {
  const words = [name, ...(sub ?? []), ...(args?.all ?? []), ...(args?.any === undefined ? [] : [args.any.join('|')])];
  return `${quote(words.join(' '))}${args?.none === undefined ? '' : ` without ${args.none.map(quote).join(' or ')}`}`;
}

function quote(text: string): string {
  return `\`${text}\``;
}
