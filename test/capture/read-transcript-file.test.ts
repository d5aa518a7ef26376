import assert from 'node:assert/strict';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import type {
  AgentHistory,
  DocumentRead,
  LineReader,
  RecordReader,
  SessionFile,
  TreeFormat,
} from '../../src/base/contracts/agent-history.ts';
import type { AgentEvent } from '../../src/base/model/event.ts';
import type { ScanState } from '../../src/base/storage/scan-state.ts';
import { readChunks, readLines } from '../../src/capture/transcripts/read-lines.ts';
import { isUnchanged, readTranscriptFile } from '../../src/capture/transcripts/read-transcript.ts';
import { findTranscripts } from '../../src/capture/transcripts/session-files.ts';
import { readSessionStat } from '../../src/capture/transcripts/session-stat.ts';
import { toRuns } from '../to-runs.ts';

let home = '';
let count = 0;
before(() => {
  home = mkdtempSync(join(tmpdir(), 'oncebitten-transcript-'));
});
after(() => rmSync(home, { recursive: true, force: true }));

const MINUTE_MS = 60_000;
const newPath = () => join(home, `t${count++}.jsonl`);

/** A record names the folder with those below it. */
const TREE: TreeFormat = {
  kind: 'tree',
  file: /\/tree\/[^/]+\.json$/,
  isOurs: () => true,
  below: [(record) => toFolder(record), (record) => toFolder(record)],
  open: openRecords,
};

/** The plainest format that fits the seam: a line `open` holds everything back until a line `close`. */
const history: AgentHistory = {
  facts: { id: 'plain', name: 'Plain', home: { folder: '' } },
  places: [''],
  version: 1,
  formats: [
    { kind: 'lines', file: /\.jsonl$/, isOurs: () => true, open: openPlain },
    { kind: 'lines', file: /\.jsonl\.zst$/, isOurs: () => true, compression: 'zstd', open: openPlain },
    TREE,
    { kind: 'document', file: /\.json$/, isOurs: () => true, siblingFiles: ['name.txt'], read: readPlain },
  ],
};

function openPlain(file: SessionFile): LineReader {
  let pendingLine: number | undefined;
  let memo = file.memo;
  return {
    skipped: new Map(),
    get pendingLine() {
      return pendingLine;
    },
    get memo() {
      return memo;
    },
    read(text, line) {
      if (text === '"open"') pendingLine ??= line;
      if (text === '"close"') pendingLine = undefined;
      if (text.startsWith('"note')) memo = text;
      return [toEvent(memo === undefined ? text : `${text} after ${memo}`, line)];
    },
    leave: () => (pendingLine === undefined ? [] : [toEvent('left', pendingLine)]),
  };
}

function readPlain(document: unknown, { siblingFiles }: SessionFile): DocumentRead {
  return { events: [toEvent(`${JSON.stringify(document)} by ${siblingFiles['name.txt']}`, 0)], skipped: new Map() };
}

function openRecords(): RecordReader {
  return {
    skipped: new Map(),
    read: (record, depth, line) => [toEvent(`${depth} ${record === undefined ? 'nothing' : toFolder(record)}`, line)],
    end: () => [toEvent('end', 0)],
    leave: () => [toEvent('left', 0)],
  };
}

function toFolder(record: unknown): string | undefined {
  return typeof record === 'string' ? record : undefined;
}

function toEvent(text: string, line: number): AgentEvent {
  return { agent: 'plain', sessionId: 's', contextId: '', at: '', source: 'transcript', line, kind: 'prompted', text };
}

async function scan(path: string, previous?: ScanState) {
  const told: string[] = [];
  const read = await readTranscriptFile({ path, history, previous }, (events) => {
    for (const event of events) if (event.kind === 'prompted') told.push(`${event.line}:${event.text}`);
  });
  return { ...read, told };
}

