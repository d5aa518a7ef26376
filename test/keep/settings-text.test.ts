import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parse } from 'jsonc-parser';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { checkSettings, findFileValue } from '../../src/keep/settings/check-settings.ts';
import {
  addSettingComments,
  renderSettingsFile,
  setInSettings,
  unsetInSettings,
} from '../../src/keep/settings/edit-settings.ts';
import { findSettingKey, SETTING_KEYS } from '../../src/keep/settings/setting-keys.ts';
import { toRuns } from '../to-runs.ts';

const TEMPLATE = renderSettingsFile('./settings.schema.json');
const set = (text: string, name: string, value: unknown) => setInSettings(text, name.split('.'), value);
const unset = (text: string, name: string) => unsetInSettings(text, name.split('.'));

/** Every byte of the one is in the other, in order. */
const isWithin = (part: string, whole: string): boolean => {
  let at = 0;
  for (const byte of part) {
    at = whole.indexOf(byte, at) + 1;
    if (at === 0) return false;
  }
  return true;
};

/** Files as people write them: comments of both kinds anywhere, commas at the end or not, any line ends. */
const space = fc.constantFrom(
  '',
  ' ',
  '\n',
  '\n  ',
  '\r\n\t',
  ' // why\n',
  ' /* so */ ',
  '\n  // "minScore": 0.7,\n',
  '/* a\nb */',
);
const flat = fc.record(
  {
    minScore: fc.constantFrom('0.5', '1'),
    dedup: fc.constantFrom('"context"', '"session"'),
    privateProjects: fc.constantFrom('[]', '["/a", /* b */ "/c"]'),
    store: fc.constantFrom('{}', '{"url": ""}', '{ // none\n}', '{\n    "url": "postgres://h/d",\n  }'),
    retention: fc.constantFrom('{\n    "enabled": true // yes\n  }', '{"textDays": 3, "perProject": 5}'),
  },
  { requiredKeys: [] },
);
const file = fc
  .tuple(flat, fc.array(space, { minLength: 30, maxLength: 30 }), fc.boolean(), fc.constantFrom('', '\n'))
  .map(([given, spaces, trailing, end]) => {
    let i = 0;
    const next = () => spaces[i++ % spaces.length] ?? '';
    const rows = Object.entries(given).map(([key, value]) => `${next()}"${key}"${next()}:${next()}${value}${next()}`);
    return `${next()}{${rows.join(',')}${trailing && rows.length > 0 ? ',' : ''}${next()}}${end}`;
  });
const wish = fc.constantFrom(
  ...([
    ['minScore', 0.9],
    ['minPriority', 3],
    ['dedup', 'session'],
    ['selfReportProtocol', false],
    ['privateProjects', ['/x', '/y "z"']],
    ['store.url', 'postgres://you@host/db'],
    ['retention.textDays', 12],
    ['scoring.priority.seenOnce', -2],
    ['scoring.confidence.signals.hang', 0.3],
  ] as const),
);

