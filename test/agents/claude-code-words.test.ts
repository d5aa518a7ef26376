/** What a transcript contains besides calls: messages, interruptions, and rows in unexpected places. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeRow } from '../../src/agents/claude-code/decode-row.ts';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import { parseLine } from '../../src/agents/wire.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { openLines, readAll } from './open-lines.ts';

const PATH = '/x/s.jsonl';
const row = (fields: object): string =>
  JSON.stringify({ sessionId: 's', timestamp: '2026-01-01T00:00:00.000Z', ...fields });
const answer = (content: readonly object[], more: object = {}): string =>
  row({ type: 'assistant', message: { id: 'msg_1', model: 'claude-opus-4-5', content }, ...more });
const turn = (content: unknown, more: object = {}): string => row({ type: 'user', message: { content }, ...more });
const text = (words: string) => ({ type: 'text', text: words });
const call = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: id } });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `of ${id}` });
const toKinds = (events: readonly AgentEvent[]) =>
  events.map((event) => ('text' in event ? `${event.kind}: ${event.text}` : event.kind));

describe('the messages of Claude Code', () => {
  it('are reported once, without its thoughts, also if one message is split over rows', () => {
    const events = readAll(openTranscript, PATH, [
      answer([{ type: 'thinking', thinking: 'hm' }]),
      answer([text('I will look.')]),
      answer([call('a')]),
      answer([{ type: 'thinking', thinking: 'and' }, text('And then.'), call('b')]),
      turn([result('a')]),
      turn([result('b')]),
    ]);
    assert.deepEqual(toKinds(events), ['said: I will look.', 'said: And then.', 'call-ended', 'call-ended']);
    assert.equal(events[0]?.model, 'claude-opus-4-5');
  });

  it('are not those of a sub-agent, nor of the client if the service fails', () => {
    const events = readAll(openTranscript, PATH, [
      answer([text('to my agent')], { isSidechain: true, agentId: 'a1' }),
      answer([text('API Error: 529')], { isApiErrorMessage: true }),
      row({ type: 'assistant', message: { model: '<synthetic>', content: [text('No response requested.')] } }),
    ]);
    assert.deepEqual(events, []);
  });
});

describe('an interruption of Claude Code', () => {
  it('is reported if the user stopped it, by a message or at a tool', () => {
    for (const words of ['[Request interrupted by user]', '[Request interrupted by user for tool use]'])
      for (const content of [words, [text(words)]])
        assert.deepEqual(toKinds(readAll(openTranscript, PATH, [turn(content)])), ['interrupted']);
  });

  it('is not reported if the client was shut down, in a sub-agent, or if somebody quotes one', () => {
    const words = [text('[Request interrupted by user]')];
    const events = readAll(openTranscript, PATH, [
      turn(words, { interruptedByShutdown: true }),
      turn(words, { isSidechain: true, agentId: 'a1' }),
      turn('what does [Request interrupted by user] mean?'),
    ]);
    assert.deepEqual(toKinds(events), ['prompted: what does [Request interrupted by user] mean?']);
  });
});

describe('rows in unexpected places', () => {
  it('are read although the newline between them was lost', () => {
    const { reader, read } = openLines(openTranscript, PATH);
    read(answer([call('a')]));
    const events = read(`${turn([result('a')])}${turn('next')}{"type":"summary","summary":"}{","leafUuid":"u"}`);
    assert.deepEqual(toKinds(events), ['call-ended', 'prompted: next']);
    assert.deepEqual([...reader.skipped], []);
  });

  it('are counted by their fault', () => {
    const faults = ['{"a":1', '{"a":"\\q"}', '[1]', 'x', '"x"', '{"a":1}{"b":'].map((line) => parseLine(line));
    assert.deepEqual(
      faults.map(({ rows, fault }) => [rows.length, fault]),
      [
        [0, 'line cut off'],
        [0, 'broken JSON'],
        [0, 'not a JSON object'],
        [0, 'not a JSON object'],
        [0, 'not a JSON object'],
        [1, 'line cut off'],
      ],
    );
  });

  it('are counted if they belong to a call that is not there', () => {
    const { reader, read } = openLines(openTranscript, PATH);
    for (const line of [turn([result('lost')]), turn('next')]) read(line);
    assert.deepEqual([...reader.skipped], [['result of a call that is not in this file', 1]]);
  });

  it('have a known kind wherever they state it, and unknown kinds are counted by name', () => {
    const long = 'x'.repeat(5000);
    const known = [
      `{"parentUuid":null,"message":{"content":[{"type":"thinking","thinking":"${long}"}]},"type":"assistant","uuid":"u"}`,
      `{"attachment":{"type":"file","content":"${long}"},"type":"attachment","uuid":"u","rendered":["${long}"]}`,
      `{"data":{"type":"bash_progress","output":"${long}"},"type":"progress","uuid":"u"}`,
      '{"type":"api-request-blob","sessionId":"s"}',
    ];
    const unknown = `{"parentUuid":null,"message":{"content":"${long}"},"type":"hologram","uuid":"u"}`;
    const { reader, read } = openLines(openTranscript, PATH);
    for (const line of [...known, unknown]) read(decodeRow(Buffer.from(line)));
    assert.deepEqual([...reader.skipped], [['unknown record: hologram', 1]]);
  });
});

describe('continuing in the middle of a file', () => {
  const read = (
    lines: readonly string[],
    memo: string | undefined,
    firstLine: number,
    older: readonly string[] = [],
  ) => {
    const listOlderIds = () => new Set(older);
    const open = openLines(openTranscript, PATH, { firstLine, listOlderIds, ...(memo === undefined ? {} : { memo }) });
    return { events: lines.flatMap((line) => [...open.read(line)]), memo: open.reader.memo };
  };

  it('knows the call that a new turn abandoned, and reports its end without its input', () => {
    const first = read([answer([call('a')]), turn('next')], undefined, 1);
    const { events } = read([turn([result('a')])], first.memo, 3);
    const [end] = events;
    assert.equal(end?.kind === 'background-ended' && end.result.text, 'of a');
    assert.equal(end?.line, 1);
    assert.ok(!(first.memo ?? '').includes('command'));
  });

  it('knows that copies of a fork may follow', () => {
    const born = '{"type":"queue-operation","timestamp":"2026-01-02T00:00:00.000Z","sessionId":"s"}';
    const first = read([born], undefined, 1);
    const { events, memo } = read(
      [
        answer([call('old')], { uuid: 'row-1' }),
        turn([result('old')], { uuid: 'row-2' }),
        turn('mine', { timestamp: '2026-01-02T00:00:01.000Z' }),
      ],
      first.memo,
      2,
      ['row-1', 'row-2'],
    );
    assert.deepEqual(toKinds(events), ['prompted: mine']);
    assert.equal(memo, undefined);
  });
});
