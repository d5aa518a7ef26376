import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { isOwnRefusal } from '../../src/base/contracts/agent-adapter.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { DeliveryMode, Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { JOURNAL_SUFFIX, openJournal } from '../../src/capture/journal/journal.ts';
import { readSpooled } from '../../src/capture/journal/read-facts.ts';
import { listBySuffix } from '../../src/capture/journal/spool-files.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toKeeper } from './to-keeper.ts';

const MISTAKE = 'gh pr diff 12 --stat';
const REPLACEMENT = { program: 'gh', sub: ['pr', 'diff'], from: '--stat', to: '--name-only' };
const header = (flags = '-') => parseHeader(`s 1 claude-code PreToolUse ${flags}`, 's') ?? assert.fail();

/** As a person set it. */
const set = (mode: DeliveryMode, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    id: `les_${mode}`,
    slug: `lesson-${mode}`,
    mode,
    modeBy: 'user:me',
    reviewedBy: 'user:me',
    ...fields,
  });
const OTHER = makeTestLesson({
  ...{ id: 'les_other', slug: 'other', summary: 'gh wants a number' },
  triggers: { tools: ['shell'], programs: [{ name: 'gh', sub: ['pr', 'diff'] }] },
});

interface Answer {
  readonly systemMessage?: string;
  readonly hookSpecificOutput: Readonly<Record<string, unknown>> & {
    readonly permissionDecisionReason?: string;
    readonly additionalContext?: string;
  };
}

