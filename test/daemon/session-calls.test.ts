import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallResult, EventOf } from '../../src/base/model/event.ts';
import { toLiveCalls } from '../../src/capture/calls/to-calls.ts';

function toLiveCall(rawTool: string, command: string, ended: Partial<CallResult> = {}, hangSeconds = 30) {
  const event: EventOf<'call-ended'> = {
    ...{ kind: 'call-ended', agent: 'claude-code', sessionId: 's1', contextId: '', at: '2026-01-01T00:00:00.000Z' },
    ...{ source: 'hook', cwd: '/repo', callId: 'c1', tool: 'shell', rawTool },
    input: { command, json: JSON.stringify({ command }) },
    result: { isError: false, text: '', ...ended },
  };
  const project = { id: 'prj_1', name: 'repo', basis: 'path', root: '/repo' } as const;
  return toLiveCalls([event], () => project, { hangSeconds, retryLoopTries: 3 }).observed[0];
}

describe('the program and the intent of a call', () => {
  it('are those of its main command', () => {
    const call = toLiveCall('Bash', "cd web && printf 'y' | uv run pytest -q");
    assert.equal(call?.program, 'uv');
    assert.equal(call?.intentKey, 'check test');
  });

  it('are read in the shell of its tool', () => {
    const call = toLiveCall('PowerShell', 'npm.cmd run deploy');
    assert.equal(call?.program, 'npm');
    assert.equal(call?.intentKey, 'run deploy');
  });
});

describe('a call that did not end by itself', () => {
  it('hung if the time until it was killed is as long as the setting says', () => {
    const killed = { isError: true, exitCode: 137, durationMs: 20_000 };
    assert.equal(toLiveCall('Bash', 'npm run dev', killed)?.hung, undefined);
    assert.equal(toLiveCall('Bash', 'npm run dev', killed, 20)?.hung, true);
  });
});
