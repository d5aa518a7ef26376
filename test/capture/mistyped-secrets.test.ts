import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { isNearSecretName } from '../../src/base/secrets/name-rules.ts';
import { redact } from '../../src/base/secrets/redaction.ts';
import { cleanEvents } from '../../src/capture/secrets/clean-events.ts';
import { cleanEach, cleanTexts } from '../../src/capture/secrets/clean-texts.ts';
import { makeKnownSecrets } from '../../src/capture/secrets/known-secrets.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { makeDigester } from '../../src/loop/digest-events.ts';
import { assertLinear } from '../measure-cpu.ts';

const scan = makeSecretScan({ log: (line) => assert.fail(line) });
const SECRET = 'hunter2Zebra!9';

describe('a misspelt name of a secret', () => {
  it('hides its value like the right one', () => {
    for (const [text, clean] of [
      [`foo --passwrd ${SECRET}`, 'foo --passwrd [redacted:credential]'],
      [`psql --pasword '${SECRET}' -c x`, "psql --pasword '[redacted:credential]' -c x"],
      ['foo --db-passwrod=plainword', 'foo --db-passwrod=[redacted:credential]'],
      ['foo --toekn abc', 'foo --toekn [redacted:credential]'],
      ['foo --api-ky abcdef', 'foo --api-ky [redacted:credential]'],
      ['foo --acess-key abcdef', 'foo --acess-key [redacted:credential]'],
      ['foo --pw abc', 'foo --pw [redacted:credential]'],
      ['foo --secrt abcdef', 'foo --secrt [redacted:credential]'],
      ['foo --passphrse "two words"', 'foo --passphrse "[redacted:credential]"'],
      ['foo --credentails abcdef', 'foo --credentails [redacted:credential]'],
      ['npm publish --otp 123456', 'npm publish --otp [redacted:one-time-password]'],
      ['npm publish --otp=123456', 'npm publish --otp=[redacted:one-time-password]'],
      [`PGPASWORD=${SECRET} psql`, 'PGPASWORD=[redacted:credential] psql'],
      [`sh -c "foo --pasword ${SECRET}"`, 'sh -c "foo --pasword [redacted:credential]"'],
    ] as const) {
      assert.equal(redact(text), clean);
      assert.equal(redact(clean), clean);
    }
  });

  it('is not every similar name', () => {
    for (const text of [
      'foo --parser babel --taken 3 --passed 4 --passport x --max-tokens 100 --tokens 5 --tokenizer bpe',
      'foo --path a --paste b --opt c --top d --select e --secure f --section g --token-file h --password-file i',
      'foo --access-key-id a --credential-helper b --pasword --other c',
      'NODE_ENV=production TOKENS=3 PASSED=4 make',
      'foo --secrt $SECRET --pasword "$PASS" --toekn <token>',
      'unknown option --pasword',
    ])
      assert.equal(redact(text), text);
  });

  it('is found whatever letter is wrong', () => {
    const wrong = fc.tuple(
      fc.constantFrom('password', 'passphrase', 'access-key'),
      fc.nat(),
      fc.constantFrom(...'qxz'),
    );
    fc.assert(
      fc.property(wrong, ([name, at, letter]) => {
        const place = at % name.length;
        assert.ok(isNearSecretName(name.slice(0, place) + name.slice(place + 1)));
        assert.ok(isNearSecretName(name.slice(0, place) + letter + name.slice(place)));
      }),
    );
  });

  it('is found in time that grows only with the text, also in a text full of options', () => {
    const toHelp = (length: number) =>
      Array.from({ length }, (_, i) => `  --option-${i} value   does something`).join('\n');
    assertLinear((length) => redact(toHelp(length)), 1_000, 'help');
    assertLinear((length) => redact('-'.repeat(length)), 50_000, '-');
    assertLinear((length) => redact('--a'.repeat(length)), 15_000, '--a');
  });
});

