import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { dropEvidence } from '../../src/distill/lessons/drop-evidence.ts';
import { makeLesson, mergeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { toSoundLesson } from '../../src/distill/text/retell-lesson.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { lessonSchema } from '../../src/keep/schemas/lesson-schema.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { failed, makeWindow, worked } from './session-script.ts';

const NOW = '2026-01-02T03:04:05.000Z';
const ACTIVE = { verdict: 'active', hits: 3, falseAlarms: 0 } as const;
const VALUES = "ship: error: argument --env: invalid choice: 'production' (choose from 'prod', 'staging')";
const UNKNOWN = 'unknown flag: --fast';

let sessions = 0;

function find(wrong: string, said: string, right: string): Finding {
  const [finding] = correctedCommand.detect(makeWindow([failed(wrong, said), worked(right)]));
  assert.ok(finding?.edit);
  const sessionId = `s${++sessions}`;
  return { ...finding, sessionId, evidence: { ...finding.evidence, sessionId } };
}

function learn(first: Finding, ...more: readonly Finding[]): Lesson {
  return more.reduce<Lesson>(
    (lesson, finding) => mergeLesson(lesson, finding, NOW, ACTIVE),
    makeLesson(first, ACTIVE, NOW),
  );
}

const fixEnv = (value: string): Finding => find('ship web --env production', VALUES, `ship web --env ${value}`);
const fixFast = (option: string, object = 'web'): Finding =>
  find(`ship ${object} --fast`, UNKNOWN, `ship ${object} ${option}`.trim());

function findCompiledEdit(lesson: Lesson): unknown {
  const input = { lessons: [lesson], settings: DEFAULT_SETTINGS, generatedAt: NOW };
  const manifest = openManifest(compileManifest(input));
  assert.equal(manifest?.header.count, 1);
  return /"edit":/.test(Buffer.from(compileManifest(input)).toString('latin1')) || undefined;
}

describe('fixes of one mistake that differ', () => {
  it('are all named, whichever came first, and correct no call', () => {
    for (const values of [
      ['prod', 'staging', 'staging'],
      ['staging', 'staging', 'prod'],
    ]) {
      const [first = '', ...more] = values;
      const lesson = learn(fixEnv(first), ...more.map(fixEnv));
      assert.match(lesson.remediation, /`--env prod`/);
      assert.match(lesson.remediation, /`--env staging`/);
      assert.match(lesson.summary, /^`ship(?: web)? --env` does not take `production`: /);
      assert.equal(lesson.replacement, undefined);
      assert.equal(findCompiledEdit(lesson), undefined);
      assert.equal(lesson.occurrences, 3, 'the mistake is counted');
    }
  });

  it('confirm the advice when they are the same, whatever the objects were', () => {
    const lesson = learn(fixFast('--quick', 'web'), fixFast('--quick', 'api'), fixFast('--quick', '/srv/site'));
    assert.match(lesson.remediation, /^Replace `--fast` with `--quick`: `ship web --quick`$/);
    assert.ok(findCompiledEdit(lesson));
    assert.equal(learn(fixFast('--quick'), fixFast('--quick')).replacement?.to, '--quick');
  });

  it('do not raise the confidence that the same fix raises', () => {
    const once = learn(fixFast('--quick'));
    assert.equal(mergeLesson(once, fixFast('--rapid'), NOW, ACTIVE).confidence, once.confidence);
    assert.ok(mergeLesson(once, fixFast('--quick'), NOW, ACTIVE).confidence > once.confidence);
  });

  it('are told as alternatives also when one of them leaves the word out', () => {
    const lesson = learn(fixFast('--quick'), fixFast(''));
    assert.equal(lesson.remediation, 'Either replace `--fast` with `--quick` or leave out `--fast`');
    assert.match(lesson.summary, /^`ship(?: web)?` has no `--fast`: either /);
  });

  it('stay what they are when the same ones come again, when the lesson is stored and compiled', () => {
    const lesson = learn(fixFast('--quick'), fixFast('--rapid'));
    const again = mergeLesson(lesson, fixFast('--rapid'), NOW, ACTIVE);
    assert.deepEqual([again.edit, again.remediation], [lesson.edit, lesson.remediation]);
    assert.equal(again.replacement, undefined);
    assert.equal(toSoundLesson(lesson), lesson);
    assert.deepEqual(lessonSchema.parse(lesson), lesson);
  });

  it('are not listed without end: then the lesson says only what is wrong', () => {
    const options = ['--a1', '--b2', '--c3', '--d4', '--e5', '--f6'];
    const lesson = learn(fixFast('--quick'), ...options.map((option) => fixFast(option)));
    assert.match(lesson.summary, /^`ship(?: web)?` has no `--fast`$/);
    assert.doesNotMatch(lesson.remediation, /--quick|--a1/);
    assert.equal(lesson.edit?.others?.length, 3);
  });

  it('change nothing of what a person reviewed, nor when only text from outside brings them', () => {
    const once = learn(fixFast('--quick'));
    const reviewed = mergeLesson({ ...once, reviewedBy: 'user:ann' }, fixFast('--rapid'), NOW, ACTIVE);
    const foreign = mergeLesson(once, { ...fixFast('--rapid'), trust: 'foreign' }, NOW, ACTIVE);
    for (const { remediation, edit } of [reviewed, foreign])
      assert.deepEqual([remediation, edit], [once.remediation, once.edit]);
  });

  it('are forgotten with the evidence that showed them', () => {
    const [quick, rapid] = [fixFast('--quick'), fixFast('--rapid')];
    const lesson = learn(quick, rapid);
    const left = dropEvidence(lesson, ({ sessionId }) => sessionId === rapid.sessionId);
    assert.match(left?.remediation ?? '', /--quick/);
    assert.doesNotMatch(JSON.stringify(left), /rapid/);
  });
});
