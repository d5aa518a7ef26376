/** What a person is told about a setting: its help and what it may be. Taken from the schema, so that both agree. */
import { z } from 'zod';
import { settingsSchema } from './settings-schema.ts';

export interface SettingFacts {
  readonly help: string;
  /** `a number from 0 to 1` */
  readonly type: string;
  readonly kind: 'text' | 'list' | 'other';
  readonly min?: number;
  readonly max?: number;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
}

let root: Schema | undefined;

export function describeSetting(path: readonly string[]): SettingFacts {
  root ??= z.toJSONSchema(settingsSchema, { io: 'input' }) as Schema;
  const schema = path.reduce<Schema>((inner, part) => inner.properties?.[part] ?? {}, root);
  const { minimum: min } = schema;
  // Whole numbers have this bound without being given one.
  const max = schema.maximum === Number.MAX_SAFE_INTEGER ? undefined : schema.maximum;
  return {
    help: schema.description ?? '',
    type: renderType(schema, min, max),
    kind: schema.type === 'string' ? 'text' : schema.type === 'array' ? 'list' : 'other',
    ...(min === undefined ? {} : { min }),
    ...(max === undefined ? {} : { max }),
  };
}

function renderType(schema: Schema, min: number | undefined, max: number | undefined): string {
  if (schema.enum !== undefined) return `one of ${schema.enum.join(', ')}`;
  if (schema.properties !== undefined) return 'a group of settings, in braces';
  if (schema.type === 'boolean') return 'true or false';
  if (schema.type === 'array') return 'a list of texts, as in ["a", "b"]';
  if (schema.type === 'string') return 'a text';
  const number = schema.type === 'integer' ? 'a whole number' : 'a number';
  if (min !== undefined && max !== undefined) return `${number} from ${min} to ${max}`;
  return min === undefined ? number : `${number}, at least ${min}`;
}