describe('the ways in which a lesson reaches a call', () => {
  let root: string;
  let home: DataHome;
  let calls = 0;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-modes-')));
    home = toDataHome(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const compile = (maxMode: DeliveryMode, lessons: readonly Lesson[], settings: Partial<Settings> = {}) => {
    const all = {
      ...DEFAULT_SETTINGS,
      delivery: { ...DEFAULT_SETTINGS.delivery, maxMode },
      replyDeadlineMs: 60_000,
      ...settings,
    };
    writeFileSync(home.configFile, JSON.stringify({ delivery: { maxMode }, replyDeadlineMs: 60_000, ...settings }));
    const generatedAt = '2026-01-01T00:00:00.000Z';
    writeFileSync(home.manifestFile, compileManifest({ lessons, settings: all, generatedAt }));
  };
  /** Each time another daemon: nothing may rest on one's memory. */
  const ask = (command: string, fields: object = {}, flags = '-'): Answer | undefined => {
    const journal = openJournal(home.spoolDir, `dmn_${++calls}`);
    const answerer = makeHookAnswerer({ home, keeper: toKeeper(journal), log: (line) => assert.fail(line) });
    const text = answerer.answer(header(flags), {
      ...{ session_id: 'one', hook_event_name: 'PreToolUse', cwd: root, tool_name: 'Bash', tool_use_id: `t${calls}` },
      ...{ tool_input: { command, description: 'look', timeout: 5 } },
      ...fields,
    });
    return text === '' ? undefined : JSON.parse(text);
  };
  const isRefused = (answer: Answer | undefined) => answer?.hookSpecificOutput?.permissionDecision === 'deny';
  const deliveries = (): readonly Delivery[] =>
    listBySuffix(home.spoolDir, JOURNAL_SUFFIX)
      .flatMap((name) => readSpooled(home.spoolDir, name).facts)
      .flatMap((fact) => (fact.kind === 'delivered' ? [fact.delivery] : []));
  const modes = () => deliveries().map(({ lessonId, mode }) => `${lessonId} ${mode}`);

  it('is a note, without any permission decision, until the user allows more', () => {
    compile('note', [set('block')]);
    const answer = ask(MISTAKE);
    assert.deepEqual(Object.keys(answer ?? {}), ['hookSpecificOutput']);
    assert.deepEqual(Object.keys(answer?.hookSpecificOutput ?? {}), ['hookEventName', 'additionalContext']);
    assert.deepEqual(modes(), ['les_block note']);
  });

  describe('pause', () => {
    it('refuses the call with the lesson, and lets the retry pass in silence', () => {
      compile('pause', [set('pause')]);
      const answer = ask(MISTAKE);
      const { hookEventName, permissionDecision, permissionDecisionReason = '' } = answer?.hookSpecificOutput ?? {};
      assert.deepEqual([hookEventName, permissionDecision], ['PreToolUse', 'deny']);
      assert.equal(isOwnRefusal(permissionDecisionReason), true);
      assert.match(permissionDecisionReason, /\(lesson-pause\)/);
      assert.equal(ask(MISTAKE), undefined);
      assert.equal(ask('cd x && gh pr diff 13 --stat'), undefined);
      assert.deepEqual(modes(), ['les_pause pause']);
    });

    it('lets the retry pass whatever else would hold it back: lessons without room, lessons that correct', () => {
      const many = [1, 2, 3, 4, 5].map((n) => set('pause', { id: `les_p${n}`, slug: `p${n}`, contentHash: `p${n}` }));
      const rewriting = set('rewrite', { id: 'les_r', slug: 'r', contentHash: 'r', replacement: REPLACEMENT });
      compile('rewrite', [...many, rewriting]);
      assert.equal(isRefused(ask(MISTAKE)), true);
      const again = ask(MISTAKE);
      assert.equal(isRefused(again), false);
      assert.equal(again?.hookSpecificOutput.updatedInput, undefined);
      assert.equal(isRefused(ask('gh pr diff 99 --stat')), false);
    });

    it('tells the user what was held back and how to silence it, without the command itself', () => {
      compile('pause', [set('pause')]);
      const { systemMessage = '' } = ask('TOKEN=hunter2 gh pr diff 12 --stat') ?? {};
      assert.match(systemMessage, /paused.*gh[\s\S]*oncebitten lessons mute lesson-pause/);
      assert.doesNotMatch(systemMessage, /hunter2/);
    });

    it('refuses a call of another shape, and in another session, once more', () => {
      compile('pause', [set('pause')]);
      assert.equal(isRefused(ask(MISTAKE)), true);
      assert.equal(isRefused(ask('gh pr diff 12 --stat --web')), true);
      assert.equal(isRefused(ask(MISTAKE, { session_id: 'two' })), true);
    });

    it('lets the same call pass in every con(the) session, and tells those that have not heard it', () => {
      compile('pause', [set('pause')]);
      const sub = { agent_id: 'a1', agent_type: 'general-purpose' };
      assert.equal(isRefused(ask(MISTAKE, sub)), true);
      const answer = ask(MISTAKE);
      assert.equal(isRefused(answer), false);
      assert.match(answer?.hookSpecificOutput.additionalContext ?? '', /\(lesson-pause\)/);
      assert.equal(ask(MISTAKE, sub), undefined);
    });

    it('says all there is to say in one refusal, those that pause first, within the budget', () => {
      compile('pause', [{ ...OTHER, priority: 9 }, set('pause', { priority: 4 })]);
      const reason = ask(MISTAKE)?.hookSpecificOutput.permissionDecisionReason ?? '';
      assert.match(reason, /\(lesson-pause\)[\s\S]*\(other\)/);
      assert.ok(Buffer.byteLength(reason) <= DEFAULT_SETTINGS.injectionBudgetBytes);
      assert.equal(ask(MISTAKE), undefined);
      assert.deepEqual(modes(), ['les_pause pause', 'les_other note']);
      compile('pause', [OTHER, set('pause')], { injectionBudgetBytes: 400 });
      const short = ask(MISTAKE, { session_id: 'two' })?.hookSpecificOutput.permissionDecisionReason ?? '';
      assert.ok(Buffer.byteLength(short) <= 400, `${Buffer.byteLength(short)}`);
    });

    it('never refuses where that cannot be written down first', () => {
      compile('pause', [set('pause')]);
      mkdirSync(dirname(home.claimsDir), { recursive: true });
      writeFileSync(home.claimsDir, 'a file where the folder should be');
      for (let tries = 0; tries < 2; tries++) {
        const answer = ask(MISTAKE);
        assert.equal(isRefused(answer), false);
        assert.match(answer?.hookSpecificOutput.additionalContext ?? '', /\(lesson-pause\)/);
      }
      assert.deepEqual(modes(), ['les_pause note', 'les_pause note']);
    });

    it('holds nothing back for a muted lesson, past the deadline, or in a probe’s wake', () => {
      compile('pause', [set('pause')]);
      const mutes = [{ lessonId: 'les_pause' }];
      writeFileSync(home.switchesFile, renderSwitches({ pauses: [], mutes }));
      assert.equal(ask(MISTAKE), undefined);
      rmSync(home.switchesFile);
      assert.equal(isRefused(ask(MISTAKE, {}, 'probe')), true);
      assert.equal(isRefused(ask(MISTAKE, {}, 'probe')), true);
      compile('pause', [set('pause')], { replyDeadlineMs: 0 });
      assert.equal(ask(MISTAKE), undefined);
      compile('pause', [set('pause')]);
      assert.equal(isRefused(ask(MISTAKE)), true);
    });

    it('only advises guests, who cannot be held back', () => {
      compile('pause', [set('pause')]);
      assert.equal(isRefused(ask(MISTAKE, { cursor_version: '3.0.0' })), false);
    });
  });

  describe('rewrite', () => {
    const lesson = set('rewrite', { replacement: REPLACEMENT });

    it('never changes what PowerShell is given, be it a command or a text', () => {
      compile('rewrite', [lesson]);
      const script = "$x = @'\nit's a text\ngh pr diff 1 --stat\n'@\nSet-Content notes.md $x";
      assert.equal(ask(script, { tool_name: 'PowerShell' }), undefined);
      const answer = ask(MISTAKE, { tool_name: 'PowerShell', session_id: 'two' });
      assert.equal(answer?.hookSpecificOutput.updatedInput, undefined);
      assert.equal(isRefused(answer), true);
    });

    it('gives the whole input back with the one word changed, and decides nothing for the user', () => {
      compile('rewrite', [lesson]);
      const { systemMessage = '', hookSpecificOutput } = ask(MISTAKE) ?? assert.fail();
      assert.deepEqual(hookSpecificOutput.updatedInput, {
        ...{ command: 'gh pr diff 12 --name-only', description: 'look', timeout: 5 },
      });
      assert.equal('permissionDecision' in hookSpecificOutput, false);
      assert.match(hookSpecificOutput.additionalContext ?? '', /--name-only[\s\S]*\(lesson-rewrite\)/);
      assert.match(systemMessage, /changed.*`--stat` to `--name-only`[\s\S]*oncebitten lessons mute lesson-rewrite/);
      assert.deepEqual(modes(), ['les_rewrite rewrite']);
    });

    it('says the lesson once, and each time that it changed something', () => {
      compile('rewrite', [lesson]);
      ask(MISTAKE);
      const { hookSpecificOutput } = ask('gh pr diff 13 --stat') ?? assert.fail();
      assert.match(hookSpecificOutput.additionalContext ?? '', /instead of `--stat`/);
      assert.doesNotMatch(hookSpecificOutput.additionalContext ?? '', /Lesson from/);
      assert.deepEqual(modes(), ['les_rewrite rewrite', 'les_rewrite rewrite']);
    });

    it('leaves the very same call alone the second time: it is meant', () => {
      compile('rewrite', [lesson]);
      assert.notEqual(ask(MISTAKE)?.hookSpecificOutput.updatedInput, undefined);
      assert.equal(ask(MISTAKE), undefined);
    });

    it('is a pause where the change is not certain, and a note where pauses are not allowed', () => {
      compile('rewrite', [lesson]);
      assert.equal(isRefused(ask('gh pr diff 12 --stat; gh pr diff 13 --stat')), true);
      compile('note', [lesson]);
      const answer = ask('gh pr diff 12 --stat; echo --stat', { session_id: 'two' });
      assert.deepEqual(Object.keys(answer?.hookSpecificOutput ?? {}), ['hookEventName', 'additionalContext']);
    });

    it('is not done where another lesson holds the call back', () => {
      compile('rewrite', [lesson, set('pause')]);
      const answer = ask(MISTAKE);
      assert.equal(isRefused(answer), true);
      assert.equal(answer?.hookSpecificOutput.updatedInput, undefined);
      assert.match(answer?.hookSpecificOutput.permissionDecisionReason ?? '', /\(lesson-pause\)[\s\S]*lesson-rewrite/);
    });
  });

  it('refuses every time only where a person has set a block', () => {
    compile('block', [set('block')]);
    for (let tries = 0; tries < 3; tries++) {
      const answer = ask(MISTAKE);
      assert.equal(isRefused(answer), true);
      assert.match(answer?.systemMessage ?? '', /refused[\s\S]*mute lesson-block/);
      assert.match(answer?.hookSpecificOutput.permissionDecisionReason ?? '', /\(lesson-block\)/);
    }
    assert.deepEqual(modes(), Array(3).fill('les_block block'));
  });
});
