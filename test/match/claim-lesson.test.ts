import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { claimLesson, dropClaims } from '../../src/match/claims.ts';

const MAIN = { agent: 'claude-code', sessionId: 'one', contextId: '' };
const LESSON = { id: 'les_1', priority: 5 };

describe('claiming a lesson', () => {
  let root: string;
  let claims: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-claims-'));
    claims = join(root, 'run', 'claims');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('succeeds once', () => {
    assert.equal(claimLesson(claims, MAIN, LESSON), true);
    assert.equal(claimLesson(claims, MAIN, LESSON), false);
  });

  it('separates contexts, sessions, agents and lessons', () => {
    for (const other of [
      MAIN,
      { ...MAIN, contextId: 'sub' },
      { ...MAIN, sessionId: 'two' },
      { ...MAIN, agent: 'codex' },
    ])
      assert.equal(claimLesson(claims, other, LESSON), true);
    assert.equal(claimLesson(claims, MAIN, { id: 'les_2', priority: 5 }), true);
  });

  it('gives each lesson to exactly one of eight processes at once', async () => {
    const start = join(root, 'start');
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [join(import.meta.dirname, 'claim-once.ts'), claims, start, '100'], {
        env: { HOME: root },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    );
    await Promise.all(children.map((child) => once(child.stdout, 'readable')));
    writeFileSync(start, '');
    const outputs = await Promise.all(children.map((child) => text(child.stdout)));
    const got = outputs.flatMap((output) => JSON.parse(output.split('\n')[1] ?? '') as number[]);
    assert.deepEqual(
      got.sort((a, b) => a - b),
      Array.from({ length: 100 }, (_, n) => n),
    );
  });

  it('stays inside its folder whatever ids come from outside', () => {
    const hostile = ['../../x', '/etc/x', '..', '.', '', 'a\0b', 'x'.repeat(5000), '\ud800', 'con:|?*'];
    for (const id of hostile)
      assert.equal(claimLesson(claims, { agent: id, sessionId: id, contextId: id }, { id, priority: 1 }), true);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (sessionId, contextId) => {
        claimLesson(claims, { agent: 'a', sessionId, contextId }, { id: contextId, priority: 1 });
        dropClaims(claims, { agent: 'a', sessionId, contextId }, 1);
      }),
    );
    assert.deepEqual(readdirSync(root), ['run']);
    assert.deepEqual(readdirSync(join(root, 'run')), ['claims']);
    for (const session of readdirSync(claims)) assert.match(session, /^[a-z0-9]{14}$/);
  });

  it('returns false, and does not throw, if no file can be made', () => {
    writeFileSync(join(root, 'file'), '');
    assert.equal(claimLesson(join(root, 'file'), MAIN, LESSON), false);
    assert.equal(claimLesson(join(root, 'file', 'claims'), MAIN, LESSON), false);
    assert.equal(claimLesson('\0', MAIN, LESSON), false);
  });
});

describe('dropping claims', () => {
  let claims: string;
  beforeEach(() => {
    claims = mkdtempSync(join(tmpdir(), 'oncebitten-claims-'));
  });
  afterEach(() => rmSync(claims, { recursive: true }));
  const claim = (priority: number, claimant = MAIN) =>
    claimLesson(claims, claimant, { id: `les_${priority}`, priority });

  it('frees lessons of the priority or more, for the conversation that forgot them but not for its sub-agents', () => {
    const sub = { ...MAIN, contextId: 'sub' };
    const all = () => [6, 7, 10].flatMap((priority) => [claim(priority), claim(priority, sub)]);
    assert.deepEqual(all(), [true, true, true, true, true, true]);
    dropClaims(claims, MAIN, 7);
    assert.deepEqual(all(), [false, false, true, false, true, false]);
    dropClaims(claims, MAIN, 0);
    assert.deepEqual(all(), [true, false, true, false, true, false]);
    dropClaims(claims, sub, 0);
    assert.deepEqual(all(), [false, true, false, true, false, true]);
  });

  it('leaves other sessions alone', () => {
    const other = { ...MAIN, sessionId: 'two' };
    claim(8);
    claim(8, other);
    dropClaims(claims, MAIN, 0);
    assert.deepEqual([claim(8), claim(8, other)], [true, false]);
  });

  it('frees by priority also claims made on a full disk, where files get no content', () => {
    const claimed = [9, 5].map((priority) => ({ id: `les_${priority}`, priority }));
    assert.equal(claimOnFullDisk(claims, claimed), 'true,true');
    for (const dir of readdirSync(claims))
      for (const name of readdirSync(join(claims, dir))) assert.equal(statSync(join(claims, dir, name)).size, 0);
    assert.deepEqual([claim(9), claim(5)], [false, false]);
    dropClaims(claims, MAIN, 7);
    assert.deepEqual([claim(9), claim(5)], [true, false]);
    dropClaims(claims, MAIN, 0);
    assert.deepEqual([claim(9), claim(5)], [true, true]);
  });

  it('leaves files that are not claims, and claims without a readable priority', () => {
    claim(8);
    const [session = ''] = readdirSync(claims);
    const [name = ''] = readdirSync(join(claims, session));
    writeFileSync(join(claims, session, name), 'nonsense');
    dropClaims(claims, MAIN, 7);
    assert.equal(claim(8), false);
  });

  it('does nothing if there are none', () => {
    dropClaims(claims, MAIN, 0);
    dropClaims(join(claims, 'none'), MAIN, 0);
  });

  it('frees the others if one claim cannot be read', () => {
    claim(8);
    const [session = ''] = readdirSync(claims);
    mkdirSync(join(claims, session, '0-folder'));
    dropClaims(claims, MAIN, 0);
    assert.equal(claim(8), true);
  });
});

/** A file can be created but not written: a limit of the process stands for a full disk. */
function claimOnFullDisk(claims: string, lessons: readonly object[]): string {
  const module = join(import.meta.dirname, '../../src/match/claims.ts');
  const script = `
    import { claimLesson } from ${JSON.stringify(module)};
    const [claims, claimant, lessons] = JSON.parse(process.env.GIVEN);
    console.log(lessons.map((lesson) => claimLesson(claims, claimant, lesson)).join());
  `;
  const env = { HOME: claims, GIVEN: JSON.stringify([claims, MAIN, lessons]) };
  const node = `ulimit -f 0 && exec "$0" --input-type=module -e "$1"`;
  return execFileSync('sh', ['-c', node, process.execPath, script], { env, encoding: 'utf8' }).trim();
}
