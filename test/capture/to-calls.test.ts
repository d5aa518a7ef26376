import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { INPUT_SUMMARY_CHARS, OUTPUT_SUMMARY_CHARS } from '../../src/base/model/call.ts';
import type { CallResult, EndedCall, EventOf, EventOrigin } from '../../src/base/model/event.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { toCalls } from '../../src/capture/calls/to-calls.ts';
import { cleanForSignature } from '../../src/capture/secrets/clean-events.ts';
import { toRuns } from '../to-runs.ts';

const PROJECT_ID = 'prj_1';

const origin: EventOrigin = {
  agent: 'claude-code',
  sessionId: 's1',
  contextId: '',
  at: '2026-01-01T00:00:00.000Z',
  source: 'transcript',
  cwd: '/home/dev/project',
  transcriptPath: '/home/dev/s1.jsonl',
  line: 7,
};

function ended(command: string, result: Partial<CallResult> = {}): EndedCall {
  const input = { command, json: JSON.stringify({ command }) };
  return { callId: 'toolu_1', tool: 'shell', rawTool: 'Bash', input, result: { isError: false, text: '', ...result } };
}

function toCall(command: string, result?: Partial<CallResult>) {
  const event: EventOf<'call-ended'> = { ...origin, kind: 'call-ended', ...ended(command, result) };
  const [call] = toCalls(cleanForSignature(event), PROJECT_ID);
  assert.ok(call !== undefined);
  return call;
}

describe('a call as it is stored', () => {
  it('has session, place, input and outcome', () => {
    const call = toCall('npm test', { isError: true, exitCode: 1, text: 'Error: no test specified', durationMs: 12 });
    assert.deepEqual(call, {
      agent: 'claude-code',
      sessionId: 's1',
      contextId: '',
      callId: 'toolu_1',
      projectId: 'prj_1',
      tool: 'shell',
      rawTool: 'Bash',
      outcome: 'failure',
      outcomeType: 'exit-code',
      masked: false,
      exitCode: 1,
      message: 'Error: no test specified',
      signature: toSignature('npm', 'Error: no test specified')?.signature,
      inputHash: createHash('sha256').update('{"command":"npm test"}').digest('hex'),
      inputSummary: 'npm test',
      outputSummary: 'Error: no test specified',
      program: 'npm',
      durationMs: 12,
      durationSource: 'agent',
      occurredAt: '2026-01-01T00:00:00.000Z',
      command: 'npm test',
      output: 'Error: no test specified',
      cwd: '/home/dev/project',
      evidence: { file: '/home/dev/s1.jsonl', line: 7 },
    });
  });

  it('has a signature only when it failed', () => {
    assert.equal(toCall('npm test', { text: 'Error: x' }).signature, undefined);
    assert.equal(toCall('npm test', { isError: true, text: 'Error: x', cancelled: true }).message, undefined);
  });

  it('is redacted before it is shortened, so that no cut leaves half a secret', () => {
    const secret = `ghp_${'a1B2'.repeat(9)}`;
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 600 }), (before) => {
        const text = `${'x '.repeat(before)}${secret} tail ${'y '.repeat(600 - before)}`;
        const call = toCall(`echo ${text}`, { isError: true, exitCode: 1, text });
        assert.doesNotMatch(JSON.stringify(call), /ghp_a1B2|a1B2a1B2/);
      }),
    );
  });

  it('is shortened within the limits, without half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 600, maxLength: 900 }), (text) => {
        const call = toCall(text, { text });
        assert.ok((call.inputSummary?.length ?? 0) <= INPUT_SUMMARY_CHARS);
        assert.ok((call.outputSummary?.length ?? 0) <= OUTPUT_SUMMARY_CHARS);
        for (const kept of [call.inputSummary ?? '', call.outputSummary ?? '']) {
          assert.equal(Buffer.from(kept, 'utf8').toString('utf8'), kept);
        }
      }),
      { numRuns: toRuns(30) },
    );
  });

  it('contains no NUL, which PostgreSQL rejects', () => {
    const call = toCall('printf "\0"', { text: 'a\0b' });
    assert.equal(JSON.stringify(call).includes('\\u0000'), false);
  });

  it('has the same input hash from a hook and from a transcript', () => {
    const hook = toCalls({ ...origin, source: 'hook', kind: 'call-ended', ...ended('ls') }, PROJECT_ID);
    assert.equal(hook[0]?.inputHash, toCall('ls').inputHash);
  });

  it('comes out of a batch once per call, and out of no other event', () => {
    const batch = {
      ...origin,
      kind: 'batch-ended' as const,
      calls: [ended('a'), { ...ended('b'), callId: 'toolu_2' }],
    };
    assert.deepEqual(
      toCalls(batch, PROJECT_ID).map((call) => call.callId),
      ['toolu_1', 'toolu_2'],
    );
    assert.deepEqual(toCalls({ ...origin, kind: 'turn-ended' }, PROJECT_ID), []);
  });

  it('never has an empty call id', () => {
    const event = { ...origin, kind: 'call-ended' as const, ...ended('ls'), callId: '' };
    assert.match(toCalls(event, PROJECT_ID)[0]?.callId ?? '', /^shell-[0-9a-f]{12}-/);
  });
});
