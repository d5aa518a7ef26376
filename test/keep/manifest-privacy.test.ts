import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { redactLesson } from '../../src/keep/store/lessons/redact-lesson.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

describe('the settings in the manifest', () => {
  const settings = { ...DEFAULT_SETTINGS, minScore: 0.9, store: { url: 'postgres://me:hunter2@db/x' } };
  const bytes = compileManifest({
    lessons: [makeTestLesson({})],
    settings,
    generatedAt: '2026-01-01T00:00:00.000Z',
  });

  it('are those of the user', () => {
    assert.equal(openManifest(bytes)?.header.settings.minScore, 0.9);
  });

  it('do not write the password of the store to the disk', () => {
    assert.doesNotMatch(bytes.toString(), /hunter2|postgres/);
  });
});

describe('the lessons in the manifest', () => {
  const secret = ['zebra', 'wagon'].join('');
  const lesson = makeTestLesson({
    summary: `Run curl --user ann:${secret} --fail`,
    mistake: `ran sshpass -p ${secret} ssh box`,
    remediation: `curl --user ann:${secret}`,
    body: { situation: `--password ${secret}`, action: `mysql -p${secret}` },
    edit: { program: 'sshpass', steps: [{ from: ['-p', 'x'], to: ['-p', secret] }] },
    replacement: { program: 'tool', from: '--zap', to: `--password=${secret}` },
  });
  const bytes = compileManifest({
    lessons: [lesson],
    settings: DEFAULT_SETTINGS,
    generatedAt: '2026-01-01T00:00:00.000Z',
  });

  it('contain no secret, even if the store does', () => {
    assert.match(bytes.toString(), /Run curl --user \[redacted:/);
    assert.doesNotMatch(bytes.toString(), new RegExp(secret));
  });

  it('were stored without the secret', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oncebitten-lesson-'));
    const store = await openSqliteStore(join(folder, 'a.db'));
    await store.saveLesson(lesson, { by: 'test', reason: 'test', at: '2026-01-01T00:00:00.000Z' });
    const kept = JSON.stringify([await store.listLessons(), await store.listLessonHistory(lesson.id)]);
    await store.close();
    rmSync(folder, { recursive: true });
    assert.match(kept, /Run curl --user \[redacted:/);
    assert.doesNotMatch(kept, new RegExp(secret));
  });

  it('are the same objects if they contain none', () => {
    const plain = makeTestLesson({ summary: '`--password` reads a file' });
    assert.equal(redactLesson(plain), plain);
  });
});
