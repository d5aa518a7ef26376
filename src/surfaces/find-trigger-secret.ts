/**
 * The part of a trigger that holds a secret. A name like `password=` proves nothing there, for patterns have it; a literal value
 * behind it does. A trigger cannot be redacted: with a marker in it, it matches nothing.
 */
import { holdsToken } from '../base/holds-token.ts';
import { makeRedactor, redact } from '../base/redact.ts';
import type { ProgramTrigger, Triggers } from '../base/trigger.ts';
import { globToSample, regexToSample } from './to-sample-text.ts';

const REGEXES = ['command', 'line', 'content', 'input'] as const;
const WORDS = ['subagents', 'workflows', 'actionKeywords', 'contextKeywords'] as const;
const EXCEPT_WORDS = ['subagents', 'workflows', 'keywords'] as const;

/** `triggers.command`, …; undefined when there is none. */
export function findTriggerSecret(triggers: Triggers): string | undefined {
  const { programs = [], paths = [], directory, session, unless = {} } = triggers;
  if (programs.some(holdsSecret)) return 'triggers.programs';
  if (unless.programs?.some(holdsSecret)) return 'triggers.unless';
  const regex = REGEXES.find((part) =>
    [...(triggers[part]?.match ?? []), ...(triggers[part]?.unless ?? [])].some(
      (source) => holdsToken(source) || isSecret(regexToSample(source)),
    ),
  );
  if (regex !== undefined) return `triggers.${regex}`;
  if (paths.some((glob) => isSecret(globToSample(glob)))) return 'triggers.paths';
  if (unless.paths?.some((glob) => isSecret(globToSample(glob)))) return 'triggers.unless';
  if (typeof directory === 'object' && Object.values(directory).some(isSecret)) return 'triggers.directory';
  if (session?.unless.some((one) => isSecret('ran' in one ? one.ran : one.read))) return 'triggers.session';
  const words = WORDS.find((part) => triggers[part]?.some(isSecretWord));
  if (words !== undefined) return `triggers.${words}`;
  if (EXCEPT_WORDS.some((part) => unless[part]?.some(isSecretWord))) return 'triggers.unless';
  return holdsToken(JSON.stringify(triggers)) ? 'triggers' : undefined;
}

function holdsSecret({ name, sub = [], args = {} }: ProgramTrigger): boolean {
  const start = [name, ...sub].join(' ');
  const lists = [args.any ?? [], args.all ?? [], args.none ?? []];
  return (
    isSecret(start) ||
    lists.flat().some((word) => isSecret(`${start} ${word}`)) ||
    lists.some((words) => words.length > 1 && holdsTelling(`${start} ${words.join(' ')}`))
  );
}

function isSecret(text: string): boolean {
  return redact(text) !== text;
}

/** A keyword is a piece of a sentence: `password zebra` is what a person says behind "with". */
function isSecretWord(text: string): boolean {
  return isSecret(text) || isSecret(`with ${text}`);
}

/** An option and its value as two words. They need not belong together: only a value that looks like no word counts. */
function holdsTelling(text: string): boolean {
  redactor ??= makeRedactor([]);
  return redactor(text).values.length > 0;
}

let redactor: ReturnType<typeof makeRedactor> | undefined;