describe('a transcript', () => {
  it('is continued where the last read ended', async () => {
    const path = newPath();
    writeFileSync(path, 'a\nb\n');
    const first = await scan(path);
    assert.deepEqual(first.told, ['1:a', '2:b']);
    assert.deepEqual([first.state.offset, first.state.lines, first.fromStart], [4, 2, true]);
    appendFileSync(path, 'c\n');
    const second = await scan(path, first.state);
    assert.deepEqual([second.told, second.fromStart, second.bytesRead], [['3:c'], false, 2]);
  });

  it('leaves a half-written last line for later', async () => {
    const path = newPath();
    writeFileSync(path, 'a\n{"b":');
    const first = await scan(path);
    assert.deepEqual(first.told, ['1:a']);
    appendFileSync(path, '1}\n');
    assert.deepEqual((await scan(path, first.state)).told, ['2:{"b":1}']);
  });

  it('reports a last line that is complete but for its newline, and again when the newline has come', async () => {
    const path = newPath();
    writeFileSync(path, 'a\n{"b":1}');
    const first = await scan(path);
    assert.deepEqual(first.told, ['1:a', '2:{"b":1}']);
    appendFileSync(path, '\nc\n');
    assert.deepEqual((await scan(path, first.state)).told, ['2:{"b":1}', '3:c']);
  });

  it('resumes before a call that is still open', async () => {
    const path = newPath();
    writeFileSync(path, 'a\n"open"\nb\n');
    const first = await scan(path);
    assert.deepEqual([first.state.offset, first.state.lines], [2, 1]);
    appendFileSync(path, '"close"\nc\n');
    const second = await scan(path, first.state);
    assert.deepEqual(second.told, ['2:"open"', '3:b', '4:"close"', '5:c']);
    assert.equal(second.state.offset, statSync(path).size);
  });

  it('continues with the memo, also before a call that is still open', async () => {
    const path = newPath();
    writeFileSync(path, '"note 1"\n"open"\n"note 2"\n');
    const first = await scan(path);
    assert.deepEqual([first.state.lines, first.state.memo], [1, '"note 1"']);
    appendFileSync(path, '"close"\n');
    const second = await scan(path, first.state);
    assert.deepEqual(second.told.at(0), '2:"open" after "note 1"');
    assert.equal(second.state.memo, '"note 2"');
  });

  it('may be compressed: then it is read as a whole', async () => {
    const path = `${newPath()}.zst`;
    writeFileSync(path, zstdCompressSync('a\nb\n'));
    const { told, state } = await scan(path);
    assert.deepEqual(told, ['1:a', '2:b']);
    assert.deepEqual((await scan(path, state)).told, told);
    writeFileSync(path, 'no zstd');
    await assert.rejects(scan(path));
  });

  it('may be one document, read as a whole and with the files beside it', async () => {
    const path = join(home, 'session.json');
    writeFileSync(join(home, 'name.txt'), 'Ada');
    writeFileSync(path, '{"a":1}');
    assert.deepEqual((await scan(path)).told, ['0:{"a":1} by Ada']);
    writeFileSync(path, '{"a":');
    assert.deepEqual([...(await scan(path)).skipped], [['not a JSON document', 1]]);
  });

  it('may be a tree of documents, each with a folder of those below it', async () => {
    const { path } = writeTree();
    assert.deepEqual((await scan(path)).told, ['1:0 m', '2:1 p1', '3:2 x', '4:1 p2', '5:2 y', '6:2 nothing', '0:end']);
  });

  it('in a tree is known to have changed when anything is added to its end, and is closed when nothing is any more', async () => {
    const { path, at } = writeTree();
    const isSame = (state: ScanState) => isUnchanged(state, readSessionStat(path, TREE), 1);
    let { state } = await scan(path);
    assert.ok(isSame(state));
    const changes: readonly (readonly [string, string])[] = [
      ['p2/c.json', '"new"'],
      ['p2/a.json', '"longer"'],
      ['m/3.json', '"p3"'],
      ['p3/a.json', '"first"'],
    ];
    for (const [name, text] of changes) {
      at(name, text);
      assert.ok(!isSame(state), name);
      ({ state } = await scan(path));
      assert.ok(isSame(state));
    }
    for (const name of ['s.json', 'm', 'm/3.json', 'p3', 'p3/a.json']) utimesSync(join(path, '..', name), 1, 1);
    assert.equal((await scan(path)).told.at(-1), '0:left');
  });

  it('is read from its beginning when it was truncated, rewritten or replaced', async () => {
    const path = newPath();
    writeFileSync(path, 'aaa\nbbb\n');
    const { state } = await scan(path);
    truncateSync(path, 4);
    assert.deepEqual((await scan(path, state)).told, ['1:aaa']);
    writeFileSync(path, 'x\nyyyyyyyyyyy\n');
    assert.deepEqual((await scan(path, state)).told, ['1:x', '2:yyyyyyyyyyy']);
    writeFileSync(`${path}.new`, 'aaa\nbbb\nccc\n');
    renameSync(`${path}.new`, path);
    const replaced = await scan(path, state);
    assert.deepEqual([replaced.told.length, replaced.fromStart], [3, true]);
  });

  it('is read from its beginning if it was rewritten and grew, though a line ends at the same offset', async () => {
    const path = newPath();
    writeFileSync(path, 'aaa\nbbb\n');
    const { state } = await scan(path);
    writeFileSync(path, 'ccc\nddd\neee\n');
    const rewritten = await scan(path, state);
    assert.deepEqual([rewritten.told, rewritten.fromStart], [['1:ccc', '2:ddd', '3:eee'], true]);
  });

  it('is continued if no tail is stored', async () => {
    const path = newPath();
    writeFileSync(path, 'aaa\nbbb\n');
    const { tail, ...state } = (await scan(path)).state;
    assert.notEqual(tail, undefined);
    appendFileSync(path, 'ccc\n');
    assert.deepEqual((await scan(path, state)).told, ['3:ccc']);
  });

  it('is compared by the last bytes before the offset only, however long it is', async () => {
    const path = newPath();
    const lines = Array.from({ length: 200 }, (_, i) => `line ${i}\n`).join('');
    writeFileSync(path, lines);
    const { state } = await scan(path);
    writeFileSync(path, `LINE${lines.slice(4)}more\n`);
    assert.deepEqual((await scan(path, state)).told, ['201:more']);
    writeFileSync(path, `${lines.slice(0, -20)}x${lines.slice(-19)}more\n`);
    assert.equal((await scan(path, state)).fromStart, true);
  });

  it('is read again by a newer parser', async () => {
    const path = newPath();
    writeFileSync(path, 'a\n');
    const { state } = await scan(path);
    assert.deepEqual((await scan(path, { ...state, parserVersion: 0 })).told, ['1:a']);
    assert.ok(isUnchanged(state, statSync(path), 1));
    assert.ok(!isUnchanged({ ...state, parserVersion: 0 }, statSync(path), 1));
  });

  it('with a running call is read once more after it stops changing, and then no more', async (t) => {
    const path = newPath();
    writeFileSync(path, 'a\n"open"\nb\n');
    const writtenMs = Date.now() - 20 * MINUTE_MS;
    utimesSync(path, writtenMs / 1000, writtenMs / 1000);
    const { state, told } = await scan(path);
    assert.ok(!told.includes('2:left'));
    assert.ok(isUnchanged(state, statSync(path), 1), 'its session may live');
    t.mock.timers.enable({ apis: ['Date'], now: writtenMs + 31 * MINUTE_MS });
    assert.ok(!isUnchanged(state, statSync(path), 1));
    const last = await scan(path, state);
    assert.ok(last.told.includes('2:left'));
    assert.ok(isUnchanged(last.state, statSync(path), 1));
  });

  it('without a running call is not read again for that', async (t) => {
    const path = newPath();
    writeFileSync(path, 'a\n"open"\n"close"\n');
    const { state } = await scan(path);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * MINUTE_MS });
    assert.ok(isUnchanged(state, statSync(path), 1));
  });

  it('rejects when it cannot be read', async () => {
    await assert.rejects(scan(join(home, 'missing.jsonl')), { code: 'ENOENT' });
  });

  it('waits for a slow listener before it reads on', async () => {
    const path = newPath();
    writeFileSync(path, `${'x'.repeat(700_000)}\n`.repeat(4));
    let busy = 0;
    await readTranscriptFile({ path, history }, async () => {
      assert.equal(busy++, 0);
      await new Promise((resolve) => setTimeout(resolve, 5));
      busy--;
    });
  });

  it('gives the same events in one read and in many', async () => {
    const line = fc.string({ unit: 'binary', maxLength: 20 }).map((text) => text.replaceAll('\n', ''));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 8 }), fc.nat(200), async (lines, cut) => {
        const path = newPath();
        const bytes = Buffer.from(lines.map((text) => `${text}!\n`).join(''));
        writeFileSync(path, bytes.subarray(0, cut));
        const first = await scan(path);
        writeFileSync(path, bytes);
        const second = await scan(path, first.state);
        assert.deepEqual([...first.told, ...second.told], (await scan(path)).told);
      }),
      { numRuns: toRuns(60) },
    );
  });
});

