import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { type Loop, makeLoop } from '../../src/loop/learn.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';
import { readManifest } from '../../src/match/manifest.ts';
import { matchLessons } from '../../src/match/match-lessons.ts';
import { BEGIN, END, renderSection, TITLE } from '../../src/promote/managed-block.ts';
import { makePromotion } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { makeShellCall } from '../triggers/make-call-view.ts';

describe('when a session begins', () => {
  let root: string;
  let store: Store;
  let loop: Loop;
  let count = 0;
  const lesson = makeTestLesson({ slug: 'gh-x7k2', triggers: { programs: [{ name: 'gh' }] } });
  const block = [BEGIN, TITLE, `${renderSection(lesson.slug, '- text', '\n')}${END}`, ''].join('\n');

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'oncebitten-standing-'));
    store = await openStore({ url: '', file: join(root, 'store.db') });
    const { manifestFile, switchesFile } = toDataHome(join(root, 'data'));
    loop = makeLoop({ store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile });
    await store.saveLesson(lesson, { by: 'test', reason: 'new', at: lesson.createdAt });
    const place = { root, projectId: identifyProject(root).id, file: 'AGENTS.md' };
    const promotion = makePromotion({ lessonId: lesson.id, ...place, state: 'applied', text: '- text' });
    const change = { by: 'test', reason: 'applied', at: lesson.createdAt };
    await store.updatePromotions([lesson.id], () => [{ promotion, lesson, change }]);
  });
  after(async () => {
    await store.close();
    rmSync(root, { recursive: true, force: true });
  });

  const begin = async (sessionId = `s${count++}`): Promise<void> => {
    const at = new Date(Date.UTC(2026, 0, 2) + count * 60_000).toISOString();
    const origin = { agent: 'claude-code', sessionId, contextId: '', at, source: 'hook', cwd: root } as const;
    const event: EventOf<'session-started'> = { ...origin, kind: 'session-started', start: 'startup' };
    await loop.takeEvents([event], []);
  };
  const isSaid = (): boolean => {
    const manifest = readManifest(toDataHome(join(root, 'data')).manifestFile) ?? assert.fail('no manifest');
    return matchLessons(manifest, { ...makeShellCall('gh pr'), projectId: identifyProject(root).id }).length > 0;
  };

  it('a promoted lesson that is gone from its file speaks, and one that is back is silent', async () => {
    writeFileSync(join(root, 'AGENTS.md'), block);
    await begin();
    assert.equal(isSaid(), false);
    writeFileSync(join(root, 'AGENTS.md'), 'another branch\n');
    await begin('s0');
    assert.equal(isSaid(), false, 'an agent that runs has read the file');
    await begin();
    assert.ok(isSaid());
    writeFileSync(join(root, 'AGENTS.md'), `mine\n${block}`);
    await begin();
    assert.equal(isSaid(), false);
    writeFileSync(join(root, 'AGENTS.md'), `<<<<<<< HEAD\n${block}`);
    await begin();
    assert.equal(isSaid(), false, 'a file that cannot be read now says nothing');
  });
});
