import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { opencodeHistory, readExport } from '../../src/agents/opencode/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { CASES, EXPORTS, readExported, writeDatabase, writeTree } from '../fixtures/opencode/write-sessions.ts';

let home = '';
before(() => {
  home = mkdtempSync(join(tmpdir(), 'oncebitten-opencode-'));
});
after(() => rmSync(home, { recursive: true, force: true }));

const isEnded = (event: AgentEvent): event is EventOf<'call-ended'> => event.kind === 'call-ended';

function readCase(name: string) {
  const { events, left = [], skipped } = readExport(readExported(name), { path: `/x/${name}.json`, siblingFiles: {} });
  return { events, calls: events.filter(isEnded), left: left.filter(isEnded), skipped };
}

const tell = (event: AgentEvent) => ('text' in event ? `${event.kind}: ${event.text}` : event.kind);

async function readFile(path: string): Promise<readonly AgentEvent[]> {
  const told: AgentEvent[] = [];
  await readTranscriptFile({ path, history: opencodeHistory }, (events) => {
    told.push(...events);
  });
  return told;
}

describe('OpenCode sessions', () => {
  it('report every call with its tool and input', () => {
    const { calls, skipped } = readCase('success');
    assert.deepEqual(
      calls.map(({ rawTool, tool, input }) => [rawTool, tool, input.command ?? input.path, input.content]),
      [
        ['bash', 'shell', 'ls', undefined],
        ['read', 'read', '/home/dev/project/hello.txt', undefined],
        ['edit', 'edit', '/home/dev/project/hello.txt', 'good day'],
        ['write', 'write', '/home/dev/project/new.txt', 'fresh\n'],
        ['glob', 'glob', undefined, undefined],
        ['grep', 'grep', undefined, undefined],
        ['list', 'glob', undefined, undefined],
        ['webfetch', 'web', undefined, undefined],
        ['apply_patch', 'edit', 'hello.txt', '*** Begin Patch\n*** Update File: hello.txt\n+good day\n*** End Patch'],
        ['acme_find_thing', 'mcp:acme/find_thing', undefined, undefined],
        ['todowrite', 'other', undefined, undefined],
        ['bash', 'shell', 'true', undefined],
      ],
    );
    assert.ok(calls.every((call) => judgeOutcome(call).outcome === 'success'));
    assert.deepEqual([...skipped], []);
  });

  it('report output, duration, folder and model', () => {
    const [call] = readCase('success').calls;
    assert.deepEqual(call?.result, { isError: false, exitCode: 0, text: 'hello.txt\n', durationMs: 1500 });
    assert.equal(readCase('success').calls.at(-1)?.result.text, '', 'nothing was printed');
    assert.deepEqual(
      [call?.at, call?.cwd, call?.model, call?.agentVersion, call?.transcriptPath],
      ['2025-01-01T10:00:02.800Z', '/home/dev/project', 'acme-1', '1.18.33', '/x/success.json'],
    );
  });

  it('leave out a command that the user ran', () => {
    assert.ok(readCase('success').calls.every((call) => call.input.command !== 'git status'));
  });

  it('report failures by exit code, by error, by timeout and by a call that could not be made', () => {
    const { calls } = readCase('failure');
    assert.deepEqual(
      calls.map((call) => [call.rawTool, judgeOutcome(call).outcome, judgeOutcome(call).outcomeType]),
      [
        ['bash', 'failure', 'exit-code'],
        ['bash', 'failure', 'timeout'],
        ['read', 'failure', 'error-flag'],
        ['edit', 'failure', 'error-flag'],
        ['read', 'failure', 'error-flag'],
        ['invalid', 'failure', 'error-flag'],
        ['bash', 'success', 'exit-code'],
      ],
    );
    assert.equal(calls[1]?.result.text, 'begun\n\nCommand timed out after 1000 ms');
  });

  it("separate refusals, with the user's comment", () => {
    assert.deepEqual(
      readCase('refusal').calls.map(({ result }) => [result.denied, result.durationMs]),
      [
        [{ by: 'user' }, undefined],
        [{ by: 'user', words: 'use pnpm,\nnot npm' }, undefined],
        [{ by: 'rule' }, undefined],
        [{ by: 'user' }, undefined],
      ],
    );
  });

  it('report an interruption after the calls it ended, and leave open the calls that nobody ended', () => {
    const { events, calls, left } = readCase('interruption');
    assert.deepEqual(events.map(tell), [
      'prompted: start the server',
      'said: I start it.',
      'call-ended',
      'call-ended',
      'interrupted',
      'prompted: again',
    ]);
    assert.ok(calls.every((call) => judgeOutcome(call).outcome === 'cancelled'));
    assert.deepEqual(
      left.map((call) => [call.rawTool, call.result.unended]),
      [
        ['bash', true],
        ['read', true],
      ],
    );
  });

  it('report a sub-agent as the hooks do: under its own session, without messages between agents', () => {
    const parent = readCase('subagent');
    const [task, command] = parent.calls;
    assert.deepEqual([task?.tool, task?.sessionId, task?.contextId], ['task', 'ses_subagent0000000000000000', '']);
    assert.match(String(command?.callId), /^prt_/, 'the hooks call a task of a command by its part');
    const child = readCase('child');
    assert.deepEqual(child.events.map(tell), ['call-ended']);
    assert.deepEqual([child.calls[0]?.sessionId, child.calls[0]?.contextId], ['ses_child000000000000000000000', '']);
  });

  it('report a compaction, but neither its summary nor the repeated prompt', () => {
    assert.deepEqual(readCase('compaction').events.map(tell), [
      'prompted: do a lot',
      'said: a',
      'call-ended',
      'compacted',
      'said: b',
      'call-ended',
      'prompted: do a lot',
    ]);
  });

  it('keep calls apart whose ids were replaced by one word before the session was published', () => {
    const { info, messages } = readExported('failure');
    const published = messages.map((message) => ({
      ...message,
      parts: message.parts.map((part) => ('callID' in part ? { ...part, callID: 'REMOVED' } : part)),
    }));
    const { events } = readExport({ info, messages: published }, { path: '', siblingFiles: {} });
    const ids = events.filter(isEnded).map(({ callId }) => callId);
    assert.equal(new Set(ids).size, readCase('failure').calls.length);
  });

  it('leave out the copies of a fork', () => {
    assert.deepEqual(readCase('fork').events.map(tell), ['prompted: another way, please', 'said: new', 'call-ended']);
  });

  it('count unknown records', () => {
    const [first] = readExported('fork').messages.slice(2);
    const parts = [{ type: 'hologram' }, { type: 'tool', tool: 'bash' }, 7, { type: 'text', text: 'x' }];
    const messages = [{ info: { role: 'oracle' } }, { ...first, parts }, 'text'];
    const { events, skipped } = readExport({ ...readExported('fork'), messages }, { path: '', siblingFiles: {} });
    assert.deepEqual(events.map(tell), ['prompted: x']);
    assert.deepEqual(Object.fromEntries(skipped), {
      'unknown record: oracle': 1,
      'unknown record: hologram': 1,
      'call without id, tool or state': 1,
      'not a JSON object': 2,
    });
    assert.deepEqual(
      [...readExport({ a: 1 }, { path: '', siblingFiles: {} }).skipped],
      [['not an exported session', 1]],
    );
  });
});

