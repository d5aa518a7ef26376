/** Whatever the records contain: no reader throws, and no call gets the end of another. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openDatabaseSession, readExport } from '../../src/agents/opencode/history.ts';
import { openSession } from '../../src/agents/opencode/session.ts';
import type { RecordReader } from '../../src/base/contracts/agent-history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import { CASES, readExported } from '../fixtures/opencode/write-sessions.ts';

const FILE = { path: '/x/opencode.db', siblingFiles: {} };
const SESSIONS = CASES.map(readExported);

type Record = readonly [record: unknown, depth: number];

const toRecords = ({ info, messages }: (typeof SESSIONS)[number]): readonly Record[] => [
  [info, 0],
  ...messages.flatMap((message): readonly Record[] => [
    [message.info, 1],
    ...message.parts.map((part): Record => [part, 2]),
  ]),
];

const ANSWER: Record = [{ role: 'assistant', time: { created: 1 } }, 1];
const RECORDS = SESSIONS.flatMap(toRecords);
/** The output or error of each call, by its id, from its part alone. */
const KNOWN = new Map(
  SESSIONS.flatMap(({ info, messages }) =>
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => feed(openSession(FILE), [[{ id: info.id }, 0], ANSWER, [part, 2]]).flatMap(toEnds)),
    ),
  ),
);

function feed(reader: RecordReader, records: readonly Record[]): readonly AgentEvent[] {
  const events = records.flatMap(([record, depth], at) => [...reader.read(record, depth, at + 1)]);
  return [...events, ...reader.end(), ...reader.leave()];
}

function toEnds(event: AgentEvent): readonly (readonly [string, string])[] {
  if (event.kind !== 'call-ended') return [];
  return [[event.callId, JSON.stringify([event.sessionId, event.rawTool, event.input.json, event.result.text])]];
}

function isRight(events: readonly AgentEvent[]): void {
  for (const [callId, end] of events.flatMap(toEnds)) assert.equal(end, KNOWN.get(callId), callId);
}

/** A path into the record and what to put there. */
const anyValue = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(undefined, null, Number.NaN, -1, 1e300, '', 'tool', 'error', 'completed', {}, []),
);

function change(value: unknown, path: readonly number[], put: unknown): unknown {
  const [at, ...rest] = path;
  if (at === undefined || typeof value !== 'object' || value === null) return put;
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return put;
  const changed = change((value as Readonly<globalThis.Record<string, unknown>>)[key], rest, put);
  return Array.isArray(value) ? value.with(Number(key), changed) : { ...value, [key]: changed };
}

const anyChange = fc.tuple(fc.nat(), fc.array(fc.nat(20), { maxLength: 4 }), anyValue);

describe('readers of OpenCode', () => {
  it('never throw, whatever the record', () => {
    fc.assert(
      fc.property(fc.array(anyChange, { maxLength: 8 }), (changes) => {
        const records = [...RECORDS];
        for (const [at, path, put] of changes) {
          const [record, depth] = records[at % records.length] ?? [undefined, 0];
          records[at % records.length] = [change(record, path, put), depth];
        }
        for (const event of feed(openSession(FILE), records)) {
          assert.ok(!Number.isNaN(Date.parse(event.at)));
          assert.equal(typeof event.sessionId, 'string');
        }
      }),
    );
  });

  it('never report a call with the end of another, in whatever order records come or are missing', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...RECORDS]), fc.array(fc.nat(2)), (records, depths) => {
        isRight(feed(openSession(FILE), records));
        feed(
          openSession(FILE),
          records.map(([record], at) => [record, depths[at] ?? 2]),
        );
      }),
    );
  });

  it('never throw, whatever the text of a row', () => {
    const anyRow = fc.constantFrom(...RECORDS).map(([record, depth]) => ({ text: JSON.stringify(record), depth }));
    const anyCut = fc.record({
      from: fc.nat(3000),
      to: fc.nat(3000),
      put: fc.string({ unit: 'binary', maxLength: 9 }),
    });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyRow, anyCut), { maxLength: 30 }), (rows) => {
        const records = rows.map(([{ text, depth }, { from, to, put }]): Record => {
          const data = text.slice(0, from) + put + text.slice(Math.max(from, to));
          return [depth === 0 ? JSON.parse(text) : { id: 'x', data }, depth];
        });
        feed(openDatabaseSession(FILE), records);
      }),
    );
  });

  it('never throw, whatever an exported document is', () => {
    const anyDocument = fc.oneof(
      anyValue,
      fc.record({ info: anyValue, messages: fc.array(fc.record({ info: anyValue, parts: anyValue })) }),
    );
    fc.assert(fc.property(anyDocument, (document) => void readExport(document, FILE)));
  });
});
