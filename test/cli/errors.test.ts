import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toSqliteAdvice } from '../../src/keep/store/engines/sqlite.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Mistake {
  readonly what: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** What was wrong must be named, with the reason. */
  readonly says: RegExp;
  readonly next: RegExp;
}

const GH = ['--summary', 'no stat', '--program', 'gh pr diff', '--with', '--stat'];
const SPANNING = ['stats', 'deliveries', 'history', 'backtest', 'failures', 'patterns', 'compliance', 'scan'];
const COUNTING = ['stats', 'deliveries', 'history', 'failures', 'patterns', 'findings', 'session'];

/** Wrong whatever is stored: 2. */
const USAGE: readonly Mistake[] = [
  { what: 'an unknown command', args: ['frobnicate'], says: /unknown command 'frobnicate'/, next: /oncebitten --help/ },
  {
    what: 'a misspelt command',
    args: ['lesson', 'list'],
    says: /'lesson' \(did you mean lessons list/,
    next: /oncebitten lessons list$/m,
  },
  { what: 'an unknown sub-command', args: ['lessons', 'frob'], says: /unknown command 'frob'/, next: /lessons --help/ },
  {
    what: 'an unknown option',
    args: ['scan', '--frob'],
    says: /scan: unknown option '--frob'/,
    next: /oncebitten scan --help/,
  },
  {
    what: 'a missing argument',
    args: ['lessons', 'show'],
    says: /missing required argument 'lesson'/,
    next: /show --help/,
  },
  { what: 'one argument too many', args: ['daemon', 'stop', 'now'], says: /too many arguments/, next: /stop --help/ },
  {
    what: 'an option where a value belongs',
    args: ['lessons', 'list', '--tag', '--needs-review'],
    says: /lessons list: option '--tag <tag>' needs a value, but --needs-review is an option/,
    next: /--tag=--needs-review/,
  },
  {
    what: 'an unknown agent to install',
    args: ['install', 'hal'],
    says: /agent hal: /,
    next: /claude-code/,
  },
  { what: 'an unknown agent to uninstall', args: ['uninstall', 'hal'], says: /agent hal/, next: /claude-code/ },
  { what: 'an unknown agent to scan', args: ['scan', '--agent', 'hal'], says: /agent hal/, next: /claude-code/ },
  { what: 'an unknown agent to look at', args: ['failures', '--agent', 'hal'], says: /agent hal/, next: /claude-code/ },
  ...SPANNING.map((command) => ({
    what: `a time in the future, to ${command} since`,
    args: [command, '--since', '2099-01-01'],
    says: /--since 2099-01-01: /,
    next: /a duration: 2h, 7d/,
  })),
  ...SPANNING.map((command) => ({
    what: `what is no time, to ${command} since`,
    args: [command, '--since', 'foo'],
    says: /--since foo: /,
    next: /2h, 7d/,
  })),
  ...COUNTING.map((command) => ({
    what: `less than nothing, to limit ${command}`,
    args: [command, '--limit', '-1'],
    says: /--limit -1: /,
    next: /1 or more/,
  })),
  { what: 'an unknown way to group', args: ['history', '--by', 'foo'], says: /--by foo: /, next: /agent/ },
  {
    what: 'an unknown kind of pattern',
    args: ['patterns', '--kind', 'foo'],
    says: /--kind foo: /,
    next: /use one/,
  },
  {
    what: 'an unknown verdict',
    args: ['findings', '--verdict', 'foo'],
    says: /--verdict foo: is not/,
    next: /dropped/,
  },
  {
    what: 'an end before the beginning',
    args: ['history', '--since', '1d', '--until', '2d'],
    says: /ends before it begins/,
    next: /--since the earlier/,
  },
  {
    what: 'two wishes at once',
    args: ['lessons', 'starter', '--install', '--remove'],
    says: /cannot install and remove at once/,
    next: /--install, --remove/,
  },
  {
    what: 'an unknown status',
    args: ['lessons', 'list', '--status', 'old'],
    says: /--status old/,
    next: /draft, active, archived/,
  },
  {
    what: 'a lesson without a summary',
    args: ['lessons', 'add', '--program', 'gh'],
    says: /summary: /,
    next: /add --help/,
  },
  {
    what: 'a lesson without a trigger',
    args: ['lessons', 'add', '--summary', 'x'],
    says: /match every call: name a program/,
    next: /--help/,
  },
  {
    what: 'a lesson for an unknown tool',
    args: ['lessons', 'add', '--summary', 'x', '--tool', 'Bash'],
    says: /tools\.0: is not a tool we know/,
    next: /--help/,
  },
  {
    what: 'a word without its program',
    args: ['lessons', 'add', '--summary', 'x', '--with', 'y'],
    says: /--with: needs --program/,
    next: /program/,
  },
  {
    what: 'a priority that is none',
    args: ['lessons', 'add', ...GH, '--priority', 'high'],
    says: /priority: /,
    next: /--help/,
  },
  { what: 'a call of nothing', args: ['explain'], says: /explain: /, next: /for example: / },
  {
    what: 'a call without a tool',
    args: ['explain', '--input', '{}'],
    says: /explain: /,
    next: /for example: /,
  },
  {
    what: 'an input that is no JSON',
    args: ['explain', '--tool', 'Bash', '--input', '{command}'],
    says: /--input: /,
    next: /quote it/,
  },
  {
    what: 'a call of an unknown agent',
    args: ['explain', '--tool', 'Bash', '--input', '{}', '--agent', 'hal'],
    says: /agent hal/,
    next: /claude-code/,
  },
];

/** A command line that would be right with other data: 1. */
const REFUSED: readonly Mistake[] = [
  {
    what: 'a path that is not there',
    args: ['scan', '--path', '/none/x'],
    says: /\/none\/x: /,
    next: /transcript/,
  },
  {
    what: 'an unknown lesson',
    args: ['lessons', 'show', 'none-1'],
    says: /lesson none-1: /,
    next: /lessons list/,
  },
  {
    what: 'a lesson that is no JSON',
    args: ['lessons', 'add', '--stdin'],
    stdin: '{',
    says: /is not JSON/,
    next: /lesson-input\.schema/,
  },
  {
    what: 'a lesson with an unknown key',
    args: ['lessons', 'add', '--stdin'],
    stdin: '{"summary":"x","when":1}',
    says: /when|triggers/,
    next: /--help/,
  },
];

describe('the command line', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
    mkdirSync(shell.dataDir);
  });
  after(() => shell.close());

  const assertTold = async ({ args, stdin = '', says, next }: Mistake, expected: number) => {
    const { code, stdout, stderr } = await shell.run(args, { stdin });
    assert.deepEqual([code, stdout], [expected, ''], stderr);
    assert.match(stderr, says);
    assert.match(stderr.slice(stderr.indexOf('  next: ')), next);
    assert.match(stderr, /\n {2}next: /);
    assert.doesNotMatch(stderr, /internal error|\n\s+at /);
  };

  for (const mistake of USAGE) it(`says what to do about ${mistake.what}`, () => assertTold(mistake, 2));
  for (const mistake of REFUSED) it(`says what to do about ${mistake.what}`, () => assertTold(mistake, 1));

  it('takes an option of another program where one is meant', async () => {
    const { code, stdout } = await shell.run(['lessons', 'list', '--search=--json']);
    assert.equal(code, 0);
    assert.match(stdout, /No lesson/);
    const json = ['--summary', 'no json', '--program', 'gh pr diff', '--with', '--json'];
    assert.equal((await shell.run(['lessons', 'add', ...json])).code, 0);
  });

  describe('asked for JSON', () => {
    const MISTAKES: readonly (readonly [code: number, subject: string, ...args: readonly string[]])[] = [
      [2, 'the command line', 'frobnicate'],
      [2, 'scan', 'scan', '--frob'],
      [2, 'lessons list', 'lessons', 'list', '--tag'],
      [2, '--limit 0', 'failures', '--limit', '0'],
      [1, 'lesson none-1', 'lessons', 'show', 'none-1'],
    ];
    for (const [code, subject, ...args] of MISTAKES)
      it(`says what is wrong as an object beside the output: ${args.join(' ')}`, async () => {
        const output = await shell.run([...args, '--json']);
        assert.deepEqual([output.code, output.stdout], [code, ''], output.stderr);
        const { error } = JSON.parse(output.stderr) as { error: Record<string, string> };
        assert.deepEqual([Object.keys(error), error.subject], [['subject', 'reason', 'next'], subject]);
        assert.doesNotMatch(error.next ?? '', /^\s*$/);
      });
  });

  it('names commands as they were called', async () => {
    const env = { npm_lifecycle_event: 'oncebitten', npm_package_name: 'oncebitten' };
    for (const args of [
      ['frobnicate'],
      ['scan', '--frob'],
      ['lessons', 'frob'],
      ['lessons', 'show', 'none-1'],
      ['stats'],
    ]) {
      const { stdout, stderr } = await shell.run(args, { env });
      assert.match(stdout + stderr, /npm run -s oncebitten -- /);
      assert.doesNotMatch(stdout + stderr, /(?<!-s )oncebitten [a-z-]/);
    }
    const { stdout } = await shell.run(['stats', '--help'], { env, home: false });
    assert.match(stdout, /Usage: npm run -s oncebitten -- stats/);
  });

  it('says what to do about a lesson that is there already', async () => {
    const { slug } = await shell.json<{ slug: string }>('lessons', 'add', ...GH);
    const says = new RegExp(`already exists as ${slug}`);
    await assertTold(
      { what: '', args: ['lessons', 'add', ...GH], says, next: new RegExp(`lessons show --home \\S+ ${slug}`) },
      1,
    );
  });

  describe('with broken settings', () => {
    const config = () => join(shell.dataDir, 'config.jsonc');
    after(() => rmSync(config()));
    const READERS = [
      ['lessons', 'list'],
      ['scan'],
      ['start'],
      ['install', 'claude-code'],
      ['daemon', 'start'],
      ['lessons', 'add', ...GH],
    ];

    it('names file and line of a syntax error', async () => {
      writeFileSync(config(), '{\n  "minScore" 1\n}');
      for (const args of READERS)
        await assertTold({ what: '', args, says: /config\.jsonc:2: /, next: /correct that line/ }, 1);
    });

    it('names a key that it does not know, and one of another type', async () => {
      writeFileSync(config(), '{"minScroe": 1}');
      await assertTold({ what: '', args: ['lessons', 'list'], says: /minScroe/, next: /correct that key/ }, 1);
      writeFileSync(config(), '{"minScore": "high"}');
      await assertTold(
        { what: '', args: ['lessons', 'list'], says: /config\.jsonc:1: minScore: /, next: /default/ },
        1,
      );
    });

    it('names the kind of a store that it does not know, and never its password', async () => {
      writeFileSync(config(), '{"store": {"url": "mysql://me:hunter2@host/db"}}');
      // Only a private file may name a store.
      chmodSync(config(), 0o600);
      await assertTold({ what: '', args: ['lessons', 'list'], says: /store\.url: .*mysql:/, next: /postgres:\/\// }, 1);
      const { stderr } = await shell.run(['lessons', 'list']);
      assert.doesNotMatch(stderr, /hunter2/);
    });

    it('names a server that does not answer, and never its password', async () => {
      writeFileSync(config(), '{"store": {"url": "postgres://me:hunter2@127.0.0.1:1/db"}}');
      // Only a private file may name a store.
      chmodSync(config(), 0o600);
      const { code, stderr } = await shell.run(['lessons', 'list']);
      assert.equal(code, 1);
      assert.match(
        stderr,
        /store postgres:\/\/me@127\.0\.0\.1:1\/db: cannot be opened[\s\S]*next: Check that the server runs/,
      );
      assert.doesNotMatch(stderr, /hunter2/);
    });
  });

  it('names a store that is none, and a data directory that is none', async () => {
    const home = join(shell.home, 'other');
    mkdirSync(home);
    writeFileSync(join(home, 'oncebitten.db'), 'not a database, '.repeat(100));
    const broken = await shell.run(['lessons', 'list'], { home });
    assert.equal(broken.code, 1);
    assert.match(broken.stderr, /other\/oncebitten\.db: cannot be opened: file is not a database\n {2}next: Check/);
    const noFolder = await shell.run(['lessons', 'list'], { home: join(home, 'oncebitten.db') });
    assert.equal(noFolder.code, 1);
    assert.match(noFolder.stderr, /other\/oncebitten\.db: is a file, not a folder\n {2}next: name a folder/);
  });
});

describe('advice about a store that fails', () => {
  it('names the other process that holds it, also where the reason is further down', () => {
    const busy = Object.assign(new Error('database is locked'), { errcode: 517 });
    for (const error of [busy, new Error('cannot be read', { cause: busy })]) {
      assert.match(toSqliteAdvice('/nowhere/oncebitten.db', error), /Another process holds the store.*Try again/);
    }
    const other = Object.assign(new Error('unable to open database file'), { errcode: 14 });
    assert.match(toSqliteAdvice('/nowhere/oncebitten.db', other), /disk has space/);
  });
});
