import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { DeliveryMode, Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { openJournal } from '../../src/capture/journal/journal.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { run } from '../../src/surfaces/cli/explain/explain.ts';
import type { ShownReply } from '../../src/surfaces/cli/explain/hook-answer.ts';
import { makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { toKeeper } from '../daemon/to-keeper.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

interface Explained {
  readonly matches: readonly {
    readonly slug: string;
    readonly mode: string;
    readonly parts: object;
    readonly toldAs?: string;
    readonly corrected?: string;
  }[];
  readonly off: string | null;
  readonly said: ShownReply | null;
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
    env: NodeJS.ProcessEnv = {},
  ) => {
    const { maxMode = 'note', ...flags } = more;
    const input = {
      lessons,
      settings: { ...DEFAULT_SETTINGS, delivery: { ...DEFAULT_SETTINGS.delivery, maxMode } },
      generatedAt: '2026-01-01T00:00:00.000Z',
    };
    mkdirSync(home.dir, { recursive: true });
    writeFileSync(home.configFile, JSON.stringify({ delivery: { maxMode } }));
    writeFileSync(home.manifestFile, compileManifest(input));
    const options = { tool: 'Bash', input: JSON.stringify({ command }), ...flags };
    const answer = await run({ home, options, args: [], env, cwd: home.dir } as unknown as Parameters<typeof run>[0]);
    return { json: answer.json as Explained, text: answer.text };
  };
  const about = (slug: string, fields: Partial<Lesson>): Lesson => makeTestLesson({ slug, tags: [], ...fields });

  it('shows each part of the score of a lesson that would speak', async () => {
    const { json, text } = await explain([about('stat', { priority: 8 })]);
    assert.deepEqual(json.matches[0]?.parts, {
      ...{ tool: 0.4, target: 0.4, action: 0.05, context: 0.05 },
      ...{ priority: 1.5, measured: 1 },
    });
    assert.match(text, /score 1\.35; a lesson needs at least 0\.\d+ \(setting minScore\)/);
  });

  it('shows the call at hand as the lesson corrects it, where its edit applies', async () => {
    const edit = { program: 'gh', sub: ['pr', 'diff'], steps: [{ from: ['--stat'], to: ['--name-only'] }] };
    const { json, text } = await explain([about('stat', { edit })], 'cd app && gh pr diff 31 --stat');
    assert.equal(json.matches[0]?.corrected, 'cd app && gh pr diff 31 --name-only');
    assert.match(text, /^ {4}This call, corrected: `cd app && gh pr diff 31 --name-only`$/m);
    assert.ok(json.said?.text.includes('This call, corrected: `cd app && gh pr diff 31 --name-only`'));
    const twice = await explain([about('stat', { edit })], 'gh pr diff 31 --stat; gh pr diff 32 --stat');
    assert.equal(twice.json.matches[0]?.corrected, undefined);
    assert.doesNotMatch(twice.text, /corrected/);
  });

  it('says of a muted lesson that it would fire otherwise', async () => {
    const [one, two] = [about('one', { id: 'les_one' }), about('two', { id: 'les_two' })];
    writeFileSync(home.switchesFile, renderSwitches({ pauses: [], mutes: [{ lessonId: 'les_one' }] }));
    const some = await explain([one, two]);
    assert.match(
      some.text,
      /^These lessons fire on this call:\n[\s\S]*^ {2}one {2}as a note .*, but it is muted\. .*oncebitten lessons unmute/m,
    );
    assert.match(some.text, /^ {2}two {2}as a note \(text only\)$/m);
    const all = await explain([one]);
    assert.match(all.text, /^No lesson is shown, because .*muted/m);
  });

  it('says that a variable of this shell keeps everything silent', async () => {
    const disabled = await explain([about('one', {})], undefined, {}, { ONCEBITTEN_DISABLED: '1' });
    assert.deepEqual([disabled.json.off, disabled.json.said], ['disabled', null]);
    assert.match(
      disabled.text,
      /^DISABLED: ONCEBITTEN_DISABLED is 1 in this shell\. Agents started from it are not captured/,
    );
    assert.match(disabled.text, /^No lesson is shown, because .*disabled/m);
    const muted = await explain([about('one', {})], undefined, {}, { DISABLE_EXPERIENCE_INJECTION: '1' });
    assert.deepEqual([muted.json.off, muted.json.said], ['muted', null]);
    assert.match(muted.text, /^MUTED: DISABLE_EXPERIENCE_INJECTION is 1 in this shell/);
    assert.equal((await explain([about('one', {})], undefined, {}, { ONCEBITTEN_DISABLED: '0' })).json.off, null);
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
      weak: 'below minScore (0.45, minimum 0.7)',
      text: 'the command line does not match',
      elsewhere: 'for another project',
    });
    assert.equal(json.misses.at(-1)?.slug, 'elsewhere');
  });

  it('says how a lesson would reach the call: no further than the user allows', async () => {
    const lesson = about('stat', { mode: 'pause', modeBy: 'user:me', reviewedBy: 'user:me' });
    assert.equal((await explain([lesson])).json.matches[0]?.mode, 'note');
    const { json, text } = await explain([lesson], undefined, { maxMode: 'pause' });
    assert.equal(json.matches[0]?.mode, 'pause');
    assert.match(text, /stat {2}as a pause .*\n/);
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

  it('groups what is silent for the same reason, in a pipe with all names; JSON counts what it leaves out', async () => {
    const { json, text } = await explain(
      Array.from({ length: 250 }, (_, n) => about(`far-${n}`, { scope: { kind: 'project', id: 'prj_there' } })),
    );
    assert.match(text, /^ {2}far-\d+(, far-\d+){249}: for another project$/m);
    assert.equal(json.misses.length, 200);
    assert.equal(json.missesLeftOut, 50);
  });

  describe('says what the hook says', () => {
    /** About one option of `gh`, each: five of a tool are told as one. */
    const option = (name: string, fields: Partial<Lesson> = {}): Lesson =>
      makeTestLesson({
        ...{ id: `les_${name}`, slug: `no-${name}`, summary: `gh has no --${name}`, contentHash: name },
        triggers: { tools: ['shell'], programs: [{ name: 'gh', args: { any: [`--${name}`] } }] },
        tags: ['tool:gh'],
        ...fields,
      });
    const FIVE = ['one', 'two', 'three', 'four', 'five'].map((name) => option(name));
    let calls = 0;
    const askHook = (command: string): string => {
      writeFileSync(home.configFile, JSON.stringify({ replyDeadlineMs: 60_000 }));
      const journal = openJournal(home.spoolDir, `dmn_${++calls}`);
      const answerer = makeHookAnswerer({ home, keeper: toKeeper(journal), log: (line) => assert.fail(line) });
      const text = answerer.answer(parseHeader('s 1 claude-code PreToolUse -', 's') ?? assert.fail(), {
        ...{ session_id: `s${calls}`, hook_event_name: 'PreToolUse', cwd: home.dir, tool_name: 'Bash' },
        ...{ tool_use_id: `t${calls}`, tool_input: { command } },
      });
      return text === '' ? '' : JSON.parse(text).hookSpecificOutput.additionalContext;
    };

    it('of lessons that are told as one: which skill, which lessons, which text', async () => {
      const command = 'gh pr list --one --two';
      const { json, text } = await explain(FIVE, command);
      assert.equal(json.said?.text, askHook(command));
      assert.deepEqual(json.said?.lessons, ['no-one', 'no-two']);
      assert.deepEqual(json.said?.together, [{ skill: 'oncebitten-gh', tool: 'gh', lessons: ['no-one', 'no-two'] }]);
      assert.deepEqual(
        json.matches.map(({ toldAs }) => toldAs),
        ['oncebitten-gh', 'oncebitten-gh'],
      );
      assert.match(text, /^Delivered together as skill oncebitten-gh: no-one, no-two$/m);
      assert.match(text, /^ {2}5 lessons about gh from earlier work\.\n[\s\S]*^ {2}- gh has no --three$/m);
    });

    it('of one lesson alone, of a tool with few, and of none', async () => {
      for (const [lessons, command] of [
        [FIVE, 'gh pr list --one'],
        [FIVE.slice(0, 4), 'gh pr list --one --two'],
      ] as const) {
        const { json, text } = await explain(lessons, command);
        assert.equal(json.said?.text, askHook(command));
        assert.deepEqual(json.said?.together, []);
        assert.doesNotMatch(text, /Delivered together/);
      }
      assert.equal((await explain(FIVE, 'gh pr list')).json.said, null);
    });

    it('where some have no room, are muted, or everything is paused', async () => {
      const apart = ['a', 'b', 'c', 'd'].map((name) => option(name, { tags: [] }));
      const { json, text } = await explain(apart, 'gh --a --b --c --d');
      assert.equal(json.said?.text, askHook('gh --a --b --c --d'));
      assert.deepEqual(json.said?.crowded, ['no-d']);
      assert.match(text, /^ {2}no-d {2}as a note .*, but the budget of this call has no room for it$/m);
      writeFileSync(home.switchesFile, renderSwitches({ pauses: [], mutes: [{ lessonId: 'les_two' }] }));
      const muted = await explain(FIVE, 'gh --one --two --three');
      assert.equal(muted.json.said?.text, askHook('gh --one --two --three'));
      assert.deepEqual(muted.json.said?.together[0]?.lessons, ['no-one', 'no-three']);
      const pauses = [{ what: 'all', from: '2026-01-01T00:00:00.000Z' }] as const;
      writeFileSync(home.switchesFile, renderSwitches({ pauses, mutes: [] }));
      assert.deepEqual([(await explain(FIVE, 'gh --one')).json.said, askHook('gh --one')], [null, '']);
    });
  });
});
