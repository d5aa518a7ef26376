import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { toRecordedView } from '../../src/base/triggers/call-view.ts';
import { checkTriggers } from '../../src/base/triggers/check-triggers.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { listScanFiles } from '../../src/loop/scan/scan-files.ts';
import { scanSessions } from '../../src/loop/scan/scan-sessions.ts';

const HANG = 'pytest -v tests/';
const FIX = 'python -m pytest --no-header -q tests/';

describe('a program that hangs', () => {
  it('in three sessions of two repositories becomes one lesson for all projects', async () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-hang-')));
    try {
      const one = makeRepository(root, 'one');
      const two = makeRepository(root, 'two');
      for (const [day, project] of [one, one, two].entries()) writeSession(root, project, day + 1);
      const [lesson, ...others] = await learn(root);
      assert.ok(lesson !== undefined && others.length === 0, 'one lesson');
      assert.deepEqual(
        [lesson.scope.kind, lesson.occurrences, lesson.sessions, lesson.status],
        ['user', 3, 3, 'active'],
      );
      assert.match(lesson.remediation, /python -m pytest --no-header/);
      const fires = (command: string): boolean =>
        checkTriggers(lesson.triggers, {}, toRecordedView({ tool: 'shell', rawTool: 'Bash', command }), {
          callOnly: true,
        }).holds;
      for (const command of ['pytest -q', 'pytest -v tests/unit', 'cd api && pytest'])
        assert.ok(fires(command), command);
      for (const command of [FIX, 'TERM=dumb pytest', 'python3 -m pytest', 'git commit -m "run pytest"'])
        assert.ok(!fires(command), command);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});

function makeRepository(root: string, name: string): string {
  const folder = join(root, 'work', name);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/main\n');
  writeFileSync(join(folder, '.git/config'), `[remote "origin"]\n\turl = https://git.example/team/${name}.git\n`);
  return folder;
}

/** The agent runs the tests, waits until the time is over, and then runs them in another way. */
function writeSession(root: string, cwd: string, day: number): void {
  const sessionId = `00000000-0000-4000-8000-00000000000${day}`;
  const base = { sessionId, cwd, version: '2.1.0', userType: 'external', isSidechain: false, gitBranch: 'main' };
  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, day, 0, 0, seconds)).toISOString();
  const call = (id: string, command: string, seconds: number): object => {
    const content = [{ type: 'tool_use', id, name: 'Bash', input: { command } }];
    const message = { id: `msg-${id}`, role: 'assistant', model: 'some-model', content };
    return { type: 'assistant', message, uuid: `${id}-call`, parentUuid: null, timestamp: at(seconds), ...base };
  };
  const result = (id: string, text: string, isError: boolean, seconds: number): object => {
    const content = [{ type: 'tool_result', tool_use_id: id, is_error: isError, content: text }];
    const toolUseResult = isError ? `Error: ${text}` : { stdout: text, stderr: '', interrupted: false };
    const about = { uuid: `${id}-end`, parentUuid: `${id}-call`, timestamp: at(seconds) };
    return { type: 'user', message: { role: 'user', content }, toolUseResult, ...about, ...base };
  };
  const lines = [
    call(`a${day}`, HANG, 1),
    result(`a${day}`, 'Command timed out after 2m 0.0s\n===== test session starts =====', true, 122),
    call(`b${day}`, FIX, 130),
    result(`b${day}`, '12 passed in 0.52s', false, 133),
  ];
  const folder = join(root, 'sessions', cwd.replaceAll('/', '-'));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${sessionId}.jsonl`), `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`);
}

async function learn(root: string) {
  const { storeFile, manifestFile, switchesFile } = toDataHome(join(root, 'data'));
  const store = await openStore({ url: '', file: storeFile });
  try {
    const files = listScanFiles({ agent: ['claude-code'], path: join(root, 'sessions'), home: root, env: {} });
    const parts = { store, settings: DEFAULT_SETTINGS, manifestFile, switchesFile, files, onProgress: () => {} };
    await scanSessions(parts);
    return await store.listLessons();
  } finally {
    await store.close();
  }
}
