import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { listSkills } from '../../src/keep/manifest/skills.ts';
import { writeSkills } from '../../src/loop/write-skills.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { renderSkill, toSkillName } from '../../src/promote/render-skill.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const USER = { kind: 'user' } as const;
const A = { kind: 'project', id: 'prj_a' } as const;
const B = { kind: 'project', id: 'prj_b' } as const;

function about(tool: string, count: number, scope: Lesson['scope'], fields: Partial<Lesson> = {}): readonly Lesson[] {
  return Array.from({ length: count }, (_, n) => {
    const name = `${tool}-${scope.id ?? 'user'}-${n}`;
    return makeTestLesson({
      id: `les_${name}`,
      slug: name,
      contentHash: name,
      scope,
      tags: [`tool:${tool}`],
      ...fields,
    });
  });
}

const skillsOf = (lessons: readonly Lesson[], minLessons = 5) =>
  listSkills(
    lessons.map((lesson) => ({ lesson })),
    (id) => id,
    minLessons,
  );
const namesOf = (lessons: readonly Lesson[]) =>
  skillsOf(lessons).map(({ projectId, tool, lessons: all }) => `${projectId}:${tool} ${all.length}`);

describe('a tool with many lessons', () => {
  it('is dense from five on', () => {
    assert.deepEqual(namesOf(about('gh', 4, USER)), []);
    assert.deepEqual(namesOf(about('gh', 5, USER)), [':gh 5']);
  });

  it('is dense from the number in the setting on, and never at 0', () => {
    const count = (minLessons: number) => skillsOf(about('gh', 2, USER), minLessons).length;
    assert.deepEqual([count(2), count(3), count(0)], [1, 0, 0]);
  });

  it("is dense in a project by the project's own and the user-wide lessons together", () => {
    const lessons = [...about('gh', 3, USER), ...about('gh', 2, A), ...about('gh', 1, B)];
    assert.deepEqual(namesOf(lessons), ['prj_a:gh 5']);
    assert.deepEqual(namesOf([...lessons, ...about('git', 5, B)]), ['prj_a:gh 5', 'prj_b:git 5']);
  });

  it('has no lesson that fires in one session only', () => {
    assert.deepEqual(namesOf(about('gh', 6, { kind: 'session', id: 'ses' })), []);
  });

  it('is marked in the manifest, its lessons by their numbers', () => {
    const lessons = [...about('git', 1, USER), ...about('gh', 5, USER)];
    const generatedAt = '2026-01-01T00:00:00.000Z';
    const bytes = compileManifest({ lessons, settings: DEFAULT_SETTINGS, generatedAt });
    const manifest = openManifest(bytes) ?? assert.fail('not a manifest');
    const skill = manifest.header.skills?.[':gh'] ?? assert.fail('no skill');
    assert.deepEqual(skill.lessons, [1, 2, 3, 4, 5]);
    assert.match(skill.head, /5 lessons about gh/);
  });
});

describe('the file of a skill', () => {
  const [skill = assert.fail()] = skillsOf([
    ...about('gh', 4, USER),
    ...about('gh', 1, A, {
      summary: 'gh pr diff has no --stat',
      mistake: 'unknown flag',
      remediation: 'gh pr diff --name-only',
      priority: 9,
      triggers: { programs: [{ name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat', '-s'] } }] },
    }),
  ]);

  it('has frontmatter, the commands, and a section for each lesson, the weightiest first', () => {
    const text = renderSkill(skill);
    assert.match(text, /^---\nname: oncebitten-gh\ndescription: "What went wrong with gh/);
    assert.match(text, /## Commands\n\n- `gh pr diff --stat\|-s`/);
    assert.match(
      text,
      /## gh pr diff has no --stat\n\nCRITICAL, `gh-prj_a-0`\n\nWhat went wrong: unknown flag\n\nWhat works: /,
    );
    assert.equal(text.match(/^## /gm)?.length, 6);
    assert.equal(renderSkill(skill), text);
  });

  it('has a unique name, also for tools whose names differ only in punctuation', () => {
    assert.equal(toSkillName('gh'), 'oncebitten-gh');
    assert.equal(new Set(['c', 'c++', 'c#', '!'].map(toSkillName)).size, 4);
  });

  it('cannot be escaped by words in a lesson', () => {
    const [hostile = assert.fail()] = skillsOf(
      about('a\n---\nb', 5, USER, { slug: 'x', summary: 'x"\n---\nname: other', mistake: 'a\n---\n# b' }),
    );
    const lines = renderSkill(hostile).split('\n');
    assert.deepEqual([lines.indexOf('---'), lines.lastIndexOf('---')], [0, 3]);
    assert.match(lines[1] ?? '', /^name: oncebitten-a-b-[a-z0-9]{4}$/);
  });

  it('is written, left alone while nothing changes, and removed with its lessons', () => {
    const dir = mkdtempSync(join(tmpdir(), 'ob-skills-'));
    const file = join(dir, 'skills', 'prj_a', 'oncebitten-gh', 'SKILL.md');
    const folder = join(dir, 'skills');
    try {
      writeSkills(folder, [skill]);
      const before = statSync(file).mtimeMs;
      assert.equal(readFileSync(file, 'utf8'), renderSkill(skill));
      writeSkills(folder, [skill]);
      assert.equal(statSync(file).mtimeMs, before);
      writeFileSync(join(folder, 'prj_a', 'notes.txt'), 'mine');
      writeSkills(folder, []);
      assert.equal(existsSync(file), false);
      assert.equal(readFileSync(join(folder, 'prj_a', 'notes.txt'), 'utf8'), 'mine');
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
});
