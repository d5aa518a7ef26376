/**
 * Runs scripts for real and compares them with what is read from them: nothing may be reported that did not happen.
 * Hostile scripts must be read quickly and without throwing.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import type { ScriptOutput } from '../../src/agents/codex/scripts/follow-way.ts';
import { readScript, type ScriptCall } from '../../src/agents/codex/scripts/read-script.ts';
import { toRuns } from '../to-runs.ts';

interface RealCall {
  readonly tool: string;
  readonly input: unknown;
  readonly exitCode?: number;
  readonly rejection?: string;
}

/** The result of each call of a run, in the order in which the script makes them. */
interface Fate {
  readonly exitCode: number;
  readonly output: string;
  readonly isRejected: boolean;
}

// biome-ignore lint/suspicious/noTemplateCurlyInString: no template, a text that looks like one.
const word = fc.constantFrom('ls', 'make test', 'git status', 'echo "a b"', "it's", 'x\ny', '`', '${1}');
const quoted = word.map((text) => JSON.stringify(text));
const name = fc.constantFrom('a', 'b', 'c');

const command = fc.oneof(
  quoted,
  fc.tuple(quoted, quoted).map(([left, right]) => `${left} + ' ' + ${right}`),
  name.map((one) => `\`run \${${one}}\``),
  name.map((one) => `'see ' + ${one}.output`),
);
const input = command.chain((cmd) => fc.constantFrom(`{cmd: ${cmd}}`, `{...base, cmd: ${cmd}}`));
const make = fc.oneof(
  input.map((given) => `tools.exec_command(${given})`),
  quoted.map((patch) => `tools.apply_patch(${patch})`),
  command.map((cmd) => `sh(${cmd})`),
);
const print = name.chain((one) =>
  fc.constantFrom(
    `text(${one});`,
    `text(${one}.output);`,
    `text(${one}.exit_code);`,
    `text(\`\${${one}.exit_code}: \${${one}.output}\`);`,
    `text(${one}.output + '|' + ${one}.exit_code);`,
    `text({code: ${one}.exit_code, ...base});`,
    `text(JSON.stringify([${one}]));`,
    "text('said');",
  ),
);
const condition = name.chain((one) =>
  fc.constantFrom(
    `${one}.exit_code === 0`,
    `${one}.exit_code !== 0`,
    `${one}.exit_code`,
    `${one}.output.includes('x')`,
    '1 < 2',
  ),
);

const statement = fc.letrec<{ readonly statement: string; readonly block: string }>((tie) => ({
  block: fc.array(tie('statement'), { maxLength: 3 }).map((lines) => lines.join('\n')),
  statement: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.tuple(name, make).map(([one, call]) => `${one} = await ${call};`),
    print,
    make.map((call) => `${call};`),
    fc.tuple(name, name, make, make).map(([x, y, a, b]) => `[${x}, ${y}] = await Promise.all([${a}, ${b}]);`),
    fc
      .tuple(quoted, quoted)
      .map(([x, y]) => `for (const w of [${x}, ${y}]) { c = await tools.exec_command({cmd: w}); text(c.exit_code); }`),
    quoted.map(
      (one) =>
        `await Promise.all([${one}, 'other'].map(async (w) => { const r = await tools.exec_command({cmd: w}); text(w + ' ' + r.exit_code); }));`,
    ),
    fc
      .tuple(name, make)
      .map(([one, call]) => `${one} = await ${call}.catch((e) => ({exit_code: -1, output: String(e)}));`),
    fc
      .tuple(condition, tie('block'), tie('block'))
      .map(([test, yes, no]) => `if (${test}) {\n${yes}\n} else {\n${no}\n}`),
    tie('block').map((body) => `try {\n${body}\n} catch (e) { text('caught ' + e); }`),
    fc.constantFrom(
      'exit();',
      "throw new Error('enough');",
      'noSuchThing();',
      'await new Promise((r) => setTimeout(r, 1));',
    ),
  ),
})).statement;

const HEAD =
  "const base = {workdir: '.'};\nconst sh = (cmd) => tools.exec_command({cmd});\nlet [a, b, c] = [{output: '', exit_code: 0}, {output: '', exit_code: 0}, {output: '', exit_code: 0}];\n";

