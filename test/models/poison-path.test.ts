/** Poison through the whole path: a session file, a scan, packs, the answer of a model that obeys, and what agents read. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { readPacks } from '../../src/loop/language-models/learn-packs.ts';
import { takeAnswers } from '../../src/loop/language-models/take-answers.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { GOOD_LESSON as HONEST } from './answer-script.ts';
import { ADVERSARIAL, OUTPUTS } from './poison.ts';
import { makeHistory, writePast } from './write-history.ts';

/** One project with one failure, and what a model makes of it. */
interface Case {
  readonly why: string;
  readonly output?: string;
  readonly answer: object;
  /** What no agent may read. */
  readonly leaks?: RegExp;
}

const CASES: readonly Case[] = [
  { why: 'an honest answer', answer: HONEST },
  ...OUTPUTS.map(({ title, output, leaks }) => ({
    ...{ why: title, output, leaks },
    answer: { ...HONEST, advice: `${output} Use \`frob sync --every\`.`.slice(0, 600) },
  })),
  ...ADVERSARIAL.map(({ why, add }) => ({ why, answer: { ...HONEST, ...add } })),
];

describe('poison on its whole way', () => {
  let root: string;
  let store: Store;
  let lessons: readonly Lesson[];
  let manifest: string;
  let told: readonly string[];
  const toCwd = (n: number): string => `/home/dev/case-${n}`;

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-poison-'));
    const home = toDataHome(join(root, 'data'));
    store = await openStore({ url: '', file: home.storeFile });
    const parts = { store, settings: DEFAULT_SETTINGS, ...home, log: () => {} };
    const files = CASES.map(({ output }, n) => {
      const calls = makeHistory(`case-${n}`).map((call) =>
        call.error === undefined || output === undefined ? call : { ...call, error: `${call.error}\n${output}` },
      );
      const path = writePast(root, { session: `case-${n}`, cwd: toCwd(n) }, calls);
      const { size, mtimeMs } = statSync(path);
      return { agent: 'claude-code', path, size, mtimeMs };
    });
    await scanSessions({ ...parts, files, onProgress: () => {} });
    const packs = await readPacks(parts, { files, by: 'project' });
    told = packs.map(({ text }) => text);
    const answers = packs.map(({ index }) => {
      const n = Number(/case-(\d+)/.exec(index.calls.e1?.[0]?.sessionId ?? '')?.[1]);
      return { index, text: JSON.stringify({ add: [CASES[n]?.answer] }), provider: 'test' };
    });
    await takeAnswers(parts, answers);
    lessons = (await store.listLessons()).filter(({ origin }) => origin.kind === 'model');
    manifest = readFileSync(home.manifestFile, 'utf8');
  });
  after(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  it('is asked about: nearly every failure is in a pack, and its lesson waits for a person', () => {
    assert.ok(told.length > CASES.length * 0.9, `${told.length} packs of ${CASES.length}`);
    assert.ok(lessons.filter(({ status }) => status === 'draft').length > CASES.length * 0.5);
  });

  it('teaches the honest lesson, so that the others fail for their own reason', () => {
    const active = lessons.filter(({ status }) => status === 'active');
    assert.ok(active.some(({ remediation }) => remediation === HONEST.advice));
    assert.match(manifest, /frob sync --every/);
  });

  it('is in nothing that an agent reads', async () => {
    const [active, others] = [true, false].map((is) => lessons.filter(({ status }) => (status === 'active') === is));
    assert.ok(active && others);
    for (const { id } of active) assert.ok(manifest.includes(id), 'what is active is compiled');
    for (const { id } of others) assert.ok(!manifest.includes(id), 'what waits is not');
    const cures = (await store.listCures({})).map(({ text }) => text);
    const read = JSON.stringify([active.map(toRead), cures]);
    for (const { why, leaks } of CASES) if (leaks !== undefined) assert.doesNotMatch(read, leaks, why);
    // Of an answer that an adversary wrote nothing is active, not even in part.
    const own = active.filter(({ remediation, summary }) => remediation + summary !== HONEST.advice + HONEST.summary);
    const sessions = own.flatMap(({ evidence }) => evidence.map(({ sessionId }) => sessionId));
    const written = new Set(CASES.flatMap(({ leaks }, n) => (n > 0 && leaks === undefined ? [`case-${n}`] : [])));
    assert.deepEqual(
      sessions.filter((session) => written.has(session)),
      [],
    );
  });
});

/** The words of a lesson that are rendered for agents. */
function toRead({ slug, summary, mistake, remediation, body, triggers, tags, evidence }: Lesson) {
  return {
    slug,
    summary,
    mistake,
    remediation,
    body,
    triggers,
    tags,
    excerpts: evidence.map(({ excerpt }) => excerpt),
  };
}
