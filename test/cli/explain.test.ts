import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DeliveryMode, Lesson } from '../../src/base/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/settings.ts';
import { compileManifest } from '../../src/keep/compile-manifest.ts';
import { run } from '../../src/surfaces/cli/commands/explain.ts';
import { type DataHome, toDataHome } from '../../src/surfaces/data-home.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

interface Explained {
  readonly matches: readonly { readonly slug: string; readonly mode: string; readonly parts: object }[];
  readonly misses: readonly { readonly slug: string; readonly because: string; readonly parts: object }[];
  readonly missesLeftOut?: number;
}

describe('explain', () => {
  let home: DataHome;
  beforeEach(() => {
    home = toDataHome(mkdtempSync(join(tmpdir(), 'oncebitten-explain-')));
  });
  afterEach(() => rmSync(home.dir, { recursive: true, force: true }));

  const explain = async (
    lessons: readonly Lesson[],
    command = 'gh pr diff 7 --stat',
    more: { readonly maxMode?: DeliveryMode; readonly said?: readonly string[]; readonly transcript?: string } = {},
  ) => {
    const { maxMode = 'note', ...flags } = more;
    const input = {
      lessons,
      settings: { ...DEFAULT_SETTINGS, delivery: { maxMode } },
      generatedAt: '2026-01-01T00:00:00.000Z',
    };
    mkdirSync(home.dir, { recursive: true });
    writeFileSync(home.manifestFile, compileManifest({ ...input, render: ({ summary }) => summary }));
    const options = { tool: 'Bash', input: JSON.stringify({ command }), ...flags };
    const answer = await run({ home, options, args: [], cwd: home.dir } as unknown as Parameters<typeof run>[0]);
    return { json: answer.json as Explained, text: answer.text };
  };
  const about = (slug: string, fields: Partial<Lesson>): Lesson => makeTestLesson({ slug, tags: [], ...fields });

  it('shows each part of the score of a lesson that would speak', async () => {
    const { json, text } = await explain([about('stat', { priority: 8 })]);
    assert.deepEqual(json.matches[0]?.parts, {
      ...{ tool: 0.4, target: 0.4, action: 0.05, context: 0.05 },
      ...{ priority: 1.5, measured: 1 },
    });
    assert.match(text, /score 1\.35 = \(tool 0\.4 \+ target 0\.4 \+ action 0\.05 \+ context 0\.05\) x priority 1\.5/);
  });

  it('says why lessons of the same tool or program stay silent, and nothing of others', async () => {
    const { json } = await explain([
      about('elsewhere', { scope: { kind: 'project', id: 'prj_there' } }),
      about('issue', { triggers: { programs: [{ name: 'gh', sub: ['issue'] }] } }),
      about('weak', { priority: 2 }),
      about('text', { triggers: { tools: ['shell'], line: { match: ['kubectl'] } } }),
      about('git', { triggers: { programs: [{ name: 'git' }] } }),
      about('edit', { triggers: { tools: ['edit'] } }),
    ]);
    assert.deepEqual(Object.fromEntries(json.misses.map(({ slug, because }) => [slug, because])), {
      issue: 'no command here is `gh issue`',
      weak: 'scores 0.45, under 0.7',
      text: 'the command line lacks what the lesson is about, or has what makes it harmless',
      elsewhere: 'belongs to another project',
    });
    assert.equal(json.misses.at(-1)?.slug, 'elsewhere');
  });

  it('says how a lesson would reach the call: no further than the user allows', async () => {
    const lesson = about('stat', { mode: 'pause', modeBy: 'user:me', reviewedBy: 'user:me' });
    assert.equal((await explain([lesson])).json.matches[0]?.mode, 'note');
    const { json, text } = await explain([lesson], undefined, { maxMode: 'pause' });
    assert.equal(json.matches[0]?.mode, 'pause');
    assert.match(text, /stat {2}as a pause\n/);
  });

  it('asks what was said where a lesson has keywords, and says when nobody can tell', async () => {
    const lesson = about('release', {
      triggers: { tools: ['shell'], programs: [{ name: 'npm', sub: ['publish'] }], actionKeywords: ['release'] },
    });
    const slugs = async (more: Parameters<typeof explain>[2]) =>
      (await explain([lesson], 'npm publish', more)).json.matches.map(({ slug }) => slug);
    assert.deepEqual(await slugs({}), []);
    assert.deepEqual(await slugs({ said: ['tidy up'] }), []);
    assert.deepEqual(await slugs({ said: ['tidy up', 'Now release it.'] }), ['release']);
    const transcript = join(home.dir, 'session.jsonl');
    const row = { type: 'user', sessionId: 's', message: { role: 'user', content: 'please release it' } };
    writeFileSync(transcript, `${JSON.stringify(row)}\n`);
    assert.deepEqual(await slugs({ transcript }), ['release']);
  });

  it('groups what is silent for the same reason, and counts what it leaves out', async () => {
    const { json, text } = await explain(
      Array.from({ length: 250 }, (_, n) => about(`far-${n}`, { scope: { kind: 'project', id: 'prj_there' } })),
    );
    assert.match(text, /^ {2}far-\d+(, far-\d+){4} and 245 more: belongs to another project$/m);
    assert.equal(json.misses.length, 200);
    assert.equal(json.missesLeftOut, 50);
  });
});
