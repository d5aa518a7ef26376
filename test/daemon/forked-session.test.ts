import assert from 'node:assert/strict';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { openJournal } from '../../src/capture/journal/journal.ts';
import { compileManifest } from '../../src/keep/manifest/compile-manifest.ts';
import { type DataHome, toDataHome } from '../../src/loop/home/data-home.ts';
import { makeHookAnswerer } from '../../src/surfaces/daemon/answer-hook.ts';
import { parseHeader } from '../../src/surfaces/hook/wire-protocol.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import { toKeeper } from './to-keeper.ts';

const COMMAND = 'gh pr diff 12 --stat';
const PAUSING = { mode: 'pause', modeBy: 'user:me', reviewedBy: 'user:me' } as const;

/** Claude Code copies the rows into a new file under the new id, and writes it only once the session has begun. */
describe('a session that was forked', () => {
  let root: string;
  let home: DataHome;
  let calls = 0;
  beforeEach(() => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-fork-')));
    home = toDataHome(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  const compile = (fields: object = {}): void => {
    const settings = {
      ...DEFAULT_SETTINGS,
      delivery: { ...DEFAULT_SETTINGS.delivery, maxMode: 'pause' as const },
      replyDeadlineMs: 60_000,
    };
    writeFileSync(home.configFile, JSON.stringify({ delivery: settings.delivery, replyDeadlineMs: 60_000 }));
    const lessons = [makeTestLesson({ id: 'les_1', slug: 'the-lesson', summary: 'its text', ...fields })];
    const generatedAt = '2026-01-01T00:00:00.000Z';
    writeFileSync(home.manifestFile, compileManifest({ lessons, settings, generatedAt }));
  };
  const tell = (event: string, session: string, fields: object): string => {
    const journal = openJournal(home.spoolDir, `dmn_${++calls}`);
    const answerer = makeHookAnswerer({ home, keeper: toKeeper(journal), log: (line) => assert.fail(line) });
    return answerer.answer(parseHeader(`s 1 claude-code ${event} -`, 's') ?? assert.fail(), {
      ...{ session_id: session, hook_event_name: event, cwd: root, transcript_path: toTranscript(session) },
      ...fields,
    });
  };
  const toTranscript = (session: string): string => join(root, `${session}.jsonl`);
  const start = (session: string, source: string): string => tell('SessionStart', session, { source });
  const ask = (session: string, fields: object = {}): string =>
    tell('PreToolUse', session, {
      ...{ tool_name: 'Bash', tool_input: { command: COMMAND }, tool_use_id: `t${++calls}` },
      ...fields,
    });
  const copy = (session: string, said: string): void => {
    const attachment = { type: 'hook_additional_context', content: [JSON.parse(said).hookSpecificOutput] };
    writeFileSync(toTranscript(session), `${JSON.stringify({ type: 'attachment', attachment, sessionId: session })}\n`);
  };
  const fork = (said: string, source = 'fork'): void => {
    start('two', source);
    copy('two', said);
  };

  it('does not hear again what was told before, but its sub-agents do', () => {
    compile();
    const said = ask('one');
    assert.match(said, /its text/);
    fork(said);
    assert.equal(ask('two'), '');
    assert.match(ask('two', { agent_id: 'sub', agent_type: 'Explore' }), /its text/);
  });

  it('is not silenced by what a tool printed', () => {
    compile();
    const said = ask('one');
    start('two', 'fork');
    const content = [{ type: 'tool_result', content: JSON.parse(said).hookSpecificOutput.additionalContext }];
    const row = { type: 'user', message: { role: 'user', content }, sessionId: 'two' };
    writeFileSync(toTranscript('two'), `${JSON.stringify(row)}\n`);
    assert.match(ask('two'), /its text/);
  });

  it('hears what was not', () => {
    compile({ slug: 'another' });
    const other = ask('one');
    compile();
    fork(other);
    assert.match(ask('two'), /its text/);
    assert.equal(ask('two'), '');
  });

  it('is not held back again', () => {
    compile(PAUSING);
    const said = ask('one');
    assert.match(said, /"deny"/);
    fork(said);
    assert.equal(ask('two'), '');
  });

  it('hears it again after clear and, from a certain priority on, after compaction', () => {
    compile({ priority: 8 });
    const said = ask('one');
    for (const source of ['clear', 'compact']) {
      rmSync(home.claimsDir, { recursive: true });
      fork(said);
      assert.equal(ask('two'), '');
      start('two', source);
      assert.match(ask('two'), /its text/, source);
    }
  });

  it('is like one that is resumed when its claims are gone', () => {
    compile();
    const said = ask('one');
    rmSync(home.claimsDir, { recursive: true });
    fork(said, 'resume');
    assert.equal(ask('two'), '');
  });

  it('hears everything where no transcript tells', () => {
    compile();
    ask('one');
    start('two', 'fork');
    assert.match(ask('two'), /its text/);
  });
});
