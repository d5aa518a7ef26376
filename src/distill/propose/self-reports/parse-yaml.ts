/**
 * YAML that an agent wrote, and that anybody may have dictated: no references, no tags of its own, every scalar a text,
 * bounded in size. Never throws.
 */
import { parseDocument } from 'yaml';

const MAX_CHARS = 8 * 1024;
/** Deeper than any block is: a parser that descends must not run out of stack. */
const MAX_DEPTH = 12;

export type Yaml = string | readonly Yaml[] | { readonly [key: string]: Yaml };

export interface Unparsed {
  /** In words of ours: none of the text. */
  readonly reason: string;
}

export function parseYaml(text: string): { readonly value: Yaml } | Unparsed {
  if (text.length > MAX_CHARS) return { reason: `its YAML is longer than ${MAX_CHARS} characters` };
  try {
    const document = parseDocument(text, {
      schema: 'failsafe',
      customTags: [],
      resolveKnownTags: false,
      merge: false,
      uniqueKeys: false,
      strict: false,
      stringKeys: true,
      prettyErrors: true,
      logLevel: 'silent',
    });
    const [error] = document.errors;
    if (error !== undefined) {
      const line = error.linePos?.[0].line;
      return { reason: `its YAML does not parse (${error.code}${line === undefined ? '' : `, its line ${line}`})` };
    }
    // The first reference is one too many.
    return { value: toYaml(document.toJS({ maxAliasCount: 0 }), 0) };
  } catch {
    return { reason: 'its YAML does not parse' };
  }
}

/** What is no text is none of ours; keys are in small letters. */
export function toYaml(value: unknown, depth: number): Yaml {
  if (typeof value === 'string') return value;
  if (value === null || typeof value !== 'object' || depth > MAX_DEPTH) return '';
  if (Array.isArray(value)) return value.map((item) => toYaml(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key.toLowerCase(), toYaml(item, depth + 1)]));
}