/** A session with two messages; the last part of the second is broken. */
function writeTree() {
  const root = join(home, `${count++}`, 'tree');
  const at = (name: string, text: string): void => {
    mkdirSync(join(root, name, '..'), { recursive: true });
    writeFileSync(join(root, name), text);
  };
  at('s.json', '"m"');
  at('m/1.json', '"p1"');
  at('m/2.json', '"p2"');
  at('p1/a.json', '"x"');
  at('p2/a.json', '"y"');
  at('p2/b.json', '{"cut');
  at('p2/notes.txt', 'no document');
  return { path: join(root, 's.json'), at };
}

describe('lines', () => {
  async function list(path: string, from: number, to: number, max?: number) {
    const fd = openSync(path, 'r');
    try {
      const found = [];
      for await (const lines of readLines(readChunks(fd, from, to), {
        from,
        ...(max === undefined ? {} : { maxLineBytes: max }),
      }))
        found.push(...lines);
      return found;
    } finally {
      closeSync(fd);
    }
  }

  it('are joined across chunks', async () => {
    const path = newPath();
    const long = 'ä'.repeat(1_500_000);
    writeFileSync(path, `${long}\nend\n`);
    const found = await list(path, 0, statSync(path).size);
    assert.deepEqual(
      found.map((line) => line.text === long || line.text),
      [true, 'end'],
    );
    assert.equal(found[1]?.start, 3_000_001);
  });

  it('that are too long for memory are skipped', async () => {
    const path = newPath();
    writeFileSync(path, `${'x'.repeat(2_500_000)}\nnext\n${'y'.repeat(11)}\n`);
    const found = await list(path, 0, statSync(path).size, 10);
    assert.deepEqual(
      found.map((line) => line.text),
      [undefined, 'next', undefined],
    );
  });

  it('of files that are read at the same time are not mixed up', () => {
    const texts = ['first', 'other', 'third'];
    const fds = texts.map((text) => {
      const path = newPath();
      writeFileSync(path, text);
      return openSync(path, 'r');
    });
    try {
      const readers = fds.map((fd) => readChunks(fd, 0, 5));
      const chunks = readers.map((reader) => reader.next().value);
      assert.deepEqual(chunks.map(String), texts);
      for (const reader of readers) assert.equal(reader.next().done, true);
      const [again, more] = [readChunks(fds[0] ?? 0, 0, 5), readChunks(fds[1] ?? 0, 0, 5)];
      assert.deepEqual([again.next().value, more.next().value].map(String), ['first', 'other']);
    } finally {
      for (const fd of fds) closeSync(fd);
    }
  });

  it('end where the file ended when it was opened', async () => {
    const path = newPath();
    writeFileSync(path, 'a\nb\nc\n');
    assert.deepEqual(
      (await list(path, 2, 4)).map((line) => line.text),
      ['b'],
    );
  });
});

