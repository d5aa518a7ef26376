/** What no lesson has and no check behind this one should have to bear: looked for before the schema is. */

export interface HostileValue {
  readonly path: readonly (string | number)[];
  readonly reason: string;
}

const MAX_VALUES = 2_000;
const MAX_DEPTH = 12;
/** Of a regular expression, glob or word of a trigger: they run while an agent waits. */
const MAX_TRIGGER_CHARS = 300;
/** Terminal codes, and characters that are read but not seen; between words line breaks and tabs are usual. */
const UNSEEN =
  /[\p{Cc}\p{Cs}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/u;

interface Step {
  readonly value: unknown;
  readonly path: HostileValue['path'];
}

/** A walk without recursion: nesting costs no stack. */
export function findHostileValue(root: unknown): HostileValue | undefined {
  const steps: Step[] = [{ value: root, path: [] }];
  for (let seen = 0, step = steps.pop(); step !== undefined; seen++, step = steps.pop()) {
    const { value, path } = step;
    if (seen > MAX_VALUES) return { path: [], reason: `has more than ${MAX_VALUES} values` };
    if (path.length > MAX_DEPTH) return { path: path.slice(0, 2), reason: 'is nested too deep' };
    const reason = typeof value === 'string' ? findTextFault(value, path) : undefined;
    if (reason !== undefined) return { path, reason };
    if (value === null || typeof value !== 'object') continue;
    const entries = Array.isArray(value) ? value.map((one, i) => [i, one] as const) : Object.entries(value);
    if (entries.length > MAX_VALUES) return { path, reason: `has more than ${MAX_VALUES} values` };
    for (const [key, one] of entries) steps.push({ value: one, path: [...path, key] });
  }
  return undefined;
}

function findTextFault(text: string, [field]: HostileValue['path']): string | undefined {
  const isTrigger = field === 'triggers';
  if (isTrigger && text.length > MAX_TRIGGER_CHARS) return `is longer than ${MAX_TRIGGER_CHARS} characters`;
  const visible = isTrigger || field === 'tags' || field === 'slug' ? text : text.replace(/[\n\t]/g, ' ');
  return UNSEEN.test(visible) ? 'holds characters that cannot be seen' : undefined;
}
