import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { redact } from '../../src/base/secrets/redaction.ts';
import { cleanEvents } from '../../src/capture/secrets/clean-events.ts';
import { makeKnownSecrets } from '../../src/capture/secrets/known-secrets.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { toRuns } from '../to-runs.ts';
import { makeHiddenFinder, readNearMisses, readSecretRows } from './secret-list.ts';

const scan = makeSecretScan({ log: (line) => assert.fail(line) });
const LISTS = ['', 'held-out-', 'second-held-out-', 'third-held-out-'];
const CWD = '/srv/horse/4711';

function ended(command: string, text: string, callId = 'c1'): AgentEvent {
  const origin = {
    agent: 'claude-code',
    sessionId: 's1',
    contextId: '',
    at: '2026-01-01T00:00:00.000Z',
    source: 'hook',
  };
  const input = { command, json: JSON.stringify({ command }) };
  const call = { kind: 'call-ended', callId, tool: 'shell', rawTool: 'Bash', input, result: { isError: false, text } };
  return { ...origin, cwd: CWD, ...call } as AgentEvent;
}

async function clean(command: string, text: string): Promise<readonly [command: string, text: string]> {
  const [event] = await cleanEvents([ended(command, text)], scan);
  assert.ok(event?.kind === 'call-ended');
  assert.equal(event.cwd, CWD);
  return [event.input.command ?? '', event.result.text];
}

describe('a password that one text of a call reveals', () => {
  it('is removed from the comment and the output of the call, even a short number', async () => {
    assert.deepEqual(await clean('sshpass -p 4711 ssh pi@box  # the pin is 4711', 'sent 4711 to the pty; bob/4711'), [
      'sshpass -p [redacted:password] ssh pi@box  # the pin is [redacted:password]',
      'sent [redacted:credential] to the pty; bob/[redacted:credential]',
    ]);
    const [, output] = await clean('redis-cli -a zebra ping', 'AUTH zebra failed');
    assert.equal(output, 'AUTH [redacted:credential] failed');
    const [, url] = await clean("curl -u bob:'a b%c' h", 'GET /?pw=a%20b%25c');
    assert.equal(url, 'GET /?pw=[redacted:credential]');
  });

  it('is removed from the output if only a comment names it, but not if the comment shows code', async () => {
    for (const value of ['4711', 'zebra', 'Tr0ub!4'])
      for (const comment of [
        `# pw: ${value}`,
        `# pass = ${value}`,
        `// password: ${value}, ask Ann`,
        `# the pin is 4711`,
      ]) {
        const [, output] = await clean(
          `./login.sh ${comment}`,
          `login with ${/4711|zebra|Tr0ub!4/.exec(comment)} failed`,
        );
        assert.equal(output, 'login with [redacted:credential] failed');
      }
    const [, kept] = await clean('node a.js # token = lexer.next', 'lexer.next failed');
    assert.equal(kept, 'lexer.next failed');
  });

  it('is removed after the letter of a short option', async () => {
    for (const value of ['zebra', 'Tr0ub!4', '4711'])
      assert.equal((await clean(`mysql -p${value} shop`, `using -p${value}`))[1], 'using -p[redacted:credential]');
  });

  it('leaves ports, lines, versions, times and longer numbers alone', async () => {
    const output = 'listening on localhost:4711 and 10.0.0.1:4711, a.ts:4711:5, 1.4711, 14711, x4711, 12:4711';
    assert.equal((await clean('sshpass -p 4711 ssh pi@box', output))[1], output);
  });

  it('leaves paths, longer names, and names that the call uses alone', async () => {
    const output = 'cd /srv/zebra && zebra-api zebra.service my_zebra';
    assert.equal((await clean('redis-cli -a zebra ping', output))[1], output);
    const command = 'psql -h zebra -U zebra -c "select 1"';
    assert.equal((await clean(`PGPASSWORD=zebra ${command}`, ''))[0], `PGPASSWORD=[redacted:credential] ${command}`);
  });

  it('leaves documented defaults alone, because they hide nothing', async () => {
    for (const word of ['test', 'postgres', 'root', 'password'])
      assert.equal((await clean(`sshpass -p ${word} ssh h`, `the ${word} ran`))[1], `the ${word} ran`);
  });

  it('stays in the outputs of other calls', async () => {
    const known = makeKnownSecrets();
    await cleanEvents([ended('sshpass -p 4711 ssh pi@box', '')], scan, known);
    const [other] = await cleanEvents([ended('wc -l a', '4711 a', 'c2')], scan, known);
    assert.ok(other?.kind === 'call-ended' && other.result.text === '4711 a');
  });

  it('is removed from the end of a background task, which comes without the command', async () => {
    const known = makeKnownSecrets();
    await cleanEvents([ended('sshpass -p 4711 ssh pi@box', '')], scan, known);
    const later = { ...ended('', 'sent 4711'), kind: 'background-ended' } as AgentEvent;
    const [event] = await cleanEvents([later], scan, known);
    assert.ok(event?.kind === 'background-ended' && event.result.text === 'sent [redacted:credential]');
  });

  it('breaks no marker and no other text, whatever the password is', async () => {
    const password = fc.string({ unit: fc.constantFrom(...'abz019-_.$^(\\[|*+?'), minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(password, async (value) => {
        const [, output] = await clean(`sshpass -p '${value}' ssh h`, 'no such host: [redacted:jwt] QQQ');
        assert.match(output, /^no such host: \[redacted:jwt\] QQQ$/);
      }),
      { numRuns: toRuns(200) },
    );
  });
});

describe('our own rules alone', () => {
  it('change nothing the second time, in every row of the lists', () => {
    const rows = LISTS.flatMap((list) => readSecretRows(`${list}credentials`, 3));
    for (const { command, output, form } of rows)
      for (const text of [command, output, JSON.stringify({ command, output })])
        assert.equal(redact(redact(text)), redact(text), form);
  });

  it('remove the credentials of the lists whatever their values are', async () => {
    for (const seed of [5, 6, 7]) {
      for (const row of LISTS.flatMap((list) => readSecretRows(`${list}credentials`, seed))) {
        const found = makeHiddenFinder([row])((await clean(row.command, row.output)).join('\n'));
        assert.equal(found.size, 0, row.form);
      }
    }
  });

  it('keep the look-alikes, alone and inside JSON', () => {
    for (const text of LISTS.flatMap((list) => readNearMisses(`${list}near-misses`))) assert.equal(redact(text), text);
  });
});
