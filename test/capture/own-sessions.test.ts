/** Sessions in which we asked an agent's model about a pack: an agent may keep them, and nobody worked in them. */
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { geminiHistory } from '../../src/agents/gemini/history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { PACK_MARKER } from '../../src/base/model/pack.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';

const PACK = `<!-- ${PACK_MARKER} 1 -->\nFailures of one project follow.\n`;
const at = (second: number) => `2026-11-18T05:15:${second}.000Z`;
const FIRST = { sessionId: 'ses-1', projectHash: 'ccfa', startTime: at(10), lastUpdated: at(10), kind: 'main' };
const user = (text: string, second: number) => ({
  ...{ id: `u${second}`, timestamp: at(second), type: 'user' },
  content: [{ text }],
});
const model = (content: string, second: number) => ({
  ...{ id: `m${second}`, timestamp: at(second), type: 'gemini', content, model: 'gemini-3.1-pro-preview' },
  ...{ thoughts: [], tokens: { input: 1000, output: 20, cached: 0, thoughts: 0, tool: 0, total: 1020 } },
});
const toLines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

describe('a session of our own', () => {
  let home = '';
  let path = '';
  let count = 0;
  before(() => {
    home = mkdtempSync(join(tmpdir(), 'oncebitten-own-'));
  });
  after(() => rmSync(home, { recursive: true, force: true }));
  beforeEach(() => {
    path = join(home, `tmp/p${count++}/chats/session-1.jsonl`);
    mkdirSync(dirname(path), { recursive: true });
  });

  const read = async (previous?: ScanState) => {
    const events: AgentEvent[] = [];
    const { state } = await readTranscriptFile({ path, history: geminiHistory, previous }, (some) => {
      events.push(...some);
    });
    return { state, texts: events.map((event) => ('text' in event ? event.text : event.kind)) };
  };

  it('is left out: its first prompt begins with the marker', async () => {
    writeFileSync(path, toLines(FIRST, user(PACK, 11), model('{"add":[]}', 12)));
    assert.deepEqual((await read()).texts, []);
  });

  it('is left out, too, when the rest of it is read later', async () => {
    writeFileSync(path, toLines(FIRST, user(PACK, 11)));
    const { state } = await read();
    appendFileSync(path, toLines(model('{"add":[]}', 12)));
    assert.deepEqual((await read(state)).texts, []);
  });

  it('is not one in which a person gives a pack to the agent later, or quotes the marker', async () => {
    writeFileSync(path, toLines(FIRST, user(`what is ${PACK_MARKER}?`, 11), model('a marker', 12)));
    const first = await read();
    assert.deepEqual(first.texts, [`what is ${PACK_MARKER}?`, 'a marker']);
    appendFileSync(path, toLines(user(PACK, 13), model('{"add":[]}', 14)));
    assert.deepEqual((await read(first.state)).texts, [PACK.trim(), '{"add":[]}']);
    assert.equal((await read()).texts.length, 4);
  });
});
