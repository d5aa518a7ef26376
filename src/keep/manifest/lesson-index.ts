/**
 * Builds the index of the manifest (`base/model/manifest.ts`): the routes of each lesson, and the tree that separates
 * lessons only as deep as needed.
 */

import {
  type CompiledLesson,
  type Dimension,
  type IndexBranch,
  type IndexEntry,
  type IndexNode,
  MAX_INDEX_CHARS,
  MIN_INDEX_TEXT_CHARS,
  type TextDimension,
} from '../../base/model/manifest.ts';
import { isOption } from '../../base/shell/simple-command.ts';
import { findLiteral } from '../../base/triggers/regex.ts';
import type { ProgramTrigger, Triggers } from '../../base/triggers/trigger.ts';

/** So few lessons are checked one by one: finer branches would cost every start of a hook more than they save. */
const FEW = 8;

interface Filed {
  readonly n: number;
  readonly route: Route;
}

type Branches = Map<Dimension, Map<string, Filed[]>>;

/** `routes[n]` are the routes of lesson n. */
export function makeLessonIndex(routes: readonly (readonly Route[])[]): IndexNode {
  const filed: Filed[] = [];
  for (const [n, list] of routes.entries()) for (const route of list) filed.push({ n, route });
  return makeNode(filed, 0);
}

function makeNode(filed: readonly Filed[], depth: number): IndexNode {
  const isCrowded = filed.length > FEW;
  const here: Filed[] = [];
  const branches: Branches = new Map();
  for (const one of filed) {
    const step = one.route.steps[depth];
    if (step === undefined || (depth >= one.route.first && !isCrowded)) here.push(one);
    else getGroup(branches, step).push(one);
  }
  const node: Partial<Record<Dimension, IndexBranch>> & { here?: readonly number[] } = {};
  if (here.length > 0) node.here = toNumbers(here);
  for (const [by, groups] of branches) node[by] = makeBranch(groups, depth + 1);
  return node;
}

function getGroup(branches: Branches, { by, value }: Step): Filed[] {
  const groups = branches.get(by) ?? new Map<string, Filed[]>();
  if (groups.size === 0) branches.set(by, groups);
  const group = groups.get(value) ?? [];
  if (group.length === 0) groups.set(value, group);
  return group;
}

/** Without a prototype, because a program may be called `__proto__`. */
function makeBranch(groups: ReadonlyMap<string, readonly Filed[]>, depth: number): IndexBranch {
  const branch: Record<string, IndexEntry> = Object.create(null);
  for (const [value, filed] of groups) branch[value] = isEnd(filed, depth) ? toNumbers(filed) : makeNode(filed, depth);
  return branch;
}

function isEnd(filed: readonly Filed[], depth: number): boolean {
  const isCrowded = filed.length > FEW;
  return filed.every(({ route }) => depth >= (isCrowded ? route.steps.length : route.first));
}

/** Several routes of a lesson may end here. */
function toNumbers(filed: readonly Filed[]): readonly number[] {
  const numbers = filed.map(({ n }) => n);
  return numbers.length === 1 ? numbers : [...new Set(numbers)];
}

interface Step {
  readonly by: Dimension;
  readonly value: string;
}

export interface Route {
  readonly steps: readonly Step[];
  /** The number of steps that are always taken: scope and subject. Further steps only where many lessons meet. */
  readonly first: number;
}

/** A lesson with more routes gets fewer, shorter ones. */
const MAX_ROUTES = 64;
const TEXT_PARTS: readonly (readonly [part: 'command' | 'line' | 'content' | 'input', by: TextDimension])[] = [
  ['command', 'shell'],
  ['line', 'shell'],
  ['content', 'content'],
  ['input', 'input'],
];
const ANYWHERE: readonly (readonly Step[])[] = [[]];

/**
 * The routes of a lesson in the index. Each route is a list of properties that a call must have, from coarse to fine;
 * every call that the lesson can match satisfies at least one route.
 */
export function toLessonRoutes(lesson: Pick<CompiledLesson, 'projectId' | 'sessionId' | 'triggers'>): readonly Route[] {
  const scope = toScope(lesson);
  const starts = toStarts(lesson.triggers);
  const texts = listLiterals(lesson.triggers);
  const isWide = texts === undefined || starts.length * texts.length > MAX_ROUTES;
  return starts.flatMap((start) => {
    const begun = [...scope, ...start];
    const first = scope.length + Math.min(1, start.length);
    return isWide ? { steps: begun, first } : texts.map((text) => ({ steps: [...begun, text], first }));
  });
}

function toScope({ projectId, sessionId }: Pick<CompiledLesson, 'projectId' | 'sessionId'>): readonly Step[] {
  if (sessionId !== undefined) return [{ by: 'session', value: sessionId }];
  return projectId === undefined ? [] : [{ by: 'project', value: projectId }];
}

