import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readHook } from '../../src/agents/claude-code/hooks.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { redact } from '../../src/base/secrets/redaction.ts';
import { hideRandom } from '../../src/base/secrets/secret-values.ts';
import { redactPath, toFacts } from '../../src/capture/journal/facts.ts';
import { cleanEvents } from '../../src/capture/secrets/clean-events.ts';
import { cleanTexts } from '../../src/capture/secrets/clean-texts.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { toRuns } from '../to-runs.ts';
import { makeLeakFinder } from './leaks.ts';
import { LINE_KINDS, TOKEN_KINDS } from './secret-kinds.ts';
import { LINE_PLACES, TOKEN_PLACES } from './secret-places.ts';

const log = (line: string): void => assert.fail(line);
const scan = makeSecretScan({ log });
const clean = async (text: string): Promise<string> => (await cleanTexts([text], scan))[0] ?? '';

const PLACES = { ...TOKEN_PLACES, ...LINE_PLACES };
const CASES = [
  ...Object.entries(TOKEN_KINDS).map(([name, kind]) => [name, kind, PLACES] as const),
  ...Object.entries(LINE_KINDS).map(([name, kind]) => [name, kind, LINE_PLACES] as const),
];

describe('a text on its way to the store', () => {
  for (const [name, kind, places] of CASES) {
    it(`loses every trace of a credential: ${name}`, async () => {
      await fc.assert(
        fc.asyncProperty(kind, fc.constantFrom(...Object.entries(places)), async (credential, [where, place]) => {
          const text = place(credential.shown);
          const findLeak = makeLeakFinder([credential]);
          assert.equal(findLeak(await clean(text)), undefined, `${where}: ${await clean(text)}`);
          // What is written to the log goes through our own rules alone.
          assert.equal(findLeak(redact(text)), undefined, `${where}, our own rules: ${redact(text)}`);
        }),
        { numRuns: toRuns(25) },
      );
    });
  }

  it('does not change the second time', async () => {
    for (const [, kind, places] of CASES) {
      for (const { shown } of fc.sample(kind, 2)) {
        for (const place of Object.values(places)) {
          const once = await clean(place(shown));
          assert.equal(await clean(once), once);
        }
      }
    }
  });

  const untouched = [
    'cd sk-learn-notebooks && ls sk-image-viewer-plugin',
    'rpm -q glibc-2.38-44.el9_4.x86_64',
    'global-configuration-files and glass-component-library',
    'ssh deploy@login.example.com -p 2222',
    'docker run -p 8080:80 -e NODE_ENV=production app login',
    'mysql -h db -p shop',
    'echo hello | grep --stdin-display-name x',
    'redis-cli -a',
    'zip -r out.zip dir && unzip -l out.zip',
    "gh secret set DEPLOY_KEY < key.txt; gh secret list --env 'prod'",
    'kubectl get pods -l app=web -o wide',
    'const signature = verify(sig, message); // sig=ed25519',
    'xoxo-hugs and xapp',
    'https://hooks.slack.com/services/ is the address',
    'postgres://[redacted:url-credentials]@db.example.com:5432/shop',
    'npm_config_cache=/tmp/cache npm ci --prefer-offline',
    'secret_manager_client_configuration_for_production',
    'monkey-patching the key-value-store-implementation',
    'ops_eye_movement and the A3-paper format',
  ];
  for (const text of untouched)
    it(`keeps what is not a secret: ${text}`, async () => assert.equal(await clean(text), text));
});

describe('a quotation of an error', () => {
  it('hides the parts that look random', () => {
    for (const secret of ['q7Xk2Vb9Lm4Zt8Rw', 'hT7!kPq9#zLm2$vX', '9f86d081884c7d659a2feaa0', 'x4k9q2m7z1p8w3v6'])
      for (const text of [`the key ${secret} is wrong`, `bad value "${secret}"`, `key=${secret}, id: a-${secret}/x`])
        assert.doesNotMatch(hideRandom(text), new RegExp(secret.slice(0, 6)), text);
  });

  it('keeps words, names, versions, paths, places and times', () => {
    for (const text of [
      'TestFetchPackV2ReturnedReaderClosesBody failed at src/deep/folder/parse-command.test.ts:120:15',
      'x86_64-unknown-linux-gnu needs node v24.1.0 and postgres16, see RFC 3986 and ISO8601',
      '2026-01-02T03:04:05.678Z ERROR TS2345 in package.json of my-app-2: EADDRINUSE 127.0.0.1:5432',
      'error: unknown option --no-file-parallelism of internationalization2',
    ])
      assert.equal(hideRandom(text), text);
  });
});

