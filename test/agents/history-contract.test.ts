/** The contract of every reader of an agent's past sessions. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { SCANNED_AGENTS } from '../../src/agents/agents.ts';
import { loadScriptReader } from '../../src/agents/codex/nested-calls.ts';
import { HISTORIES } from '../../src/agents/histories.ts';
import type { AgentHistory, LineFormat, SessionFile } from '../../src/base/contracts/agent-history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { judgeFacts } from '../../src/capture/outcomes/judge-facts.ts';
import { feedLines, type ReadPoint } from '../../src/capture/transcripts/read-lines.ts';
import { readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { readHead } from '../../src/capture/transcripts/session-files.ts';
import { readSiblingFiles } from '../../src/capture/transcripts/session-stat.ts';
import { readExported } from '../fixtures/opencode/write-sessions.ts';
import { toRuns } from '../to-runs.ts';
import { type Fixture, listFixtures } from './history-fixtures.ts';
import { makeDamage } from './make-damage.ts';

// Loaded when a scan meets the first script; these tests read without waiting.
await loadScriptReader();

type Ended = EventOf<'call-ended'> | EventOf<'background-ended'>;

const folder = mkdtempSync(join(tmpdir(), 'oncebitten-histories-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const FIXTURES = new Map(HISTORIES.map((history) => [history, listFixtures(history, folder)]));

const isEnded = (event: AgentEvent): event is Ended => event.kind === 'call-ended' || event.kind === 'background-ended';
const ends = (outcome: string) => (event: AgentEvent) => isEnded(event) && judgeFacts(event).outcome === outcome;
const isKind = (kind: AgentEvent['kind']) => (event: AgentEvent) => event.kind === kind;

it('the help lists the agents whose sessions can be read', () => {
  assert.deepEqual(
    SCANNED_AGENTS,
    HISTORIES.map(({ facts }) => facts),
  );
});

/** Each of these is in the fixtures of each agent, and its reader reports it. */
const TRAITS: Readonly<Record<string, (event: AgentEvent) => boolean>> = {
  'a success': ends('success'),
  'a failure': ends('failure'),
  'a refusal': ends('denied'),
  'the words of a refusal': (event) => isEnded(event) && event.result.denied?.words !== undefined,
  'a call that was cut off': ends('cancelled'),
  'an interruption': isKind('interrupted'),
  'a compaction': isKind('compacted'),
  'a prompt': isKind('prompted'),
  'words of the agent': isKind('said'),
  'a sub-agent': (event) => event.contextId !== '' || event.sessionId === CHILD,
  folder: (event) => event.cwd !== undefined,
  model: (event) => event.model !== undefined,
  version: (event) => event.agentVersion !== undefined,
  branch: (event) => event.branch !== undefined,
};
/** OpenCode gives a sub-agent a session of its own. */
const CHILD = readExported('child').info.id;
/** Events that an agent does not record. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  codex: ['the words of a refusal'],
  gemini: ['the words of a refusal', 'version', 'branch'],
  opencode: ['branch'],
};

for (const [history, fixtures] of FIXTURES) {
  describe(`the history of ${history.facts.name}`, () => {
    it('reports everything that a session can contain', async () => {
      const events: AgentEvent[] = [];
      for (const { path } of fixtures) await readTranscriptFile({ path, history }, (more) => void events.push(...more));
      const missing = Object.entries(TRAITS).filter(([, isIt]) => !events.some(isIt));
      assert.deepEqual(
        missing.map(([name]) => name),
        UNTOLD[history.facts.id] ?? [],
      );
      for (const event of events) assert.ok(!Number.isNaN(Date.parse(event.at)) && event.agent === history.facts.id);
    });

    it('claims its own files and no others', () => {
      for (const [other, files] of FIXTURES) {
        for (const { path, format } of files) {
          const head = readHead(path);
          if (other === history) assert.ok(format.isOurs(head), path);
          else for (const ours of history.formats) assert.ok(!ours.isOurs(head), `${ours.file} ${path}`);
        }
      }
    });

    it('counts unknown records, by name', () => {
      for (const format of history.formats) {
        const file = { path: '/x/session-a.jsonl', siblingFiles: {} };
        const strange = { hologram: 1, type: 'hologram', payload: {}, data: {}, timestamp: '2026-01-01T00:00:00.000Z' };
        const skipped = readOne(format, file, strange);
        if (format.kind === 'lines') assert.deepEqual([...skipped], [['unknown record: hologram', 1]]);
        else assert.ok(skipped.size > 0, `${format.file}`);
      }
    });

    it('never throws, whatever a line or a document is', () => {
      for (const format of history.formats) {
        const file = { path: '/x/session-a.jsonl', siblingFiles: {} };
        fc.assert(fc.property(fc.jsonValue(), (value) => void readOne(format, file, value)));
        if (format.kind !== 'lines') continue;
        const anyLine = fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.string());
        fc.assert(
          fc.property(fc.array(anyLine), fc.option(fc.oneof(fc.json(), fc.string())), (lines, memo) => {
            const reader = format.open({ ...file, ...(memo === null ? {} : { memo }) });
            for (const [at, line] of lines.entries()) reader.read(line, at + 1);
            reader.leave?.();
            assert.equal(typeof (reader.memo ?? ''), 'string');
          }),
        );
      }
    });

    const [log] = fixtures.filter(({ path, format }) => format.kind === 'lines' && readFileSync(path).length > 8000);
    if (log !== undefined)
      it('continues after a half-written line, and starts again if the file was cut or replaced', async () => {
        const text = readFileSync(log.path, 'utf8');
        const path = join(folder, history.facts.id, ...log.path.split('/').slice(-3));
        const next = `${path}.next`;
        const half = text.lastIndexOf('\n', text.length / 2);
        const first = await write(history, path, text.slice(0, half + 30));
        const second = await write(history, path, text, first.state);
        assert.equal(second.fromStart, false);
        const whole = await write(history, path, text);
        assert.deepEqual(toStory([...first.events, ...second.events]), toStory(whole.events));
        const cut = await write(history, path, text.slice(0, half + 1), second.state);
        assert.equal(cut.fromStart, true);
        writeFileSync(next, text);
        renameSync(next, path);
        const replaced = await write(history, path, text, cut.state);
        assert.deepEqual([replaced.fromStart, replaced.events], [true, whole.events]);
      });

    for (const { path, format } of fixtures) if (format.kind === 'lines') describeLines(history, format, path);
  });
}

function describeLines(history: AgentHistory, format: LineFormat, path: string): void {
  const name = path.split('/').slice(-2).join('/');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  const file = { path, siblingFiles: readSiblingFiles(path, format.siblingFiles) };
  const whole = tell(format, file, lines);

  it(`continues from any line with the same events: ${name}`, () => {
    for (const cut of lines.keys()) {
      const first = openFeed(format, file, { offset: 0, lines: 0 });
      const before = lines.slice(0, cut).flatMap(first.take);
      const point = first.feed.toResumePoint();
      const second = openFeed(format, file, point);
      const rest = lines.slice(point.lines).flatMap(second.take);
      const story = toStory([...before, ...rest, ...second.feed.leave()]);
      assert.deepEqual(story, toStory(whole), `cut before line ${cut + 1} of ${history.facts.name}`);
    }
  });

  it(`waits for a row that it has read, and never throws, whatever happens to the lines: ${name}`, () => {
    fc.assert(
      fc.property(makeDamage(lines), (damaged) => {
        const reader = format.open(file);
        for (const [at, line] of damaged.entries()) {
          for (const event of reader.read(line, at + 1)) assert.ok((event.line ?? 1) <= at + 1);
          assert.ok((reader.pendingLine ?? 1) <= at + 1);
        }
        reader.leave?.();
      }),
      { numRuns: toRuns(60) },
    );
  });

  it(`gives no call the input or the result of another: ${name}`, () => {
    const known = new Map<string, string[]>();
    const note = (id: string, text: string) => void known.set(id, [...(known.get(id) ?? []), text]);
    for (const event of whole.filter(isEnded)) {
      note(event.callId, `${event.input.json} ${event.result.text}`);
      for (const line of lines) if (line.includes(event.callId)) note(event.callId, line);
    }
    fc.assert(
      fc.property(fc.oneof(fc.subarray(lines), fc.shuffledSubarray([...lines, ...lines])), (some) => {
        for (const event of tell(format, file, some).filter(isEnded)) {
          const texts = known.get(event.callId);
          if (texts === undefined) continue;
          const told = `${event.input.json} ${event.result.text}`.match(/\w{5,}/g) ?? [];
          const foreign = told.filter((word) => !texts.some((text) => text.includes(word)));
          assert.deepEqual(foreign, [], event.callId);
        }
      }),
      { numRuns: toRuns(60) },
    );
  });
}

describe('a compressed log', () => {
  it('is claimed by Codex alone, from bytes that are not text', () => {
    const head = zstdCompressSync('{"type":"session_meta"}').toString('utf8');
    const claimed = HISTORIES.filter(({ formats }) => formats.some((format) => format.isOurs(head)));
    assert.deepEqual(
      claimed.map(({ facts }) => facts.id),
      ['codex'],
    );
  });
});

/** Written a moment ago: a call that is open may still end. */
async function write(history: AgentHistory, path: string, text: string, previous?: ScanState) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const events: AgentEvent[] = [];
  const read = await readTranscriptFile({ path, history, previous }, (more) => void events.push(...more));
  return { ...read, events };
}

