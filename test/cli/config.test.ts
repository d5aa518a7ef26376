import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { Page } from '../../src/surfaces/cli/paging.ts';
import { openShell, type Shell } from './open-shell.ts';

interface Shown {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: { readonly kind: string; readonly line?: number; readonly variable?: string };
}

describe('config', () => {
  let shell: Shell;
  let file: string;
  before(() => {
    shell = openShell();
    file = join(shell.dataDir, 'config.jsonc');
    mkdirSync(shell.dataDir, { recursive: true, mode: 0o700 });
  });
  after(() => shell.close());
  beforeEach(() => rmSync(file, { force: true }));

  const text = () => readFileSync(file, 'utf8');
  const run = (...args: readonly string[]) => shell.run(['config', ...args]);
  const json = <T>(...args: readonly string[]) => shell.json<T>('config', ...args);
  /** Refused with a next step, and the file stays as it was. */
  const list = async (...args: readonly string[]) => (await json<Page<Shown>>('list', ...args)).items;
  const refuse = async (args: readonly string[], said: RegExp, next: RegExp, content?: string | Buffer) => {
    if (content !== undefined) writeFileSync(file, content);
    const { code, stderr, stdout } = await run(...args);
    assert.equal(code, 1, `${args.join(' ')}\n${stdout}${stderr}`);
    assert.match(stderr, said);
    assert.match(stderr, new RegExp(`\\n {2}next: .*${next.source}`));
    if (content === undefined) assert.equal(existsSync(file), false);
    else assert.deepEqual(readFileSync(file), Buffer.from(content));
  };

  it('says where the file is, also where there is none', async () => {
    assert.equal((await run('path')).stdout, `${file}\n`);
    assert.deepEqual(await json('path'), {
      file,
      schema: join(shell.dataDir, 'settings.schema.json'),
      exists: false,
    });
  });

  it('writes a file that changes nothing, for the user alone', async () => {
    await json('init');
    assert.match(text(), /"\$schema": "\.\/settings\.schema\.json"/);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const schema = JSON.parse(readFileSync(join(shell.dataDir, 'settings.schema.json'), 'utf8'));
    assert.equal(schema.$id, 'oncebitten/settings.schema.json');
    assert.ok('$schema' in schema.properties);
    assert.deepEqual(await list('--changed'), []);
  });

  it('adds what a file lacks as comments, also to the one that install wrote, and leaves what is set', async () => {
    await json('set', 'delivery.maxMode', 'pause');
    const added = (await json<{ added: string[] }>('init')).added;
    assert.ok(added.includes('minScore') && added.includes('store.url') && !added.includes('delivery.maxMode'));
    assert.match(text(), /"maxMode": "pause"/);
    assert.match(text(), /\n {2}\/\/ "minScore": 0\.7,\n/);
    assert.deepEqual(
      (await list('--changed')).map(({ key }) => key),
      ['delivery.maxMode'],
    );
    const before = text();
    assert.match((await run('init')).stdout, /already contains every setting; nothing was changed/);
    assert.equal(text(), before);
    writeFileSync(file, '{ "minScore": 0.8 } // mine');
    assert.match((await run('init')).stdout, /Its settings stay; \d+ missing settings added/);
    assert.match(text(), /^\{ "minScore": 0\.8, [\s\S]*\} \/\/ mine$/);
    await refuse(['init'], /config\.jsonc:1: /, /correct that line/, '{ "minScore" }');
  });

  it('lists every setting with its value, its default and its origin', async () => {
    writeFileSync(file, '{\n  // quiet\n  "minScore": 1,\n  "retention": {\n    "textDays": 5 }\n}');
    const all = await list();
    const find = (key: string) => all.find((one) => one.key === key);
    assert.partialDeepStrictEqual(find('minScore'), {
      key: 'minScore',
      value: 1,
      default: 0.7,
      origin: { kind: 'file', line: 3, file },
    });
    assert.deepEqual(find('retention.textDays')?.origin, { kind: 'file', line: 5, file });
    assert.deepEqual(find('dedup')?.origin, { kind: 'default' });
    const env = { ONCEBITTEN_DEDUP: 'session', ONCEBITTEN_MIN_SCORE: '1.5' };
    const { stdout } = await shell.run(['config', 'list', '--changed'], { env });
    assert.match(stdout, /^SETTING +VALUE +FROM +DEFAULT\n/);
    assert.match(stdout, /\nminScore +1\.5 +ONCEBITTEN_MIN_SCORE +0\.7\n/);
    assert.match(stdout, /\ndedup +session +ONCEBITTEN_DEDUP +context\n/);
    assert.match(stdout, /\nretention\.textDays +5 +line 5 of the file +30\n/);
  });

  it('gives one value, or those of a group', async () => {
    writeFileSync(file, '{"scoring": {"confidence": {"base": 0.3}}, "privateProjects": ["~/x"]}');
    assert.equal((await run('get', 'scoring.confidence.base')).stdout, '0.3\n');
    assert.equal((await run('get', 'dedup')).stdout, 'context\n');
    assert.deepEqual(await json('get', 'privateProjects'), ['~/x']);
    assert.deepEqual(await json('get', 'retention'), DEFAULT_SETTINGS.retention);
  });

  it('sets what it then gives, and keeps the comments', async () => {
    const mine = '{\n  // I like it quiet.\n  "minScore": 0.8, // so far\n}\n';
    writeFileSync(file, mine);
    for (const [key, typed, value] of [
      ['minScore', '1.25', 1.25],
      ['dedup', 'session', 'session'],
      ['selfReportProtocol', 'false', false],
      ['privateProjects', '["/a b", "~/c"]', ['/a b', '~/c']],
      ['scoring.confidence.base', '0.35', 0.35],
      ['scoring.priority.seenOnce', '-2', -2],
      ['store.url', 'postgresql://me@host/db', 'postgresql://me@host/db'],
      ['store.url', '', ''],
    ] as const) {
      assert.equal((await json<{ changed: boolean }>('set', key, typed)).changed, true, key);
      assert.deepEqual(await json('get', key), value, key);
    }
    assert.ok(text().startsWith('{\n  // I like it quiet.\n  "minScore": 1.25, // so far\n'));
    for (const key of ['dedup', 'selfReportProtocol', 'privateProjects', 'scoring', 'store']) await json('unset', key);
    await json('set', 'minScore', '0.8');
    assert.equal(text(), mine);
    assert.equal((await json<{ changed: boolean }>('set', 'minScore', '0.8')).changed, false);
    assert.equal((await json<{ changed: boolean }>('unset', 'dedup')).changed, false);
  });

  it('makes the file, for the user alone, and follows a link to where it is kept', async () => {
    await json('set', 'minScore', '0.9');
    assert.equal(text(), '{\n  "$schema": "./settings.schema.json",\n  "minScore": 0.9\n}\n');
    assert.equal(statSync(file).mode & 0o777, 0o600);
    const kept = join(shell.home, 'dotfiles.jsonc');
    writeFileSync(kept, '{}', { mode: 0o640 });
    chmodSync(kept, 0o640);
    rmSync(file);
    symlinkSync(kept, file);
    await json('set', 'minScore', '1');
    assert.equal(readFileSync(kept, 'utf8'), '{\n  "minScore": 1\n}');
    assert.equal(statSync(kept).mode & 0o777, 0o640);
  });

  it('says that a variable wins over what was set', async () => {
    const { stdout } = await shell.run(['config', 'set', 'minScore', '1'], { env: { ONCEBITTEN_MIN_SCORE: '0.5' } });
    assert.match(stdout, /no effect here, because the variable ONCEBITTEN_MIN_SCORE overrides/);
  });

  it('loses nothing when several are set at once', async () => {
    const wishes = ['minScore', 'minConfidence', 'scoring.confidence.base', 'scoring.confidence.max', 'store.url'];
    await Promise.all(wishes.map((key) => json('set', key, key === 'store.url' ? 'postgres://h/d' : '0.9')));
    const set = await list('--changed');
    assert.deepEqual(set.map(({ key }) => key).sort(), [...wishes].sort());
  });

  it('explains a setting, and those of a group', async () => {
    const { stdout } = await run('explain', 'minScore');
    assert.match(stdout, /^minScore: .*CRITICAL/);
    assert.match(stdout, /a number from 0 to 2\n.*0\.7 {2}\(default\)\n +default +0\.7\n/);
    assert.match(stdout, /environment +ONCEBITTEN_MIN_SCORE\n/);
    assert.match((await run('explain', 'holdout.share')).stdout, /at most 0\.5.*\n.*a number from 0 to 0\.5/);
    assert.match((await run('explain', 'models.model')).stdout, /any text/);
    assert.match((await run('explain', 'models.baseUrl')).stdout, /http:\/\/ or https:\/\/, or empty/);
    const one = await json<Record<string, unknown>>('explain', 'retention.perProject');
    assert.deepEqual(one.variables, ['ONCEBITTEN_RETENTION_PER_PROJECT', 'AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT']);
    assert.equal(one.min, 0);
    assert.equal((await json<Page<unknown>>('explain', 'retention')).total, 4);
  });

  it('never shows the password of an address', async () => {
    const url = 'postgres://me:hunter2@host/db?sslpassword=hunter2';
    for (const args of [
      ['set', 'store.url', url],
      ['set', 'store.url', url],
      ['get', 'store.url'],
      ['get', 'store'],
      ['list'],
      ['explain', 'store.url'],
    ])
      for (const how of [[], ['--json']]) {
        const { code, stdout, stderr } = await run(...args, ...how);
        assert.equal(code, 0, stderr);
        assert.match(stdout + stderr, /postgres:\/\/me:\*\*\*@host/, args.join(' '));
        assert.doesNotMatch(stdout + stderr, /hunter2/, args.join(' '));
      }
    assert.match(text(), /me:hunter2@host/);
  });

  describe('refuses', () => {
    it('a key that is none, and names the nearest one', async () => {
      for (const command of [['get'], ['set'], ['explain'], ['unset']]) {
        const value = command[0] === 'set' ? ['1'] : [];
        await refuse(
          [...command, 'minScroe', ...value],
          /minScroe: is not known; did you mean minScore\?/,
          /config list/,
        );
        await refuse([...command, 'what.ever', ...value], /what\.ever: .*\n/, /config list/);
      }
      await refuse(['set', 'retention', '{}'], /is a group/, /retention\.enabled/);
    });

    it('a value that is not right, and says what it may be', async () => {
      const mine = '{ /* mine */ "minScore": 0.8 }';
      for (const [key, value, said] of [
        ['minScore', 'high', /must be a number from 0 to 2, is "high"/],
        ['minScore', '3', /must be a number from 0 to 2, is 3/],
        ['holdout.share', '0.7', /must be a number from 0 to 0\.5, is 0\.7\n.*config explain.* holdout\.share/],
        ['minPriority', '1.5', /must be a whole number from 1 to 10/],
        ['dedup', 'never', /must be one of context, session/],
        ['selfReportProtocol', 'yes', /must be true or false/],
        ['privateProjects', '/a', /must be a list of texts/],
        ['privateProjects', '["a"]', /"a": is not an absolute path/],
        ['scanPaths.codex', '["a"]', /entry 1: give the whole path/],
        ['models.agent', 'cursor', /must be one of claude-code, codex, opencode, gemini, copilot, or empty/],
        ['models.baseUrl', 'ftp://host', /begins with http/],
        ['models.deadlineSeconds', '1', /must be a whole number from 10 to 3600/],
      ] as const)
        await refuse(['set', key, value], said, new RegExp(`config explain .*${key.replace('.', '\\.')}`), mine);
      await refuse(
        ['set', 'store.url', 'mysql://me:hunter2@h/d'],
        /store\.url: names no store we know \(mysql:\)/,
        /postgres/,
        mine,
      );
      await refuse(
        ['set', 'scoring.confidence.min', '0.99'],
        /confidence\.min is over confidence\.max/,
        /default/,
        mine,
      );
    });

    it('to touch a file that it cannot read', async () => {
      for (const args of [
        ['set', 'minScore', '1'],
        ['unset', 'minScore'],
        ['get', 'minScore'],
        ['list'],
        ['explain', 'dedup'],
      ])
        await refuse(args, /config\.jsonc:2: /, /correct that line/, '{\n  "minScore" 1\n}');
      await refuse(
        ['set', 'minScore', '1'],
        /is not UTF-8/,
        /UTF-8/,
        Buffer.from([0x7b, 0x2f, 0x2a, 0xff, 0x2a, 0x2f, 0x7d]),
      );
      await refuse(['set', 'minScore', '1'], /is in .* twice/, /config unset/, '{"minScore": 1,\n"minScore": 2}');
    });

    it('a command line that makes no sense', async () => {
      for (const args of [['set'], ['set', 'minScore'], ['get'], ['explain'], ['nonsense'], ['list', '--nonsense']])
        assert.equal((await run(...args)).code, 2, args.join(' '));
    });
  });

  it('mends a broken file step by step, and says what is left', async () => {
    writeFileSync(file, '{\n  "minScore": "high",\n  "minScroe": 1,\n  "dedup": "never"\n}');
    const broken = await run('list');
    assert.equal(broken.code, 1);
    assert.match(
      broken.stderr,
      /3 problems\n {2}line 2: minScore: .*\n {2}line 3: minScroe: .*minScore\?\n {2}line 4: dedup: /,
    );
    const set = await run('set', 'minScore', '1');
    assert.equal(set.code, 0);
    assert.match(set.stdout, /Still wrong: line 3: minScroe.*\nStill wrong: line 4: dedup/);
    await json('unset', 'minScroe');
    assert.deepEqual(
      await json('unset', 'dedup')
        .then(() => list('--changed'))
        .then((all) => all.map(({ key }) => key)),
      ['minScore'],
    );
    assert.equal(text(), '{\n  "minScore": 1\n}');
  });
});
