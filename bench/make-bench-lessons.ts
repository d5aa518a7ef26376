/** Lessons as a store of a busy year holds them: most about an option of a program, some about texts and files. */
import type { Lesson } from '../src/base/model/lesson.ts';
import type { Triggers } from '../src/base/triggers/trigger.ts';
import { makeTestLesson } from '../test/fixtures/make-test-lesson.ts';
import { BENCH_PROGRAMS, type BenchProgram } from './bench-programs.ts';

/** A lesson, and where it speaks a command line that brings it. */
export interface BenchLesson {
  readonly lesson: Lesson;
  readonly command?: string;
}

/** Of each 20: 16 about options, 2 with a regex on a program, 1 about a file, 1 with nothing but a regex. */
const KINDS = 20;

export function makeBenchLessons(count: number): readonly BenchLesson[] {
  const mistakes = listMistakes().values();
  return Array.from({ length: count }, (_, n) => {
    const kind = n % KINDS;
    if (kind === 5 || kind === 15) return { lesson: makeTextLesson(n) };
    if (kind === 10) return { lesson: makeFileLesson(n) };
    if (kind === 19) return { lesson: makeRegexLesson(n) };
    const { value: mistake } = mistakes.next();
    if (mistake === undefined) throw new Error(`the programs give too few mistakes for ${count} lessons`);
    return makeOptionLesson(mistake);
  });
}

interface Mistake {
  readonly program: BenchProgram;
  readonly sub: string;
  readonly option: string;
}

/** Programs take turns, so that neighbours are unlike. */
function listMistakes(): readonly Mistake[] {
  const byProgram = BENCH_PROGRAMS.map((program) =>
    program.subs.flatMap((sub) => program.wrong.map((option) => ({ program, sub, option }))),
  );
  const longest = Math.max(...byProgram.map((list) => list.length));
  return Array.from({ length: longest }, (_, i) => byProgram.flatMap((list) => list[i] ?? [])).flat();
}

function makeOptionLesson({ program, sub, option }: Mistake): BenchLesson {
  const wrong = `${program.name} ${sub} ${option}`;
  const right = `${program.name} ${sub} ${program.right}`;
  const triggers: Triggers = {
    tools: ['shell'],
    programs: [{ name: program.name, sub: sub.split(' '), args: { any: [option] } }],
  };
  return { lesson: makeLesson(wrong, right, triggers), command: wrong };
}

function makeTextLesson(n: number): Lesson {
  const name = BENCH_PROGRAMS[(n * 7) % BENCH_PROGRAMS.length]?.name ?? '';
  const triggers: Triggers = {
    tools: ['shell'],
    programs: [{ name }],
    command: { match: [`(^| )case-${n}-[a-z]+($| )`], unless: ['--case-safe'] },
  };
  return makeLesson(`${name} case-${n}-old`, `${name} case-${n}`, triggers);
}

function makeFileLesson(n: number): Lesson {
  const triggers: Triggers = { tools: ['edit', 'write'], paths: [`**/generated-${n}/**/*.ts`] };
  return makeLesson(`an edit of generated-${n}`, `change its template, then generate-${n} again`, triggers);
}

function makeRegexLesson(n: number): Lesson {
  const triggers: Triggers = { tools: ['shell'], command: { match: [`legacy-endpoint-${n}(/|$)`] } };
  return makeLesson(`legacy-endpoint-${n}`, `endpoint-${n}`, triggers);
}

function makeLesson(wrong: string, right: string, triggers: Triggers): Lesson {
  return makeTestLesson({
    slug: wrong.replace(/[^a-zA-Z0-9]+/g, '-'),
    summary: `\`${wrong}\` does not work in this version: use \`${right}\``,
    mistake: `\`${wrong}\` says: error: unexpected argument, see the usage. It cost two more calls each time.`,
    remediation: `\`${right}\``,
    triggers,
    contentHash: `sha256:${wrong}`,
  });
}
