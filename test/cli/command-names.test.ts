import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { COMMANDS, COMMANDS_AND_GROUPS } from '../../src/surfaces/cli/commands.ts';
import { COMMAND_TREE, findCommand } from '../../src/surfaces/cli/find-command.ts';
import { openShell, ROOT, type Shell } from './open-shell.ts';

/** Names that other people's programs use: they stay, and are never called old. */
const PERMANENT = ['signature', 'findings', 'backtest', 'projects list', 'scan', 'lessons list', 'explain'];
/** What each command is run with that has another name. */
const WORDS: Readonly<Record<string, string>> = {
  'lessons review': '--list',
  'lessons audit': '',
  'lessons feedback': 'no-lesson helpful',
  'lessons mute': 'no-lesson',
  'lessons unmute': '--all',
  'lessons promote list': '--all',
  'lessons promote show': 'no-lesson',
  'lessons promote propose': 'no-lesson',
  'lessons promote approve': 'no-lesson',
  'lessons promote reject': 'no-lesson',
  'lessons promote apply': 'no-lesson --dry-run',
  'lessons promote rollback': 'no-lesson',
  'stats deliveries': '--limit 3',
  'stats compliance': '',
  'stats backtest': '--agent claude-code',
  'sessions show': '--failures',
  'sessions failures': '--each',
  'sessions history': '--by week',
  'sessions patterns': '--limit x',
  'sessions findings': '--all',
  'sessions signature': '--program gh',
  'data backup': '--out /no/such/folder/file',
  'data restore': '',
  'data forget': '--all --dry-run',
  'data retention': '--dry-run',
  'data projects list': '',
  'data projects join': 'no-project .',
  'data projects split': 'no-project',
};

const toWords = (text: string) => text.split(' ').filter((word) => word !== '');
const RENAMED = COMMANDS.flatMap(({ name, oldNames = [], otherNames = [] }) =>
  [...oldNames, ...otherNames].map((old) => ({ name, old })),
);

describe('the names of commands', () => {
  it('are few at the top, and in the order in which a user meets them', () => {
    assert.deepEqual(
      COMMAND_TREE.children.map(({ entry }) => entry.name).join(' '),
      'start install uninstall doctor demo open lessons explain stats sessions scan learn pause resume config data daemon mcp completions',
    );
  });

  it('are there once, and no other name is the name of a command', () => {
    const all = [...COMMANDS_AND_GROUPS.map(({ name }) => name), ...RENAMED.map(({ old }) => old)];
    assert.deepEqual(
      all.filter((name, index) => all.indexOf(name) !== index),
      [],
    );
  });

  it('have a group above them that says what it is for', () => {
    const names = new Set(COMMANDS_AND_GROUPS.map(({ name }) => name));
    for (const name of names) if (name.includes(' ')) assert.ok(names.has(name.slice(0, name.lastIndexOf(' '))), name);
  });

  it('begin other names only where the command takes no arguments', () => {
    for (const { name, arguments: args } of COMMANDS)
      if (args !== undefined) assert.ok(!COMMANDS.some((other) => other.name.startsWith(`${name} `)), name);
  });

  it('that others rely on stay, and are not announced as old', () => {
    for (const name of PERMANENT) {
      const { node, oldName } = findCommand(toWords(name));
      assert.ok('load' in node.entry, name);
      assert.equal(oldName, undefined, name);
    }
  });
});

describe('an old name', { timeout: 900_000 }, () => {
  let shell: Shell;
  before(async () => {
    shell = openShell();
    await shell.json('scan', '--path', join(ROOT, 'samples/sessions'));
  });
  after(() => shell.close());

  /** Without times of day: some are those of the run. */
  const run = async (name: string, rest: string) => {
    const words = [...toWords(name), ...toWords(rest), '--json'];
    const output = await shell.run(words, { stdin: 'gh: no such flag --stat\n' });
    return { ...output, stdout: output.stdout.replaceAll(/T[\d:.]+Z/g, '') };
  };

  for (const { name, old } of RENAMED)
    it(`gives the same as the new one: ${old}`, async () => {
      const rest = WORDS[name];
      assert.ok(rest !== undefined, `no words for ${name}`);
      assert.deepEqual(await run(old, rest), await run(name, rest));
    });

  it('of a list of sessions, and of one session, gives the same as the new ones', async () => {
    assert.deepEqual(await run('session', ''), await run('sessions', ''));
    const [{ sessionId = '' } = {}] = await shell.list<{ sessionId: string }>('sessions');
    const [before, now] = [await run('session', sessionId), await run('sessions show', sessionId)];
    assert.equal(now.code, 0);
    assert.deepEqual(before, now);
  });

  it('shows the help of the new one', async () => {
    for (const { name, old } of [...RENAMED, { name: 'lessons promote', old: 'promote' }])
      for (const words of [
        [...toWords(old), '--help'],
        ['help', ...toWords(old)],
      ]) {
        const { code, stdout, stderr } = await shell.run(words, { home: false });
        assert.deepEqual([code, stderr], [0, ''], old);
        assert.match(stdout, new RegExp(`^Usage: oncebitten ${name} `), old);
      }
  });

  it('tells a person at a terminal the new one, and nobody else', async () => {
    const notice = 'This command is now: oncebitten sessions failures\n';
    assert.ok((await shell.show(toWords('failures'), 80)).startsWith(notice));
    assert.doesNotMatch(await shell.show(toWords('failures --json'), 80), /is now/);
    assert.equal((await shell.run(toWords('failures'))).stderr, '');
    for (const name of ['sessions failures', 'findings --all', 'projects list'])
      assert.doesNotMatch(await shell.show(toWords(name), 80), /is now/, name);
    assert.match(
      await shell.show(toWords('projects split x'), 80),
      /^This command is now: oncebitten data projects split\n/,
    );
  });
});

