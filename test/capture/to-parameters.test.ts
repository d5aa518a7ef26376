import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { EndedCall } from '../../src/base/model/event.ts';
import { toParameters } from '../../src/capture/secrets/clean-events.ts';

function ended(input: EndedCall['input'], fields: Partial<EndedCall> = {}): EndedCall {
  return { callId: 'c', tool: 'shell', rawTool: 'Bash', input, result: { isError: false, text: '' }, ...fields };
}

describe('the parameters of a call', () => {
  it('are those beside the command, as text', () => {
    const json = JSON.stringify({ command: 'ls', timeout: 5000, run_in_background: true, description: 'List' });
    assert.deepEqual(toParameters(ended({ command: 'ls', json })), {
      timeout: '5000',
      run_in_background: 'true',
      description: 'List',
    });
  });

  it('are kept also if a hook would not receive them', () => {
    const more = '{"cmd":"ls","sandbox_permissions":"require_escalated"}';
    assert.deepEqual(toParameters(ended({ command: 'ls', json: '{"command":"ls"}', more })), {
      sandbox_permissions: 'require_escalated',
    });
  });

  it('are only named if they are long, and left out if their names are not plain', () => {
    const json = JSON.stringify({ body: 'x'.repeat(500), 'a key with spaces': 1 });
    assert.deepEqual(toParameters(ended({ json }, { tool: 'mcp:tracker/add' })), { body: '…' });
  });

  it('are not taken from a file tool, unless it failed', () => {
    const json = '{"file_path":"a.ts","new_str":"x"}';
    assert.equal(toParameters(ended({ json }, { tool: 'edit' })), undefined);
    const failed = { tool: 'edit', result: { isError: true, text: 'no' } } as const;
    assert.deepEqual(toParameters(ended({ json }, failed)), { file_path: 'a.ts', new_str: 'x' });
  });

  it('are none for an input that is not an object', () => {
    for (const json of ['', '[]', '"x"', '{"broken', 'null', '{}'])
      assert.equal(toParameters(ended({ json })), undefined);
  });

  it('never grow with the input', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 3 }), (json) => {
        const found = Object.entries(toParameters(ended({ json })) ?? {});
        assert.ok(found.length <= 24 && found.every(([name, value]) => name.length <= 60 && value.length <= 120));
      }),
    );
  });
});