/** One line, document or first record, and what could not be used of it. */
function readOne(format: Fixture['format'], file: SessionFile, value: unknown): ReadonlyMap<string, number> {
  if (format.kind === 'document') return format.read(value, file).skipped;
  const reader = format.open(file);
  if (format.kind === 'lines') (reader as ReturnType<LineFormat['open']>).read(JSON.stringify(value), 1);
  else
    for (const depth of [0, 1, 2])
      (reader as ReturnType<Exclude<typeof format, LineFormat>['open']>).read(value, depth, 1);
  return reader.skipped;
}

function tell(format: LineFormat, file: SessionFile, lines: readonly string[]): readonly AgentEvent[] {
  const { feed, take } = openFeed(format, file, { offset: 0, lines: 0 });
  return [...lines.flatMap(take), ...feed.leave()];
}

function openFeed(format: LineFormat, file: SessionFile, from: ReadPoint) {
  const { memo } = from;
  const feed = feedLines(format.open({ ...file, ...(memo === undefined ? {} : { memo }) }), from);
  let end = from.offset;
  return { feed, take: (text: string) => [...feed.take({ text, start: end, end: ++end, isComplete: true })] };
}

/**
 * The last report of each call, and every other event once. A reader that did not see the start of a call knows neither
 * its input nor perhaps its line; the store does.
 */
function toStory(events: readonly AgentEvent[]): unknown {
  const inputs = new Map<string, string>();
  const calls = new Map<string, unknown>();
  for (const event of events.filter(isEnded)) {
    const { sessionId, contextId, callId, rawTool, at, result, input } = event;
    const key = `${sessionId} ${callId}`;
    if (input.json !== '') inputs.set(key, input.json);
    calls.set(key, { contextId, rawTool, at, result });
  }
  const others = events.filter((event) => !isEnded(event)).map(({ line: _, ...event }) => JSON.stringify(event));
  return { calls: [...calls].sort(byName), inputs: [...inputs].sort(byName), others: [...new Set(others)].sort() };
}

function byName([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return a < b ? -1 : 1;
}
