/** Files lessons in the index of the manifest (`base/lesson-index.ts`), as deep as it takes to tell them apart. */
import type { Dimension, IndexBranch, IndexEntry, IndexNode } from '../base/lesson-index.ts';
import type { Route, Step } from '../base/to-lesson-routes.ts';

/** So few are looked at one by one: finer branches would cost every start of a hook more than they save. */
const FEW = 8;

interface Filed {
  readonly n: number;
  readonly route: Route;
}

type Branches = Map<Dimension, Map<string, Filed[]>>;

/** The routes of lesson n are the nth. */
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

/** Without a prototype: a program may be called `__proto__`. */
function makeBranch(groups: ReadonlyMap<string, readonly Filed[]>, depth: number): IndexBranch {
  const branch: Record<string, IndexEntry> = Object.create(null);
  for (const [value, filed] of groups) branch[value] = isEnd(filed, depth) ? toNumbers(filed) : makeNode(filed, depth);
  return branch;
}

function isEnd(filed: readonly Filed[], depth: number): boolean {
  const isCrowded = filed.length > FEW;
  return filed.every(({ route }) => depth >= (isCrowded ? route.steps.length : route.first));
}

/** A lesson can come here on several of its routes. */
function toNumbers(filed: readonly Filed[]): readonly number[] {
  const numbers = filed.map(({ n }) => n);
  return numbers.length === 1 ? numbers : [...new Set(numbers)];
}