describe('a mistyped name', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  for (const [typed, ...meant] of [
    ['failurs', 'sessions failures'],
    ['sesions', 'sessions'],
    ['sess', 'sessions'],
    ['lesons list', 'lessons list'],
    ['lesson promote apply x', 'lessons promote apply'],
    ['promote aply x', 'lessons promote apply'],
    ['lessons promot list', 'lessons promote list'],
    ['lessons failures', 'sessions failures'],
    ['approve x', 'lessons approve', 'lessons promote approve'],
    ['data projects jion a b', 'data projects join'],
    ['stats backtst', 'stats backtest'],
    ['sessions pattern', 'sessions patterns'],
    ['help statz', 'stats'],
    ['frobnicate'],
    ['data frobnicate'],
  ] as const)
    it(`gets the nearest ones: ${typed}`, async () => {
      const { code, stdout, stderr } = await shell.run([...typed.split(' '), '--json'], { home: false });
      const { error } = JSON.parse(stderr) as { error: { reason: string; next: string } };
      assert.deepEqual([code, stdout], [2, '']);
      assert.deepEqual(/did you mean (.*)\?/.exec(error.reason)?.[1]?.split(', or ') ?? [], meant);
      if (meant.length === 1) assert.equal(error.next, `oncebitten ${meant[0]}`);
      else assert.match(error.next, /oncebitten .*--help$/);
    });

  it('behind an option of a command is refused: it would be read as an argument', async () => {
    for (const args of [
      ['stats', '--since', '7d', 'deliveries'],
      ['sessions', '--limit', '3', 'show'],
      ['lessons', '--status', 'active', 'list'],
    ]) {
      const { code, stderr } = await shell.run(args, { home: false });
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, new RegExp(`oncebitten ${args[0]} --help`));
    }
  });
});

describe('--home and --json', () => {
  const COMMON = ['--home', '/data', '--json'];
  const findWords = (...words: readonly string[]) => {
    const { node, rest, isHelp, oldName } = findCommand(words);
    return { name: node.entry.name, rest, isHelp, oldName };
  };

  for (const { name } of COMMANDS)
    it(`may stand before, inside and behind the name of ${name}`, () => {
      const [first = '', ...more] = toWords(name);
      const expected = findWords(...toWords(name), ...COMMON);
      assert.deepEqual([expected.name, expected.rest], [name, COMMON]);
      assert.deepEqual(findWords(...COMMON, first, ...more), expected);
      assert.deepEqual(findWords(first, ...COMMON, ...more), expected);
      assert.deepEqual(findWords('--home=/data', first, ...more, '--json').rest, ['--home=/data', '--json']);
    });

  it('may stand before a former name and before help', () => {
    const expected = { name: 'lessons promote show', rest: [...COMMON, 'x'], isHelp: false, oldName: 'promote show' };
    assert.deepEqual(findWords(...COMMON, 'promote', 'show', 'x'), expected);
    assert.equal(findWords('--json', 'help', 'stats').isHelp, true);
  });

  it('are heard wherever they stand', async () => {
    const shell = openShell();
    try {
      for (const words of [
        ['--home', shell.dataDir, '--json', 'stats'],
        ['--json', 'lessons', '--home', shell.dataDir, 'list'],
        ['--json', `--home=${shell.dataDir}`],
      ]) {
        const { code, stdout, stderr } = await shell.run(words, { home: false });
        assert.deepEqual([code, stderr], [0, ''], words.join(' '));
        assert.equal(typeof JSON.parse(stdout), 'object');
      }
      const { code, stderr } = await shell.run(['--home', '--json', 'stats'], { home: false });
      assert.equal(code, 2);
      assert.match(stderr, /--home=--json/);
    } finally {
      await shell.close();
    }
  });
});
