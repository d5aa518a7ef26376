/**
 * The lists of realistic credentials and of harmless look-alikes, through every way into the data directory: hooks with
 * and without a daemon, a transcript, a lesson that a person adds, an import, a self-report. Then no file there may hold
 * any of the credentials, and every harmless text must be readable. Both counts are printed.
 */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeHiddenFinder, readNearMisses, readSecretRows, type SecretRow } from '../capture/secret-list.ts';
import { openStory, type Story } from './open-story.ts';
import { type FileCall, writeSession } from './session-file.ts';

/** The held-out lists were written after the rules, to measure what the rules do not know; then the rules were mended. */
const LISTS = ['', 'held-out-', 'second-held-out-', 'third-held-out-'];
const TOLD = LISTS.flatMap((list, i) => readSecretRows(`${list}credentials`, i));
/** With those that only the command tells, because its whole output is the secret. */
const ROWS = [...TOLD, ...readSecretRows('printed-credentials', LISTS.length)];
const HARMLESS = LISTS.flatMap((list) => readNearMisses(`${list}near-misses`));
/** Copies of our own program and of Node. */
const OWN = /^(?:app|bin|node|plugin)\//;

const toBatch = (session: string, rows: readonly { command: string; output: string }[]) => ({
  session_id: session,
  tool_calls: rows.map(({ command, output }, i) => ({
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: `${session}-${i}`,
    tool_response: output,
  })),
});

