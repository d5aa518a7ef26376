import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkSettings } from '../../src/keep/settings/check-settings.ts';
import { makeSettingsFinder, readSettings } from '../../src/keep/settings/read-settings.ts';
import { SettingsError } from '../../src/keep/settings/settings-error.ts';

const problems = (text: string, env = {}) => checkSettings(text, env).problems;
const told = (text: string, env = {}) =>
  problems(text, env).map(({ line, variable, key, text: what }) => `${variable ?? line} ${key}: ${what}`);

describe('the problems of the settings', () => {
  it('are reported all at once, in the order of the file, each with its line', () => {
    const text = [
      '{',
      '  "minScroe": 0.8,',
      '  "dedup": "never",',
      '  // a comment',
      '  "minPriority": 11,',
      '  "retention": { "enabled": "yes",',
      '    "textDay": 3 },',
      '  "minPriority": 4',
      '}',
    ].join('\n');
    assert.deepEqual(told(text, { ONCEBITTEN_MIN_CONFIDENCE: 'high' }), [
      '2 minScroe: is not a setting; did you mean minScore?',
      '3 dedup: must be one of context, session, is "never"',
      '5 minPriority: must be a whole number from 1 to 10, is 11',
      '6 retention.enabled: must be true or false, is "yes"',
      '7 retention.textDay: is not a setting; did you mean retention.textDays?',
      '8 minPriority: appears twice, also in line 5',
      'ONCEBITTEN_MIN_CONFIDENCE minConfidence: must be a number from 0 to 1, is "high"',
    ]);
  });

  it('name entries of lists, and folders that do not exist', () => {
    assert.deepEqual(told('{\n"scanPaths": {"codex": ["/a", "b"]},\n"privateProjects": ["/a", "b", 3]}'), [
      '2 scanPaths.codex: entry 2: give the whole path, from / or ~/ on',
      '3 privateProjects: entry 3: must be a text',
      '3 privateProjects: "b": is not an absolute path, so this entry makes nothing private',
    ]);
  });

  it('name syntax errors of several lines, each line once', () => {
    const lines = problems('{\n  "minScore" 1,\n  "dedup": "context",\n  "minPriority": ]\n}').map(({ line }) => line);
    assert.deepEqual(lines, [2, 4]);
  });

  it('include keys with a special meaning in JavaScript', () => {
    for (const key of ['__proto__', 'constructor', 'toString'])
      assert.match(told(`{"${key}": {"minScore": 1}}`).join(), new RegExp(`${key}: is not a setting`));
    assert.match(told('{"store": {"__proto__": {"url": "x"}}}').join(), /store\.__proto__: is not a setting/);
  });

  it('never quote an address, because it may contain a password', () => {
    for (const text of [
      '{"store": "postgres://me:hunter2@host/db"}',
      '{"store": {"url": ["postgres://me:hunter2@host/db"]}}',
      '{"dedup": "postgres://me:hunter2@host/db"}',
    ]) {
      assert.equal(problems(text).length, 1);
      assert.doesNotMatch(told(text).join(), /hunter2/);
    }
  });

  it('are limited for a file that is something else altogether', () => {
    const other = Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`minScore${i}`, i]));
    assert.equal(problems(JSON.stringify(other, null, 1)).length, 100);
  });

  it('are none for a file with a byte order mark, and for one with comments only', () => {
    for (const text of ['\uFEFF{"minScore": 1}', '// later\n', '/* a */', '', '  \r\n'])
      assert.deepEqual(told(text), [], JSON.stringify(text));
  });

  it('are none if a predecessor had another name for a setting', () => {
    const env = {
      AGENT_MEMORY_OUTCOME_RETENTION_DAYS: '7',
      AGENT_MEMORY_OUTCOME_MAX_PER_PROJECT: '500',
      AGENT_MEMORY_OUTCOME_PRUNE_ENABLED: 'false',
    };
    const { settings } = checkSettings('{}', env);
    assert.deepEqual(settings?.retention, { enabled: false, textDays: 7, perProject: 500, factDays: 400 });
    const both = checkSettings('{}', { ...env, ONCEBITTEN_RETENTION_TEXT_DAYS: '9' });
    assert.equal(both.settings?.retention.textDays, 9);
  });
});

describe('a settings file that breaks while it is in use', () => {
  let dir: string;
  let file: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-settings-'));
    file = join(dir, 'config.jsonc');
  });
  after(() => rmSync(dir, { recursive: true }));

  it('keeps the last good settings in force, with the reason, and counts again when it is repaired', () => {
    writeFileSync(file, '{"minScore": 0.9}');
    const find = makeSettingsFinder(file, {});
    assert.equal(find()?.minScore, 0.9);
    const good = find();
    assert.equal(find(), good);
    writeFileSync(file, '{"minScore": "very high",\n"minPriority": 0}');
    assert.equal(find(), good);
    const fault = find.findFault();
    assert.ok(fault instanceof SettingsError);
    assert.deepEqual(
      fault.problems.map(({ key }) => key),
      ['minScore', 'minPriority'],
    );
    assert.equal(find.isPrivacyUnclear(), false);
    writeFileSync(file, '{"minScore": 1.1}');
    assert.equal(find()?.minScore, 1.1);
    assert.equal(find.findFault(), undefined);
  });

  it('leaves open what is private, also if only the key is wrong', () => {
    for (const text of ['{"privateProject": ["/srv/acme"]}', '{"minScore": "x", "privateProjects": "/srv"}']) {
      writeFileSync(file, text);
      const find = makeSettingsFinder(file, {});
      find();
      assert.equal(find.isPrivacyUnclear(), true, text);
    }
  });

  it('names one problem by its line, several below each other', () => {
    writeFileSync(file, '{\n  "minScore": 3\n}');
    assert.throws(() => readSettings(file, {}), { subject: `${file}:2`, reason: /^minScore: must be a number/ });
    writeFileSync(file, '{\n  "minScore": 3,\n  "x": 1\n}');
    assert.throws(() => readSettings(file, {}), { subject: file, reason: /^2 problems\n {2}line 2: .*\n {2}line 3: / });
  });
});
