import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { isOwnRefusal } from '../../src/base/contracts/agent-adapter.ts';
import type { DeliveryMode, Lesson } from '../../src/base/model/lesson.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/base/model/settings.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { renderRefusal, renderRewrite } from '../../src/match/reply-lines.ts';
import { makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';
import { toKeeper } from './to-keeper.ts';

const HEADER = parseHeader('s 1 claude-code PreToolUse -', 's') ?? assert.fail();
const REPLACEMENT = { program: 'changeme', sub: [], from: '--old', to: '--new' };
/** The least that a refusal says. */
const LEAST = { block: renderRefusal('block', 0), pause: renderRefusal('pause', 0) };

/** As a person set it, about a program of its own. */
const about = (program: string, mode: DeliveryMode, fields: Partial<Lesson> = {}): Lesson =>
  makeTestLesson({
    ...{ id: `les_${program}`, slug: program, contentHash: program, summary: `漢字 🎉 about ${program}` },
    ...{ mode, modeBy: 'user:me', reviewedBy: 'user:me', tags: [] },
    triggers: { tools: ['shell'], programs: [{ name: program }] },
    ...fields,
  });
const LESSONS = [
  about('deploy', 'pause'),
  about('blockme', 'block'),
  about('noted', 'note', { summary: 'noted is plain' }),
  about('changeme', 'rewrite', { replacement: REPLACEMENT }),
];

interface Heard {
  readonly how: 'silence' | 'note' | 'refusal' | 'rewrite';
  readonly text: string;
  readonly notice: string;
}

describe('where there is little room', () => {
  let root: string;
  let home: DataHome;
  let calls = 0;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-room-')));
    home = toDataHome(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const open = (given: Partial<Settings>, lessons: readonly Lesson[] = LESSONS) => {
    const own = {
      delivery: { ...DEFAULT_SETTINGS.delivery, maxMode: 'block' as const },
      replyDeadlineMs: 60_000,
      ...given,
    };
    writeFileSync(home.configFile, JSON.stringify(own));
    const settings = { ...DEFAULT_SETTINGS, ...own };
    const generatedAt = '2026-01-01T00:00:00.000Z';
    writeFileSync(home.manifestFile, compileManifest({ lessons, settings, generatedAt }));
    const journal = { append: () => {} };
    const answerer = makeHookAnswerer({ home, keeper: toKeeper(journal), log: (line) => assert.fail(line) });
    return (command: string, fields: object = {}): Heard => {
      const said = answerer.answer(HEADER, {
        ...{ session_id: `s${++calls}`, hook_event_name: 'PreToolUse', cwd: root, tool_name: 'Bash' },
        ...{ tool_use_id: `t${calls}`, tool_input: { command } },
        ...fields,
      });
      return toHeard(said);
    };
  };

  it('refuses what a person wants refused, whatever the limits', () => {
    for (const limits of [
      ...[0, 1, 29, 30, 31, 64, 140].map((injectionBudgetBytes) => ({ injectionBudgetBytes })),
      { maxLessonsPerInjection: 0 },
    ])
      for (const command of ['blockme', 'deploy; blockme; noted']) {
        const { how, text, notice } = open(limits)(command);
        assert.equal(how, 'refusal', JSON.stringify(limits));
        assert.equal(isOwnRefusal(text), true);
        assert.match(notice, /refused[\s\S]*oncebitten lessons mute blockme/);
      }
  });

  it('holds a call back once, also with room for one line alone', () => {
    for (const injectionBudgetBytes of [1, 40, 64, 100, 140]) {
      const ask = open({ injectionBudgetBytes });
      const session = { session_id: `pause-${injectionBudgetBytes}` };
      const first = ask('deploy x', session);
      assert.equal(first.how, 'refusal', `${injectionBudgetBytes}`);
      assert.match(first.text, /once: .*\bruns\./);
      assert.notEqual(ask('deploy x', session).how, 'refusal');
    }
  });

  it('switches lessons off with no room at all: only what a person wants refused is', () => {
    const ask = open({ injectionBudgetBytes: 0 });
    assert.deepEqual(
      ['deploy x', 'noted', 'changeme --old'].map((command) => ask(command).how),
      ['silence', 'silence', 'silence'],
    );
  });

  it('changes nothing that it has no room to tell', () => {
    const least = Buffer.byteLength(renderRewrite(REPLACEMENT, 0));
    assert.equal(open({ injectionBudgetBytes: least })('changeme --old').how, 'rewrite');
    const { how, text } = open({ injectionBudgetBytes: least - 1 })('changeme --old');
    assert.equal(how, 'note');
    assert.match(text, /^漢字 🎉 about changeme/);
  });

  it('says at most so many bytes, to the last one, but for the first line of a refusal', () => {
    const commands = ['deploy x', 'blockme', 'noted', 'changeme --old', 'deploy; blockme; noted', 'noted; deploy'];
    fc.assert(
      fc.property(fc.nat(700), fc.constantFrom(...commands), (injectionBudgetBytes, command) => {
        const { how, text } = open({ injectionBudgetBytes })(command);
        const least = how === 'refusal' ? LEAST[command.includes('blockme') ? 'block' : 'pause'] : '';
        assert.ok(Buffer.byteLength(text) <= Math.max(injectionBudgetBytes, Buffer.byteLength(least)), text);
        assert.ok(text.isWellFormed() && !text.includes('\ufffd'));
        if (injectionBudgetBytes >= 100) assert.match(text, /about|noted is/, 'the first lesson always says something');
      }),
      { numRuns: toRuns(200) },
    );
  });

  it('does not hold back what could not be told from another call: it notes, and others are held back as ever', () => {
    const lesson = about('sql', 'pause', { triggers: { tools: ['write'], content: { match: ['DROP TABLE'] } } });
    const ask = open({}, [...LESSONS, lesson]);
    const session = { session_id: 'deep' };
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    const input = { file_path: '/x/d.sql', content: 'DROP TABLE q', deep };
    assert.equal(ask('', { ...session, tool_name: 'Write', tool_input: input }).how, 'note');
    assert.equal(ask('deploy x', session).how, 'refusal');
    assert.equal(ask('deploy x', session).how, 'silence');
    assert.equal(readdirSync(home.claimsDir).length, 1);
  });
});

function toHeard(said: string): Heard {
  if (said === '') return { how: 'silence', text: '', notice: '' };
  const { systemMessage = '', hookSpecificOutput: given } = JSON.parse(said);
  const how = given.permissionDecision === 'deny' ? 'refusal' : given.updatedInput === undefined ? 'note' : 'rewrite';
  return { how, text: given.permissionDecisionReason ?? given.additionalContext, notice: systemMessage };
}
