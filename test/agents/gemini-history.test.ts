import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toCanonicalTool } from '../../src/agents/calls.ts';
import { CALL_FACTS } from '../../src/agents/gemini/calls.ts';
import { geminiHistory } from '../../src/agents/gemini/history.ts';
import { parseShellText } from '../../src/agents/gemini/results.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { isToolName } from '../../src/base/model/tool.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';

const CHATS = fileURLToPath(new URL('../fixtures/gemini/shop/chats/', import.meta.url));
const SESSION = '5b0c1d2e-7a41-4c36-9b1d-3f0e5c2a8d10';
const SUBAGENT = 'c4e2b7a9-10f3-4a7e-8d55-61b0a9e3f2c7';
const MAIN = `${CHATS}session-2026-10-02T09-15-5b0c1d2e.jsonl`;
const BROKEN = `${CHATS}session-2026-10-03T13-01-77d0f0c2.jsonl`;
const DOCUMENT = `${CHATS}session-2025-10-20T04-35-e1f7c0aa.json`;

const isEnded = (event: AgentEvent): event is EventOf<'call-ended'> => event.kind === 'call-ended';

/** An open call is reported only after the file has not changed for long, so this depends on when it was written. */
const isTold = (call: EventOf<'call-ended'>): boolean => call.result.unended !== true;

async function readFile(path: string, previous?: ScanState) {
  const events: AgentEvent[] = [];
  const read = await readTranscriptFile({ path, history: geminiHistory, previous }, (more) => {
    events.push(...more);
  });
  const calls = events.filter(isEnded);
  const find = (id: string) => calls.find((call) => call.callId === id);
  const texts = (kind: 'prompted' | 'said') => events.flatMap((event) => (event.kind === kind ? [event.text] : []));
  return { ...read, events, calls, find, texts };
}

