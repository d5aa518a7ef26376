import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LiveCall } from '../../src/base/model/call.ts';
import { findChangedParameter, renderParameterFix } from '../../src/distill/episodes/changed-parameter.ts';
import { makeWindow, type Step } from './session-script.ts';

type Parameters = Readonly<Record<string, string>>;

const NOTE = { tool: 'other', rawTool: 'NotebookEdit' } as const;

function toCall(step: Step, parameters: Parameters): LiveCall {
  return makeWindow([{ ...step, parameters }]).calls[0] ?? assert.fail();
}

describe('the one parameter that two calls of a tool differ in', () => {
  it('is one that the tool does not have, and is told with the name of the right one', () => {
    const output =
      'InputValidationError: The required parameter `new_string` is missing. An unexpected parameter `new_str`';
    const failing = toCall({ ...NOTE, outcome: 'failure', output }, { file_path: '/repo/a.ipynb', new_str: '…' });
    const working = toCall({ ...NOTE, output: 'updated' }, { file_path: '/repo/a.ipynb', new_string: '…' });
    const found = findChangedParameter(failing, working);
    assert.deepEqual(found, { name: 'new_str', before: '…', instead: 'new_string' });
    assert.equal(found && renderParameterFix(found, output), 'give `new_str` as `new_string`');
  });

  it('is never one that is the same in both, whatever the parameters', () => {
    const parameters = fc.dictionary(fc.stringMatching(/^[a-z_][\w.-]{0,8}$/), fc.string({ maxLength: 40 }));
    const tool = { tool: 'mcp:tracker/create_issue', rawTool: 'mcp__tracker__create_issue' } as const;
    fc.assert(
      fc.property(parameters, parameters, fc.string(), (before, after, output) => {
        const found = findChangedParameter(toCall({ ...tool, output }, before), toCall(tool, after));
        if (found !== undefined && found.after !== undefined) assert.notEqual(before[found.name], after[found.name]);
      }),
    );
  });
});
