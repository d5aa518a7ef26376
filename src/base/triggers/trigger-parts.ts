/**
 * The parts that a trigger can have, one row for each: what its values are, which calls it is about, and how people read
 * it. Code that treats all parts alike reads these tables: the checks of a written lesson, the check for secrets, and
 * everything that renders triggers. Only the matching itself is apart (`check-triggers.ts`), because it runs while an
 * agent waits.
 */

import {
  areKeywordsHints,
  type Exceptions,
  type ProgramTrigger,
  quote,
  renderProgram,
  type SessionCondition,
  type TargetPart,
  type TextTrigger,
  type Triggers,
} from './trigger.ts';

/** How the values of a part are written. */
export interface ValueTypes {
  readonly tools: readonly string[];
  readonly programs: readonly ProgramTrigger[];
  /** Sources of linear-time regular expressions. */
  readonly regexes: TextTrigger;
  readonly globs: readonly string[];
  readonly folder: NonNullable<Triggers['directory']>;
  readonly conditions: { readonly unless: readonly SessionCondition[] };
  /** Names and keywords in plain words. */
  readonly words: readonly string[];
  readonly exceptions: Exceptions;
}

type KindOf<Values> = { [K in keyof ValueTypes]: Values extends ValueTypes[K] ? K : never }[keyof ValueTypes];

/** A label, and the values that it names; without values the label says it all. */
type Named = readonly [label: string, values?: readonly string[]];

type Parts = Required<Triggers>;

interface TriggerPart<P extends keyof Parts> {
  readonly values: KindOf<Parts[P]>;
  /** It names what a call does or touches. The hook needs the list of these parts without this table. */
  readonly isTarget: P extends TargetPart ? true : false;
  /** The calls that can have it: calls of the shell, or calls that name a file. Absent: calls of any tool. */
  readonly calls?: 'shell' | 'file';
  /** By itself it keeps a lesson from firing on nearly every call of a tool. */
  readonly isNarrow?: true;
  /** It asks about the conversation, not about the call. */
  readonly isTalk?: true;
  /** What the store does not keep of a call, so that this part cannot be tested on stored calls. */
  readonly unstored?: string;
  /** In the few words that say why a lesson fired. */
  readonly why?: (values: Parts[P], triggers: Triggers) => readonly Named[];
  /** In a list of lessons, which has no room for regular expressions. */
  readonly brief?: (values: Parts[P], triggers: Triggers) => string | undefined;
  /** In the description of one lesson: what `brief` leaves out. */
  readonly detail?: (values: Parts[P]) => readonly string[];
}

const KEYWORDS = {
  values: 'words',
  isTarget: false,
  isNarrow: true,
  isTalk: true,
  // Where they are only hints, perhaps nobody said them.
  why: (words: readonly string[], triggers: Triggers) => (areKeywordsHints(triggers) ? [] : [['word', words] as const]),
  brief: (words: readonly string[], triggers: Triggers) =>
    `${areKeywordsHints(triggers) ? 'above all when' : 'when'} ${words.map(inQuotes).join(' or ')} is said`,
} as const;

export const TRIGGER_PARTS: { readonly [P in keyof Parts]: TriggerPart<P> } = {
  // Said only of a lesson that names nothing else.
  tools: { values: 'tools', isTarget: false },
  programs: {
    values: 'programs',
    isTarget: true,
    calls: 'shell',
    isNarrow: true,
    why: (programs) => [
      ['program', programs.map(({ name, sub = [] }) => [name, ...sub].join(' '))],
      ['option', programs.flatMap(({ args }) => [...(args?.all ?? []), ...(args?.any ?? [])])],
    ],
    brief: renderPrograms,
  },
  directory: {
    values: 'folder',
    isTarget: false,
    calls: 'shell',
    unstored: 'the working directory',
    why: () => [['folder']],
    detail: (folder) => [renderFolder(folder)],
  },
  command: {
    values: 'regexes',
    isTarget: true,
    calls: 'shell',
    why: () => [['command text']],
    // Where a program is named, the texts only narrow it.
    brief: (_, { programs }) => (programs === undefined ? 'certain commands' : undefined),
    detail: (text) => renderText(text, 'text like', 'no text like'),
  },
  line: {
    values: 'regexes',
    isTarget: true,
    calls: 'shell',
    why: () => [['command text']],
    brief: (_, { programs, command }) => ((programs ?? command) === undefined ? 'certain command lines' : undefined),
    detail: (text) => renderText(text, 'a line like', 'no line like'),
  },
  input: {
    values: 'regexes',
    isTarget: true,
    unstored: "the tool's whole input",
    why: () => [['input text']],
    brief: (_, { programs }) => (programs === undefined ? 'certain input' : undefined),
    detail: (text) => renderText(text, 'input like', 'no input like'),
  },
  paths: {
    values: 'globs',
    isTarget: true,
    calls: 'file',
    why: (paths) => [['path', paths]],
    brief: (paths) => `file ${paths.map(quote).join(' or ')}`,
  },
  content: {
    values: 'regexes',
    isTarget: true,
    calls: 'file',
    unstored: 'the new text of an edit',
    why: () => [['new text']],
    brief: () => 'certain new text',
    detail: (text) => renderText(text, 'new text like', 'no new text like'),
  },
  subagents: {
    values: 'words',
    isTarget: false,
    isNarrow: true,
    why: (names) => [['sub-agent', names]],
    brief: (names) => `sub-agent ${names.join(' or ')}`,
  },
  workflows: {
    values: 'words',
    isTarget: false,
    isNarrow: true,
    isTalk: true,
    why: (names) => [['workflow', names]],
    brief: (names) => `while ${names.join(' or ')} is followed`,
  },
  actionKeywords: KEYWORDS,
  contextKeywords: KEYWORDS,
  session: {
    values: 'conditions',
    isTarget: false,
    isNarrow: true,
    detail: ({ unless }) => [`until ${unless.map(renderDone).join(' or ')} in the session`],
  },
  unless: {
    values: 'exceptions',
    isTarget: false,
    detail: (unless) => listExceptions(unless).map(({ row, values }) => `not ${row.detail(values)}`),
  },
};

