import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import type { AgentEvent, CallResult, EventOf, ToolInput } from '../../src/base/model/event.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import type { ToolName } from '../../src/base/model/tool.ts';
import { toQuestion } from '../../src/base/triggers/session-conditions.ts';
import type { SessionCondition } from '../../src/base/triggers/trigger.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { makeAskSession, makeSessionMemory, notePast, type PastContext } from '../../src/loop/delivery/session-past.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toRuns } from '../to-runs.ts';

const INSTALL = { ran: 'npm install' };
const OWN_FILE = { read: '{path}' };
const GUIDE = { read: 'docs/GUIDE.md' };
const ORIGIN = { agent: 'claude-code', sessionId: 'one', contextId: '', at: '2026-01-01T00:00:00.000Z', cwd: '/r' };

const manifestOf = (...asks: readonly SessionCondition[]) => {
  const lessons = asks.map((ask) => makeTestLesson({ triggers: { tools: ['edit'], session: { unless: [ask] } } }));
  const input = { lessons, settings: DEFAULT_SETTINGS, generatedAt: ORIGIN.at };
  return openManifest(compileManifest(input)) ?? assert.fail('not a manifest');
};
const start = (how: EventOf<'session-started'>['start'] = 'startup', fields: Partial<AgentEvent> = {}) =>
  ({ ...ORIGIN, source: 'hook', kind: 'session-started', start: how, ...fields }) as AgentEvent;
const end = (tool: ToolName, input: Omit<ToolInput, 'json'>, result: Partial<CallResult> = {}, fields = {}) =>
  ({
    ...{ ...ORIGIN, source: 'hook', kind: 'call-ended', callId: 'c', tool, rawTool: tool },
    ...{ input: { ...input, json: '{}' }, result: { isError: false, text: '', ...result } },
    ...fields,
  }) as AgentEvent;
const run = (command: string, result?: Partial<CallResult>, fields = {}) => end('shell', { command }, result, fields);
const read = (path: string, tool: ToolName = 'read') => end(tool, { path });

describe('what already happened in a session', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'oncebitten-past-'));
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  const cold = (): PastContext => ({ pastDir: dir });
  const warm = (): PastContext => ({ pastDir: dir, memory: makeSessionMemory() });
  const tell = (
    context: PastContext,
    events: readonly AgentEvent[],
    manifest = manifestOf(INSTALL, OWN_FILE, GUIDE),
  ) => {
    for (const event of events) notePast(event, manifest, context);
  };
  const ask = (context: PastContext, condition: SessionCondition, path?: string, sessionId = 'one') =>
    makeAskSession(
      { agent: 'claude-code', sessionId },
      context,
    )(toQuestion(condition, path) ?? assert.fail('asks for nothing'));

  for (const [name, make] of [
    ['on disk alone', cold],
    ['in memory', warm],
  ] as const) {
    it(`is known ${name}: what ran, and which files were read or written`, () => {
      const context = make();
      tell(context, [start()]);
      assert.equal(ask(context, INSTALL), false);
      assert.equal(ask(context, OWN_FILE, '/r/a.ts'), false);
      tell(context, [run('cd web && npm install --silent | tail -3'), read('a.ts'), read('/r/docs/GUIDE.md')]);
      tell(context, [read('/r/new.ts', 'write')]);
      assert.equal(ask(context, INSTALL), true);
      assert.equal(ask(context, OWN_FILE, '/r/a.ts'), true);
      assert.equal(ask(context, OWN_FILE, '/r/new.ts'), true);
      assert.equal(ask(context, GUIDE), true);
      assert.equal(ask(context, OWN_FILE, '/r/b.ts'), false);
    });

    it(`counts only what succeeded (${name})`, () => {
      const context = make();
      const ends = [
        { isError: true },
        { exitCode: 1 },
        { cancelled: true },
        { background: true },
        { unended: true },
        { denied: {} },
      ];
      tell(context, [start(), ...ends.map((result) => run('npm install', result)), run('echo npm install')]);
      assert.equal(ask(context, INSTALL), false);
    });

    it(`is the same for a sub-agent, and another for another session (${name})`, () => {
      const context = make();
      tell(context, [start(), start('startup', { sessionId: 'two' })]);
      tell(context, [run('npm install', {}, { contextId: 'sub1' })]);
      assert.equal(ask(context, INSTALL), true);
      assert.equal(ask(context, INSTALL, undefined, 'two'), false);
    });

    it(`is not known of a session whose beginning nobody saw (${name})`, () => {
      for (const how of ['resume', 'fork', 'compact', 'unknown'] as const) {
        const context = make();
        tell(context, [start(how, { sessionId: how })]);
        assert.equal(ask(context, INSTALL, undefined, how), undefined);
      }
    });
  }

  it('is known without a daemon only as far as lessons asked when the session began', () => {
    tell(cold(), [start(), run('npm install')], manifestOf(OWN_FILE));
    assert.equal(ask(cold(), INSTALL), undefined);
    const context = warm();
    tell(context, [start(), run('npm install')], manifestOf());
    assert.equal(ask(context, INSTALL), true, 'memory knows what nobody asked for then');
    assert.equal(ask(context, { ran: 'npm test' }), false);
  });

  it('outlives the daemon', () => {
    tell(warm(), [start(), run('npm install')]);
    assert.equal(ask(cold(), INSTALL), true);
    assert.equal(ask(warm(), INSTALL), true);
    assert.equal(ask(warm(), OWN_FILE, '/r/a.ts'), false);
  });

  it('leaves no text on the disk, and nothing at all while no lesson asks', () => {
    tell(cold(), [start(), run('npm install'), read('/r/secret-plan.ts')], manifestOf());
    assert.deepEqual(readdirSync(dir), []);
    tell(cold(), [start(), run('npm install && curl -H hunter2 x'), read('/r/secret-plan.ts')]);
    const [file = ''] = readdirSync(dir);
    assert.match(file, /^[0-9a-z]{14}$/);
    assert.match(readFileSync(join(dir, file), 'utf8'), /^(\??[0-9a-z]{14}\n)+$/);
  });

  it('is bounded: past the bound it is not known', () => {
    const context = warm();
    tell(context, [start(), run('npm install')]);
    for (let n = 0; n < 2_100; n++) tell(context, [read(`/r/f${n}.ts`)]);
    assert.equal(ask(context, INSTALL), true);
    assert.equal(ask(context, OWN_FILE, '/r/f7.ts'), true);
    assert.equal(ask(context, OWN_FILE, '/r/never.ts'), undefined);
    const [file = ''] = readdirSync(dir);
    assert.ok(readFileSync(join(dir, file)).length < 40_000);
  });

  it('is kept in memory for any command, and says the same as the disk', () => {
    const words = fc.constantFrom('npm', 'install', '&&', '|', ';', '"', '-x', 'git', '$(', ')', 'sudo', '\n');
    const lines = fc.array(
      fc.array(words, { maxLength: 8 }).map((all) => all.join(' ')),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(lines, (all) => {
        rmSync(dir, { recursive: true, force: true });
        const context = warm();
        tell(context, [start(), ...all.map((line) => run(line))]);
        assert.equal(ask(context, INSTALL), ask(cold(), INSTALL));
      }),
      { numRuns: toRuns(200) },
    );
  });
});
