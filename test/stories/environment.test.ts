/**
 * Only the user's own settings file may name code to load or a place to send data to. A project can set variables for the
 * agents that work in it, and it can bring files: neither may do that.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { completeUrl } from '../../src/keep/store/engines/postgres.ts';
import { runDoctor } from '../cli/run-doctor.ts';
import { waitUntil } from './daemon-files.ts';
import { openStory, type Story } from './open-story.ts';

interface Shown {
  readonly key: string;
  readonly value: unknown;
  readonly origin: { readonly kind: string };
  readonly ignored?: readonly { readonly variable?: string; readonly line?: number }[];
}

describe('an environment that a project has set', { timeout: 900_000 }, () => {
  let story: Story;
  let marker: string;
  let plugin: string;
  before(async () => {
    // What a process inherits is what this is about.
    story = await openStory({ install: true, apart: true });
    marker = join(story.home, 'was-loaded');
    plugin = join(story.project, 'plugin.mjs');
    const write = `import { writeFileSync } from 'node:fs';\nwriteFileSync(${JSON.stringify(marker)}, process.argv.join(' '));\n`;
    writeFileSync(plugin, `${write}export default { name: 'acme/none@1', detect: () => [] };\n`);
  });
  after(() => story.close());

  const withEnv = async <T>(env: Readonly<Record<string, string>>, use: () => Promise<T>): Promise<T> => {
    Object.assign(story.env, env);
    try {
      return await use();
    } finally {
      for (const name of Object.keys(env)) delete (story.env as Record<string, string>)[name];
    }
  };
  const show = async (key: string): Promise<Shown> => (await story.cli('config', 'explain', key)) as Shown;
  /** A daemon that a hook has started in this environment. */
  const startByHook = async (env: Readonly<Record<string, string>>): Promise<void> => {
    await story.cli('daemon', 'stop');
    rmSync(join(story.dataDir, 'run'), { recursive: true, force: true });
    await waitUntil('a hook brings the daemon back', async () => {
      await story.hook('PostToolUse.Bash', { session_id: 'live' }, env);
      return (await story.daemonPid()) !== undefined;
    });
    await story.settle();
  };

  it('loads no detectors, neither in a command nor in the daemon, and doctor and config name the variable', async () => {
    const env = { ONCEBITTEN_DETECTOR_PLUGINS: JSON.stringify([plugin]) };
    const shown = await withEnv(env, async () => {
      await story.cli('scan');
      return show('detectorPlugins');
    });
    assert.deepEqual([shown.value, shown.origin.kind], [[], 'default']);
    assert.equal(shown.ignored?.[0]?.variable, 'ONCEBITTEN_DETECTOR_PLUGINS');
    await startByHook(env);
    assert.equal(existsSync(marker), false);
    assert.equal((await runDoctor(story, env)).get('ONCEBITTEN_DETECTOR_PLUGINS').state, 'advice');
  });

  it('names no sessions to learn from, and lets no lesson go further than the file allows', async () => {
    const env = {
      ONCEBITTEN_SCAN_PATHS_CLAUDE_CODE: JSON.stringify([story.project]),
      ONCEBITTEN_DELIVERY_MAX_MODE: 'block',
    };
    await withEnv(env, async () => {
      assert.deepEqual((await show('scanPaths.claude-code')).value, []);
      assert.equal((await show('scanPaths.claude-code')).ignored?.[0]?.variable, 'ONCEBITTEN_SCAN_PATHS_CLAUDE_CODE');
      assert.equal((await show('delivery.maxMode')).value, 'note');
      assert.equal((await show('delivery.maxMode')).ignored?.[0]?.variable, 'ONCEBITTEN_DELIVERY_MAX_MODE');
      await story.cli('config', 'set', 'delivery.maxMode', 'rewrite');
    });
    await withEnv({ ONCEBITTEN_DELIVERY_MAX_MODE: 'pause' }, async () =>
      assert.equal((await show('delivery.maxMode')).value, 'pause'),
    );
    await story.cli('config', 'unset', 'delivery.maxMode');
  });

  it('names no sessions to learn from by way of a group of settings, and doctor and config say so', async () => {
    const env = { ONCEBITTEN_SCAN_PATHS: JSON.stringify({ 'claude-code': [story.project] }) };
    await withEnv(env, async () => {
      const { value, ignored } = await show('scanPaths.claude-code');
      assert.deepEqual([value, ignored?.[0]?.variable], [[], 'ONCEBITTEN_SCAN_PATHS']);
    });
    const { state, detail, next } = (await runDoctor(story, env)).get('ONCEBITTEN_SCAN_PATHS');
    assert.equal(state, 'advice');
    assert.match(detail, /has no effect: only your own settings file may/);
    assert.match(next ?? '', /^unset ONCEBITTEN_SCAN_PATHS; .*oncebitten config explain scanPaths$/);
  });

  it('lets no language model read failed calls', async () => {
    const env = { ONCEBITTEN_MODELS_PROVIDER: 'openai', ONCEBITTEN_MODELS_BASE_URL: 'http://127.0.0.1:9' };
    await withEnv(env, async () => {
      assert.equal((await show('models.provider')).value, 'none');
      assert.equal((await show('models.provider')).ignored?.[0]?.variable, 'ONCEBITTEN_MODELS_PROVIDER');
      assert.equal((await show('models.baseUrl')).value, '');
    });
  });

  it('makes the hook run no program of the project for a long payload', async () => {
    const bin = join(story.project, 'bin');
    const mark = join(story.home, 'ran-cat');
    mkdirSync(bin);
    writeFileSync(join(bin, 'cat'), `#!/bin/sh\n: >'${mark}'\n`, { mode: 0o755 });
    await story.cli('daemon', 'start');
    const long = { session_id: 'long', tool_input: { command: `echo ${'x'.repeat(50_000)}` } };
    await story.hook('PreToolUse.Bash', long, { PATH: `${bin}:/usr/bin:/bin` });
    assert.equal(existsSync(mark), false);
  });

  it('names no store, and says so', async () => {
    const env = { ONCEBITTEN_STORE_URL: 'postgres://me@127.0.0.1:1/none' };
    await withEnv(env, async () => {
      await story.cli('stats');
      assert.equal((await show('store.url')).value, '');
    });
    assert.equal((await runDoctor(story, env)).get('ONCEBITTEN_STORE_URL').state, 'advice');
  });

  it('makes neither the hook nor the daemon load code by way of Node or bash', async () => {
    const script = join(story.project, 'preload.cjs');
    const mark = join(story.home, 'preloaded');
    writeFileSync(script, `require('node:fs').writeFileSync(${JSON.stringify(mark)}, process.argv.join(' '));\n`);
    const startUp = join(story.project, 'start-up.sh');
    const sourced = join(story.home, 'sourced');
    writeFileSync(startUp, `: >'${sourced}'\n`);
    await startByHook({ NODE_OPTIONS: `--require ${script}`, BASH_ENV: startUp, ONCEBITTEN_MIN_SCORE: '0.9' });
    const inherited = readFileSync(`/proc/${await story.daemonPid()}/environ`, 'utf8');
    assert.doesNotMatch(inherited, /NODE_OPTIONS|BASH_ENV/);
    const { variables } = (await runDoctor(story)).get('daemon').data as { variables: readonly string[] };
    assert.ok(variables.includes('ONCEBITTEN_MIN_SCORE'));
    await story.cli('daemon', 'stop');
    assert.deepEqual([existsSync(mark), existsSync(sourced)], [false, false]);
  });

  it('makes no command start a daemon that loads code by way of Node', async () => {
    const script = join(story.project, 'daemon-preload.cjs');
    const mark = join(story.home, 'daemon-preloaded');
    const isDaemon = `process.argv[1]?.endsWith('daemon.mjs')`;
    writeFileSync(script, `if (${isDaemon}) require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');\n`);
    await withEnv({ NODE_OPTIONS: `--require ${script}` }, () => story.cli('daemon', 'start'));
    await story.cli('daemon', 'stop');
    assert.equal(existsSync(mark), false);
  });

  it('leads no hook to another door than the daemon’s own', async () => {
    let connections = 0;
    const server = createServer((socket) => {
      connections++;
      socket.on('error', () => {}).end('answer\n', () => socket.destroy());
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    mkdirSync(join(story.project, 'host'));
    writeFileSync(join(story.project, 'host/door'), `${port} ask answer\n`);
    const name = `../../project/host`;
    await story.hook('PreToolUse.Bash', { session_id: 'door' }, { ONCEBITTEN_HOST: name, ONCEBITTEN_NO_DAEMON: '1' });
    await new Promise((done) => server.close(done));
    assert.equal(connections, 0);
  });

  it('does not decide where a PostgreSQL store is', () => {
    const set = { PGHOST: '192.0.2.1', PGPORT: '1', PGDATABASE: 'theirs', PGSSLMODE: 'no-verify' };
    const before = Object.fromEntries(Object.keys(set).map((name) => [name, process.env[name]]));
    Object.assign(process.env, set);
    try {
      for (const [url, host, port, database] of [
        ['postgres://me@db.example/shop', 'db.example', 5432, 'shop'],
        ['postgres://me:pw@/shop', 'localhost', 5432, 'shop'],
        ['postgres:///shop', 'localhost', 5432, 'shop'],
        ['postgres://me@db.example:7', 'db.example', 7, 'me'],
        ['postgres://me@/shop?host=/run/pg&port=6000', '/run/pg', 6000, 'shop'],
      ] as const) {
        const client = new pg.Client({ connectionString: completeUrl(url), ssl: false });
        assert.deepEqual([client.host, client.port, client.database, client.ssl], [host, port, database, false], url);
      }
    } finally {
      for (const [name, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
  });

  it('cannot make a settings file of its repository load code or send data, by whatever path it leads there', async () => {
    const text = JSON.stringify({ detectorPlugins: [plugin], store: { url: 'postgres://me@127.0.0.1:1/none' } });
    const write = (folder: string): string => {
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'config.jsonc'), text, { mode: 0o600 });
      return folder;
    };
    const dataDir = write(join(story.project, 'data'));
    mkdirSync(join(story.project, '.git'), { recursive: true });
    const outside = join(story.home, 'outside');
    mkdirSync(outside);
    symlinkSync(join(dataDir, 'config.jsonc'), join(outside, 'config.jsonc'));
    symlinkSync(dataDir, join(story.home, 'by-link'));
    const other = write(join(story.home, 'of-mercurial/data'));
    mkdirSync(join(story.home, 'of-mercurial/.hg'));
    const unpacked = write(join(story.home, 'unpacked/data'));
    chmodSync(join(unpacked, 'config.jsonc'), 0o644);
    const open = write(join(story.home, 'open'));
    chmodSync(open, 0o777);
    for (const home of [dataDir, '/proc/self/cwd/data', outside, join(story.home, 'by-link'), other, unpacked, open])
      await withEnv({ ONCEBITTEN_HOME: home }, async () => {
        await story.cli('scan');
        assert.deepEqual([(await show('detectorPlugins')).value, (await show('store.url')).value], [[], ''], home);
        assert.equal((await show('store.url')).ignored?.[0]?.line, 1);
      });
    await withEnv({ ONCEBITTEN_HOME: dataDir }, async () =>
      assert.equal((await runDoctor(story)).get('settings').state, 'advice'),
    );
    assert.equal(existsSync(marker), false);
  });

  it('leaves what the user’s own settings file says', async () => {
    await story.cli('config', 'set', 'detectorPlugins', JSON.stringify([plugin]));
    await story.cli('scan');
    assert.equal(existsSync(marker), true);
  });
});
