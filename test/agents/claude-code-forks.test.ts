import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import { openLines, readAll } from './open-lines.ts';

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const queued = (second: number) =>
  JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: at(second), sessionId: 'fork' });

/** A call as two rows of the fork's file. */
function call(id: string, second: number, fields: object = {}): readonly string[] {
  const own = { sessionId: 'fork', timestamp: at(second), ...fields };
  return [
    {
      ...own,
      type: 'assistant',
      message: { content: [{ type: 'tool_use', id, name: 'Bash', input: { command: id } }] },
    },
    { ...own, type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: id, content: 'ok' }] } },
  ].map((row) => JSON.stringify(row));
}

const read = (lines: readonly string[]) =>
  readAll(openTranscript, '/x/fork.jsonl', lines).flatMap((event) =>
    event.kind === 'call-ended' ? [`${event.sessionId} ${event.callId}`] : [],
  );

describe('a forked session of Claude Code', () => {
  it('reports the calls before `/branch` under the session they were made in', () => {
    const forkedFrom = { sessionId: 'first', messageUuid: 'u' };
    assert.deepEqual(read([...call('a', 1, { forkedFrom }), ...call('b', 2)]), ['first a', 'fork b']);
  });

  it('does not report the calls before `--fork-session`: they are unmarked copies, older than the file', () => {
    const lines = ['{"type":"mode","mode":"normal","sessionId":"fork"}', queued(5), ...call('a', 1), ...call('b', 6)];
    assert.deepEqual(read(lines), ['fork b']);
  });

  it('loses nothing if a clock goes back, a prompt is queued later, or reading continues from the middle', () => {
    assert.deepEqual(read([queued(2), ...call('a', 3), ...call('b', 1)]), ['fork a', 'fork b']);
    assert.deepEqual(read([...call('a', 3), queued(5), ...call('b', 4)]), ['fork a', 'fork b']);
    const later = openLines(openTranscript, '/x/fork.jsonl', { firstLine: 9 });
    const events = [queued(5), ...call('b', 4)].flatMap((line) => [...later.read(line)]);
    assert.equal(events.length, 1);
  });
});
