import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { type GrownFinder, makeGrownFinder } from '../../src/loop/scan/scan-job.ts';

const AGENT = 'claude-code';
const MINUTE_MS = 60_000;
const LONG_AGO = new Date(Date.now() - 48 * 60 * MINUTE_MS);

describe('session files that grow', () => {
  let root: string;
  let dir: string;
  let nowMs: number;
  let listings: number;
  let finder: GrownFinder;
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-grown-'));
    dir = join(root, '.claude/projects/-shop');
    mkdirSync(dir, { recursive: true });
  });
  after(() => rmSync(root, { recursive: true, force: true }));

  const list = () => {
    listings++;
    return listScanFiles({ agent: AGENT, home: root, env: {} });
  };
  const fileOf = (name: string) => join(dir, `${name}.jsonl`);
  const grow = (name: string) => appendFileSync(fileOf(name), '{}\n');
  const found = () => finder.find().map(({ path }) => basename(path, '.jsonl'));
  beforeEach(() => {
    nowMs = Date.now();
    for (const name of ['a', 'b', 'old']) writeFileSync(fileOf(name), '{}\n');
    utimesSync(fileOf('old'), LONG_AGO, LONG_AGO);
    finder = makeGrownFinder({ list, now: () => nowMs });
    finder.note(list());
    listings = 0;
  });

  it('are found once each time they do', () => {
    assert.deepEqual(found(), []);
    grow('a');
    assert.deepEqual([found(), found()], [['a'], []]);
    grow('a');
    grow('b');
    assert.deepEqual([found().sort(), found()], [['a', 'b'], []]);
    assert.equal(listings, 0);
  });

  it('are found at the next look through the folders when they are old or new', () => {
    grow('old');
    writeFileSync(fileOf('new'), '{}\n');
    assert.deepEqual(found(), []);
    nowMs += MINUTE_MS;
    assert.deepEqual([found().sort(), found(), listings], [['new', 'old'], [], 1]);
    rmSync(fileOf('new'));
    nowMs += MINUTE_MS;
    assert.deepEqual(found(), []);
  });

  it('are found once more when nobody has written to them for half an hour: a call in them may never end', (t) => {
    assert.deepEqual(found(), []);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 31 * MINUTE_MS });
    assert.deepEqual([found().sort(), found()], [['a', 'b'], []]);
  });

  it('are left to the hooks while these tell of them', () => {
    finder.hear(AGENT, fileOf('a'));
    grow('a');
    nowMs += 9 * MINUTE_MS;
    assert.deepEqual(found(), []);
    finder.hear(AGENT, fileOf('a'));
    nowMs += 9 * MINUTE_MS;
    assert.deepEqual(found(), []);
    nowMs += 2 * MINUTE_MS;
    assert.deepEqual([found(), found()], [['a'], []]);
  });

  it('are found where only a hook knows them, once hooks are silent', () => {
    const elsewhere = join(root, 'elsewhere.jsonl');
    writeFileSync(elsewhere, '{}\n');
    finder.hear(AGENT, elsewhere);
    finder.hear('nobody', join(root, 'none.jsonl'));
    assert.deepEqual(found(), []);
    nowMs += 11 * MINUTE_MS;
    found();
    assert.deepEqual(found(), ['elsewhere']);
  });

  it('wait the longer the longer they take to read', () => {
    finder.rest(fileOf('a'), 1_000);
    grow('a');
    nowMs += 49_000;
    assert.deepEqual(found(), []);
    nowMs += 2_000;
    assert.deepEqual(found(), ['a']);
  });

  it('that could not be read are found again later, grown or not', () => {
    grow('a');
    assert.deepEqual(found(), ['a']);
    finder.fail(fileOf('a'));
    nowMs += 4 * MINUTE_MS;
    assert.deepEqual(found(), []);
    nowMs += 2 * MINUTE_MS;
    assert.deepEqual(found(), ['a']);
  });
});