const fates: fc.Arbitrary<readonly Fate[]> = fc.array(
  fc.record({
    exitCode: fc.constantFrom(0, 0, 1, 2),
    output: fc.constantFrom('', 'x', '1: 2', 'a|0', 'said', '{"exit_code":7}'),
    isRejected: fc.boolean().map((isTrue) => isTrue),
  }),
  { minLength: 40, maxLength: 40 },
);

/** Runs the script as Codex does, with tools that do nothing. */
async function runReally(
  source: string,
  plan: readonly Fate[],
): Promise<{ readonly output: ScriptOutput; readonly calls: readonly RealCall[] }> {
  const calls: RealCall[] = [];
  const blocks: string[] = [];
  const EXIT = { isExit: true };
  const call = (tool: string) => (given: unknown) => {
    const promise = answer(tool, given);
    // A script need not wait for it.
    promise.catch(() => undefined);
    return promise;
  };
  const answer = async (tool: string, given: unknown): Promise<unknown> => {
    const { exitCode, output, isRejected } = plan[calls.length % plan.length] as Fate;
    const fails = isRejected && calls.length % 3 === 2;
    const rejection = fails ? `${tool} failed: no` : undefined;
    calls.push({ tool, input: given, ...(rejection === undefined ? { exitCode } : { rejection }) });
    await new Promise((resolve) => setTimeout(resolve, calls.length % 3));
    if (rejection !== undefined) throw rejection;
    return tool === 'apply_patch' ? {} : { chunk_id: 'c', wall_time_seconds: 0.1, exit_code: exitCode, output };
  };
  const context = {
    tools: { exec_command: call('exec_command'), apply_patch: call('apply_patch') },
    text: (value: unknown) => {
      blocks.push(typeof value === 'string' ? value : (JSON.stringify(value) ?? 'undefined'));
    },
    exit: () => {
      throw EXIT;
    },
    setTimeout,
  };
  try {
    await runInNewContext(`(async () => {\n${source}\n})()`, context, { filename: 'exec_main.mjs', lineOffset: -1 });
    return { output: { status: 'completed', blocks }, calls };
  } catch (error) {
    if (error === EXIT) return { output: { status: 'completed', blocks }, calls };
    return { output: { status: 'failed', blocks, error: toError(error) }, calls };
  }
}

function toError(error: unknown): string {
  if (typeof error === 'string') return error;
  const { name: kind, message, stack = '' } = error as Error;
  const place = /exec_main\.mjs:(\d+):(\d+)/.exec(stack);
  return `${kind}: ${message}${place === null ? '' : `\n    at exec_main.mjs:${place[1]}:${place[2]}`}`;
}

/** The reported calls that are left when each of the others has a real call of its own. */
function findUntrue(told: readonly ScriptCall[], real: readonly RealCall[]): readonly ScriptCall[] {
  const takers = new Map<number, ScriptCall>();
  // A call whose text is unknown fits many real ones, so it gives way where it can take another one.
  const take = (call: ScriptCall, asked: Set<number>): boolean => {
    for (const [at, one] of real.entries()) {
      if (asked.has(at) || !isSame(call, one)) continue;
      asked.add(at);
      const taker = takers.get(at);
      if (taker !== undefined && !take(taker, asked)) continue;
      takers.set(at, call);
      return true;
    }
    return false;
  };
  return told.filter((call) => !take(call, new Set()));
}

function isSame({ tool, input: given, isComplete, end }: ScriptCall, real: RealCall): boolean {
  if (tool !== real.tool || (isComplete && JSON.stringify(given) !== JSON.stringify(real.input))) return false;
  if (end.exitCode !== undefined && end.exitCode !== real.exitCode) return false;
  if (end.how === 'rejected') return real.rejection !== undefined;
  return end.how !== 'resolved' || real.rejection === undefined;
}