describe('Gemini CLI chats', async () => {
  const { calls, events, find, texts, skipped, state } = await readFile(MAIN);

  it('report each call once, with its end', () => {
    assert.deepEqual(
      calls.map((call) =>
        [call.callId, call.tool, judgeFacts(call).outcomeType, call.result.exitCode ?? '-'].join(' '),
      ),
      [
        'sh-ok shell exit-code 0',
        'sh-fail shell exit-code 1',
        'sh-printed shell exit-code 0',
        'sh-signal shell exit-code 137',
        'sh-back shell background -',
        'sh-slow shell error-flag -',
        'read-bad read error-flag -',
        'read-ok read no-error -',
        'grep-ok grep no-error -',
        'edit-bad edit error-flag -',
        'mcp-ok mcp:price_list/get no-error -',
        'task-ok task no-error -',
        'user-no shell user-refusal -',
        'sibling write interrupt -',
        'rule-no shell rule-denial -',
        'hook-no shell hook-denial -',
        'hook-after shell hook-denial -',
        'slowly shell exit-code 0',
        'sh-last shell exit-code 0',
      ],
    );
    assert.deepEqual([...skipped], []);
  });

  it('keep the input: command, file and new text', () => {
    assert.equal(find('sh-fail')?.input.command, 'npm test');
    assert.deepEqual(find('edit-bad')?.input, {
      path: '/home/dev/shop/price.ts',
      content: '0.2',
      json: '{"file_path":"/home/dev/shop/price.ts","instruction":"tax","old_string":"0.18","new_string":"0.2"}',
    });
    assert.equal(find('sibling')?.input.content, 'x');
  });

  it('remove the text that the client and hooks added around a result', () => {
    assert.equal(find('sh-fail')?.result.text, '1 of 9 tests failed');
    assert.equal(find('sh-signal')?.result.text, '');
    assert.equal(find('read-ok')?.result.text, 'export const tax = 0.19;\n');
  });

  it('contain time, folder and model', () => {
    const call = find('sh-ok');
    assert.deepEqual(
      [call?.at, call?.cwd, call?.model, call?.sessionId, call?.contextId, call?.transcriptPath, call?.line],
      ['2026-10-02T09:15:02.000Z', '/home/dev/shop', 'gemini-3-pro', SESSION, '', MAIN, 6],
    );
  });

  it('have the duration of a call only if it was alone in its turn', () => {
    assert.equal(find('slowly')?.result.pairedMs, 4000);
    assert.equal(find('read-ok')?.result.pairedMs, undefined);
  });

  it('report what a person typed, once, and nothing that the client writes in their name', () => {
    assert.deepEqual(texts('prompted'), [
      'repair the price test',
      'do not push, only commit',
      'undo that',
      'and the docs',
    ]);
  });

  it("report the agent's messages without its thoughts", () => {
    assert.deepEqual(texts('said'), [
      'First the tests.',
      'Now all of them.',
      'Look around.',
      'May I?',
      'Done with them.',
      'All is well.',
    ]);
  });

  it('report an interruption and a compaction once, though a resumed session repeats its summary', () => {
    const kinds = events.map((event) => event.kind).filter((kind) => kind === 'interrupted' || kind === 'compacted');
    assert.deepEqual(kinds, ['interrupted', 'compacted']);
  });

  it('read a sub-agent into its own context, whose task is not a prompt', async () => {
    const sub = await readFile(`${CHATS}${SESSION}/${SUBAGENT}.jsonl`);
    assert.deepEqual(
      sub.events.map((event) => [event.kind, event.sessionId, event.contextId, event.cwd]),
      Array(3).fill(['call-ended', SESSION, SUBAGENT, '/home/dev/shop']),
    );
    assert.deepEqual(
      sub.calls.map(({ callId, result }) => [callId, result.exitCode]),
      [
        ['sub-dir', undefined],
        ['sub-fail', 1],
        ['sub-done', undefined],
      ],
    );
  });

  it('are continued from any place with the same calls', async () => {
    const lines = readFileSync(MAIN, 'utf8').split(/(?<=\n)/);
    const dir = makeFolder();
    for (const cut of lines.keys()) {
      const path = join(dir, `at-${cut}`, 'chats', `session-${cut}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, lines.slice(0, cut).join(''));
      const first = await readFile(path);
      appendFileSync(path, lines.slice(cut).join(''));
      const second = await readFile(path, first.state);
      const told = [...first.events, ...second.events];
      assert.deepEqual(toStory(told), toStory(events), `cut before line ${cut + 1}`);
      assert.equal(second.state.memo, state.memo);
    }
  });
});

/** Repeated calls are one row, and the session's name does not depend on the place. */
function toStory(events: readonly AgentEvent[]): readonly string[] {
  const story = events.map((event) => {
    const { transcriptPath: _path, cwd: _cwd, line: _line, ...rest } = event;
    return JSON.stringify(rest);
  });
  return [...new Set(story)];
}

describe('Gemini CLI chats of older builds', async () => {
  const { calls, find, texts, events } = await readFile(DOCUMENT);

  it('are read from one document', () => {
    assert.deepEqual(
      calls
        .filter(isTold)
        .map(({ callId, tool, input, result }) => [callId, tool, input.path, result.isError, result.exitCode]),
      [
        ['old-ok', 'shell', undefined, false, 0],
        ['old-grep', 'grep', undefined, false, undefined],
        ['old-bad', 'read', '/home/dev/shop/x', true, undefined],
      ],
    );
    assert.equal(find('old-ok')?.result.text, 'shelves');
    assert.deepEqual(texts('prompted'), ['list the shelves']);
    assert.ok(events.some((event) => event.kind === 'interrupted'));
    assert.equal(find('old-ok')?.cwd, '/home/dev/shop');
  });

  it('have no end for the call that the document ends in', () => {
    const format = findFormat(geminiHistory, DOCUMENT);
    if (format?.kind !== 'document') assert.fail();
    const { left } = format.read(JSON.parse(readFileSync(DOCUMENT, 'utf8')), { path: DOCUMENT, beside: {} });
    assert.deepEqual(
      left?.filter(isEnded).map(({ callId, result }) => [callId, result.unended]),
      [['old-open', true]],
    );
  });

  it('are read without failing, whatever the document', () => {
    const format = findFormat(geminiHistory, DOCUMENT);
    assert.equal(format?.kind, 'document');
    for (const document of [
      null,
      7,
      [],
      {},
      { messages: 1 },
      { messages: [null, {}, { type: 'gemini', toolCalls: [{}] }] },
    ]) {
      if (format?.kind === 'document') assert.deepEqual(format.read(document, { path: '/x', beside: {} }).events, []);
    }
  });
});

describe('Gemini CLI chats, broken', () => {
  it('count what they cannot use by reason, and read the rest', async () => {
    const { calls, skipped } = await readFile(BROKEN);
    assert.deepEqual(Object.fromEntries(skipped), {
      'line cut off': 1,
      'not a JSON object': 2,
      'unknown record: $merge': 1,
      'unknown record: hologram': 1,
      'unknown record: message without type': 1,
      'record without time': 1,
      'call without id or tool': 2,
    });
    assert.equal(calls.length, 2);
  });

  it('ignore the answer to another call', async () => {
    const { find } = await readFile(BROKEN);
    assert.equal(find('swapped')?.result.text, 'of this call');
    assert.equal(find('stray')?.result.text, '');
  });
});

describe('the text of a Gemini CLI command', () => {
  const rows: readonly (readonly [told: string, shown: string, text: string, exitCode: number | undefined])[] = [
    ['Output: a\nb\nExit Code: 2\nBackground PIDs: 7, 8\nProcess Group PGID: 1', '', 'a\nb', 2],
    ['Output: Exit Code: 9\nProcess Group PGID: 1', '', 'Exit Code: 9', 0],
    ['Output: x\nExit Code: 9\nProcess Group PGID: 1', 'x\nExit Code: 9', 'x\nExit Code: 9', 0],
    ['Output: (empty)\nSignal: SIGKILL\nProcess Group PGID: 1', '', '', 128],
    ['something else', '', 'something else', undefined],
    ['', '', '', undefined],
  ];
  for (const [told, shown, text, exitCode] of rows) {
    it(JSON.stringify(told), () => {
      assert.deepEqual(parseShellText(told, shown), { text, ...(exitCode === undefined ? {} : { exitCode }) });
    });
  }
});

describe('the files of Gemini CLI', () => {
  it('are recognized by place and name', () => {
    const kind = (path: string) => findFormat(geminiHistory, path)?.kind;
    assert.equal(kind('C:\\u\\.gemini\\tmp\\p\\chats\\session-a.jsonl'), 'lines');
    assert.equal(kind('/u/.gemini/tmp/p/chats/parent/child.jsonl'), 'lines');
    assert.equal(kind('/u/.gemini/tmp/p/chats/session-a.json'), 'document');
    assert.equal(kind('/exported/session-a.jsonl'), 'lines');
    for (const path of [
      '/u/.gemini/tmp/p/logs.json',
      '/u/.gemini/tmp/p/chats/session-a.jsonl.unreadable-1',
      '/x/a.jsonl',
    ])
      assert.equal(kind(path), undefined, path);
  });

  it('are recognized by their beginning', () => {
    for (const name of readdirSync(CHATS).filter((entry) => entry.startsWith('session-'))) {
      const head = readFileSync(CHATS + name, 'utf8').slice(0, 4096);
      assert.ok(findFormat(geminiHistory, name)?.isOurs(head), name);
    }
    assert.equal(findFormat(geminiHistory, 'session-a.jsonl')?.isOurs('{"type":"user","sessionId":"s"}'), false);
  });

  it('are not of a sub-agent if a project is called like the folder of chats', () => {
    const format = findFormat(geminiHistory, '/t/chats/chats/session-a.jsonl');
    if (format?.kind !== 'lines') assert.fail();
    const reader = format.open({ path: '/t/chats/chats/session-a.jsonl', beside: {} });
    const [event] = reader.read('{"id":"1","type":"user","timestamp":"2026-01-01T00:00:00Z","content":"hi"}', 1);
    assert.deepEqual([event?.kind, event?.sessionId, event?.contextId], ['prompted', 'session-a', '']);
  });

  it('have a canonical name for every tool', () => {
    const rows = {
      run_shell_command: 'shell',
      search_file_content: 'grep',
      mcp_rig_echo: 'mcp:rig/echo',
      save_memory: 'other',
    };
    const toToolName = (raw: string) => toCanonicalTool(CALL_FACTS, raw);
    for (const [raw, tool] of Object.entries(rows)) assert.equal(toToolName(raw), tool);
    for (const raw of ['mcp_', 'mcp__', 'mcp_a_', 'constructor', '']) assert.ok(isToolName(toToolName(raw)), raw);
  });
});

const made: string[] = [];
after(() => {
  for (const dir of made) rmSync(dir, { recursive: true });
});

function makeFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'gemini-history-'));
  made.push(dir);
  return dir;
}
