/** Our own changes to a call must not look like those of the agent, its user or another hook. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import { readHook } from '../../src/agents/claude-code/hooks.ts';
import { findMeaning as findCodex } from '../../src/agents/codex/results.ts';
import { findMeaning as findCopilot } from '../../src/agents/copilot/results.ts';
import { findMeaning as findGemini } from '../../src/agents/gemini/results.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { renderRefusal } from '../../src/match/reply-lines.ts';
import { readAll } from './open-lines.ts';

const REASON = `${renderRefusal('pause', 4096)}\n\nLesson from earlier work: use --name-only.`;
const TOLD = `PreToolUse:Bash hook error: ${REASON}`;
const AT = '2026-01-01T00:00:00.000Z';

const row = (type: string, fields: object) =>
  JSON.stringify({ type, sessionId: 's', timestamp: AT, uuid: 'u', cwd: '/x', version: '2.1.325', ...fields });
const wanted = (command: string) =>
  row('assistant', {
    message: {
      model: 'm',
      content: [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command, description: 'd' } }],
    },
  });
const result = (content: string, isError: boolean, beside: object = {}) =>
  row('user', {
    message: { content: [{ type: 'tool_result', tool_use_id: 't1', content, is_error: isError }] },
    ...beside,
  });
const readCall = (...lines: readonly string[]): EventOf<'call-ended'> => {
  const [call, ...others] = readAll(openTranscript, '/x/s.jsonl', lines).filter(({ kind }) => kind === 'call-ended');
  assert.equal(others.length, 0);
  return call?.kind === 'call-ended' ? call : assert.fail();
};

describe('our own refusal', () => {
  it('is recognized in the hook of the batch', () => {
    const event = readHook(
      'PostToolBatch',
      {
        ...{ session_id: 's', hook_event_name: 'PostToolBatch', cwd: '/x' },
        tool_calls: [{ tool_name: 'Bash', tool_input: { command: 'gh' }, tool_use_id: 't1', tool_response: TOLD }],
      },
      AT,
    );
    assert.ok(event?.kind === 'batch-ended');
    assert.deepEqual(event.calls[0]?.result.denied, { by: 'oncebitten' });
  });

  it('is recognized in the transcript, where it is filed as a rule’s, whatever the user adds', () => {
    for (const beside of [{ toolDenialKind: 'permission-rule' }, { userFeedback: 'go on' }, {}]) {
      const call = readCall(wanted('gh pr diff --stat'), result(TOLD, true, beside));
      assert.deepEqual(call.result.denied, { by: 'oncebitten' });
      const { outcome, outcomeType } = judgeOutcome(call);
      assert.deepEqual([outcome, outcomeType], ['denied', 'own-refusal']);
    }
  });

  it('is recognized for the other agents', () => {
    const ours = { denied: { by: 'oncebitten' } };
    assert.deepEqual(findCodex(`Command blocked by PreToolUse hook: ${REASON}`), ours);
    assert.deepEqual(findGemini('error', `Tool execution blocked: ${REASON}`, ''), ours);
    assert.deepEqual(findCopilot(`Denied by preToolUse hook: ${REASON}`, undefined), ours);
  });

  it('is not a text of a program or another hook about us', () => {
    assert.deepEqual(readCall(wanted('x'), result('PreToolUse:Bash hook error: no', true)).result.denied, {
      by: 'hook',
    });
    const printed = readCall(wanted('cat log'), result(`Exit code 1\n${TOLD}`, true)).result;
    assert.deepEqual([printed.denied, printed.isError], [undefined, true]);
  });
});

describe('an input that a hook changed', () => {
  const changed = (answer: unknown, beside: object = {}) =>
    row('attachment', {
      attachment: {
        ...{ type: 'hook_success', hookName: 'PreToolUse:Bash', toolUseID: 't1', hookEvent: 'PreToolUse' },
        ...{ stdout: typeof answer === 'string' ? answer : JSON.stringify(answer), exitCode: 0, command: 'hook' },
        ...beside,
      },
    });
  const answer = (updatedInput: unknown) => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', updatedInput } });
  const read = (hookRow: string) => readCall(wanted('gh pr diff --stat'), hookRow, result('ok', false)).input.command;

  it("is the input that ran, while the row of the call still has the model's", () => {
    assert.equal(read(changed(answer({ command: 'gh pr diff --name-only' }))), 'gh pr diff --name-only');
  });

  it('is left alone by hooks that change nothing, are cut off, or are about another call or time', () => {
    for (const hookRow of [
      changed({ hookSpecificOutput: { additionalContext: '"updatedInput"' } }),
      changed('{"hookSpecificOutput":{"updatedInput":{"comm'),
      changed(answer('text')),
      changed(answer({ command: 'x' }), { toolUseID: 'other' }),
      changed(answer({ command: 'x' }), { hookEvent: 'PostToolUse' }),
    ])
      assert.equal(read(hookRow), 'gh pr diff --stat');
  });
});
