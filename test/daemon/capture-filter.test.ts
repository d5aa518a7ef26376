import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { readHook } from '../../src/agents/claude-code/hooks.ts';
import type { Store } from '../../src/base/contracts/store.ts';
import { DEFAULT_SETTINGS } from '../../src/base/model/settings.ts';
import { renderSwitches } from '../../src/base/model/switches.ts';
import { makeSecretScan } from '../../src/capture/secrets/scan-secrets.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { makeDigester } from '../../src/loop/digest-events.ts';
import { filterDigest, makeCaptureFilter, type ReadRules } from '../../src/loop/privacy/capture-filter.ts';
import { addMark, type SessionSighting } from '../../src/loop/privacy/private-sessions.ts';
import { identifyProject } from '../../src/loop/projects/find-project.ts';

const at = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 10, minute)).toISOString();

describe('what may be taken in', () => {
  let root: string;
  let store: Store;
  let secret: string;
  let open: ReadRules;
  before(async () => {
    root = realpathSync(mkdtempSync(join(tmpdir(), 'oncebitten-filter-')));
    secret = join(root, 'secret');
    mkdirSync(secret);
    store = await openSqliteStore(join(root, 'store.db'));
  });
  beforeEach(() => {
    open = makeFilter();
  });
  after(async () => {
    await store.close();
    rmSync(root, { recursive: true });
  });

  const makeFilter = (privateProjects: readonly string[] = [secret]): ReadRules =>
    makeCaptureFilter({
      store,
      settings: { ...DEFAULT_SETTINGS, privateProjects },
      switchesFile: join(root, 'switches.json'),
      awayDir: join(root, 'away'),
    });
  const sight = (
    sessionId: string,
    minute: number,
    cwd: string,
    more: Partial<SessionSighting> = {},
  ): SessionSighting => ({
    agent: 'claude-code',
    sessionId,
    at: at(minute),
    cwd,
    ...more,
  });
  const take = async (...told: readonly SessionSighting[]): Promise<readonly boolean[]> => told.map(await open(told));

  it('is nothing of a session whose earliest sight is in a private folder, in whatever order it is told', async () => {
    assert.deepEqual(await take(sight('s1', 2, root), sight('s1', 1, secret), sight('s2', 1, root)), [
      false,
      false,
      true,
    ]);
    assert.deepEqual(await take(sight('s1', 9, root), sight('s2', 9, secret), sight('s2', 10, root)), [
      false,
      false,
      true,
    ]);
  });

  it('is nothing of a session that a hook marked', async () => {
    addMark(join(root, 'away'), { agent: 'claude-code', sessionId: 'marked' }, 'private');
    assert.deepEqual(await take(sight('marked', 1, root)), [false]);
    open = makeFilter([]);
    assert.deepEqual(await take(sight('marked', 1, root)), [true], 'nothing is private any more');
  });

  it('is nothing of a session whose transcript begins in a private folder, read from wherever', async () => {
    const transcriptPath = join(root, 'told.jsonl');
    writeFileSync(transcriptPath, `{"type":"x"}\n${JSON.stringify({ cwd: secret, text: `"cwd":"${root}"` })}\n`);
    assert.deepEqual(await take(sight('told', 5, root, { transcriptPath })), [false]);
  });

  it('is nothing of a session that the store knows from a folder that is private now', async () => {
    const session = { agent: 'claude-code', projectId: 'prj_x', startedAt: at(0), lastSeenAt: at(0), source: 'hook' };
    await store.saveSessions([{ ...session, source: 'hook', sessionId: 'known', cwd: secret }]);
    assert.deepEqual(await take(sight('known', 5, root)), [false]);
  });

  it('is nothing of a session of a paused project while the pause lasts', async () => {
    const project = join(root, 'project');
    mkdirSync(project);
    const { id } = identifyProject(project);
    const pause = { what: 'project', id, dir: project, from: at(10), until: at(20) } as const;
    writeFileSync(join(root, 'switches.json'), renderSwitches({ pauses: [pause], mutes: [] }));
    open = makeFilter([]);
    const told = [sight('p', 5, project), sight('p', 12, root), sight('p', 25, root), sight('q', 12, root)];
    assert.deepEqual(await take(...told), [true, false, true, true]);
    addMark(join(root, 'away'), { agent: 'claude-code', sessionId: 'm' }, id);
    assert.deepEqual(await take(sight('m', 15, root), sight('m', 25, root)), [false, true]);
  });

  it('is no cure whose failed or working call was in a private folder', async () => {
    const digest = makeDigester({
      trackedTools: () => DEFAULT_SETTINGS.trackedTools,
      scan: makeSecretScan({ log: () => {} }),
    });
    const takeCures = async (sessionId: string, failedIn: string, workedIn: string) => {
      const end = (minute: number, cwd: string, command: string, failed: boolean) =>
        readHook(
          '',
          {
            ...{ session_id: sessionId, cwd, hook_event_name: failed ? 'PostToolUseFailure' : 'PostToolUse' },
            ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: `${sessionId}-${minute}` },
            ...(failed
              ? { error: 'Exit code 2\nshipit: unknown option: --fast' }
              : { tool_response: { stdout: 'ok' } }),
          },
          at(minute),
        );
      const events = [
        end(1, root, 'ls', false),
        end(2, failedIn, 'shipit deploy --fast prod', true),
        end(3, workedIn, 'shipit deploy --quick prod', false),
      ].filter((event) => event !== undefined);
      const told = await digest(events);
      assert.equal(told.cures.length, 1);
      return filterDigest(told, await open(told.sights)).cures.length;
    };
    assert.equal(await takeCures('both', root, root), 1);
    assert.equal(await takeCures('failed', secret, root), 0);
    assert.equal(await takeCures('worked', root, secret), 0);
  });
});
