import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { zstdCompressSync } from 'node:zlib';
import { codexHistory, openRollout } from '../../src/agents/codex/history.ts';
import { loadScriptReader } from '../../src/agents/codex/nested-calls.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';
import { readAll } from './open-lines.ts';

// Loaded when a scan meets the first script; these tests read without waiting.
await loadScriptReader();

const FOLDER = fileURLToPath(new URL('../fixtures/codex/', import.meta.url));
const MAIN = '019a0000-0000-7000-8000-000000000001';

function readLines(name: string): readonly string[] {
  return readFileSync(`${FOLDER}${name}.jsonl`, 'utf8').trimEnd().split('\n');
}

/** By call, the last report about it. */
function toFacts(events: readonly AgentEvent[]): ReadonlyMap<string, unknown> {
  const ended = events.filter((event) => event.kind === 'call-ended' || event.kind === 'background-ended');
  const facts = ended.map(({ callId, result, cwd, line }): [string, unknown] => [callId, [result.exitCode, cwd, line]]);
  return new Map(facts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe('Codex rollouts on disk', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oncebitten-codex-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('are read the same after compression', async () => {
    const path = join(folder, `rollout-2026-03-01T10-00-00-${MAIN}.jsonl.zst`);
    writeFileSync(path, zstdCompressSync(readFileSync(`${FOLDER}legacy.jsonl`)));
    const plain = readAll(openRollout, path, readLines('legacy'));
    assert.deepEqual((await readEvents(path)).events, plain);
  });

  for (const name of ['legacy', 'paginated', 'code-mode', 'forked-agent'])
    it(`are continued from any line, with nothing lost and no call mixed up: ${name}`, async () => {
      const lines = readLines(name);
      const whole = toFacts(readAll(openRollout, 'x.jsonl', lines));
      for (let cut = 1; cut < lines.length; cut++) {
        const path = join(folder, `${name}-${cut}.jsonl`);
        writeFileSync(path, `${lines.slice(0, cut).join('\n')}\n`);
        const first = await readEvents(path);
        writeFileSync(path, `${lines.join('\n')}\n`);
        const second = await readEvents(path, first.state);
        assert.deepEqual(toFacts([...first.events, ...second.events]), whole, `${cut}`);
        assert.deepEqual([...second.skipped], []);
      }
    });

  async function readEvents(path: string, previous?: Awaited<ReturnType<typeof readTranscriptFile>>['state']) {
    const events: AgentEvent[] = [];
    const { state, skipped } = await readTranscriptFile({ path, history: codexHistory, previous }, (some) => {
      events.push(...some);
    });
    return { events, state, skipped };
  }
});

describe('the files of Codex', () => {
  it('are recognized by name and by their first row', () => {
    const name = `/home/dev/.codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-${MAIN}.jsonl`;
    const formats = [name, `${name}.zst`, '/x/config.toml'].map((path) => findFormat(codexHistory, path));
    assert.deepEqual(
      formats.map((format) => (format?.kind === 'lines' ? (format.compression ?? 'none') : undefined)),
      ['none', 'zstd', undefined],
    );
    assert.equal(formats[0]?.isOurs(readLines('legacy').join('\n').slice(0, 4096)), true);
    assert.equal(formats[0]?.isOurs('{"type":"user","sessionId":"x","message":{"role":"user"}}'), false);
  });

  it('of a review belong to the context of the session, as its hooks do', () => {
    const meta = { id: 'review-thread', session_id: MAIN, parent_thread_id: MAIN, source: { subagent: 'review' } };
    const item = { type: 'CommandExecution', id: 'call_r', command: ['bash', '-lc', 'git diff'], exit_code: 0 };
    const rows = [
      { timestamp: '2026-03-07T10:00:00.000Z', type: 'session_meta', payload: meta },
      {
        timestamp: '2026-03-07T10:00:01.000Z',
        type: 'event_msg',
        payload: { type: 'user_message', message: 'review' },
      },
      { timestamp: '2026-03-07T10:00:02.000Z', type: 'event_msg', payload: { type: 'item_completed', item } },
    ];
    const events = readAll(
      openRollout,
      'x.jsonl',
      rows.map((row) => JSON.stringify(row)),
    );
    assert.deepEqual(
      events.map(({ kind, sessionId, contextId }) => [kind, sessionId, contextId]),
      [['call-ended', MAIN, '']],
    );
  });
});
