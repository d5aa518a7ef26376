/**
 * The parts that a trigger can have, one row for each: the type of its values, the calls it applies to, and its words.
 * Code that treats all parts alike reads these tables: the checks of a written lesson, the search for secrets, and
 * `render-triggers.ts`. Only the matching is separate (`check-triggers.ts`), because it runs while an agent waits.
 */

import type { Exceptions, ProgramTrigger, SessionCondition, TargetPart, TextTrigger, Triggers } from './trigger.ts';

/** How the values of a part are written. */
export interface ValueTypes {
  readonly tools: readonly string[];
  readonly programs: readonly ProgramTrigger[];
  /** Sources of linear-time regular expressions. */
  readonly regexes: TextTrigger;
  readonly globs: readonly string[];
  readonly folder: NonNullable<Triggers['directory']>;
  readonly conditions: { readonly unless: readonly SessionCondition[] };
  /** Of sub-agents and workflows. */
  readonly names: readonly string[];
  readonly keywords: readonly string[];
  readonly exceptions: Exceptions;
  readonly flag: true;
}

type KindOf<Values> = { [K in keyof ValueTypes]: Values extends ValueTypes[K] ? K : never }[keyof ValueTypes];

type Parts = Required<Triggers>;
type ListPart = { [P in keyof Parts]: Parts[P] extends readonly unknown[] ? P : never }[keyof Parts];

interface TriggerPart<P extends keyof Parts> {
  readonly values: KindOf<Parts[P]>;
  /** The part names what a call does or touches. The hook knows these parts without this table. */
  readonly isTarget: P extends TargetPart ? true : false;
  /** The calls that can have this part: shell calls, or calls that name a file. Absent: calls of any tool. */
  readonly calls?: 'shell' | 'file';
  /** The part alone keeps a lesson from firing on nearly every call of a tool. */
  readonly isNarrow?: true;
  /** It asks about the conversation, not about the call. */
  readonly isAboutConversation?: true;
  /** The data that the store does not keep, so that this part cannot be tested on stored calls. */
  readonly unstored?: string;
  /** The field of a call in memory that has the unstored data. Absent: no recorded call has it. */
  readonly inMemory?: 'cwd' | 'parameters';
  /** The label before its values in the few words that say why a lesson fired. */
  readonly why?: string;
  /** The text in a list of lessons; `{}` stands for the values. */
  readonly brief?: string;
  /** The text that its regular expressions match, in the description of one lesson. */
  readonly text?: string;
}

const KEYWORDS = {
  values: 'keywords',
  isTarget: false,
  isNarrow: true,
  isAboutConversation: true,
  why: 'word',
  brief: 'when {} is said',
} as const;

export const TRIGGER_PARTS: { readonly [P in keyof Parts]: TriggerPart<P> } = {
  tools: { values: 'tools', isTarget: false },
  programs: { values: 'programs', isTarget: true, calls: 'shell', isNarrow: true, why: 'program', brief: '{}' },
  directory: {
    values: 'folder',
    isTarget: false,
    calls: 'shell',
    why: 'folder',
    unstored: 'the working directory',
    inMemory: 'cwd',
  },
  command: {
    values: 'regexes',
    isTarget: true,
    calls: 'shell',
    why: 'command text',
    brief: 'certain commands',
    text: 'text',
  },
  line: {
    values: 'regexes',
    isTarget: true,
    calls: 'shell',
    why: 'command text',
    brief: 'certain command lines',
    text: 'line',
  },
  input: {
    values: 'regexes',
    isTarget: true,
    unstored: "the tool's whole input",
    inMemory: 'parameters',
    why: 'input text',
    brief: 'certain input',
    text: 'input',
  },
  paths: { values: 'globs', isTarget: true, calls: 'file', why: 'path', brief: 'file {}' },
  reads: { values: 'names', isTarget: true, isNarrow: true, why: 'path', brief: 'reading {}' },
  content: {
    values: 'regexes',
    isTarget: true,
    calls: 'file',
    unstored: 'the new text of an edit',
    why: 'new text',
    brief: 'certain new text',
    text: 'new text',
  },
  subagents: { values: 'names', isTarget: false, isNarrow: true, why: 'sub-agent', brief: 'sub-agent {}' },
  workflows: {
    values: 'names',
    isTarget: false,
    isNarrow: true,
    isAboutConversation: true,
    why: 'workflow',
    brief: 'while {} is followed',
  },
  actionKeywords: KEYWORDS,
  contextKeywords: KEYWORDS,
  session: { values: 'conditions', isTarget: false, isNarrow: true },
  unless: { values: 'exceptions', isTarget: false },
  failure: { values: 'flag', isTarget: false, isNarrow: true, brief: 'a failure with the same error' },
};

interface ExceptionPart<P extends keyof Exceptions> {
  readonly values: KindOf<Required<Exceptions>[P]>;
  /** The trigger parts with the same values. */
  readonly parts: readonly ListPart[];
  readonly brief: string;
}

const EXCEPTION_PARTS: { readonly [P in keyof Required<Exceptions>]: ExceptionPart<P> } = {
  tools: { values: 'tools', parts: ['tools'], brief: 'a {}' },
  programs: { values: 'programs', parts: ['programs'], brief: 'with {}' },
  paths: { values: 'globs', parts: ['paths'], brief: 'file {}' },
  subagents: { values: 'names', parts: ['subagents'], brief: 'sub-agent {}' },
  workflows: { values: 'names', parts: ['workflows'], brief: 'while following {}' },
  keywords: { values: 'keywords', parts: ['actionKeywords', 'contextKeywords'], brief: 'when one says {}' },
};

/** The parts that the triggers have, with their rows, in the order of the table. */
export function listParts(triggers: Triggers) {
  return listPresent(TRIGGER_PARTS, triggers);
}

/** The parts that calls in the store cannot be tested on. */
export function listUnstored(triggers: Triggers) {
  return listParts(triggers).filter(({ row }) => row.unstored !== undefined);
}

export function listExceptions(unless: Exceptions) {
  return listPresent(EXCEPTION_PARTS, unless);
}

/** `values` has the type that every function for the row's kind of values accepts. */
function listPresent<Name extends string, Rows extends Readonly<Record<Name, object>>>(
  rows: Rows,
  given: { readonly [N in Name]?: unknown },
) {
  return (Object.keys(rows) as Name[])
    .filter((name) => given[name] !== undefined)
    .map((name) => ({ name, row: rows[name], values: given[name] as never }));
}

/** The words of a trigger that a model may be shown. */
export function listTriggerWords(triggers: Triggers): readonly string[] {
  return listParts(triggers).flatMap(({ row, values }) => WORDS[row.values]?.(values) ?? []);
}

const WORDS: { readonly [K in keyof ValueTypes]?: (values: ValueTypes[K]) => readonly string[] } = {
  programs: (programs) =>
    programs.flatMap(({ name, sub = [], args: { all = [], any = [] } = {} }) => [name, ...sub, ...all, ...any]),
  names: (names) => names,
  keywords: (keywords) => keywords,
};
