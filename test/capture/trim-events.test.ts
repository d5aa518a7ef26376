import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import type { ToolName } from '../../src/base/model/tool.ts';
import { trimEvents } from '../../src/capture/secrets/clean-events.ts';

const LONG = 'one line of many words\n'.repeat(1000);

function makeEnded(tool: ToolName, isError = false): EventOf<'call-ended'> {
  return {
    ...{ agent: 'a', sessionId: 's', contextId: '', at: '2026-01-01T00:00:00.000Z', source: 'hook' },
    ...{ kind: 'call-ended', callId: 'c', tool, rawTool: tool },
    input: { path: '/a', content: LONG, json: JSON.stringify({ file_path: '/a', content: LONG }) },
    result: { isError, text: LONG },
  };
}

const trim = (event: AgentEvent): AgentEvent | undefined => trimEvents([event])[0];

describe('an event before it is cleaned', () => {
  it("keeps the ends of a file tool's output, and nothing of what it wrote", () => {
    const { input, result } = trim(makeEnded('read')) as EventOf<'call-ended'>;
    assert.ok(result.text.length < 1400);
    assert.ok(result.text.startsWith('one line') && result.text.endsWith('words\n'));
    assert.equal(input.content, undefined);
    assert.equal(input.path, '/a');
    assert.ok(input.json.length < 2200);
  });

  it('keeps the whole output of a command or a failure', () => {
    for (const event of [makeEnded('shell'), makeEnded('mcp:a/b'), makeEnded('read', true)])
      assert.equal((trim(event) as EventOf<'call-ended'>).result.text, LONG);
  });

  it('still distinguishes inputs that differ in the middle', () => {
    const one = makeEnded('write');
    const at = one.input.json.indexOf('line', 9000);
    const json = `${one.input.json.slice(0, at)}LINE${one.input.json.slice(at + 4)}`;
    const other = { ...one, input: { ...one.input, json } };
    const toJson = (event: AgentEvent) => (trim(event) as EventOf<'call-ended'>).input.json;
    assert.notEqual(json, one.input.json);
    assert.notEqual(toJson(one), toJson(other));
  });
});
