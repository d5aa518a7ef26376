import assert from 'node:assert/strict';
import { appendFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { toNewestFirst } from '../../src/loop/scan/scan-files.ts';
import type { StartReport } from '../../src/surfaces/cli/install/start-report.ts';
import { renderStart } from '../../src/surfaces/cli/install/start-report.ts';
import { openStory, type Story } from '../stories/open-story.ts';
import { writeSession } from '../stories/session-file.ts';

describe('start', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
  });
  after(() => story.close());

  it('recommends the installation until an agent has the hooks', async () => {
    const fresh = (await story.cli('start')) as StartReport;
    assert.deepEqual(fresh.hookedIn, []);
    assert.match(renderStart(fresh), /oncebitten install claude-code/);
    await story.cli('install', 'claude-code', '--force');
    const installed = (await story.cli('start')) as StartReport;
    assert.equal(installed.hookedIn.length, 1);
    assert.doesNotMatch(renderStart(installed), /oncebitten install/);
  });

  it('says that no failure came back, and nothing about failures where there are none', async () => {
    const report = (await story.cli('start')) as StartReport;
    const render = (failures: number, leftOut: StartReport['repeated']['leftOut']) =>
      renderStart({
        ...report,
        counts: { ...report.counts, failures },
        repeated: { items: [], total: 0, next: null, leftOut },
      });
    assert.match(render(3, { verdict: 2 }), /^No failure was repeated in a later session\.\n.* 2 failed tests/m);
    assert.doesNotMatch(render(0, {}), /later session/);
  });

  it('says of each figure what it counts, and how the figures belong together', async () => {
    const report = (await story.cli('start')) as StartReport;
    const render = (avoidable: number, found: Partial<StartReport['hindsight']>) =>
      renderStart({
        ...report,
        counts: { ...report.counts, failures: 90, repeats: 38, avoidable, lessons: 7 },
        hindsight: { ...report.hindsight, isCut: false, repeats: 38, falseAlarms: 0, ...found },
      });
    const few = render(28, { warned: 0, fixed: 5 });
    assert.match(few, /^38 of these failures had happened before .* For 28 of these 38 repeats, an agent had/m);
    assert.match(
      few,
      /they would have warned of 0 of the 38 repeated failures, without a false alarm\. At 5 of these 38, /,
    );
    assert.match(few, / a known fix together with the error; at the remaining 33, nothing\.$/m);
    assert.match(render(38, { warned: 30, fixed: 8 }), /30 of the 38 .* At 8 others, .* with the error\.$/m);
    assert.match(render(38, { warned: 38, fixed: 0 }), /warned of all 38 repeated failures, without a false alarm\.$/m);
  });

  it('names no lesson twice', async () => {
    const file = join(story.home, '.claude/projects/p/s.jsonl');
    const place = (n: number) => ({ session: `s${n}`, cwd: '/gone/shop', atMs: Date.now() - 3_600_000 + n * 60_000 });
    for (const n of [1, 2])
      writeSession(file.replace('s.jsonl', `s${n}.jsonl`), place(n), [
        { id: `a${n}`, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
        { id: `b${n}`, command: 'gh pr diff 7 --name-only', output: 'a.ts' },
      ]);
    const report = (await story.cli('start')) as StartReport;
    const [kind] = report.repeated.items;
    assert.deepEqual([kind?.times, kind?.sessions, kind?.lesson?.id], [2, 2, report.lessons[0]?.id]);
    const text = renderStart(report);
    assert.equal(text.split(kind?.lesson?.slug ?? '?').length, 2);
  });

  it('counts the repeats that its lessons would have warned of, and on calls that worked the false alarms', async () => {
    const at = (n: number) => ({ session: `s${n}`, cwd: '/gone/shop', atMs: Date.now() - 1_800_000 + n * 60_000 });
    writeSession(join(story.home, '.claude/projects/p/s3.jsonl'), at(3), [
      { id: 'a3', command: 'gh pr diff 8 --stat', output: 'a shim of this machine knows the flag' },
    ]);
    const { hindsight, counts } = (await story.cli('start')) as StartReport;
    const { repeats, warned, falseAlarms, lessons } = hindsight;
    assert.deepEqual({ repeats, warned, falseAlarms }, { repeats: 1, warned: 1, falseAlarms: 1 });
    assert.equal(counts.repeats, 1);
    assert.deepEqual(
      lessons.map((one) => [one.warned, one.falseAlarms]),
      [[1, 1]],
    );
  });
});

describe('start on a large history', () => {
  let story: Story;
  before(async () => {
    story = await openStory({ install: false });
    // Three sessions of 30 MB: the newest two are enough for a report.
    for (const n of [1, 2, 3]) {
      const file = join(story.home, `.claude/projects/p/large-${n}.jsonl`);
      const atMs = Date.now() - (4 - n) * 3_600_000;
      writeSession(file, { session: `large-${n}`, cwd: '/gone/shop', atMs }, [
        { id: `a${n}`, command: 'gh pr diff 7 --stat', error: 'Exit code 1\nunknown flag: --stat' },
      ]);
      appendFileSync(file, `${JSON.stringify({ type: 'summary', summary: 'x'.repeat(1_000_000) })}\n`.repeat(30));
      utimesSync(file, atMs / 1000, atMs / 1000);
    }
  });
  after(() => story.close());

  it('reports after the newest sessions, and says how much of all it has read', async () => {
    const report = (await story.cli('start')) as StartReport;
    const { files, filesRead, bytes, bytesRead } = report.history;
    assert.deepEqual([files, filesRead, report.counts.sessions], [3, 2, 2]);
    assert.ok(bytesRead > 50_000_000 && bytesRead < bytes, `${bytesRead} of ${bytes}`);
    assert.match(renderStart(report), /newest 60 MB of 90 MB.*oncebitten scan/);
    assert.match(renderStart({ ...report, daemon: { ...report.daemon, scans: true } }), /oncebitten daemon status/);
  });

  it('goes on with the rest the next time', async () => {
    const { history, counts } = (await story.cli('start')) as StartReport;
    assert.deepEqual([history.filesRead, history.bytesRead, counts.sessions], [3, history.bytes, 3]);
  });
});

describe('the order of a background scan', () => {
  it('has the newest block of sessions first, and earlier sessions before later ones inside a block', () => {
    const files = [1, 2, 3, 4, 5].map((n) => ({ agent: 'a', path: `${n}`, size: 20_000_000, mtimeMs: n }));
    assert.deepEqual(
      toNewestFirst(files).map(({ path }) => path),
      ['4', '5', '2', '3', '1'],
    );
  });
});
