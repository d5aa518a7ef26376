/**
 * Triggers in words: why a lesson fired (a few words beside the lesson), a list of lessons (no regular expressions, because
 * they make a list hard to read), and the description of one lesson (every condition).
 */

import { toShortChars } from '../text/short-text.ts';
import { areKeywordsHints, type ProgramTrigger, quote, renderProgram, type Triggers } from './trigger.ts';
import { listExceptions, listParts, type ValueTypes } from './trigger-parts.ts';

const MAX_WHY_CHARS = 80;

/** The parts of a call that the triggers name: `program gh pr diff, option --stat`. */
export function renderWhy(triggers: Triggers): string {
  const named = listParts(triggers).flatMap(({ row: { why, values: kind }, values }): readonly Named[] => {
    // A hint keyword may not be in the conversation at all.
    if (why === undefined || (kind === 'keywords' && areKeywordsHints(triggers))) return [];
    return [[why, WHY_VALUES[kind]?.(values) ?? []], ...(kind === 'programs' ? listOptions(values) : [])];
  });
  const parts = [...Map.groupBy(named, ([label]) => label)].map(([label, alike]) => {
    const values = new Set(alike.flatMap(([, all]) => all));
    return values.size === 0 ? label : `${label} ${[...values].join(' or ')}`;
  });
  const { tools } = triggers;
  const why = parts.join(', ') || (tools === undefined ? 'any call' : `tool ${tools.join(' or ')}`);
  // If the first value has no room, its label has.
  return toShortChars(why, MAX_WHY_CHARS) || (why.split(' ', 1)[0] ?? '');
}

type Named = readonly [label: string, values: readonly string[]];

const WHY_VALUES: { readonly [K in keyof ValueTypes]?: (values: ValueTypes[K]) => readonly string[] } = {
  programs: (programs) => programs.map(({ name, sub = [] }) => [name, ...sub].join(' ')),
  globs: (globs) => globs,
  names: (names) => names,
  keywords: (keywords) => keywords,
};

function listOptions(programs: readonly ProgramTrigger[]): readonly Named[] {
  const options = programs.flatMap(({ args: { all = [], any = [] } = {} }) => [...all, ...any]);
  return options.length === 0 ? [] : [['option', options]];
}

export function renderTriggers(triggers: Triggers): string {
  const { programs, tools, command } = triggers;
  if (programs?.length === 0) return 'nothing yet';
  const render = (isAboutConversation: boolean): readonly string[] =>
    listParts(triggers)
      .filter(({ row }) => row.brief !== undefined && (row.isAboutConversation === true) === isAboutConversation)
      // With a program, the other texts only narrow it down, as the line does with a command.
      .filter(({ row }) => row.values !== 'regexes' || row.calls === 'file' || programs === undefined)
      .filter(({ name }) => name !== 'line' || command === undefined)
      .map(({ row, values }) => {
        const isHint = row.values === 'keywords' && areKeywordsHints(triggers);
        return `${isHint ? 'above all ' : ''}${fill(row.brief, row.values, values)}`;
      });
  const about = render(false);
  const every = tools === undefined ? 'every call' : `every ${tools.join(' or ')} call`;
  return [...(about.length > 0 ? about : [every]), ...render(true)].join(', ');
}

/** For a program that reads it: regular expressions are complete. */
export function renderAllTriggers(triggers: Triggers): string {
  return renderDetails(triggers, quote);
}

/** For a person. Nobody reads a long regular expression; it is in the JSON of the lesson. */
export function renderConditions(triggers: Triggers): string {
  return renderDetails(triggers, (pattern) =>
    pattern.length > MAX_PATTERN_CHARS
      ? 'a pattern that is too long to show (`lessons show --json` has it)'
      : quote(pattern),
  );
}

const MAX_PATTERN_CHARS = 60;

function renderDetails(triggers: Triggers, pattern: RenderPattern): string {
  const details = listParts(triggers).flatMap(
    ({ row, values }) => DETAILS[row.values]?.(values, pattern, row.text) ?? [],
  );
  return [renderTriggers(triggers), ...details].join(', ');
}

type RenderPattern = (pattern: string) => string;
type Details<T> = (values: T, pattern: RenderPattern, text?: string) => readonly string[];

/** Conditions that a list leaves out. */
const DETAILS: { readonly [K in keyof ValueTypes]?: Details<ValueTypes[K]> } = {
  regexes: ({ match, unless }, pattern, text) => [
    ...(match === undefined ? [] : [`${text} that matches ${join(match, pattern)}`]),
    ...(unless === undefined ? [] : [`no ${text} that matches ${join(unless, pattern)}`]),
  ],
  folder: (folder) => {
    if (folder === 'argument') return ['from inside the folder that it names'];
    return ['in' in folder ? `in the folder ${quote(folder.in)}` : `outside the folder ${quote(folder.outside)}`];
  },
  conditions: ({ unless }) => {
    const done = join(unless, (one) => ('ran' in one ? `${quote(one.ran)} ran` : `${quote(one.read)} was read`));
    return [`until ${done} in the session`];
  },
  exceptions: (unless) => listExceptions(unless).map(({ row, values }) => `not ${fill(row.brief, row.values, values)}`),
};

function fill(words = '', kind: keyof ValueTypes, values: never): string {
  return words.replace('{}', () => VALUES[kind]?.(values) ?? '');
}

const VALUES: { readonly [K in keyof ValueTypes]?: (values: ValueTypes[K]) => string } = {
  tools: (tools) => tools.join(' or '),
  programs: renderPrograms,
  globs: (globs) => join(globs, quote),
  names: (names) => names.join(' or '),
  keywords: (words) => join(words, (word) => `"${word}"`),
};

/** Options that several programs must not have are rendered once, after the last program. */
function renderPrograms(programs: readonly ProgramTrigger[]): string {
  const alike = Map.groupBy(programs, ({ args }) => JSON.stringify(args?.none));
  const dropNone = ({ args: { none: _, ...args } = {}, ...program }: ProgramTrigger) => ({ ...program, args });
  return [...alike.values()]
    .map((group) => join([...group.slice(0, -1).map(dropNone), ...group.slice(-1)], renderProgram))
    .join(', or ');
}

function join<T>(values: readonly T[], render: (value: T) => string): string {
  return values.map(render).join(' or ');
}
