import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { findDistrust, readSettings } from '../../src/keep/settings/read-settings.ts';
import { toRuns } from '../to-runs.ts';

describe('the settings', () => {
  let dir: string;
  let file: string;
  before(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-settings-'));
    file = join(dir, 'config.jsonc');
  });
  after(() => rmSync(dir, { recursive: true }));

  const read = (content: string, env: Readonly<Record<string, string>> = {}) => {
    writeFileSync(file, content);
    return readSettings(file, env);
  };
  const refusal = (content: string, env: Readonly<Record<string, string>> = {}): UserError => {
    try {
      read(content, env);
    } catch (error) {
      assert.ok(error instanceof UserError);
      assert.notEqual(error.next, '');
      return error;
    }
    return assert.fail(`accepted: ${content}`);
  };

  it('are the defaults without a file, and with an empty one', () => {
    assert.deepEqual(readSettings(join(dir, 'none.jsonc'), {}), DEFAULT_SETTINGS);
    for (const content of ['', '{}', '// nothing yet\n', '{"$schema":"./schema.json"}'])
      assert.deepEqual(read(content), DEFAULT_SETTINGS);
  });

  it('may have comments and trailing commas', () => {
    const content = '{\n  // less is more\n  "minScore": 0.9, /* here */\n  "privateProjects": ["/a",],\n}\n';
    assert.deepEqual(read(content), { ...DEFAULT_SETTINGS, minScore: 0.9, privateProjects: ['/a'] });
  });

  it('are refused with file and line if the syntax is wrong', () => {
    assert.equal(refusal('{\n  "minScore": 0.9\n  "dedup": "session"\n}').subject, `${file}:3`);
    assert.equal(refusal('{\n\n  minScore: 1 }').subject, `${file}:3`);
    assert.match(refusal('{').reason, /not JSON with comments/);
  });

  it('are refused if they are not an object', () => {
    for (const content of ['[]', '"x"', '5']) assert.match(refusal(content).reason, /not an object/);
  });

  it('are refused with the name of an unknown key', () => {
    assert.match(refusal('{"minScroe": 1}').reason, /minScroe/);
    assert.match(refusal('{"store": {"uri": "x"}}').reason, /^store\.uri: /);
  });

  it('are refused with the name of a key of another type or out of range', () => {
    for (const [key, value] of [
      ['minScore', '"high"'],
      ['minConfidence', '1.5'],
      ['minPriority', '0'],
      ['injectionBudgetBytes', '-1'],
      ['maxLessonsPerInjection', '1.5'],
      ['dedup', '"never"'],
      ['privateProjects', '"/a"'],
      ['store', '"postgres://x"'],
      ['idleExitMinutes', 'null'],
    ] as const) {
      const { subject, reason } = refusal(`{"${key}": ${value}}`);
      assert.equal(subject, `${file}:1`);
      assert.ok(reason.startsWith(`${key}: `), reason);
    }
  });

  it('are refused with an entry of privateProjects that names no folder, because it would protect nothing', () => {
    const odd = join(dir, 'shop [old] $x');
    mkdirSync(odd);
    for (const entry of [
      'priv',
      './priv',
      '../priv',
      '',
      '$HOME/priv',
      '$'.concat('{HOME}/priv'),
      '~bob/priv',
      '~/pri*',
      '/srv/$USER/x',
    ])
      assert.match(refusal(JSON.stringify({ privateProjects: ['/fine', entry] })).reason, /^privateProjects: "/, entry);
    const fromEnvironment = refusal('{}', { ONCEBITTEN_PRIVATE_PROJECTS: '["priv"]' });
    assert.match(fromEnvironment.reason, /"priv": is not an absolute path/);
    for (const entry of ['/fine', '~', '~/', '~/priv', odd])
      assert.ok(read(JSON.stringify({ privateProjects: [entry] })).privateProjects.length > 0, entry);
  });

  it('report that the file cannot be read', () => {
    const folder = join(dir, 'folder.jsonc');
    mkdirSync(folder);
    assert.throws(() => readSettings(folder, {}), { name: 'UserError', subject: folder, reason: 'cannot be read' });
  });

  it('are overridden by the environment: numbers, words, lists and keys of groups', () => {
    const env = {
      ONCEBITTEN_MIN_SCORE: '1.2',
      ONCEBITTEN_DEDUP: 'session',
      ONCEBITTEN_PRIVATE_PROJECTS: '["/a","/b"]',
      ONCEBITTEN_HOLDOUT_SHARE: '0.3',
    };
    const expected = {
      ...DEFAULT_SETTINGS,
      minScore: 1.2,
      dedup: 'session',
      privateProjects: ['/a', '/b'],
      holdout: { ...DEFAULT_SETTINGS.holdout, share: 0.3 },
    };
    assert.deepEqual(readSettings(join(dir, 'none.jsonc'), env), expected);
    assert.deepEqual(read('{"minScore": 0.1, "dedup": "context", "holdout": {"share": 0.2}}', env), expected);
  });

  it('keep private what the file keeps private, whatever a variable says', () => {
    const file = '{"privateProjects": ["/mine"]}';
    assert.deepEqual(read(file, { ONCEBITTEN_PRIVATE_PROJECTS: '[]' }).privateProjects, ['/mine']);
    assert.deepEqual(read(file, { ONCEBITTEN_PRIVATE_PROJECTS: '["/more"]' }).privateProjects, ['/mine', '/more']);
  });

  it('contain the weights of the scores, each with its own name', () => {
    const env = {
      ONCEBITTEN_SCORING_PRIORITY_BASE: '5',
      ONCEBITTEN_SCORING_CONFIDENCE_SIGNALS_USER_CORRECTED: '0.3',
    };
    const { scoring } = read('{"scoring": {"priority": {"signals": {"hang": 2}}}}', env);
    const { priority, confidence } = DEFAULT_SETTINGS.scoring;
    assert.deepEqual(scoring, {
      priority: { ...priority, base: 5, signals: { ...priority.signals, hang: 2 } },
      confidence: { ...confidence, signals: { ...confidence.signals, 'user-corrected': 0.3 } },
    });
    assert.match(
      refusal('{"scoring": {"priority": {"signals": {"luck": 1}}}}').reason,
      /^scoring\.priority\.signals\.luck: /,
    );
    assert.match(refusal('{"scoring": {"confidence": {"base": 7}}}').reason, /^scoring\.confidence\.base: /);
    assert.match(refusal('{"scoring": {"confidence": {"min": 0.9, "max": 0.2}}}').reason, /^scoring: /);
  });

  it('ignore variables that are not settings', () => {
    const env = { ONCEBITTEN_HOME: '/x', ONCEBITTEN_DISABLED: '1', ONCEBITTEN_STORE: '{"url":"x"}', MIN_SCORE: '2' };
    assert.deepEqual(read('{}', env), DEFAULT_SETTINGS);
  });

  it('check the environment like the file', () => {
    assert.match(refusal('{}', { ONCEBITTEN_MIN_SCORE: 'high' }).reason, /^minScore: /);
    assert.match(refusal('{}', { ONCEBITTEN_PRIVATE_PROJECTS: '/a' }).reason, /^privateProjects: /);
  });

  it('are complete or refused, whatever the file contains', () => {
    const bytes = fc.oneof(fc.json(), fc.string(), fc.string({ unit: 'binary' }));
    fc.assert(
      fc.property(bytes, (content) => {
        try {
          assert.deepEqual(Object.keys(read(content)).toSorted(), Object.keys(DEFAULT_SETTINGS).toSorted());
        } catch (error) {
          assert.ok(error instanceof UserError, String(error));
        }
      }),
      { numRuns: toRuns(200) },
    );
  });

  it('are the user’s own in the data directory of the account, and elsewhere only in a private file outside of repositories', () => {
    const root = join(dir, 'account');
    const put = (name: string): string => {
      const path = join(root, name, 'config.jsonc');
      mkdirSync(join(root, name), { recursive: true });
      writeFileSync(path, '{}', { mode: 0o600 });
      return path;
    };
    const account = { home: root, uid: process.getuid?.() ?? 0 };
    const own = put('.oncebitten');
    const elsewhere = put('elsewhere');
    chmodSync(own, 0o644);
    assert.equal(findDistrust(own, account), undefined);
    assert.equal(findDistrust(elsewhere, account), undefined);
    assert.match(findDistrust(elsewhere, { ...account, uid: account.uid + 1 }) ?? '', /another user/);
    mkdirSync(join(root, '.git'));
    assert.equal(findDistrust(own, account), undefined);
    assert.match(findDistrust(elsewhere, account) ?? '', /repository/);
    // As where `HOME` names a repository: the account's home folder is another one.
    assert.match(findDistrust(own, { ...account, home: join(dir, 'other') }) ?? '', /repository/);
  });
});