function toStarts({ programs, paths, tools, line, command }: Triggers): readonly (readonly Step[])[] {
  if (programs !== undefined) return programs.flatMap(toProgramSteps);
  const byFile = paths?.flatMap(toGlobSteps);
  // If one glob may match any file, the others do not matter.
  if (byFile?.every((steps) => steps.length > 0)) return byFile;
  if (tools !== undefined) return tools.map((value) => [{ by: 'tool', value }]);
  return (line ?? command) === undefined ? ANYWHERE : [[{ by: 'tool', value: 'shell' }]];
}

function toProgramSteps({ name, sub = [], args }: ProgramTrigger): readonly (readonly Step[])[] {
  const begun: Step[] = [{ by: 'program', value: name }];
  for (const value of sub) begun.push({ by: 'sub', value });
  return listWords(args)?.map((value) => [...begun, { by: isOption(value) ? 'option' : 'word', value }]) ?? [begun];
}

/** Words of which the call must contain one. Undefined if none is certain. */
function listWords({ all = [], any }: NonNullable<ProgramTrigger['args']> = {}): readonly string[] | undefined {
  let longest = '';
  for (const word of all) if (word.length > longest.length && word.length <= MAX_INDEX_CHARS) longest = word;
  if (longest !== '') return [longest];
  return any?.every((word) => word.length <= MAX_INDEX_CHARS) ? any : undefined;
}

/** Texts of which the call must contain one: of the part whose shortest text is longest. Undefined if uncertain. */
function listLiterals(triggers: Triggers): readonly Step[] | undefined {
  let best: readonly Step[] | undefined;
  let bestChars = MIN_INDEX_TEXT_CHARS - 1;
  for (const [part, by] of TEXT_PARTS) {
    const match = triggers[part]?.match;
    if (match === undefined) continue;
    const literals = match.map((source) => findLiteral(source).slice(0, MAX_INDEX_CHARS));
    const chars = Math.min(...literals.map(({ length }) => length));
    if (chars <= bestChars) continue;
    bestChars = chars;
    best = literals.map((value) => ({ by, value }));
  }
  return best;
}

interface GlobStep {
  readonly by: 'name' | 'folder' | 'ext';
  readonly value: string;
}

const MAX_READINGS = 16;
const BRACES = /\{([^{}*?[\]/]*)\}/g;
const SPECIAL = /[*?[\]{}]/;
/** Plain text up to the end, with a dot in it. */
const EXTENSION = /\.([^.*?[\]{}]*)$/;

/**
 * What is certain about the paths that a glob matches (see `keep/manifest/compiled-triggers.ts`): the base name, or a
 * folder and the extension. One list for each reading of its braces; an empty list if nothing is certain.
 */
function toGlobSteps(glob: string): readonly (readonly GlobStep[])[] {
  const readings = expand(glob.replace(/^(?:\.\/)*(?:~\/)?/, ''));
  return readings === undefined ? [[]] : readings.map(toSteps);
}

function toSteps(glob: string): readonly GlobStep[] {
  const parts = glob.split('/');
  // `a**/b` also matches `ab`, without the slash.
  if (parts.some((part) => part !== '**' && part.includes('**'))) return [];
  const last = parts.pop() ?? '';
  if (!SPECIAL.test(last)) return limitRoutes({ by: 'name', value: last });
  const folder = parts.filter((part) => !SPECIAL.test(part)).toSorted((a, b) => b.length - a.length)[0];
  const ext = EXTENSION.exec(last)?.[1];
  return [
    ...(folder === undefined || folder === '' ? [] : limitRoutes({ by: 'folder', value: folder })),
    ...(ext === undefined ? [] : limitRoutes({ by: 'ext', value: ext })),
  ];
}

function limitRoutes(step: GlobStep): readonly GlobStep[] {
  return step.value.length > MAX_INDEX_CHARS ? [] : [step];
}

/** Undefined for braces with more than plain words in them, or with too many readings. */
function expand(glob: string): readonly string[] | undefined {
  let readings: readonly string[] = [''];
  let at = 0;
  for (const { 0: braces, 1: inner = '', index } of glob.matchAll(BRACES)) {
    const before = glob.slice(at, index);
    const options = inner.split(',');
    if (readings.length * options.length > MAX_READINGS) return undefined;
    readings = readings.flatMap((one) => options.map((option) => one + before + option));
    at = index + braces.length;
  }
  // Nested braces, braces in brackets and single braces have another meaning.
  return /[{}]/.test(glob.replaceAll(BRACES, '')) ? undefined : readings.map((one) => one + glob.slice(at));
}
