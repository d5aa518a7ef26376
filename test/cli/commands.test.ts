import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { listOptions } from '../../src/surfaces/cli/command.ts';
import { COMMANDS, COMMANDS_AND_GROUPS } from '../../src/surfaces/cli/commands.ts';
import { COMMAND_TREE, type CommandNode } from '../../src/surfaces/cli/find-command.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

const GH = ['--summary', 'no stat', '--fix', 'use --name-only', '--program', 'gh pr diff', '--with', '--stat'];
const CALL = ['--tool', 'Bash', '--input', '{"command":"gh pr diff 7 --stat"}'];

describe('help', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());
  const help = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await shell.run([...args, '--help'], { home: false });
    assert.deepEqual([code, stderr], [0, '']);
    return stdout;
  };

  const assertListed = async (node: CommandNode): Promise<void> => {
    const text = await help(...node.entry.name.split(' ').filter((word) => word !== ''));
    const listed = text.slice(0, text.indexOf('Options:'));
    const rows = [...listed.matchAll(/^ {2}(\S+) +(.*)$/gm)].map(([, word, summary]) => ({ word, summary }));
    assert.deepEqual(
      rows,
      node.children.map(({ entry }) => ({ word: entry.name.split(' ').at(-1), summary: entry.summary })),
    );
    for (const child of node.children) if (child.children.length > 0) await assertListed(child);
  };

  it('lists the commands of each group, and nothing else', () => assertListed(COMMAND_TREE));

  it('has a line for each command that fits beside its name', () => {
    for (const { name, summary } of COMMANDS_AND_GROUPS) assert.ok(summary.length < 60, `${name}: ${summary.length}`);
  });

  for (const { name, summary, about = summary, arguments: args = {}, options, examples = [] } of COMMANDS) {
    it(`of ${name} names its arguments, options and examples`, async () => {
      const text = await help(...name.split(' '));
      const flat = text.replaceAll(/\s+/g, ' ');
      for (const part of [
        `Usage: oncebitten ${name}`,
        about.replaceAll(/\s+/g, ' '),
        '--home <dir>',
        '--json',
        ...examples,
      ])
        assert.ok(flat.includes(part), `${part}\n${text}`);
      for (const words of Object.values(args)) assert.ok(flat.includes(words), words);
      for (const { flags } of listOptions(options)) assert.ok(text.includes(flags), flags);
      assert.ok(examples.length === 1 || examples.length === 2, 'one or two examples');
      const asked = await shell.run(['help', ...name.split(' ')], { home: false });
      assert.deepEqual([asked.code, asked.stdout, asked.stderr], [0, text, '']);
    });
  }

  it('of a group is shown, as an error, where the group alone is given', async () => {
    for (const args of [['lessons'], ['lessons', 'promote'], ['data', 'projects']]) {
      const { code, stdout, stderr } = await shell.run(args, { home: false });
      assert.deepEqual([code, stdout], [2, '']);
      assert.equal(stderr, await help(...args));
    }
  });

  it('and the version need no data directory', async () => {
    const { code, stdout } = await shell.run(['--version'], { home: false });
    assert.equal(code, 0);
    assert.match(stdout, /^\d+\.\d+\.\d+\+[0-9a-f]{8}\n$/);
    assert.deepEqual(readdirSync(shell.home), []);
  });
});

describe('every reading command', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const READING = [['daemon', 'status'], ['lessons', 'list'], ['explain', ...CALL], ['doctor'], ['scan']];
  const assertJson = async (args: readonly string[]) => {
    const { code, stdout, stderr } = await shell.run([...args, '--json']);
    assert.deepEqual([code, stderr], [0, ''], args.join(' '));
    assert.doesNotThrow(() => JSON.parse(stdout), args.join(' '));
  };

  it('prints JSON where nothing is known yet', async () => {
    for (const args of READING) await assertJson(args);
  });

  it('prints JSON, and a text, where something is', async () => {
    await shell.json('scan', '--path', join(ROOT, 'test/fixtures/claude-code/transcripts'));
    const { slug } = await shell.json<Lesson>('lessons', 'add', ...GH);
    await shell.json('daemon', 'start');
    for (const args of [...READING, ['lessons', 'show', slug], ['lessons', 'list', '--status', 'draft']]) {
      await assertJson(args);
      const { code, stdout } = await shell.run(args);
      assert.equal(code, 0);
      assert.notEqual(stdout.trim(), '');
      assert.throws(() => JSON.parse(stdout));
    }
  });

  it('tells of bad news with exit 1, in JSON too, when the settings are broken', async () => {
    const config = join(shell.dataDir, 'config.jsonc');
    writeFileSync(config, '{"minScore":');
    const { code, stdout } = await shell.run(['doctor', '--json']);
    writeFileSync(config, '{}');
    assert.equal(code, 1);
    const { ok, checks } = JSON.parse(stdout) as {
      ok: boolean;
      checks: { state: string; detail: string; next: string }[];
    };
    assert.equal(ok, false);
    const bad = checks.filter(({ state }) => state === 'bad');
    assert.ok(bad.length > 0);
    for (const { detail, next } of bad) {
      assert.match(detail, /config\.jsonc:1/);
      assert.match(next, /correct that line/);
    }
  });
});

