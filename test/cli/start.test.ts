import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { StartReport } from '../../src/surfaces/cli/install/start.ts';
import { renderStart } from '../../src/surfaces/cli/install/start.ts';
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
    assert.doesNotMatch(text, /Other lessons/);
  });
});