describe('a setting set in the text of the file', () => {
  it('is read back with its value, and no other value changes', () => {
    fc.assert(
      fc.property(file, wish, (text, [name, value]) => {
        const edited = set(text, name, value);
        const { settings, problems } = checkSettings(edited, {});
        assert.deepEqual(problems, [], edited);
        assert.deepEqual(findFileValue(edited, name.split('.')), value);
        const before = checkSettings(text, {}).settings;
        for (const key of SETTING_KEYS)
          if (key.name !== name)
            assert.deepEqual(valueAt(settings, key.path), valueAt(before, key.path), `${key.name}\n${edited}`);
      }),
      { numRuns: toRuns(2000) },
    );
  });

  it('keeps every other byte of the file, including comments', () => {
    fc.assert(
      fc.property(file, wish, (text, [name, value]) => {
        const edited = set(text, name, value);
        const old = findFileValue(text, name.split('.'));
        if (old === undefined) assert.ok(isWithin(text, edited), edited);
        const comments = (one: string) => one.match(/\/\/ (?:why|yes|none|"minScore).*|\/\* (?:so|a\nb) \*\//g) ?? [];
        assert.deepEqual(comments(edited), comments(text));
        // The same value again changes nothing, and the old one brings the old file back.
        assert.equal(set(edited, name, value), edited);
        if (typeof old === 'string' || typeof old === 'number') assert.equal(set(edited, name, old), text);
      }),
      { numRuns: toRuns(2000) },
    );
  });

  it('is below its own comment, if there is one', () => {
    const edited = set(set(TEMPLATE, 'minScore', 0.9), 'retention.textDays', 7);
    assert.match(edited, /\n {2}\/\/ "minScore": 0\.7,\n {2}"minScore": 0\.9,\n/);
    assert.match(edited, /\n {4}\/\/ "textDays": 30,\n {4}"textDays": 7\n/);
    assert.equal(unset(unset(edited, 'minScore') ?? '', 'retention.textDays'), TEMPLATE);
  });

  it('leaves a comment with the line it belongs to', () => {
    assert.equal(
      set('{\n  "minScore": 1 // quiet\n}\n', 'dedup', 'session'),
      '{\n  "minScore": 1, // quiet\n  "dedup": "session"\n}\n',
    );
    assert.equal(set('{"minScore": 1}', 'dedup', 'session'), '{"minScore": 1, "dedup": "session"}');
    assert.equal(set('{"minScore": 1,}', 'dedup', 'session'), '{"minScore": 1, "dedup": "session",}');
    assert.equal(
      set('{\r\n\t"minScore": 1,\r\n}', 'store.url', ''),
      '{\r\n\t"minScore": 1,\r\n\t"store": {\r\n\t\t"url": ""\r\n\t},\r\n}',
    );
    assert.equal(set('// mine\n', 'minScore', 1), '// mine\n{\n  "minScore": 1\n}\n');
  });
});

describe('missing settings, added as comments', () => {
  const add = (text: string) => addSettingComments(text, './settings.schema.json');

  it('change no value and no existing byte, and are added once', () => {
    fc.assert(
      fc.property(file, (text) => {
        const { text: edited, added } = add(text);
        assert.ok(isWithin(text, edited), edited);
        const { settings, problems } = checkSettings(edited, {});
        assert.deepEqual([problems, settings], [[], checkSettings(text, {}).settings], edited);
        for (const { name, path } of SETTING_KEYS)
          if (findFileValue(text, path) !== undefined) assert.ok(!added.includes(name), name);
        assert.deepEqual(add(edited), { text: edited, added: [] });
      }),
      { numRuns: toRuns(500) },
    );
  });

  it('count once they are all uncommented', () => {
    fc.assert(
      fc.property(file, (text) => {
        const { text: edited, added } = add(text);
        const awake = edited.replace(/^(\s*)\/\/ (?=".*,$)/gm, '$1');
        const { settings, problems } = checkSettings(awake, {});
        // A comment of the file may become active beside the value that it stands for.
        if (/\/\/ "minScore"/.test(text)) return;
        assert.deepEqual(problems, [], awake);
        for (const name of added) {
          const path = name.split('.');
          assert.deepEqual(valueAt(settings, path), valueAt(DEFAULT_SETTINGS, path), name);
          assert.notEqual(findFileValue(awake, path), undefined, name);
        }
      }),
      { numRuns: toRuns(500) },
    );
  });

  it('are complete in an empty file', () => {
    assert.equal(add('// mine').text, `// mine\n${TEMPLATE}`);
    assert.deepEqual(add(TEMPLATE), { text: TEMPLATE, added: [] });
  });
});

describe('a setting removed from the text of the file', () => {
  it('is gone, and no other value has changed', () => {
    fc.assert(
      fc.property(file, wish, (text, [name]) => {
        const edited = unset(text, name);
        const path = name.split('.');
        if (edited === undefined) return assert.equal(findFileValue(text, path), undefined);
        assert.deepEqual(checkSettings(edited, {}).problems, [], edited);
        assert.equal(findFileValue(edited, path), undefined);
        assert.ok(isWithin(edited, text));
        return undefined;
      }),
      { numRuns: toRuns(2000) },
    );
  });

  it('is removed twice if it was there twice, and only with its own line', () => {
    assert.equal(unset('{\n  "a": 1,\n  "b": 2,\n  "a": 3\n}', 'a'), '{\n  "b": 2\n}');
    assert.equal(
      unset('{\n  // why\n  "a": 1, // because\n  "b": 2\n}', 'a'),
      '{\n  // why\n   // because\n  "b": 2\n}',
    );
    assert.equal(unset('{"a": 1}', 'b'), undefined);
    assert.equal(unset('', 'a'), undefined);
  });
});

describe('the file that config init writes', () => {
  it('changes nothing, and contains every key with its help and default', () => {
    const { settings, problems } = checkSettings(TEMPLATE, {});
    assert.deepEqual(problems, []);
    assert.deepEqual(settings, DEFAULT_SETTINGS);
    for (const { path, fallback } of SETTING_KEYS) {
      const key = path.at(-1) ?? '';
      assert.ok(TEMPLATE.includes(`// ${JSON.stringify(key)}: `), key);
      if (!Array.isArray(fallback)) assert.ok(TEMPLATE.includes(`// "${key}": ${JSON.stringify(fallback)},`), key);
    }
  });

  it('is still valid with all keys uncommented', () => {
    const text = TEMPLATE.replaceAll(/\/\/ (".*,)$/gm, '$1');
    assert.deepEqual(checkSettings(text, {}).problems, []);
    const { $schema: _, ...given } = parse(text) as Record<string, unknown>;
    assert.deepEqual(given, DEFAULT_SETTINGS);
  });
});

function valueAt(settings: unknown, path: readonly string[]): unknown {
  assert.ok(findSettingKey(path.join('.')));
  return path.reduce<unknown>((value, part) => (value as Record<string, unknown> | undefined)?.[part], settings);
}
