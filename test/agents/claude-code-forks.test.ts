import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { claudeCodeHistory, openTranscript } from '../../src/agents/claude-code/history.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { openLines, readAll } from './open-lines.ts';

const at = (second: number) => `2026-01-01T00:00:0${second}.000Z`;
const queued = (second: number) =>
  JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: at(second), sessionId: 'fork' });

/** A call as two rows of the fork's file. */
function call(id: string, second: number, fields: object = {}): readonly string[] {
  const own = { sessionId: 'fork', timestamp: at(second), uuid: `row-${id}`, ...fields };
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

  it('reports each call once: in the oldest file that has it', async () => {
    const files = {
      first: [...call('a', 1), ...call('b', 2)],
      second: [queued(4), ...call('a', 1), ...call('b', 2), ...call('c', 5)],
      third: [queued(6), ...call('a', 1), ...call('b', 2), ...call('c', 5), ...call('d', 7)],
    };
    assert.deepEqual(await readFolder(files), { first: ['a', 'b'], second: ['c'], third: ['d'] });
    const { first: _, ...forks } = files;
    assert.deepEqual(await readFolder(forks), { second: ['a', 'b', 'c'], third: ['d'] });
    assert.deepEqual(await readFolder({ third: files.third }), { third: ['a', 'b', 'c', 'd'] });
  });

  it('finds the copied rows in an older file of any size, behind its compaction', async () => {
    const filler = Array.from({ length: 4000 }, (_, n) => call(`other-${n}`, 1)).flat();
    const first = [...filler, ...call('a', 2), ...call('b', 3)];
    const fork = [queued(4), ...call('a', 2), ...call('b', 3), ...call('c', 5)];
    assert.deepEqual((await readFolder({ first, fork })).fork, ['c']);
  });

  it('loses nothing if a clock goes back, a prompt is queued later, or reading continues from the middle', () => {
    assert.deepEqual(read([queued(2), ...call('a', 3), ...call('b', 1)]), ['fork a', 'fork b']);
    assert.deepEqual(read([...call('a', 3), queued(5), ...call('b', 4)]), ['fork a', 'fork b']);
    const later = openLines(openTranscript, '/x/fork.jsonl', { firstLine: 9 });
    const events = [queued(5), ...call('b', 4)].flatMap((line) => [...later.read(line)]);
    assert.equal(events.length, 1);
  });
});

/** The calls that each file of a folder reports. */
async function readFolder(files: Readonly<Record<string, readonly string[]>>) {
  const home = mkdtempSync(join(tmpdir(), 'oncebitten-forks-'));
  const folder = join(home, 'projects', 'x');
  mkdirSync(folder, { recursive: true });
  const paths = Object.keys(files).map((name) => join(folder, `${name}.jsonl`));
  for (const [n, path] of paths.entries()) writeFileSync(path, `${Object.values(files)[n]?.join('\n')}\n`);
  const read = await Promise.all(
    paths.map(async (path) => {
      const ids: string[] = [];
      await readTranscriptFile({ path, history: claudeCodeHistory }, (events) => {
        for (const event of events) if (event.kind === 'call-ended') ids.push(event.callId);
      });
      return ids;
    }),
  );
  rmSync(home, { recursive: true });
  return Object.fromEntries(Object.keys(files).map((name, n) => [name, read[n]]));
}
