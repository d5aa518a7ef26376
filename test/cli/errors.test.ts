import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openShell, type Shell } from './open-shell.ts';

interface Mistake {
  readonly what: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** What was wrong must be named, with the reason. */
  readonly says: RegExp;
  readonly next: RegExp;
}

/** Found while the command line is read: 2. */
const USAGE: readonly Mistake[] = [
  { what: 'an unknown command', args: ['frobnicate'], says: /unknown command 'frobnicate'/, next: /oncebitten --help/ },
  { what: 'a misspelt command', args: ['lesson', 'list'], says: /'lesson'\n\(Did you mean lessons/, next: /--help/ },
  { what: 'an unknown sub-command', args: ['lessons', 'frob'], says: /unknown command 'frob'/, next: /lessons --help/ },
  {
    what: 'an unknown option',
    args: ['scan', '--frob'],
    says: /unknown option '--frob'/,
    next: /oncebitten scan --help/,
  },
  { what: 'a missing argument', args: ['install'], says: /missing required argument 'agent'/, next: /install --help/ },
  { what: 'one argument too many', args: ['daemon', 'stop', 'now'], says: /too many arguments/, next: /stop --help/ },
];

const GH = ['--summary', 'no stat', '--program', 'gh pr diff', '--with', '--stat'];

/** Found while the command runs: 1. */
const REFUSED: readonly Mistake[] = [
  { what: 'an unknown agent to install', args: ['install', 'hal'], says: /agent hal: is not one/, next: /claude-code/ },
  { what: 'an unknown agent to uninstall', args: ['uninstall', 'hal'], says: /agent hal/, next: /claude-code/ },
  { what: 'an unknown agent to scan', args: ['scan', '--agent', 'hal'], says: /agent hal/, next: /claude-code/ },
  {
    what: 'a path that is not there',
    args: ['scan', '--path', '/none/x'],
    says: /\/none\/x: does not exist/,
    next: /transcript/,
  },
  ...['stats', 'deliveries', 'history', 'backtest', 'failures', 'patterns', 'compliance', 'scan'].map((command) => ({
    what: `a time in the future, to ${command} since`,
    args: [command, '--since', '2099-01-01'],
    says: /--since 2099-01-01: lies in the future: it is \d{4}-\d\d-\d\d \d\d:\d\d UTC now/,
    next: /a span: 2h, 7d/,
  })),
  {
    what: 'an unknown status',
    args: ['lessons', 'list', '--status', 'old'],
    says: /status old/,
    next: /draft, active, archived/,
  },
  {
    what: 'an unknown lesson',
    args: ['lessons', 'show', 'none-1'],
    says: /lesson none-1: is not known/,
    next: /lessons list/,
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
    says: /--with or --without but no --program/,
    next: /program/,
  },
  {
    what: 'a priority that is none',
    args: ['lessons', 'add', ...GH, '--priority', 'high'],
    says: /priority: /,
    next: /--help/,
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
  {
    what: 'a call without a tool',
    args: ['explain', '--input', '{}'],
    says: /explain: needs a tool/,
    next: /for example: /,
  },
  {
    what: 'an input that is no JSON',
    args: ['explain', '--tool', 'Bash', '--input', '{command}'],
    says: /--input: is not JSON/,
    next: /quote it/,
  },
  {
    what: 'a call of an unknown agent',
    args: ['explain', '--tool', 'Bash', '--input', '{}', '--agent', 'hal'],
    says: /agent hal/,
    next: /claude-code/,
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
    assert.doesNotMatch(stderr, /should not happen|\n\s+at /);
  };

  for (const mistake of USAGE) it(`says what to do about ${mistake.what}`, () => assertTold(mistake, 2));
  for (const mistake of REFUSED) it(`says what to do about ${mistake.what}`, () => assertTold(mistake, 1));

  it('says what to do about a lesson that is there already', async () => {
    const { slug } = await shell.json<{ slug: string }>('lessons', 'add', ...GH);
    const says = new RegExp(`is there already as ${slug}`);
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
        await assertTold(
          { what: '', args, says: /config\.jsonc:2: is not JSON with comments/, next: /correct that line/ },
          1,
        );
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
      await assertTold({ what: '', args: ['lessons', 'list'], says: /store\.url: .*mysql:/, next: /postgres:\/\// }, 1);
      const { stderr } = await shell.run(['lessons', 'list']);
      assert.doesNotMatch(stderr, /hunter2/);
    });

    it('names a server that does not answer, and never its password', async () => {
      writeFileSync(config(), '{"store": {"url": "postgres://me:hunter2@127.0.0.1:1/db"}}');
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