describe('the lists of credentials and look-alikes', () => {
  let story: Story;
  before(async () => {
    story = await openStory();
  });
  after(() => story.close());

  const find = makeHiddenFinder(ROWS);
  /** The rows of which anything stands in a file, with the file's name. */
  const findLeaks = (): ReadonlyMap<SecretRow, string> => {
    const leaks = new Map<SecretRow, string>();
    for (const entry of readdirSync(story.dataDir, { recursive: true, withFileTypes: true })) {
      const file = join(entry.parentPath, entry.name);
      const name = relative(story.dataDir, file);
      if (!entry.isFile() || OWN.test(name)) continue;
      for (const row of find(`${name}\n${readFileSync(file, 'latin1')}`)) leaks.set(row, name);
    }
    return leaks;
  };
  const assertClean = (): void => {
    const leaks = Array.from(findLeaks(), ([row, file]) => `${file}: ${row.form}`);
    assert.deepEqual(leaks, []);
  };

  it('are long enough, and would be found', () => {
    assert.ok(ROWS.length >= 360 && HARMLESS.length >= 240, `${ROWS.length} and ${HARMLESS.length}`);
    for (const row of ROWS) assert.ok(find(`${row.command}\n${row.output}`).has(row), row.form);
  });

  it('leave no credential behind a hook without a daemon', async () => {
    await story.cli('daemon', 'stop');
    const alone = { ONCEBITTEN_NO_DAEMON: '1' };
    await story.hook('PostToolBatch', toBatch('cold', ROWS), alone);
    for (const [i, { command, output }] of ROWS.filter((_, n) => n % 40 === 0).entries()) {
      const call = { session_id: 'cold', tool_use_id: `one-${i}`, tool_input: { command } };
      await story.hook('PreToolUse.Bash', call, alone);
      await story.hook('PostToolUseFailure.Bash', { ...call, error: `Exit code 1\n${output}\n${command}` }, alone);
    }
    assert.notEqual(readdirSync(join(story.dataDir, 'spool')).length, 0);
    assertClean();
  });

  it('leave no credential behind the daemon', async () => {
    await story.cli('daemon', 'start');
    await story.hook('SessionStart.startup', { session_id: 'live' });
    await story.hook('PostToolBatch', toBatch('batch', ROWS));
    for (let at = 0; at < ROWS.length; at += 8)
      await Promise.all(
        ROWS.slice(at, at + 8).map(({ command, output }, i) => {
          const call = { session_id: 'live', tool_use_id: `live-${at + i}`, tool_input: { command } };
          if ((at + i) % 2 === 0)
            return story.hook('PostToolUse.Bash', { ...call, tool_response: { stdout: output, stderr: '' } });
          return story.hook('PostToolUseFailure.Bash', { ...call, error: `Exit code 1\n${output}` });
        }),
      );
    await story.hook('SessionEnd', { session_id: 'live' });
    await story.settle();
    assertClean();
  });

  it('leave no credential behind a scan, and a self-report in it', async () => {
    const folder = join(story.home, 'sessions');
    mkdirSync(folder);
    const calls = ROWS.map(({ command, output }, i): FileCall => ({ id: `scan-${i}`, command, output }));
    const failing = ROWS.map(({ command, output }, i): FileCall => ({ id: `fail-${i}`, command, error: output }));
    writeSession(join(folder, 'scanned.jsonl'), { session: 'scanned', cwd: story.project }, calls);
    writeSession(join(folder, 'failing.jsonl'), { session: 'failing', cwd: story.project }, failing);
    const reports = ROWS.map(({ command }, i) => {
      const text = `#lesson\ntool: Bash\ntrigger: step ${i}\nmistake: ran ${command}\nfix: do not run ${command}\n#/lesson`;
      return JSON.stringify({
        type: 'assistant',
        uuid: `r${i}`,
        sessionId: 'reports',
        cwd: story.project,
        timestamp: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
        message: { role: 'assistant', content: [{ type: 'text', text }] },
      });
    });
    writeFileSync(join(folder, 'reports.jsonl'), `${reports.join('\n')}\n`);
    const totals = (await story.cli('scan', '--agent', 'claude-code', '--path', folder)) as { calls: number };
    assert.equal(totals.calls, 2 * ROWS.length);
    assertClean();
  });

  it('leave no credential in lessons that a person adds or imports', async () => {
    for (const [i, { command, output }] of TOLD.filter((_, n) => n % 25 === 0).entries()) {
      const words = ['--summary', `rule ${i}: ${command}`, '--mistake', output, '--fix', `not ${command}`];
      await story.cli('lessons', 'add', '--program', `deploy${i}`, ...words);
    }
    const file = join(story.home, 'lessons.json');
    const lessons = TOLD.map(({ command, output }, i) => ({
      summary: `Lesson ${i}: ${command}`,
      mistake: output,
      remediation: command,
      triggers: { toolNames: ['Bash'], commandPatterns: [`^deploy-${i}`] },
    }));
    writeFileSync(file, JSON.stringify({ lessons }));
    await story.cli('lessons', 'import', file);
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    const kept = await store.listLessons().finally(() => store.close());
    assert.ok(kept.filter(({ origin }) => origin.kind === 'import').length > 0.8 * TOLD.length);
    assertClean();
  });

  it('stay readable where they are harmless', async (test) => {
    // Apart: the output of a command that prints a secret is not kept.
    const commands = HARMLESS.map((command) => ({ command, output: 'ok' }));
    const outputs = HARMLESS.map((output, i) => ({ command: `cat build-${i}.log`, output }));
    const rows = [...commands, ...outputs];
    await story.hook('PostToolBatch', toBatch('harmless', rows));
    await story.settle();
    const store = await openSqliteStore(join(story.dataDir, 'oncebitten.db'));
    const calls = await store.listCalls({ sessionId: 'harmless' }).finally(() => store.close());
    const byId = new Map(calls.map((call) => [call.callId, call]));
    const lost = HARMLESS.filter((text, i) => {
      const [asked, told] = [byId.get(`harmless-${i}`), byId.get(`harmless-${HARMLESS.length + i}`)];
      return asked?.inputSummary !== text.slice(0, 200) || !`${told?.outputSummary}`.startsWith(text.slice(0, 240));
    });
    const leaks = findLeaks();
    test.diagnostic(
      `credentials that left nothing in the data directory: ${ROWS.length - leaks.size} of ${ROWS.length}`,
    );
    test.diagnostic(`harmless texts that stayed readable: ${HARMLESS.length - lost.length} of ${HARMLESS.length}`);
    assert.deepEqual(lost, []);
    assertClean();
  });
});
