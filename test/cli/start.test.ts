import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { StartReport } from '../../src/surfaces/cli/install/start.ts';
import { renderStart } from '../../src/surfaces/cli/install/start.ts';
import { openStory, type Story } from '../stories/open-story.ts';

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
});
