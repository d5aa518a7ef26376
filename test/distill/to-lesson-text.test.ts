import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { detectWith } from './detect-pairs.ts';
import { failed, worked } from './session-script.ts';

describe('the words of a lesson', () => {
  it('quote what was said from its first word on', () => {
    const said = '/bin/bash: line 1: tsc: command not found';
    const [finding] = detectWith(correctedCommand, failed('tsc --noEmit', said), worked('npx tsc --noEmit'));
    assert.equal(finding?.mistake, '`tsc --noEmit` failed: tsc: command not found');
  });

  it('end a message behind the whole word, quotation or bracket that it names the mistake in', () => {
    const MESSAGES = [
      ['gh pr list -f', "unknown shorthand flag: 'f' in -f", 'gh pr list', "unknown shorthand flag: 'f' in -f"],
    ] as const;
    for (const [wrong, said, right, message] of MESSAGES) {
      const [finding] = detectWith(correctedCommand, failed(wrong, said), worked(right));
      assert.ok(finding?.mistake.endsWith(` failed: ${message}`), finding?.mistake);
    }
  });
});
