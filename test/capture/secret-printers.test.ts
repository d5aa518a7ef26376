import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { ANY_SHELL } from '../../src/base/shell/parse-command.ts';
import { cleanEvents, printsSecret } from '../../src/capture/secrets/clean-events.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { readSecretRows } from './secret-list.ts';

const scan = makeSecretScan({ log: () => {} });
const WORD = ['cobalt', 'meadow'].join('');

const clean = async (command: string, text: string, isError: boolean): Promise<string> => {
  const call = {
    callId: 'c',
    tool: 'shell',
    rawTool: 'Bash',
    input: { command, json: '{}' },
    result: { isError, text },
  };
  const origin = {
    agent: 'claude-code',
    sessionId: 's',
    contextId: '',
    at: '2026-01-01T00:00:00.000Z',
    source: 'hook',
  };
  const [event] = await cleanEvents([{ ...origin, kind: 'call-ended', ...call } as AgentEvent], scan);
  return event?.kind === 'call-ended' ? event.result.text : '';
};

describe('a command whose purpose is to print a secret', () => {
  for (const { form, command } of readSecretRows('printed-credentials', 0))
    it(`is recognized: ${form.split('\n')[0]}`, () => assert.ok(printsSecret(command, ANY_SHELL)));

  for (const command of [
    'pass show shop | less',
    'pass show shop | rg -v note',
    'pass show shop | node -e "process.stdin.pipe(process.stdout)"',
    'write-host $env:API_TOKEN',
  ])
    it(`is recognized, whatever shows it: ${command}`, () => assert.ok(printsSecret(command, ANY_SHELL)));

  for (const command of [
    'pass show shop | docker login --password-stdin',
    'TOKEN=$(gh auth token) && curl https://shop.example.com',
    'export T="$(op read op://a/b)"; npm test',
    'wg genkey > private.key',
    'echo $PATH',
    "echo '$TOKEN'",
    'npm run pass',
    'vault status',
    'kubectl get secrets -o name',
    'kubectl get pods -o jsonpath={.items}',
  ])
    it(`is not recognized in: ${command}`, () => assert.ok(!printsSecret(command, ANY_SHELL)));

  it('loses its output, and keeps the message of its failure', async () => {
    assert.equal(await clean('pass show shop', WORD, false), '[redacted:secret-output]');
    const message = 'Error: shop is not in the password store.';
    assert.equal(await clean('pass show shop', message, true), message);
    assert.ok(!(await clean('echo $SHOP_PASSWORD; false', `Exit code 1\n${WORD}`, true)).includes(WORD));
    assert.equal(await clean('ls', WORD, false), WORD);
  });
});
