/** The sessions that the package brings: real transcripts in form, and exactly what `start` should learn from them. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { findAdapter } from '../../src/agents/hooks.ts';
import type { StoreCounts } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { FailureCounts } from '../../src/base/statistics/failure-ledger.ts';
import { toCallView } from '../../src/base/triggers/call-view.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { listScanFiles, type ScanFile } from '../../src/loop/scan/scan-files.ts';
import { type ScanTotals, scanSessions } from '../../src/loop/scan/scan-sessions.ts';
import { type Manifest, openManifest } from '../../src/match/manifest.ts';
import { judgeNear } from '../../src/match/near-misses.ts';

const SAMPLES = join(import.meta.dirname, '../../samples/sessions');
const FILES = listScanFiles({ agent: 'claude-code', path: SAMPLES, home: '/nowhere', env: {} });

/** What the lessons speak at: the program with its words, or the text that the command must have. */
const LEARNED: readonly string[] = [
  'gh pr checks --json ~ conclusion',
  'gh pr diff --stat',
  'git worktree delete',
  'npm run test:e2e',
  'npx vitest --runInBand',
  'python ~ python',
  'tsc ~ tsc',
  'uv run ruff --output-format text',
];

interface Scanned {
  readonly totals: ScanTotals;
  readonly counts: StoreCounts & FailureCounts;
  readonly lessons: readonly Lesson[];
  readonly manifest: Manifest;
}

describe('the sample sessions', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-samples-'));
  let scanned: Scanned;
  before(async () => {
    scanned = await scan(FILES, join(dir, 'first'));
  });
  after(() => rmSync(dir, { recursive: true, force: true }));

  it('are read whole', () => {
    const { totals, counts } = scanned;
    assert.deepEqual(totals.unreadable, []);
    assert.deepEqual(totals.skipped, {});
    const { projects, sessions, calls, failures, cancelled, denied, repeats } = counts;
    assert.deepEqual(
      { projects, sessions, calls, failures, cancelled, denied, repeats },
      { projects: 2, sessions: 8, calls: 109, failures: 26, cancelled: 1, denied: 2, repeats: 9 },
    );
  });

  it('teach these lessons, no more and no fewer, and no drafts', () => {
    assert.deepEqual(scanned.lessons.map(toTrigger).sort(), LEARNED);
    assert.equal(scanned.counts.drafts, 0);
    // With six checks that code mended.
    assert.equal(scanned.totals.findings, 24);
  });

  it('teach the same in any order: the times of files are lost in a clone', async () => {
    const { lessons } = await scan(FILES.toReversed(), join(dir, 'reversed'));
    const toFacts = (lesson: Lesson): string =>
      [toTrigger(lesson), lesson.scope.kind, lesson.status, lesson.occurrences, lesson.sessions].join(', ');
    assert.deepEqual(lessons.map(toFacts).sort(), scanned.lessons.map(toFacts).sort());
  });

  it('have one mistake in both projects, whose lesson is for everywhere', () => {
    const [lesson, ...more] = scanned.lessons.filter(({ scope }) => scope.kind === 'user');
    assert.ok(lesson);
    assert.deepEqual(more, []);
    assert.equal(toTrigger(lesson), 'gh pr diff --stat');
    assert.deepEqual([lesson.occurrences, lesson.sessions, lesson.projects], [4, 4, 2]);
    assert.match(lesson.remediation, /--stat.*--name-only/);
  });

  for (const place of [tmpdir(), '/', '/home/dev/shop', '/home/dev/elsewhere']) {
    it(`let the example of \`start\` speak in ${place}`, () => {
      const { matches } = ask('gh pr diff 12 --stat', place);
      assert.equal(matches.length, 1);
      assert.match(matches[0]?.lesson.text ?? '', /--name-only/);
      assert.deepEqual(ask('gh pr diff 12 --name-only', place).matches, []);
    });
  }

  it('keep the lessons of a project in it', () => {
    assert.equal(ask('tsc --noEmit', '/home/dev/shop').matches.length, 1);
    assert.deepEqual(ask('tsc --noEmit', '/home/dev/ledger').matches, []);
    assert.deepEqual(ask('npx tsc --noEmit', '/home/dev/shop').matches, []);
  });

  for (const { path } of FILES) it(`are transcripts in form: ${basename(path)}`, () => checkForm(path));

  function ask(command: string, cwd: string) {
    const adapter = findAdapter('claude-code');
    assert.ok(adapter);
    const origin = { agent: 'claude-code', sessionId: 'test', contextId: '', at: '2026-11-09T09:00:00.000Z', cwd };
    const call = adapter.readCall('Bash', { command }, 'call');
    const event = { ...origin, source: 'hook', kind: 'call-started', ...call } as const;
    return judgeNear(scanned.manifest, toCallView(event, identifyProject(cwd).id));
  }
});

async function scan(files: readonly ScanFile[], dir: string): Promise<Scanned> {
  const home = toDataHome(dir);
  const store = await openStore({ url: '', file: home.storeFile });
  try {
    const { manifestFile } = home;
    const switchesFile = `${manifestFile}.switches`;
    const totals = await scanSessions({
      store,
      settings: DEFAULT_SETTINGS,
      manifestFile,
      switchesFile,
      files,
      onProgress: () => {},
    });
    const manifest = openManifest(readFileSync(manifestFile));
    assert.ok(manifest);
    return {
      totals,
      manifest,
      counts: { ...(await store.countAll()), ...(await store.countFailures()) },
      lessons: await store.listLessons(),
    };
  } finally {
    await store.close();
  }
}

function toTrigger({ triggers }: Lesson): string {
  const [program] = triggers.programs ?? [];
  const { any = [], all = [] } = program?.args ?? {};
  const words = [program?.name, ...(program?.sub ?? []), ...all, ...any].join(' ');
  const [source] = triggers.command?.match ?? [];
  return source === undefined ? words : `${words} ~ ${/(\w+)\(\?:[^()]*\)$/.exec(source)?.[1] ?? source}`;
}

interface Row {
  readonly type: string;
  readonly uuid?: string;
  readonly parentUuid?: string | null;
  readonly timestamp?: string;
  readonly sessionId: string;
  readonly cwd?: string;
  readonly message?: { readonly content: string | readonly { type: string; id?: string; tool_use_id?: string }[] };
}

function checkForm(path: string): void {
  const text = readFileSync(path, 'utf8');
  assert.doesNotMatch(text, /\/(?:root|work|tmp|Users)\//, 'no path of the machine they were written on');
  assert.ok(text.endsWith('\n'));
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line): Row => JSON.parse(line));
  assert.ok(rows.length >= 20 && rows.length <= 60);
  const known = new Set<string>();
  let at = '';
  for (const { sessionId, uuid, parentUuid, timestamp, cwd } of rows) {
    assert.equal(sessionId, basename(path, '.jsonl'));
    if (uuid === undefined || timestamp === undefined) continue;
    assert.ok(!known.has(uuid) && (known.size === 0 ? parentUuid === null : known.has(parentUuid ?? '')));
    assert.ok(timestamp >= at, 'time goes forward');
    assert.equal(cwd?.replaceAll(/[^a-zA-Z0-9]/g, '-'), basename(dirname(path)));
    known.add(uuid);
    at = timestamp;
  }
  const blocks = rows.flatMap(({ message }) => (typeof message?.content === 'object' ? message.content : []));
  const asked = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
  const answered = blocks.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : []));
  assert.deepEqual(answered, asked);
}
