/** `#lesson … #/lesson`: a key to a line; what follows without a key belongs to the value before. */
import { toPlain } from './to-plain.ts';

interface LessonFields {
  readonly tool: string;
  readonly trigger: string;
  readonly mistake: string;
  readonly fix: string;
  readonly tags: string;
}

const KEYS = ['tool', 'trigger', 'mistake', 'fix', 'tags'] as const;
type Key = (typeof KEYS)[number];

/** A list's sign or emphasis may stand before a key, and emphasis around it. */
const KEYED = /^\s*(?:[-*+]\s+)?(?:\*\*|__|`)?([A-Za-z][A-Za-z_]{0,30})(?:\*\*|__|`)?\s*:(?:\*\*|__)?(?:\s+(.*))?$/;
/** YAML's sign for a value on the lines below. */
const BELOW = /^[|>][+-]?$/;

/** Undefined when no key of ours stands in it. */
export function parseLessonBlock(lines: readonly string[]): LessonFields | undefined {
  const values = new Map<Key, string[]>();
  let current: string[] | undefined;
  for (const line of lines) {
    const [, name = '', first = ''] = KEYED.exec(line) ?? [];
    const key = KEYS.find((one) => one === name.toLowerCase());
    // Somebody else's key. `Error: …` in the middle of a value is none.
    const isOther = key === undefined && name !== '' && name === name.toLowerCase();
    if (key === undefined && !isOther) current?.push(line.trim());
    else {
      current = BELOW.test(first.trim()) ? [] : [first];
      // Said twice, the first counts.
      if (key !== undefined && !values.has(key)) values.set(key, current);
    }
  }
  if (values.size === 0) return undefined;
  const toValue = (key: Key): string => toPlain((values.get(key) ?? []).join('\n'));
  return {
    tool: toValue('tool'),
    trigger: toValue('trigger'),
    mistake: toValue('mistake'),
    fix: toValue('fix'),
    tags: toValue('tags'),
  };
}
