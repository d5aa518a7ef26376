/** When a rule would speak: at the command or the file that it names between backticks. What it warns of comes first. */
import type { SimpleCommand } from '../../base/simple-command.ts';
import type { Triggers } from '../../base/trigger.ts';
import { toOptions, toProgramTrigger } from '../../distill/command-shape.ts';
import { toNamedCommands } from '../../distill/self-report/to-named-commands.ts';

const SPAN = /`([^`\n]+)`/g;
/** Behind these stands what should not be done, or what something has to come before. */
const AGAINST =
  /\b(?:instead of|rather than|never|not|don'?t|avoid|without|over|before|forbidden|no|stop)\b[^`.;]{0,40}$/i;
const RUNNING = /\b(?:run|running|execute|executing|call|calling|command)\s+$/i;
const FILE = /^(?!-)[\w.*@+{},-]*(?:\/[\w.*@+{},-]*)+$|^[\w*@+-]*\.[a-z][\w]{0,7}$/i;
const NO_FILE = /^(?:\.{1,2}\/?|\/|\*+|\d[\d.]*)$|^https?:/;
const READS = /\bread(?:ing)?\b|\blook(?:ing)? at\b|\bopen(?:ing)?\b/i;

interface Named {
  readonly span: string;
  readonly before: string;
}

export function toRuleTriggers(rule: string): Triggers | undefined {
  const named = [...rule.matchAll(SPAN)].map((match) => ({
    span: (match[1] ?? '').trim(),
    before: rule.slice(0, match.index),
  }));
  const against = named.filter(({ before }) => AGAINST.test(before));
  for (const one of [...against, ...named]) {
    const triggers = toFileTriggers(one, rule) ?? toCommandTriggers(one);
    if (triggers !== undefined) return triggers;
  }
  return undefined;
}

function toFileTriggers({ span }: Named, rule: string): Triggers | undefined {
  if (!FILE.test(span) || NO_FILE.test(span)) return undefined;
  const glob = span.replace(/^\.\//, '').replace(/\/$/, '/**');
  if (glob === '' || /^[*/.]*$/.test(glob)) return undefined;
  return { tools: READS.test(rule) ? ['read', 'edit', 'write'] : ['edit', 'write'], paths: [glob] };
}

/** One word may be anything: the name of a function, a type. */
function toCommandTriggers({ span, before }: Named): Triggers | undefined {
  if (!/\s/.test(span) && !RUNNING.test(before)) return undefined;
  const [command] = toNamedCommands(`\`${span}\``)[0] ?? [];
  return command === undefined || !/^[a-z]/.test(command.program)
    ? undefined
    : { tools: ['shell'], programs: [toProgram(command)] };
}

function toProgram(command: SimpleCommand) {
  const options = toOptions(command);
  return { ...toProgramTrigger(command), ...(options.length === 0 ? {} : { args: { all: options } }) };
}
