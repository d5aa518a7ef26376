import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { JOURNAL_SUFFIX, openJournal } from '../../src/capture/journal/journal.ts';
import { readSpooled } from '../../src/capture/journal/read-facts.ts';
import { listBySuffix, listSpool } from '../../src/capture/journal/spool-files.ts';
import { makeFact } from './make-fact.ts';

describe('the journal', () => {
  let root: string;
  let dir: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-journal-'));
    dir = join(root, 'spool');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('has every fact on the disk when append returns', () => {
    const journal = openJournal(dir, 'dmn_1');
    journal.append([makeFact('a'), makeFact('b')]);
    journal.append([makeFact('c')]);
    const [name = ''] = listBySuffix(dir, JOURNAL_SUFFIX);
    assert.deepEqual(
      readSpooled(dir, name).facts,
      ['a', 'b', 'c'].map((id) => makeFact(id)),
    );
    assert.equal(statSync(join(dir, name)).mode & 0o777, 0o600);
  });

  it('gives a segment away once and continues in the next', () => {
    const journal = openJournal(dir, 'dmn_1');
    journal.append([makeFact('a')]);
    const first = journal.cut();
    assert.equal(journal.cut(), undefined);
    journal.append([makeFact('b')]);
    const second = journal.cut();
    assert.deepEqual(listBySuffix(dir, JOURNAL_SUFFIX), [first, second]);
    assert.deepEqual(readSpooled(dir, first ?? '').facts, [makeFact('a')]);
    assert.deepEqual(readSpooled(dir, second ?? '').facts, [makeFact('b')]);
  });

  it('creates nothing while there is nothing to write', () => {
    const journal = openJournal(dir, 'dmn_1');
    journal.append([]);
    assert.equal(journal.cut(), undefined);
    assert.equal(existsSync(dir), false);
  });

  it('never writes into the segment of another daemon', () => {
    const dead = openJournal(dir, 'dmn_1');
    dead.append([makeFact('a')]);
    const next = openJournal(dir, 'dmn_2');
    next.append([makeFact('b')]);
    assert.deepEqual(
      listBySuffix(dir, JOURNAL_SUFFIX).map((name) => readSpooled(dir, name).facts),
      [[makeFact('a')], [makeFact('b')]],
    );
    assert.deepEqual(listSpool(dir), [], 'the spool does not take a segment that is still written');
  });

  it('reports a full disk, and loses only what the disk rejected', () => {
    // A limit on the file size stands for a full disk.
    const script = `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`;
    const args = ['-c', script, process.execPath, join(import.meta.dirname, 'fill-journal.ts'), dir];
    const { stdout } = spawnSync('bash', args, { env: { HOME: root, PATH: process.env.PATH }, encoding: 'utf8' });
    const [told = '', last] = stdout.split('\n');
    assert.match(told, /^kept( kept)*( refused)+$/);
    assert.equal(last, 'kept');
    const ids = listBySuffix(dir, JOURNAL_SUFFIX).flatMap((name) =>
      readSpooled(dir, name).facts.map((fact) => (fact.kind === 'call' ? fact.call.callId : '')),
    );
    assert.deepEqual([ids[0], ids.at(-1)], ['a', 'last']);
  });

  it('keeps the facts before the torn last line of a killed daemon', () => {
    const journal = openJournal(dir, 'dmn_1');
    journal.append([makeFact('a')]);
    const [name = ''] = readdirSync(dir);
    appendFileSync(join(dir, name), JSON.stringify(makeFact('torn')).slice(0, 40));
    assert.deepEqual(readSpooled(dir, name).facts, [makeFact('a')]);
  });
});
