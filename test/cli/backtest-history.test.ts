import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, renameSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import type { FullBacktest } from '../../src/loop/replay/backtest.ts';
import { type FileCall, writeSession } from '../stories/session-file.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

const wrong = (id: string): FileCall => ({
  ...{ id, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
});
const right = (id: string): FileCall => ({ id, command: 'gh pr diff 7 --name-only', output: 'a.ts' });
/** What the lesson speaks at, and it works. */
const fine = (id: string): FileCall => ({ id, command: 'gh pr diff 8 --stat', output: 'a.ts | 2 +-' });

const HOUR = 3_600_000;
const START = Date.now() - 246 * HOUR;

/** Learned in the first, a hit in the second and the third, a false alarm in the fourth; the last is of another project. */
function writeAll(dir: string, home: string): void {
  const sessions: readonly (readonly [string, string, readonly FileCall[]])[] = [
    ['one', 'shop', [wrong('a'), right('b')]],
    ['two', 'shop', [wrong('c'), right('d')]],
    ['three', 'shop', [wrong('e')]],
    ['four', 'shop', [fine('f')]],
    ['five', 'ledger', [wrong('g')]],
  ];
  for (const [n, [session, project, calls]] of sessions.entries()) {
    const [path, atMs] = [join(dir, `${session}.jsonl`), START + n * 24 * HOUR];
    writeSession(path, { session, cwd: join(home, project), atMs }, calls);
    utimesSync(path, atMs / 1_000, atMs / 1_000);
  }
}

const toFigures = ({ sessions, calls, failures, deliveries, all }: FullBacktest) => [
  ...[sessions, calls, failures, deliveries, all.repeats, all.warned, all.hits],
];

describe('oncebitten stats backtest on what there is', { timeout: 900_000 }, () => {
  let shell: Shell;
  let places: string;
  const run = (...args: readonly string[]): Promise<FullBacktest> =>
    shell.json<FullBacktest>('stats', 'backtest', ...args);
  before(() => {
    shell = openShell();
    places = join(shell.home, '.claude', 'projects', 'p');
    writeAll(places, shell.home);
  });
  after(() => shell.close());

  it('reads where agents keep their sessions as long as the store knows nothing', async () => {
    const report = await run();
    assert.equal(report.history.source, 'places');
    assert.deepEqual(toFigures(report), [5, 7, 4, 3, 2, 2, 2]);
    assert.deepEqual(Object.keys(report).slice(0, 6), [
      ...['sessions', 'calls', 'failures', 'deliveries', 'deliveriesPer100Calls', 'classes'],
    ]);
  });

  it('says the same of the same twice, and changes nothing', async () => {
    await shell.json('scan');
    const store = join(shell.dataDir, 'oncebitten.db');
    const before = [readFileSync(store), await shell.list('lessons', 'list')];
    const [first, second] = [
      await shell.run(['stats', 'backtest', '--json']),
      await shell.run(['stats', 'backtest', '--json']),
    ];
    assert.equal(first.stdout, second.stdout);
    await shell.run(['stats', 'backtest', '--fix']);
    assert.deepEqual([readFileSync(store), await shell.list('lessons', 'list')], before);
    const report = JSON.parse(first.stdout) as FullBacktest;
    assert.equal(report.history.source, 'store');
    assert.deepEqual(toFigures(report), [5, 7, 4, 3, 2, 2, 2]);
  });

  it('counts one project, or what was since, with everything before as the past', async () => {
    const shop = await run('--project', join(shell.home, 'shop'));
    assert.deepEqual(toFigures(shop), [4, 6, 3, 3, 2, 2, 2]);
    assert.deepEqual(
      (await run()).perProject.map(({ name, calls }) => [name, calls]),
      [
        ['shop', 6],
        ['ledger', 1],
      ],
    );
    const since = new Date(START + 36 * HOUR).toISOString();
    const late = await run('--since', since);
    assert.deepEqual(toFigures(late), [3, 3, 2, 2, 1, 1, 1]);
    const { code, stderr } = await shell.run(['stats', 'backtest', '--project', 'nothing']);
    assert.equal(code, 1);
    assert.match(stderr, /project nothing.*\n.*next: /);
  });

  it('names the lesson of the store that spoke wrongly, and without a terminal the commands', async () => {
    const [alarms] = (await run()).worstFalseAlarms;
    assert.deepEqual([alarms?.falseAlarms, alarms?.hits, alarms?.deliveries], [1, 2, 3]);
    assert.equal(alarms?.example.what, 'gh pr diff 8 --stat');
    const slug = alarms?.stored?.slug ?? '';
    assert.match(slug, /^gh-pr-diff-/);
    const { stdout } = await shell.run(['stats', 'backtest', '--fix'], { home: shell.dataDir });
    for (const command of ['lessons archive', 'lessons edit', 'lessons mute'])
      assert.ok(stdout.includes(`oncebitten ${command} --home ${shell.dataDir} ${slug}`), stdout);
  });

  it('replays what the store kept of sessions whose transcript is gone, and says so', async () => {
    renameSync(places, join(shell.home, 'elsewhere'));
    const report = await run();
    assert.equal(report.history.storedSessions, 5);
    assert.deepEqual(toFigures(report), [5, 7, 4, 3, 2, 2, 2]);
    const { stdout } = await shell.run(['stats', 'backtest']);
    assert.match(stdout, /transcripts of 5 sessions are gone/);
  });

  it('leaves out calls that lost their text, and says so', async () => {
    mkdirSync(shell.dataDir, { recursive: true });
    writeFileSync(join(shell.dataDir, 'config.jsonc'), JSON.stringify({ retention: { textDays: 8 } }));
    // The scan stored the texts just now; here they were stored when the calls were made.
    const db = new DatabaseSync(join(shell.dataDir, 'oncebitten.db'));
    db.exec('update tool_outcomes set created_at = occurred_at, text_at = null');
    db.close();
    await shell.json('data', 'retention', '--yes');
    const report = await run();
    const { withoutText } = report.history;
    // The calls that a lesson came from keep their text.
    assert.ok(withoutText > 0 && report.calls > 2, JSON.stringify(report.history));
    assert.equal(withoutText + report.calls, 7);
    assert.match(
      (await shell.run(['stats', 'backtest'])).stdout,
      new RegExp(`${withoutText} calls? lost their text to retention`),
    );
  });
});

describe('the report of the sample sessions', { timeout: 900_000 }, () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  it('is one command away where `start` found nothing else', async () => {
    await shell.json('start');
    const { stdout } = await shell.run(['stats', 'backtest']);
    assert.match(stdout, /There are no calls to replay/);
    const sample = /oncebitten stats backtest --home (\S+)$/m.exec(stdout)?.[1] ?? '';
    const report = JSON.parse(
      (await shell.run(['stats', 'backtest', '--json'], { home: sample })).stdout,
    ) as FullBacktest;
    assert.deepEqual([report.history.source, report.sessions], ['store', 8]);
  });

  it('fits 80 columns of a terminal, is whole in a pipe, and is what the guide shows', async () => {
    const path = join(ROOT, 'samples/sessions');
    const { stdout } = await shell.run(['stats', 'backtest', '--path', path], { home: false });
    for (const line of (await shell.show(['stats', 'backtest', '--path', path], 80)).split('\n'))
      assert.ok(line.length <= 80 || line.includes('--home'), line);
    const verbose = await shell.run(['stats', 'backtest', '--path', path, '--verbose'], { home: false });
    const { perSignature, perProject } = await shell.json<FullBacktest>('stats', 'backtest', '--path', path);
    for (const { signature } of perSignature.filter(({ repeats }) => repeats > 0))
      assert.ok(verbose.stdout.includes(signature), signature);
    for (const { name } of perProject) assert.ok(verbose.stdout.includes(name), name);
    const guide = readFileSync(join(ROOT, 'docs/guide/backtest.md'), 'utf8');
    const shown = stdout
      .trimEnd()
      .split('\n')
      .map((line) => (line === '' ? '' : `    ${line}`));
    assert.ok(guide.includes(shown.join('\n')), stdout);
  });
});