type ListPart = { [P in keyof Parts]: Parts[P] extends readonly unknown[] ? P : never }[keyof Parts];

interface ExceptionPart<P extends keyof Exceptions> {
  readonly values: KindOf<Required<Exceptions>[P]>;
  /** The parts of a trigger that the same values restrict. */
  readonly parts: readonly ListPart[];
  readonly detail: (values: Required<Exceptions>[P]) => string;
}

export const EXCEPTION_PARTS: { readonly [P in keyof Required<Exceptions>]: ExceptionPart<P> } = {
  tools: { values: 'tools', parts: ['tools'], detail: (tools) => `a ${tools.join(' or ')}` },
  programs: {
    values: 'programs',
    parts: ['programs'],
    detail: (programs) => `with ${programs.map(renderProgram).join(' or ')}`,
  },
  paths: { values: 'globs', parts: ['paths'], detail: (paths) => `file ${paths.map(quote).join(' or ')}` },
  subagents: { values: 'words', parts: ['subagents'], detail: (names) => `sub-agent ${names.join(' or ')}` },
  workflows: { values: 'words', parts: ['workflows'], detail: (names) => `while following ${names.join(' or ')}` },
  keywords: {
    values: 'words',
    parts: ['actionKeywords', 'contextKeywords'],
    detail: (words) => `when one says ${words.map(inQuotes).join(' or ')}`,
  },
};

/** The parts that the triggers have, with their rows, in the order of the table. `values` suits the row's functions. */
export function listParts(triggers: Triggers) {
  return listPresent(TRIGGER_PARTS, triggers);
}

/** The same for exceptions. */
export function listExceptions(unless: Exceptions) {
  return listPresent(EXCEPTION_PARTS, unless);
}

function listPresent<Name extends string, Rows extends Readonly<Record<Name, object>>>(
  rows: Rows,
  given: { readonly [N in Name]?: unknown },
) {
  return (Object.keys(rows) as Name[])
    .filter((name) => given[name] !== undefined)
    .map((name) => ({ name, row: rows[name], values: given[name] as never }));
}

/** The words of a trigger that a model may read: programs with their words, and all parts that are plain words. */
export function listTriggerWords(triggers: Triggers): readonly string[] {
  const { programs = [] } = triggers;
  const words = listParts(triggers).flatMap(({ row, values }): readonly string[] =>
    row.values === 'words' ? values : [],
  );
  const ofPrograms = programs.flatMap(({ name, sub = [], args }) => [
    ...[name, ...sub, ...(args?.all ?? []), ...(args?.any ?? [])],
  ]);
  return [...ofPrograms, ...words];
}

function renderText({ match, unless }: TextTrigger, like: string, unlike: string): readonly string[] {
  const render = (words: string, regexes: readonly string[] | undefined): readonly string[] =>
    regexes === undefined ? [] : [`${words} ${regexes.map(quote).join(' or ')}`];
  return [...render(like, match), ...render(unlike, unless)];
}

function renderFolder(folder: ValueTypes['folder']): string {
  if (folder === 'argument') return 'from inside the folder that it names';
  return 'in' in folder ? `in the folder ${quote(folder.in)}` : `outside the folder ${quote(folder.outside)}`;
}

/** Options that several programs must not have are said once, after the last of them. */
function renderPrograms(programs: readonly ProgramTrigger[]): string {
  const alike = Map.groupBy(programs, ({ args }) => JSON.stringify(args?.none));
  return [...alike.values()]
    .map((group) => [...group.slice(0, -1).map(dropNone), ...group.slice(-1)].map(renderProgram).join(' or '))
    .join(', or ');
}

function dropNone({ args: { none: _, ...args } = {}, ...program }: ProgramTrigger): ProgramTrigger {
  return { ...program, args };
}

function renderDone(condition: SessionCondition): string {
  return 'ran' in condition ? `${quote(condition.ran)} ran` : `${quote(condition.read)} was read`;
}

function inQuotes(word: string): string {
  return `"${word}"`;
}
