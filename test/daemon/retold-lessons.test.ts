import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { applyEdit, type CommandEdit } from '../../src/base/shell/command-edit.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { compileLessons } from '../../src/loop/compile-lessons.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { readManifest } from '../../src/match/manifest.ts';
import { run as show } from '../../src/surfaces/cli/lessons/show.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const CHANGE = { by: 'test', reason: 'made', at: '2026-01-01T00:00:00.000Z' };

/** As an earlier build kept it: with all that the two calls differed in. */
const OLD = makeTestLesson({
  slug: 'shipit-deploy-fast',
  summary: '`shipit deploy` fails here: replace `--fast` with `--quick` and add `--env prod`',
  mistake: '`shipit deploy --fast <name>` failed: unknown flag: --fast',
  remediation: 'Replace `--fast` with `--quick` and add `--env prod`',
  triggers: { tools: ['shell'], programs: [{ name: 'shipit', sub: ['deploy'], args: { any: ['--fast'] } }] },
  edit: {
    program: 'shipit',
    sub: ['deploy'],
    steps: [
      { from: ['--fast'], to: ['--quick'] },
      { from: [], to: ['--env', 'prod'], at: '' },
    ],
  },
  origin: { kind: 'episode', by: 'distill/self-report@1', trust: 'observed' },
  evidence: [],
});

describe('a lesson that an earlier build learned', () => {
  let home: DataHome;
  let store: Store;
  beforeEach(async () => {
    home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-retold-')));
    store = await openStore({ url: '', file: home.storeFile });
  });
  afterEach(async () => {
    await store.close();
    rmSync(home.dir, { recursive: true, force: true });
  });

  const compile = async (lesson: Lesson) => {
    await store.saveLesson(lesson, CHANGE);
    await compileLessons({ store, settings: DEFAULT_SETTINGS, manifestFile: home.manifestFile });
    const told = readManifest(home.manifestFile)?.get(0);
    assert.ok(told);
    return told;
  };
  const correct = (edit: CommandEdit | undefined): string | undefined =>
    edit && applyEdit(edit, 'shipit deploy --fast staging');
  const showLesson = async () =>
    show({ home, arguments: [OLD.slug], options: {}, env: {}, cwd: home.dir } as unknown as Parameters<typeof show>[0]);

  it('gives agents only the part of its edit that the error points at', async () => {
    const { text, summary, edit } = await compile(OLD);
    assert.doesNotMatch(`${text} ${summary}`, /prod|--env/);
    assert.match(text, /Replace `--fast` with `--quick`/);
    assert.equal(correct(edit), 'shipit deploy --quick staging');
  });

  it('says less where nobody can tell which part of its edit helped', async () => {
    const { steps } = OLD.edit as CommandEdit;
    const edit = {
      program: 'shipit',
      sub: ['deploy'],
      steps: steps.toSpliced(0, 1, { from: [], to: ['--quick'], at: '' }),
    };
    const triggers = { tools: ['shell'] as const, programs: [{ name: 'shipit', sub: ['deploy'] }] };
    const told = await compile({ ...OLD, edit, triggers, mistake: '`shipit deploy <name>` failed: it broke' });
    assert.doesNotMatch(`${told.text} ${told.summary}`, /prod|--env|--quick/);
    assert.equal(told.edit, undefined);
  });

  it('is shown to people, and kept, as agents read it', async () => {
    const told = await compile(OLD);
    const { json, text } = await showLesson();
    const shown = json as Lesson;
    assert.equal(shown.summary, told.summary);
    assert.ok(told.text.includes(shown.remediation));
    assert.doesNotMatch(text.split('history')[0] ?? '', /prod/);
    const [, change, ...more] = await store.listLessonHistory(OLD.id);
    assert.deepEqual([change?.by, change?.before?.summary, more.length], ['distill/retell-lesson', OLD.summary, 0]);
    await compileLessons({ store, settings: DEFAULT_SETTINGS, manifestFile: home.manifestFile });
    assert.equal((await store.listLessonHistory(OLD.id)).length, 2);
  });

  it('keeps the words that a person approved, and corrects no call by more than the error points at', async () => {
    const told = await compile({ ...OLD, reviewedBy: 'user:me' });
    assert.equal(told.summary, OLD.summary);
    assert.equal(correct(told.edit), 'shipit deploy --quick staging');
  });

  it('stays as it is where this build learned it', async () => {
    const edit = { ...(OLD.edit as CommandEdit), narrowed: true as const };
    const told = await compile({ ...OLD, edit });
    assert.equal(told.summary, OLD.summary);
    assert.equal((await store.listLessonHistory(OLD.id)).length, 1);
  });

  it('is told whole where a message was cut inside code', async () => {
    const { steps } = OLD.edit as CommandEdit;
    const edit = { program: 'shipit', sub: ['deploy'], steps: steps.slice(0, 1) };
    const told = await compile({
      ...OLD,
      edit,
      summary: '`shipit deploy` fails here: replace `--fa',
      remediation: 'Replace `--fa',
    });
    assert.equal((told.text.split('`').length - 1) % 2, 0);
    assert.match(told.text, /Replace `--fast` with `--quick`/);
  });
});