describe('the data directory', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  it('holds all that commands leave behind: the home folder stays empty', async () => {
    await shell.json('start');
    await shell.json('lessons', 'add', ...GH);
    await shell.json('scan', '--path', join(ROOT, 'test/fixtures/claude-code/transcripts'));
    for (const args of [
      ['lessons', 'list'],
      ['explain', ...CALL],
      ['doctor'],
      ['uninstall', 'claude-code'],
      ['daemon', 'stop'],
    ])
      await shell.json(...args);
    assert.deepEqual(readdirSync(shell.home), []);
    assert.deepEqual(readdirSync(dirname(shell.home)).sort(), ['data', 'home']);
  });

  it('is not made by asking', async () => {
    const home = join(shell.home, '..', 'asked');
    for (const args of [
      ['daemon', 'status'],
      ['daemon', 'stop'],
      ['explain', ...CALL],
      ['uninstall', 'claude-code'],
      ['doctor'],
    ])
      assert.equal((await shell.run(args, { home })).code, 0, args.join(' '));
    assert.equal(existsSync(home), false);
  });

  it('keeps two apart', async () => {
    const other = join(dirname(shell.home), 'other');
    const { stdout } = await shell.run(['lessons', 'list', '--json'], { home: other });
    assert.deepEqual(JSON.parse(stdout).items, []);
  });

  it('is named by the environment where no option names it', async () => {
    const env = { ONCEBITTEN_HOME: shell.dataDir };
    const { stdout } = await shell.run(['lessons', 'list', '--json'], { home: false, env });
    assert.equal(JSON.parse(stdout).total > 0, true);
    assert.deepEqual(readdirSync(shell.home), []);
  });
});

describe('a lesson for one project', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
    for (const name of ['a', 'b']) mkdirSync(join(shell.home, name));
  });
  after(() => shell.close());

  const add = (name: string) =>
    shell.run(['lessons', 'add', ...GH, '--project', '--json'], { cwd: join(shell.home, name) });
  const explain = async (cwd: string, ...more: readonly string[]) => {
    const { stdout } = await shell.run(['explain', ...CALL, ...more, '--json'], { cwd });
    return (JSON.parse(stdout) as { matches: { slug: string }[] }).matches.map(({ slug }) => slug);
  };

  it('may be written for another one too, but not twice for one', async () => {
    const first = await add('a');
    assert.equal(first.code, 0);
    assert.equal((await add('a')).code, 1);
    const second = await add('b');
    assert.equal(second.code, 0, second.stderr);
  });

  it('speaks there only, however the folder is named', async () => {
    const ofA = await explain(join(shell.home, 'a'));
    assert.equal(ofA.length, 1);
    assert.deepEqual(await explain(shell.home, '--cwd', 'a'), ofA);
    assert.deepEqual(await explain(shell.home, '--cwd', join(shell.home, 'a')), ofA);
    assert.notDeepEqual(await explain(shell.home, '--cwd', './b'), ofA);
    assert.deepEqual(await explain(shell.home), []);
  });
});

describe('what a person writes', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  it('is redacted before it is kept', async () => {
    const secret = 'AKIAIOSFODNN7EXAMPLE';
    const lesson = {
      summary: `never use ${secret}`,
      mistake: 'password=hunter2hunter2',
      triggers: { programs: [{ name: 'aws' }] },
    };
    const { code, stdout } = await shell.run(['lessons', 'add', '--stdin', '--json'], {
      stdin: JSON.stringify(lesson),
    });
    assert.equal(code, 0);
    assert.match(stdout, /\[redacted:/);
    for (const name of readdirSync(shell.dataDir, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(json|db|db-wal)$/.test(name)) continue;
      const bytes = readFileSync(join(shell.dataDir, name));
      assert.ok(!bytes.includes(secret) && !bytes.includes('hunter2'), name);
    }
  });
});
