/**
 * Lessons for `match`: what a team of many projects has learned. The smaller sets are the beginning of the larger ones as
 * far as their shares allow: a fifth, at most 2,000, about one common program, and one in fifty, at most 200, with nothing
 * but a regular expression. Both of these belong to everyone, where no project narrows them. The projects are the same at
 * every size: were there more of them where there are more lessons, a call would not meet more of these.
 */
import type { Lesson, Scope } from '../src/base/model/lesson.ts';
import type { Triggers } from '../src/base/triggers/trigger.ts';
import { makeTestLesson } from '../test/fixtures/make-test-lesson.ts';
import { BENCH_PROGRAMS } from './bench-programs.ts';
import { type Dice, makeDice } from './make-dice.ts';

export const COMMON_PROGRAM = 'git';
/** Repositories that a team of some twenty people works in. */
export const TEAM_PROJECTS = 50;
const MAX_COMMON = 2_000;
const MAX_REGEX_ONLY = 200;
const EVERYONE_PERCENT = 25;

const WORDS = `
all any auto base batch body branch cache check clean color config count debug deep depth dev diff dir draft dry edit env
exact extra fail fast file filter fix flat force format full global group head host id include inline input json keep key
label lang last level limit line list local lock log long map max merge min mode name new no notify offline only open order
output page parallel part path plain port prefix print prod quick quiet range raw read ref region release remote report
reset retry root run safe save scope script search section short show size skip sort source stage start state static status
step stop strict sub summary sync table tag target task tree trim type update user verify version view wait watch web with
work write yes zone`
  .trim()
  .split(/\s+/);

const OTHER_PROGRAMS = BENCH_PROGRAMS.filter(({ name }) => name !== COMMON_PROGRAM);

const COMMON_SUBS =
  `commit push pull fetch checkout switch restore rebase merge cherry-pick revert reset log show diff status
add rm mv branch tag stash worktree remote clone bisect blame clean grep submodule`.split(/\s+/);

export function makeMatchLessons(count: number, projects: number): readonly Lesson[] {
  const dice = makeDice(7);
  const common = Math.min(MAX_COMMON, count / 5);
  const regexOnly = Math.min(MAX_REGEX_ONLY, count / 50);
  return Array.from({ length: count }, (_, n) => {
    if (n < common) return makeLesson(n, toCommonTriggers(n, dice), { kind: 'user' });
    if (n < common + regexOnly) return makeLesson(n, toRegexTriggers(n, dice), { kind: 'user' });
    const project: Scope = { kind: 'project', id: toProjectId(dice.roll(projects)) };
    return makeLesson(n, toTriggers(n, dice), dice.chance(EVERYONE_PERCENT) ? { kind: 'user' } : project);
  });
}

export function toProjectId(n: number): string {
  return `prj_bench${n}`;
}

/** Mostly an option of a sub-command, some a text on it, as learned lessons are. */
function toCommonTriggers(n: number, dice: Dice): Triggers {
  const sub = [dice.pick(COMMON_SUBS)];
  if (n % 10 === 9)
    return toShell({ name: COMMON_PROGRAM, sub }, `(?:^|[\\s"'])(?:\\./)?${toPath(dice)}(?:[/\\s"']|$)`);
  if (n % 10 === 8) return toShell({ name: COMMON_PROGRAM, sub, args: { all: [toOption(dice), toOption(dice)] } });
  return toShell({ name: COMMON_PROGRAM, sub, args: { any: [toOption(dice)], none: ['--help'] } });
}

/** What the shell rejects, wrong addresses, words of a script: a text that is certain, and one that is not. */
function toRegexTriggers(n: number, dice: Dice): Triggers {
  const [one, other] = [dice.pick(WORDS), dice.pick(WORDS)];
  if (n % 4 === 0) return { tools: ['shell'], line: { match: [`(?:^|[\\s;&|(])${one}_${other}\\s*=`] } };
  if (n % 4 === 1) return { tools: ['shell'], command: { match: [`/v1/${one}-${other}(?:/|$)`] } };
  if (n % 4 === 2) return { tools: ['edit', 'write'], content: { match: [`\\b${one}${toName(other)}\\(\\w*\\)`] } };
  return { command: { match: [`\\$\\{${one.toUpperCase()}_${other.toUpperCase()}\\[@\\]\\}`] } };
}

function toTriggers(n: number, dice: Dice): Triggers {
  const kind = n % 20;
  const known = dice.pick(OTHER_PROGRAMS);
  // Programs of a project's own: nobody else has lessons about them.
  const own = `${dice.pick(WORDS)}-${dice.pick(WORDS)}`;
  const name = dice.chance(30) ? own : known.name;
  const sub = dice.pick(known.subs).split(' ');
  if (kind < 11) return toShell({ name, sub, args: { any: [toOption(dice)] } });
  if (kind < 13) return toShell({ name, args: { any: [toOption(dice), toOption(dice)] } });
  if (kind < 15) return toShell({ name }, `(?:^|\\s)${toPath(dice)}(?:\\s|$)`);
  // No word leads past these: a call that does it right is looked at too.
  if (kind === 15) return toShell({ name, sub, args: { none: [known.right] } });
  if (kind === 16) return { tools: ['edit', 'write'], paths: [`**/${dice.pick(WORDS)}-${n}/**/*.{ts,tsx}`] };
  if (kind === 17) return { tools: ['edit', 'write'], paths: [`${toPath(dice)}.py`] };
  if (kind === 18)
    return { tools: ['edit', 'write'], paths: ['*.ts'], content: { match: [`\\b${toName(dice.pick(WORDS))}${n}\\b`] } };
  return { tools: [`mcp:${dice.pick(WORDS)}`], input: { match: [`"${dice.pick(WORDS)}":"${dice.pick(WORDS)}"`] } };
}

function toShell(program: NonNullable<Triggers['programs']>[number], match?: string): Triggers {
  return { tools: ['shell'], programs: [program], ...(match === undefined ? {} : { command: { match: [match] } }) };
}

function toOption(dice: Dice): string {
  return `--${dice.pick(WORDS)}-${dice.pick(WORDS)}`;
}

function toPath(dice: Dice): string {
  return `${dice.pick(WORDS)}/${dice.pick(WORDS)}-${dice.pick(WORDS)}`;
}

function toName(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function makeLesson(n: number, triggers: Triggers, scope: Scope): Lesson {
  const priority = 4 + (n % 6);
  return makeTestLesson({
    id: `les_${n}`,
    slug: `match-${n}`,
    contentHash: `${n}`,
    tags: [],
    triggers,
    scope,
    priority,
  });
}