describe('a value that is a secret in one text', () => {
  it('is secret in all of them, before and after', async () => {
    const texts = [`foo --code ${SECRET}`, 'nothing', `foo --password ${SECRET}`, `no such user: ${SECRET}.`];
    assert.deepEqual(await cleanTexts(texts, scan), [
      'foo --code [redacted:credential]',
      'nothing',
      'foo --password [redacted:credential]',
      'no such user: [redacted:credential].',
    ]);
    const many = Array.from({ length: 10 }, (_, i) => `x${i}Quartz#${i}9`);
    const [first = ''] = await cleanTexts([many.join(' '), ...many.map((one) => `--password ${one}`)], scan);
    for (const one of many) assert.ok(!first.includes(one), one);
  });

  it('is not secret if it is a word, a name, a version or part of something longer', async () => {
    for (const value of ['postgres', 'postgres16', 'my-app-2', 'process.env.DB_PASSWORD2', 'v1.2.3-rc4', 'a1b2']) {
      const text = `psql -h ${value}`;
      assert.equal((await cleanTexts([`--password ${value}`, text], scan))[1], text);
    }
    assert.equal((await cleanTexts(['--otp 123456', 'id 91234567'], scan))[1], 'id 91234567');
  });

  it('stays known for later texts', async () => {
    const known = makeKnownSecrets();
    await cleanEach([`PGPASSWORD=${SECRET} psql`], scan, known);
    const { clean } = await cleanEach([`psql ${SECRET}`], scan, known);
    assert.deepEqual(clean, ['psql [redacted:credential]']);
    assert.deepEqual([known.isNew(), known.isNew()], [true, false]);
  });

  it('is forgotten when there are too many', () => {
    const known = makeKnownSecrets();
    for (let i = 0; i < 100; i++) known.add([`secret#${i}-value`]);
    assert.equal(known.clean('secret#0-value secret#99-value'), 'secret#0-value [redacted:credential]');
  });
});

const AT = '2026-01-01T00:00:00.000Z';
function ended(callId: string, command: string, text: string, isError: boolean): AgentEvent {
  const origin = { agent: 'claude-code', sessionId: 's1', contextId: '', at: AT, source: 'hook', cwd: '/tmp' } as const;
  const input = { command, json: JSON.stringify({ command }) };
  return { ...origin, kind: 'call-ended', callId, tool: 'shell', rawTool: 'Bash', input, result: { isError, text } };
}

describe('a secret that only the second call reveals', () => {
  const failing = ended('c1', `foo --code ${SECRET}`, `unknown flag: --code ${SECRET}`, true);
  const fixing = ended('c2', `foo --password ${SECRET}`, 'ok', false);

  it('is in no event of the same digest', async () => {
    assert.ok(!JSON.stringify(await cleanEvents([failing, fixing], scan)).includes(SECRET));
  });

  it('is in no finding, and the first call is reported again without it', async () => {
    const digest = makeDigester({ trackedTools: () => ['shell'], scan });
    const first = await digest([failing]);
    assert.deepEqual(
      first.calls.observed.map(({ callId }) => callId),
      ['c1'],
    );
    const second = await digest([fixing]);
    assert.ok(second.findings.length > 0);
    assert.ok(!JSON.stringify(second).includes(SECRET), JSON.stringify(second));
    const [again] = second.calls.storedOnly;
    assert.deepEqual([again?.callId, again?.inputSummary], ['c1', 'foo --code [redacted:credential]']);
    assert.deepEqual((await digest([ended('c3', 'ls', 'a', false)])).calls.storedOnly, []);
  });

  it('is not in the signature of the first call either', async () => {
    const digest = makeDigester({ trackedTools: () => ['shell'], scan });
    const word = 'Quartz-Heron!Lamp';
    const [before] = (await digest([ended('c1', 'foo --code', `Error: no account for ${word} here`, true)])).calls
      .observed;
    assert.ok(
      before?.signature?.template.includes('Quartz'),
      'the template shows the value as long as nothing tells that it is a secret',
    );
    const [again] = (await digest([ended('c2', `foo --password ${word}`, 'ok', false)])).calls.storedOnly;
    assert.ok(!/Quartz|Heron|Lamp/.test(JSON.stringify(again)), JSON.stringify(again));
    assert.equal(again?.signature?.program, before?.signature?.program);
  });
});
