import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { toSeemingEnd } from '../../src/capture/outcomes/seems-done.ts';
import { makeCall } from '../contracts/store/make-samples.ts';

const unended = (output: string, fields: Partial<LiveCall> = {}): LiveCall => ({
  ...makeCall({ tool: 'shell', outcome: 'cancelled' }),
  outcomeType: 'no-end',
  output,
  ...fields,
});

describe('a call whose exit code nobody wrote down', () => {
  it('seems to have worked if it printed a result and no error', () => {
    assert.equal(toSeemingEnd(unended('{"number": 7}')).outcome, 'success');
    for (const output of ['', '  \n', 'error: no such branch', 'Traceback (most recent call last):\nKeyError: 1'])
      assert.equal(toSeemingEnd(unended(output)).outcome, 'cancelled', output);
  });

  it('stays what it is if its end is known, or if it is no shell call', () => {
    for (const call of [
      unended('done', { outcomeType: 'interrupt' }),
      unended('done', { tool: 'read' }),
      unended('done', { outcome: 'failure', outcomeType: 'exit-code' }),
    ])
      assert.equal(toSeemingEnd(call), call);
  });
});
