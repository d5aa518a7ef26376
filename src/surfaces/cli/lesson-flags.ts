/** A lesson, or a change of one, as flags or JSON. */
import type { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import type { Triggers } from '../../base/trigger.ts';
import { findTriggerFault } from '../find-trigger-fault.ts';
import type { CommandInput } from './command.ts';

type Texts = Readonly<Record<string, string | undefined>>;
type Lists = Readonly<Record<string, readonly string[] | undefined>>;

export interface FlagWish {
  readonly type?: string;
  readonly summary?: string;
  readonly mistake?: string;
  readonly remediation?: string;
  readonly priority?: number;
  readonly tags?: readonly string[];
  readonly triggers?: object;
}

/** What was given, and nothing else. */
export function toFlagWish(options: CommandInput['options']): FlagWish {
  const given = options as Texts;
  const triggers = toTriggers(options as Lists);
  return dropAbsent({
    type: given.type,
    summary: given.summary,
    mistake: given.mistake,
    remediation: given.fix,
    priority: given.priority === undefined ? undefined : Number(given.priority),
    tags: (options as Lists).tag,
    triggers: Object.keys(triggers).length === 0 ? undefined : triggers,
  });
}

function toTriggers({ program, with: any, without: none, tool, file, keyword }: Lists): object {
  const args = dropAbsent({ any, none });
  const hasArgs = Object.keys(args).length > 0;
  if (program === undefined && hasArgs)
    throw refuseLesson('has --with or --without but no --program', 'name the program too');
  const programs = program?.map((words) => {
    const [name, ...sub] = words.trim().split(/\s+/);
    return { name, ...(sub.length === 0 ? {} : { sub }), ...(hasArgs ? { args } : {}) };
  });
  const tools = tool ?? (programs === undefined ? undefined : ['shell']);
  return dropAbsent({ tools, programs, paths: file, actionKeywords: keyword });
}

/** Of the schema's complaints a person gets the first. */
export function parseLesson<T extends z.ZodType>(schema: T, wish: unknown, command: 'add' | 'edit'): z.infer<T> {
  const parsed = schema.safeParse(wish);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') || 'it';
  const next = `see the options: oncebitten lessons ${command} --help`;
  throw refuseLesson(`${where}: ${issue?.message ?? 'is not valid'}`, next);
}

export function checkTrigger(triggers: Triggers): void {
  const fault = findTriggerFault(triggers);
  if (fault !== undefined) throw refuseLesson(`triggers: ${fault}`, 'see what holds when: docs/reference/triggers.md');
}

export function parseLessonJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw refuseLesson('is not JSON', 'see schemas/lesson-input.schema.json for what is expected', cause);
  }
}

export function refuseLesson(reason: string, next: string, cause?: unknown): UserError {
  return new UserError({ subject: 'the lesson', reason, next, cause });
}

export function dropAbsent<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