describe('scripts that were really run', () => {
  it('made every call that is reported for them, with that input and that end', async () => {
    let [told, made] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.array(statement, { minLength: 1, maxLength: 5 }), fates, async (lines, plan) => {
        const source = `${HEAD}${lines.join('\n')}`;
        const { output, calls } = await runReally(source, plan);
        const read = readScript(source, output);
        told += read.calls.length;
        made += calls.length;
        assert.deepEqual(
          findUntrue(read.calls, calls),
          [],
          `${source}\n${JSON.stringify(output)}\n${JSON.stringify(calls)}`,
        );
      }),
      { numRuns: toRuns(300) },
    );
    assert.ok(told > made * 0.5, `only ${told} of ${made} calls are told`);
  });
});

describe('hostile scripts', () => {
  const HOSTILE: Readonly<Record<string, string>> = {
    'an endless loop': "while (true) { await tools.exec_command({cmd: 'x'}); }",
    'an endless loop without calls': 'for (;;) {}',
    'endless recursion': "const f = () => f(); f(); await tools.exec_command({cmd: 'x'})",
    'a text that doubles': "let s = 'x'; for (let i = 0; i < 100; i++) s = s + s; text(s)",
    'a huge repeat': "text('x'.repeat(1e9)); text('x'.padStart(1e9))",
    'a list that grows': 'const l = [1]; for (let i = 0; i < 1e9; i++) l.push(...l); text(l)',
    'a list in itself':
      'const l = []; l.push(l); text(l); text(JSON.stringify(l)); await tools.exec_command({cmd: l, x: l})',
    'an object in itself': 'const o = {}; o.o = o; text(o); await tools.exec_command(o)',
    'many conditions': `${'if (x.y) { await tools.exec_command({cmd: "x"}); }\n'.repeat(200)}`,
    'many tries': `${'try { await tools.exec_command({cmd: "x"}); } catch (e) { text(e); }\n'.repeat(200)}`,
    'deep nesting': `text(${'('.repeat(5000)}1${')'.repeat(5000)})`,
    'deep arrays': `text(${'['.repeat(5000)}${']'.repeat(5000)})`,
    'a long chain': `text(1${' + 1'.repeat(50_000)})`,
    'names of prototypes':
      "const o = {__proto__: 1, constructor: 2}; await tools.constructor({cmd: o.toString}); text(o.__proto__); ''.constructor.constructor('return process')()",
    'a regular expression that backtracks': `text('${'a'.repeat(40)}!'.replace(/^(a+)+$/, ''))`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    'a pattern with many gaps': `const r = await tools.exec_command({cmd: 'x'}); text(\`${'${r.output}a'.repeat(60)}\`)`,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the script has the template.
    'a wide pattern': `const r = await tools.exec_command({cmd: 'x'}); text(\`${'${r.output}a${r.exit_code}'.repeat(60)}\`)`,
  };
  for (const [title, source] of Object.entries(HOSTILE))
    it(`are read to an end, with a bounded result: ${title}`, () => {
      for (const status of ['completed', 'failed', 'running', 'terminated'] as const) {
        const { calls } = readScript(source, {
          status,
          blocks: ['a'.repeat(20_000)],
          error: 'no\n    at exec_main.mjs:1:1',
        });
        assert.ok(calls.length <= 300);
      }
    });

  it('never throw, whatever is written', () => {
    const part = fc.oneof(
      fc.string(),
      statement,
      fc.constantFrom(
        'tools',
        '.',
        '(',
        ')',
        '{',
        '}',
        'await ',
        'text',
        'class X {}',
        'yield',
        '...',
        '=>',
        '`',
        '${',
        'function* g() {}',
        'label: for (;;) break label;',
        'import("x")',
        'new.target',
        'super.x',
      ),
    );
    const status = fc.constantFrom('completed' as const, 'failed' as const, 'running' as const, 'terminated' as const);
    const blocks = fc.array(fc.oneof(fc.string(), fc.json(), fc.constant(undefined)), { maxLength: 4 });
    fc.assert(
      fc.property(
        fc.array(part, { maxLength: 8 }),
        status,
        blocks,
        fc.string(),
        fc.boolean(),
        (parts, how, shown, error, isCut) => {
          const read = readScript(parts.join(' '), { status: how, blocks: shown, error, isCut });
          assert.equal(new Set(read.calls.map(({ id }) => id)).size, read.calls.length);
        },
      ),
      { numRuns: toRuns(500) },
    );
  });
});