describe('transcripts in a folder', () => {
  const isLog = (path: string) => path.endsWith('.jsonl');
  it('are found oldest first, also in folders below; hidden folders and other files are left out', () => {
    const root = mkdtempSync(join(home, 'find-'));
    const add = (name: string, seconds: number) => {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), 'x\n');
      utimesSync(join(root, name), seconds, seconds);
    };
    add('b.jsonl', 20);
    add('a/deep/c.jsonl', 10);
    add('a.jsonl', 20);
    add('.hidden/d.jsonl', 5);
    add('notes.txt', 5);
    const list = (isClosed?: (folder: string) => boolean) =>
      findTranscripts(root, isLog, isClosed).map(({ path }) => path.slice(root.length + 1));
    assert.deepEqual(list(), ['a/deep/c.jsonl', 'a.jsonl', 'b.jsonl']);
    assert.deepEqual(
      list((folder) => folder.endsWith('deep')),
      ['a.jsonl', 'b.jsonl'],
    );
  });

  it('may be a single file, or nothing at all', () => {
    const path = newPath();
    writeFileSync(path, 'x\n');
    assert.deepEqual(
      findTranscripts(path, () => false).map((found) => [found.path, found.size]),
      [[path, 2]],
    );
    assert.deepEqual(findTranscripts(join(home, 'nowhere'), isLog), []);
  });
});
