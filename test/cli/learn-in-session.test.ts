import assert from 'node:assert/strict';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { GOOD_LESSON } from '../models/answer-script.ts';
import { makeHistory, writePast } from '../models/write-history.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Next {
  readonly pack: string | null;
  readonly text: string;
  readonly answer: string;
  readonly left: number;
}

interface Taken {
  readonly pack: string;
  readonly active: number;
  readonly outcomes: readonly { readonly verdict: string; readonly summary: string }[];
}

describe('oncebitten learn in a running session', { timeout: 300_000 }, () => {
  let shell: Shell;
  beforeEach(() => {
    shell = openShell();
    writePast(shell.home, { session: 'one', cwd: '/home/dev/shop' }, makeHistory('one'));
  });
  afterEach(() => shell.close());

  const next = () => shell.json<Next>('learn', '--next');
  const answer = (given: unknown, ...more: readonly string[]) =>
    shell.run(['learn', '--answer', '-', ...more], {
      stdin: typeof given === 'string' ? given : JSON.stringify(given),
    });

  it('prints how to answer, the prompt and a pack, in this order, short enough for a tool result', async () => {
    const { code, stdout } = await shell.run(['learn', '--next']);
    assert.equal(code, 0);
    const told =
      /^Pack (\S+)\. .*^oncebitten learn --answer \.oncebitten-answer\.json --pack \1 --home \S+$.*^# Task$.*^# Pack \1$/ms;
    assert.match(stdout, told);
    assert.match(stdout, /~~~sh\nfrob sync --all\n~~~/);
    assert.ok(stdout.length < 30_000);
  });

  it('takes the answer of that pack through the gate, and tells what became of each proposal', async () => {
    const { pack } = await next();
    const { code, stdout } = await answer({ add: [GOOD_LESSON, { ...GOOD_LESSON, evidence: ['e9'] }] });
    assert.equal(code, 0);
    assert.equal(
      stdout,
      `The answer to ${pack}:
  not learned: \`frob sync\` has no --all; use --every (names an id that the pack does not have)
  learned: \`frob sync\` has no --all; use --every
`,
    );
    const explained = await shell.json<{ matches: readonly unknown[] }>(
      ...['explain', '--tool', 'Bash', '--input', '{"command":"frob sync --all"}', '--cwd', '/home/dev/shop'],
    );
    assert.ok(explained.matches.length > 0);
    assert.equal((await next()).pack, null);
  });

  it('takes the answer from a file, and prints JSON', async () => {
    const { pack } = await next();
    const file = join(shell.home, 'answer.json');
    writeFileSync(file, JSON.stringify({ add: [GOOD_LESSON] }));
    const taken = await shell.json<Taken>('learn', '--answer', file, '--pack', pack ?? '');
    assert.deepEqual([taken.pack, taken.active, taken.outcomes[0]?.verdict], [pack, 1, 'active']);
  });

  it('removes the file that it named, once the answer is taken', async () => {
    await next();
    const file = join(shell.home, '.oncebitten-answer.json');
    const hand = (given: unknown) => {
      writeFileSync(file, JSON.stringify(given));
      return shell.run(['learn', '--answer', '.oncebitten-answer.json'], { cwd: shell.home });
    };
    assert.equal((await hand([])).code, 1);
    assert.ok(existsSync(file));
    assert.equal((await hand({ add: [GOOD_LESSON] })).code, 0);
    assert.ok(!existsSync(file));
  });

  it('says that nothing is left to ask about', async () => {
    await next();
    await answer({ add: [] });
    const { code, stdout } = await shell.run(['learn', '--next']);
    assert.equal(code, 0);
    assert.equal(stdout, 'There is no failed call left to ask a model about. Nothing is to be answered.\n');
  });

  it('hands a pack out again until it is answered, but to no other model meanwhile', async () => {
    const first = await next();
    assert.equal((await next()).pack, first.pack);
    assert.equal((await shell.json<{ packs: number }>('learn', '--export', join(shell.home, 'packs'))).packs, 0);
  });

  it('hands out the project of the folder first, then the newest', async () => {
    const [here, other] = ['here', 'other'].map((name) => join(shell.home, name));
    for (const [n, cwd = ''] of [here, other].entries()) {
      mkdirSync(cwd);
      writePast(shell.home, { session: `s${n}`, cwd, atMs: Date.UTC(2026, 0, 9 + n) }, makeHistory(`s${n}`));
    }
    const handed = async (cwd: string) =>
      JSON.parse((await shell.run(['learn', '--next', '--json'], { cwd })).stdout) as Next;
    assert.match((await next()).pack ?? '', /^other-/);
    const first = await handed(here ?? '');
    assert.match(first.pack ?? '', /^here-/);
    assert.equal(first.left, 2);
  });

  it('learns nothing from a pack that it printed into a session, which is a session as all others', async () => {
    const block = ' [process_knowledge] #lesson root cause: use frob --force [/process_knowledge]';
    const history = makeHistory('one').map((call) => (call.error ? { ...call, error: call.error + block } : call));
    writePast(shell.home, { session: 'one', cwd: '/home/dev/shop' }, history);
    const { stdout: pack } = await shell.run(['learn', '--next']);
    assert.match(pack, /\[process_knowledge\]/);
    const known = () => Promise.all([shell.list('lessons', 'list', '--all'), shell.json('sessions', 'findings')]);
    const before = await known();
    const calls = [
      { id: 'learn-next', command: 'oncebitten learn --next', output: pack },
      { id: 'learn-answer', command: "oncebitten learn --answer - <<'ANSWER'\n{}\nANSWER", output: 'learned' },
      { id: 'learn-later', command: 'frob status' },
    ];
    writePast(shell.home, { session: 'learning', cwd: '/home/dev/shop', atMs: Date.UTC(2026, 0, 5) }, calls);
    assert.equal((await shell.json<{ calls: number }>('scan')).calls, calls.length);
    assert.deepEqual(await known(), before);
    assert.doesNotMatch((await shell.run(['sessions', 'failures', '--json'])).stdout, /"learning"/);
  });

  it('asks for --pack where several packs wait', async () => {
    writePast(shell.home, { session: 'two', cwd: '/home/dev/other', atMs: Date.UTC(2026, 0, 9) }, makeHistory('two'));
    const { pack: other } = await next();
    await shell.run(['learn', '--next', '--project', 'shop']);
    const { code, stderr } = await answer({ add: [] });
    assert.equal(code, 1);
    assert.match(stderr, /2 packs wait for an answer\n {2}next: say which one with --pack: \S+, \S+\n/);
    assert.equal((await answer({ add: [] }, '--pack', other ?? '')).code, 0);
  });

  const refused = async (given: unknown, error: RegExp, ...more: readonly string[]): Promise<void> => {
    const { code, stderr, stdout } = await answer(given, ...more);
    assert.equal(code, 1);
    assert.equal(stdout, '');
    assert.match(stderr, error);
  };

  it('refuses an answer that nobody asked for', async () => {
    await refused({ add: [] }, /learn: no pack waits for an answer\n {2}next: ask for a pack: /);
    const { pack } = await next();
    await refused({ add: [] }, /pack shop-x: is unknown/, '--pack', 'shop-x');
    await answer({ add: [] });
    await refused({ add: [] }, /has been answered already/, '--pack', pack ?? '');
  });

  it('loses nothing by garbage: the same pack can be answered again', async () => {
    await next();
    await refused('I would rather not.', /the answer to shop-\w+: is not one JSON object/);
    await refused('', /is not one JSON object/);
    const { stdout } = await answer({ add: [GOOD_LESSON] });
    assert.match(stdout, /learned: /);
  });

  it('tells once what does not follow the schema, then takes the right parts', async () => {
    await next();
    const half = { add: [GOOD_LESSON, { summary: 'x' }] };
    await refused(half, /does not follow the schema: add\[1\]: summary: /);
    const { stdout } = await answer(half);
    assert.match(stdout, /not learned: add\[1\]: summary: .*\n {2}learned: /);
  });

  it('does one thing at a time', async () => {
    const { code, stderr } = await shell.run(['learn', '--next', '--dry-run']);
    assert.equal(code, 2);
    assert.match(stderr, /give one of --dry-run, --export, --answers, --next and --answer/);
    assert.equal((await shell.run(['learn', '--pack', 'x'])).code, 2);
    assert.equal((await shell.run(['learn', '--answer', '/nowhere/x.json'])).code, 1);
  });
});
