/**
 * Calls for `match`, in the shapes that agents make them: a look around, a check with its output cut, a commit with a text
 * of several lines, a script in a here-document, reads, edits, searches. Some make the mistake that a lesson is about.
 */
import type { EventOf } from '../src/base/model/event.ts';
import type { Lesson } from '../src/base/model/lesson.ts';
import type { ToolName } from '../src/base/model/tool.ts';
import { BENCH_PROGRAMS } from './bench-programs.ts';
import { type Dice, makeDice } from './make-dice.ts';

export interface BenchCall {
  readonly event: EventOf<'call-started'>;
  /** One of many that follow each other; each is in a project of its own. */
  readonly session: number;
}

const FOLDERS = ['src', 'test', 'lib', 'app', 'packages/core', 'packages/web', 'docs', 'scripts', 'server/api'];
const NAMES = ['parse', 'render', 'index', 'session', 'order', 'user', 'config', 'main', 'store', 'route'];
const ENDINGS = ['ts', 'ts', 'tsx', 'py', 'py', 'go', 'rs', 'md', 'json', 'sql', 'yml'];
const MISTAKE_PERCENT = 3;
const CALLS_PER_SESSION = 50;
const AT_ONCE = 4;

/** `lessons`: those whose mistakes are made. */
export function makeMatchCalls(count: number, lessons: readonly Lesson[]): readonly BenchCall[] {
  const dice = makeDice(11);
  const mistakes = lessons.flatMap(toMistake);
  return Array.from({ length: count }, (_, n) => {
    if (dice.chance(MISTAKE_PERCENT)) return makeCall(n, 'shell', { command: dice.pick(mistakes) });
    const kind = dice.roll(100);
    if (kind < 42) return makeCall(n, 'shell', { command: toCommand(dice) });
    if (kind < 66) return makeCall(n, 'read', { path: toFile(dice) });
    if (kind < 82) return makeCall(n, 'edit', { path: toFile(dice), content: toEdited(dice) });
    if (kind < 84) return makeCall(n, 'write', { path: toFile(dice), content: toCode(dice, 20 + dice.roll(150)) });
    if (kind < 96) return makeCall(n, dice.chance(80) ? 'grep' : 'glob', { path: toFolder(dice) });
    return makeCall(n, dice.chance(50) ? 'task' : 'mcp:tickets', {});
  });
}

/** Some run at the same time. */
function toSession(n: number): number {
  return Math.floor(n / (CALLS_PER_SESSION * AT_ONCE)) * AT_ONCE + (n % AT_ONCE);
}

function makeCall(n: number, tool: ToolName, input: Record<string, string>): BenchCall {
  const json = JSON.stringify(input);
  return {
    session: toSession(n),
    event: {
      ...{ agent: 'claude-code', sessionId: `bench-${toSession(n)}`, contextId: '', at: '2026-01-01T00:00:00.000Z' },
      ...{ source: 'hook', cwd: '/repo', kind: 'call-started', callId: `toolu_${n}`, rawTool: tool, tool },
      input: { ...input, json },
    },
  };
}

/** The words of a command lesson's trigger as a command line. */
function toMistake({ triggers: { programs, command } }: Lesson): readonly string[] {
  const [program] = programs ?? [];
  if (program === undefined || command !== undefined) return [];
  const { name, sub = [], args } = program;
  const options = [...(args?.all ?? []), ...(args?.any ?? []).slice(0, 1)];
  return [`${[name, ...sub, ...options].join(' ')} 2>&1 | tail -20`];
}

function toCommand(dice: Dice): string {
  const shape = dice.roll(100);
  if (shape < 22) return toGit(dice);
  if (shape < 48) return toCheck(dice);
  if (shape < 70) return toLook(dice);
  if (shape < 80) return `cd /repo/${dice.pick(FOLDERS)} && ${toCheck(dice)}`;
  if (shape < 86) return `${toLook(dice)}; echo "---"; ${toLook(dice)}; echo "exit $?"`;
  if (shape < 92) return toScript(dice, 3 + dice.roll(30));
  if (shape < 96)
    return `for f in $(ls ${dice.pick(FOLDERS)}/*.${dice.pick(ENDINGS)}); do echo "== $f"; head -5 "$f"; done`;
  if (shape < 99) return `TOKEN=$(cat .token) timeout 60 bash -c '${toCheck(dice)} || true'`;
  return toScript(dice, 100 + dice.roll(300));
}

function toGit(dice: Dice): string {
  const file = toFile(dice);
  const message = `${dice.pick(NAMES)}: run ${dice.pick(NAMES)} before ${dice.pick(NAMES)} --all`;
  return dice.pick([
    'git status --short',
    'git diff --stat HEAD~1',
    `git diff -- ${file}`,
    'git log --oneline -15',
    `git show HEAD:${file} | head -50`,
    'git add -A && git status -s',
    `git commit -q -m "${message}"`,
    `git add ${file} && git commit -m "$(cat <<'EOF'\n${message}\n\n${toCode(dice, 3)}EOF\n)" && git push origin main`,
    `git checkout -b fix/${dice.pick(NAMES)}-${dice.roll(900)}`,
    'git stash && npm test 2>&1 | tail -5; git stash pop',
    `git -C packages/core log -n 5 --format=%h -- ${file}`,
  ]);
}

function toCheck(dice: Dice): string {
  const { name, subs, right } = dice.pick(BENCH_PROGRAMS);
  const end = dice.pick([
    '',
    ' 2>&1 | tail -40',
    ' 2>&1 | grep -E "error|fail" | head -20',
    ' > /tmp/out.txt 2>&1; echo $?',
  ]);
  return `${name} ${dice.pick(subs)} ${right}${dice.chance(40) ? ` ${toFile(dice)}` : ''}${end}`;
}

function toLook(dice: Dice): string {
  const file = toFile(dice);
  return dice.pick([
    `ls -la ${dice.pick(FOLDERS)}`,
    `sed -n '${dice.roll(300)},${300 + dice.roll(200)}p' ${file}`,
    `grep -rn "${dice.pick(NAMES)}\\|${dice.pick(NAMES)}" ${dice.pick(FOLDERS)} --include=*.ts | head -30`,
    `cat ${file} | wc -l`,
    `find . -name "*.${dice.pick(ENDINGS)}" -not -path "*/node_modules/*" | head -40`,
    `rg -n '${dice.pick(NAMES)}\\(' ${dice.pick(FOLDERS)} -g '!dist'`,
    `wc -c ${file} && head -c 300 ${file}`,
  ]);
}

function toScript(dice: Dice, lines: number): string {
  return `cd /repo && python3 - <<'EOF'\nimport json\n${toCode(dice, lines)}print("done")\nEOF`;
}

function toCode(dice: Dice, lines: number): string {
  const line = () =>
    `  const ${dice.pick(NAMES)}${dice.roll(90)} = await ${dice.pick(NAMES)}("${dice.pick(FOLDERS)}", { force: true });\n`;
  return Array.from({ length: lines }, line).join('');
}

/** Mostly a few lines, now and then a whole function. */
function toEdited(dice: Dice): string {
  return toCode(dice, dice.chance(10) ? 10 + dice.roll(50) : 1 + dice.roll(8));
}

function toFolder(dice: Dice): string {
  return `/repo/${dice.pick(FOLDERS)}`;
}

function toFile(dice: Dice): string {
  return `${toFolder(dice)}/${dice.pick(NAMES)}-${dice.roll(200)}.${dice.pick(ENDINGS)}`;
}