describe('OpenCode sessions give the same events', () => {
  const toPlain = (events: readonly AgentEvent[]) => events.map(({ transcriptPath: _, ...event }) => event);

  for (const name of CASES) {
    it(`from the database, from storage and from an export: ${name}`, async () => {
      const session = readExported(name);
      const path = join(home, name, 'opencode.db');
      writeDatabase(path, [session]);
      const exported = toPlain([...readCase(name).events, ...readCase(name).left]);
      assert.ok(exported.length > 0);
      assert.deepEqual(toPlain(await readFile(path)), exported);
      const stored = toPlain(await readFile(writeTree(join(home, name, 'storage'), session)));
      // The file was written just now: what is open may still end.
      assert.deepEqual(stored, toPlain(readCase(name).events));
    });
  }
});

describe('files of OpenCode', () => {
  const kindOf = (path: string) => findFormat(opencodeHistory, path)?.kind;

  it('are known by their paths', () => {
    const share = '/home/dev/.local/share/opencode';
    assert.equal(kindOf(`${share}/opencode.db`), 'database');
    assert.equal(kindOf(`${share}/opencode-dev.db`), 'database');
    assert.equal(kindOf(`${share}/storage/session/global/ses_1.json`), 'tree');
    assert.equal(kindOf(`${EXPORTS}success.json`), 'document');
    assert.equal(kindOf(`${share}/opencode.db-wal`), undefined);
  });

  it('are not searched where there are many others', () => {
    const isClosed = (path: string) => opencodeHistory.closed?.test(path);
    for (const folder of ['snapshot', 'log', 'storage/part', 'storage/message']) {
      assert.ok(isClosed(`/home/dev/.local/share/opencode/${folder}`), folder);
    }
    for (const folder of ['storage', 'storage/session', 'storage/session/global']) {
      assert.ok(!isClosed(`/home/dev/.local/share/opencode/${folder}`), folder);
    }
  });

  it('are found in its own folder, without files that people keep elsewhere', () => {
    const share = join(home, 'found', '.local', 'share', 'opencode');
    writeDatabase(join(share, 'opencode.db'), [readExported('success')]);
    const tree = writeTree(join(share, 'storage'), readExported('failure'));
    writeFileSync(join(share, 'auth.json'), '{"info":{"id":"ses_1"}}');
    const list = (where: object) =>
      listScanFiles({ agent: 'opencode', home: join(home, 'found'), env: {}, ...where }).map(({ path }) => path);
    assert.deepEqual([...list({})].sort(), [join(share, 'opencode.db'), tree].sort());
    assert.deepEqual(list({ env: { XDG_DATA_HOME: join(home, 'nowhere') } }), []);
    assert.deepEqual(list({ path: `${EXPORTS}success.json`, agent: undefined }), [`${EXPORTS}success.json`]);
  });

  it('are recognized by their beginning', () => {
    const isOurs = (path: string, head: string) => findFormat(opencodeHistory, path)?.isOurs(head);
    assert.ok(isOurs('/x/a.json', '{\n  "info": {\n    "id": "ses_1"'));
    assert.ok(!isOurs('/x/a.json', '{"name":"package"}'));
    assert.ok(isOurs('/x/opencode.db', 'SQLite format 3\0'));
  });
});
