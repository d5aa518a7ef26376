/**
 * Renders the triggers of a lesson in words, and makes an example command on which the lesson fires. Lists leave out
 * regular expressions, because they make a list hard to read; `lessons show` prints every condition.
 */

import type { Lesson } from '../../../base/model/lesson.ts';
import { toWrittenView } from '../../../base/triggers/call-view.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { judgeTriggers } from '../../../keep/manifest/compiled-triggers.ts';

export function renderTriggers(triggers: Triggers): string {
  if (triggers.programs?.length === 0) return 'nothing yet';
  const parts = [
    triggers.programs === undefined ? undefined : renderPrograms(triggers.programs),
    ...(triggers.programs === undefined ? renderTexts(triggers) : []),
    triggers.paths === undefined ? undefined : `file ${triggers.paths.map(quote).join(' or ')}`,
    triggers.content === undefined ? undefined : 'certain new text',
    triggers.subagents === undefined ? undefined : `sub-agent ${triggers.subagents.join(' or ')}`,
  ].filter((part) => part !== undefined);
  const { tools } = triggers;
  const every = tools === undefined ? 'every call' : `every ${tools.join(' or ')} call`;
  return [parts.length > 0 ? parts.join(', ') : every, ...renderTalk(triggers)].join(', ');
}

/** What has to be said or followed. */
function renderTalk({ workflows, actionKeywords, contextKeywords, tools, paths }: Triggers): readonly string[] {
  const followed = workflows === undefined ? [] : [`while ${workflows.join(' or ')} is followed`];
  // Beside tools and files they only raise the score.
  const when = tools !== undefined && paths !== undefined ? 'above all when' : 'when';
  const said = [actionKeywords, contextKeywords].flatMap((words) =>
    words === undefined ? [] : [`${when} ${words.map((word) => `"${word}"`).join(' or ')} is said`],
  );
  return [...followed, ...said];
}

/** Where a program is named, they only narrow it. */
function renderTexts({ command, line, input }: Triggers): readonly string[] {
  return [
    ...(command === undefined ? [] : ['certain commands']),
    ...(command !== undefined || line === undefined ? [] : ['certain command lines']),
    ...(input === undefined ? [] : ['certain input']),
  ];
}

/** With every condition. */
export function renderAllTriggers(triggers: Triggers): string {
  const conditions = [
    ['text like', triggers.command?.match],
    ['no text like', triggers.command?.unless],
    ['a line like', triggers.line?.match],
    ['no line like', triggers.line?.unless],
    ['input like', triggers.input?.match],
    ['no input like', triggers.input?.unless],
    ['new text like', triggers.content?.match],
    ['no new text like', triggers.content?.unless],
  ] as const;
  const told = conditions.flatMap(([words, list]) =>
    list === undefined ? [] : [`${words} ${list.map(quote).join(' or ')}`],
  );
  const before = triggers.session?.unless.map((one) =>
    'ran' in one ? `${quote(one.ran)} ran` : `${quote(one.read)} was read`,
  );
  const unless = before === undefined ? [] : [`until ${before.join(' or ')} in the session`];
  return [renderTriggers(triggers), ...told, ...renderPlace(triggers), ...unless, ...renderExceptions(triggers)].join(
    ', ',
  );
}

function renderExceptions({ unless = {} }: Triggers): readonly string[] {
  const { tools, programs, paths, subagents, workflows, keywords } = unless;
  const all = [
    ['a', tools],
    ['with', programs?.map(renderProgram)],
    ['file', paths?.map(quote)],
    ['sub-agent', subagents],
    ['while following', workflows],
    ['when one says', keywords?.map((word) => `"${word}"`)],
  ] as const;
  return all.flatMap(([words, list]) => (list === undefined ? [] : [`not ${words} ${list.join(' or ')}`]));
}

function renderPlace({ directory }: Triggers): readonly string[] {
  if (directory === undefined) return [];
  if (directory === 'argument') return ['from inside the folder that it names'];
  if ('in' in directory) return [`in the folder ${quote(directory.in)}`];
  return [`outside the folder ${quote(directory.outside)}`];
}

/** What several must not have is said once. */
function renderPrograms(programs: readonly ProgramTrigger[]): string {
  const alike = Map.groupBy(programs, ({ args }) => renderNone(args?.none));
  return [...alike].map(([none, group]) => `${group.map(renderWords).join(' or ')}${none}`).join(', or ');
}

function renderProgram(program: ProgramTrigger): string {
  return `${renderWords(program)}${renderNone(program.args?.none)}`;
}

function renderWords({ name, sub, args }: ProgramTrigger): string {
  return quote(
    [name, ...(sub ?? []), ...(args?.all ?? []), ...(args?.any === undefined ? [] : [args.any.join('|')])].join(' '),
  );
}

function renderNone(none: readonly string[] | undefined): string {
  return none === undefined ? '' : ` without ${none.map(quote).join(' or ')}`;
}

function quote(text: string): string {
  return `\`${text}\``;
}

/** A command that a lesson speaks at, made from its triggers; undefined where they do not tell one. */
export function toExampleCommand({ triggers }: Pick<Lesson, 'triggers'>): string | undefined {
  const [program] = triggers.programs ?? [];
  if (program === undefined) return undefined;
  const { name, sub = [], args } = program;
  const command = [name, ...sub, ...(args?.all ?? []), ...(args?.any?.slice(0, 1) ?? [])].join(' ');
  return judgeTriggers(triggers, toWrittenView('shell', { command })).holds ? command : undefined;
}
