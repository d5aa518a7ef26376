import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Fact } from '../../src/base/model/fact.ts';
import { writeSpool } from '../../src/capture/journal/journal.ts';
import { readSpooled } from '../../src/capture/journal/read-facts.ts';
import { listSpool, removeSpooled } from '../../src/capture/journal/spool-files.ts';
import { makeFact } from './make-fact.ts';

const WRITER = join(import.meta.dirname, 'write-facts.ts');
const toIds = (facts: readonly Fact[]) => facts.flatMap((fact) => (fact.kind === 'call' ? [fact.call.callId] : []));

describe('the spool', () => {
  let root: string;
  let dir: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-spool-'));
    dir = join(root, 'spool');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('returns what was written, oldest first, until it is removed', () => {
    writeSpool(dir, 'out_2', [makeFact('b')]);
    writeSpool(dir, 'out_1', [makeFact('a1'), makeFact('a2')]);
    assert.deepEqual(listSpool(dir), ['out_1.fact', 'out_2.fact']);
    assert.deepEqual(readSpooled(dir, 'out_1.fact').facts, [makeFact('a1'), makeFact('a2')]);
    removeSpooled(dir, 'out_1.fact');
    removeSpooled(dir, 'out_1.fact');
    assert.deepEqual(listSpool(dir), ['out_2.fact']);
  });

  it('is readable by its owner only', () => {
    writeSpool(dir, 'out_1', [makeFact('a')]);
    assert.equal(statSync(dir).mode & 0o777, 0o700);
    assert.equal(statSync(join(dir, 'out_1.fact')).mode & 0o777, 0o600);
  });

  it('is not created for nothing', () => {
    writeSpool(dir, 'out_1', []);
    assert.equal(existsSync(dir), false);
    assert.deepEqual(listSpool(dir), []);
  });

  it('shows no file that is still being written, nor foreign files', () => {
    writeSpool(dir, 'out_1', [makeFact('a')]);
    for (const name of ['.out_2', '.out_3.fact', 'notes.txt', 'x.journal']) writeFileSync(join(dir, name), 'x');
    assert.deepEqual(listSpool(dir), ['out_1.fact']);
  });

  it('leaves out torn and foreign lines and keeps the facts around them', () => {
    writeSpool(dir, 'out_1', [makeFact('a')]);
    const torn = JSON.stringify(makeFact('torn')).slice(0, -9);
    const foreign = ['hello', '{}', '[]', 'null', '', '\0', JSON.stringify({ ...makeFact('later'), v: 2 })];
    appendFileSync(join(dir, 'out_1.fact'), [...foreign, JSON.stringify(makeFact('b')), torn].join('\n'));
    assert.deepEqual(toIds(readSpooled(dir, 'out_1.fact').facts), ['a', 'b']);
  });

  it('throws if it cannot be written, for the caller to decide', () => {
    writeFileSync(dir, 'a file where the folder should be');
    assert.throws(() => writeSpool(dir, 'out_1', [makeFact('a')]));
  });

  it('shows no half of an event if the disk is full', () => {
    // A limit on the file size stands for a full disk: the first bytes are written, the rest is not.
    const script = `trap '' XFSZ; ulimit -f 1; exec "$0" -e 'import(process.argv[1]).then(({ writeSpool }) => {
      const fact = JSON.parse(process.argv[3]);
      writeSpool(process.argv[2], "out_1", Array(20).fill(fact));
    })' "$@"`;
    const writeSpoolFile = join(import.meta.dirname, '../../src/capture/journal/write-spool.ts');
    const args = [process.execPath, writeSpoolFile, dir, JSON.stringify(makeFact('a'))];
    const { status } = spawnSync('bash', ['-c', script, ...args], { env: { HOME: root, PATH: process.env.PATH } });
    assert.notEqual(status, 0);
    assert.deepEqual(listSpool(dir), []);
  });

  it('loses and tears nothing while many processes write and one drains', async () => {
    const [writers, events] = [6, 40];
    const children = Array.from({ length: writers }, (_, n) =>
      spawn(process.execPath, [WRITER, dir, `w${n}`, String(events)], { env: { HOME: root }, stdio: 'inherit' }),
    );
    let running = children.length;
    const ended = children.map(async (child) => {
      const [code] = await once(child, 'exit');
      running--;
      return code as number;
    });
    const drained: string[] = [];
    for (let last = false; !last; ) {
      last = running === 0;
      for (const name of listSpool(dir)) {
        const ids = toIds(readSpooled(dir, name).facts);
        assert.equal(ids.length, 2, 'a file that is seen is whole');
        drained.push(...ids);
        removeSpooled(dir, name);
      }
      await turn();
    }
    assert.deepEqual(await Promise.all(ended), Array(writers).fill(0));
    const expected = Array.from({ length: writers }, (_, w) =>
      Array.from({ length: events }, (_, n) => [`w${w}-${n}-a`, `w${w}-${n}-b`]),
    ).flat(2);
    assert.deepEqual(drained.toSorted(), expected.toSorted());
    assert.deepEqual(readdirSync(dir), []);
  });
});