describe('a path that is written to disk at once', () => {
  it('keeps ordinary folders and loses tokens', () => {
    for (const path of [
      '/home/dev/project',
      '/srv/sk-learn-notebooks-and-more',
      'C:\\Users\\dev\\my-app-2024\\src',
      '',
    ])
      assert.equal(redactPath(path), path);
    for (const kind of Object.values(TOKEN_KINDS)) {
      for (const credential of fc.sample(kind, 3)) {
        if (credential.shown.includes('/')) continue;
        assert.equal(makeLeakFinder([credential])(redactPath(`/home/dev/${credential.shown}/src`)), undefined);
      }
    }
  });
});

const FIXTURES = join(import.meta.dirname, '../fixtures/claude-code/hooks');
const recorded = readdirSync(FIXTURES).map((name) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')));
const NAMES =
  /^(?:session_id|hook_event_name|.*transcript_path|tool_name|tool_use_id|agent_id|agent_type|source|model|type)$/;

/** The payload with something added to every text of it. */
function addTo(value: unknown, added: string, key = ''): unknown {
  if (typeof value === 'string') return NAMES.test(key) ? value : `${value} ${added}`;
  if (Array.isArray(value)) return value.map((item) => addTo(item, added, key));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, addTo(inner, added, name)]));
}

describe('the events of every recorded payload', () => {
  it('contain no secret afterwards, and are otherwise the same', async () => {
    const kinds = fc.constantFrom(...Object.values(TOKEN_KINDS)).chain((kind) => kind);
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...recorded), kinds, async (wire, credential) => {
        const read = (payload: unknown): AgentEvent[] =>
          [readHook('', payload, '2026-01-01T00:00:00.000Z') ?? []].flat();
        const events = read(addTo(wire, credential.shown));
        const cleaned = await cleanEvents(events, scan);
        assert.equal(makeLeakFinder([credential])(JSON.stringify(cleaned)), undefined);
        assert.deepEqual(cleaned.map(toShape), events.map(toShape));
        const plain = read(wire);
        assert.deepEqual(await cleanEvents(plain, scan), plain);
      }),
      { numRuns: toRuns(300) },
    );
  });
});

describe('the names in an event', () => {
  it('contain no token afterwards, neither in the event nor in its facts', async () => {
    const kinds = Object.values(TOKEN_KINDS).flatMap((kind) => fc.sample(kind, 1));
    for (const credential of kinds.filter(({ shown }) => !/[/\s]/.test(shown))) {
      const name = `mcp__files__${credential.shown}`;
      const read = (wire: object): AgentEvent =>
        readHook('', { session_id: 's', cwd: '/w', ...wire }, '2026-01-01T00:00:00.000Z') ?? assert.fail();
      const events = [
        read({ hook_event_name: 'SessionStart', source: 'startup', model: credential.shown }),
        read({ hook_event_name: 'SubagentStart', agent_id: 'a', agent_type: credential.shown }),
        read({ hook_event_name: 'SessionEnd', reason: credential.shown }),
        read({ hook_event_name: 'PostToolUse', tool_name: name, tool_input: {}, tool_use_id: 't', tool_response: '' }),
      ];
      const findLeak = makeLeakFinder([credential]);
      assert.equal(findLeak(JSON.stringify(await cleanEvents(events, scan))), undefined);
      assert.equal(findLeak(JSON.stringify(events.flatMap((event) => toFacts(event, 'prj_x')))), undefined);
    }
  });
});

/** Its keys and what is no text. */
function toShape(value: unknown): unknown {
  if (typeof value === 'string') return 'text';
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, toShape(inner)]));
}
