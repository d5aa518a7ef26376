/** Wherever a session is named, the beginning of its id is enough, and what means no session is refused. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { UserError } from '../../src/base/errors.ts';
import type { Mute, Pause } from '../../src/base/model/switches.ts';
import { renderSwitches } from '../../src/base/model/switches.ts';
import type { FailedCall } from '../../src/base/statistics/failures.ts';
import { openSqliteStore } from '../../src/keep/store/engines/sqlite.ts';
import { toDataHome } from '../../src/loop/home/data-home.ts';
import { isWholeSessionId } from '../../src/surfaces/cli/arguments/sessions.ts';
import type { CommandInput, CommandResult, Handler } from '../../src/surfaces/cli/command.ts';
import { run as forget } from '../../src/surfaces/cli/data/forget.ts';
import { runMute as mute, runUnmute as unmute } from '../../src/surfaces/cli/lessons/mute.ts';
import { runPause as pause, runResume as resume } from '../../src/surfaces/cli/pause/pause.ts';
import { run as failures } from '../../src/surfaces/cli/sessions/failures.ts';
import {
  at,
  makeCall,
  makeChange,
  makeFailure,
  makeLesson,
  makeSession,
  makeSignature,
} from '../contracts/store/make-samples.ts';
import { toRuns } from '../to-runs.ts';

const ONE = 'deadbeef-1234-4abc-8abc-000000000001';
const TWINS = ['cafe0000-1234-4abc-8abc-000000000001', 'cafe0000-1234-4abc-8abc-000000000002'];
const UNSEEN = '11112222-1234-4abc-8abc-000000000001';
const SLUG = 'gh-pr-diff-stat-x7k2';

describe('a session that a person names', () => {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-named-'));
  const home = toDataHome(join(root, 'data'));
  before(async () => {
    const store = await openSqliteStore(home.storeFile);
    for (const sessionId of [ONE, ...TWINS, 'part-of-two'])
      await store.saveSessions([makeSession({ sessionId, startedAt: at(0) })]);
    const failed = (sessionId: string) => makeFailure(makeSignature('gh'), { sessionId, callId: `c-${sessionId}` });
    // Only calls are known of one, whose id is the beginning of another.
    await store.saveCalls(
      [failed(ONE), failed('part-of-two'), failed('part'), makeCall({ sessionId: ONE })],
      'observed',
    );
    await store.saveLesson(makeLesson({ slug: SLUG }), makeChange('new'));
    await store.close();
  });
  after(() => rmSync(root, { recursive: true, force: true }));
  afterEach(() => rmSync(home.switchesFile, { force: true }));

  const give = (run: Handler, options: object, ...words: readonly string[]): Promise<CommandResult> => {
    const nothing = { readStdin: async () => '', readLines: async function* () {}, progress: () => {} };
    const input: CommandInput = { home, arguments: words, options: { ...options }, env: {}, cwd: root, ...nothing };
    return run(input);
  };
  const switches = (): { pauses: readonly Pause[]; mutes: readonly Mute[] } =>
    JSON.parse(readFileSync(home.switchesFile, 'utf8'));
  const isRefused = (reason: RegExp, next: RegExp) => (error: unknown) =>
    error instanceof UserError && reason.test(error.reason) && next.test(error.next);

  it('is paused by the beginning of its id, and the hint ends that very pause', async () => {
    const { text } = await give(pause, { session: 'deadbeef-1234' });
    assert.equal(switches().pauses[0]?.id, ONE);
    assert.match(text, new RegExp(`End the pause: oncebitten resume --session ${ONE}`));
    assert.match(text, new RegExp(`oncebitten data forget --session ${ONE}`));
    assert.match((await give(resume, { session: 'deadbeef' })).text, new RegExp(`^Resumed: session ${ONE}`));
    assert.notEqual(switches().pauses[0]?.until, undefined);
  });

  it('is muted and heard again by the beginning of its id', async () => {
    await give(mute, { session: 'deadb' }, SLUG);
    assert.equal(switches().mutes[0]?.sessionId, ONE);
    assert.match((await give(unmute, { session: 'dead' }, SLUG)).text, new RegExp(`^Unmuted: .* ${ONE}`));
    const all = await give(mute, { session: 'dead', all: true });
    assert.match(all.text, new RegExp(`oncebitten lessons unmute --all --session ${ONE}`));
  });

  it('is one: of several all are listed, of none it is said how to find one', async () => {
    const commands: readonly (readonly [Handler, object])[] = [
      ...[pause, resume, failures].map((run) => [run, {}] as const),
      ...[mute, unmute].map((run) => [run, { all: true }] as const),
      [forget, { yes: true }],
    ];
    for (const [run, options] of commands) {
      for (const twin of TWINS)
        await assert.rejects(
          give(run, { ...options, session: 'cafe' }),
          isRefused(/matches several sessions/, new RegExp(twin)),
        );
      for (const session of ['zzz', ''])
        await assert.rejects(
          give(run, { ...options, session }),
          isRefused(/is not (?:recorded|known)/, /oncebitten sessions/),
        );
    }
    assert.throws(switches, 'nothing was switched');
  });

  it('may not have begun yet: then its whole id is needed, and that it is unknown is said', async () => {
    const { text, json } = await give(pause, { session: UNSEEN });
    assert.equal(switches().pauses[0]?.id, UNSEEN);
    assert.match(text, new RegExp(`Session ${UNSEEN} has no recorded events yet`));
    assert.equal((json as { isKnown: boolean }).isKnown, false);
    assert.match((await give(mute, { session: UNSEEN }, SLUG)).text, /has no recorded events yet/);
    // What is switched off can be switched on again by as little.
    assert.match((await give(resume, { session: '1111' })).text, /^Resumed/);
    assert.match((await give(unmute, { session: '1111' }, SLUG)).text, /^Unmuted: /);
  });

  it('is left alone also where the store cannot be read', async () => {
    const broken = toDataHome(join(root, 'broken'));
    mkdirSync(broken.dir, { recursive: true });
    writeFileSync(broken.storeFile, 'no database, and longer than the head of one would be'.repeat(9));
    const input = { home: broken, arguments: [], env: {}, cwd: root, progress: () => {} } as unknown as CommandInput;
    await pause({ ...input, options: { session: ONE } });
    assert.match(readFileSync(broken.switchesFile, 'utf8'), new RegExp(ONE));
    await assert.rejects(pause({ ...input, options: { session: 'deadbeef' } }));
  });

  it('can be resumed by what an older switch file calls it', async () => {
    const old = { what: 'session', id: 'deadbeef-1234', from: at(0) } as const;
    mkdirSync(home.dir, { recursive: true });
    writeFileSync(home.switchesFile, renderSwitches({ pauses: [old], mutes: [] }));
    assert.match((await give(resume, { session: 'deadbeef-1234' })).text, /^Resumed: session deadbeef-1234\./);
  });

  it('has its failures listed, also where only its calls are known', async () => {
    const list = async (session: string) =>
      ((await give(failures, { session, each: true })).json as { items: FailedCall[] }).items.map(
        (one) => one.sessionId,
      );
    assert.deepEqual(await list('dead'), [ONE]);
    assert.deepEqual(await list('part-of'), ['part-of-two']);
    assert.deepEqual(await list('part'), ['part']);
    assert.deepEqual(await list(ONE), [ONE]);
  });

  it('is forgotten by the beginning of its id, but one with this very id goes before', async () => {
    const what = async (session: string) =>
      ((await give(forget, { session, dryRun: true })).json as { what: string }).what;
    assert.equal(await what('dead'), `session ${ONE}`);
    assert.equal(await what('part'), 'session part');
    assert.equal(await what('part-'), 'session part-of-two');
  });

  it('is a known one or a whole id, whatever is typed', async () => {
    const part = fc.tuple(fc.constantFrom(ONE, ...TWINS, UNSEEN), fc.nat({ max: 36 }));
    const typed = fc.oneof(
      part.map(([id, end]) => id.slice(0, end)),
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.uuid(),
    );
    await fc.assert(
      fc.asyncProperty(typed, async (session) => {
        rmSync(home.switchesFile, { force: true });
        try {
          await give(pause, { session });
        } catch (error) {
          return error instanceof UserError && !isWholeSessionId(session);
        }
        const id = switches().pauses[0]?.id ?? '';
        const isKnown = ['part', 'part-of-two'].includes(id);
        return session !== '' && id.startsWith(session) && (isKnown || isWholeSessionId(id));
      }),
      { numRuns: toRuns(25) },
    );
  });

  it('is forgotten with the names of the backups that were made since it began, and no older ones', async () => {
    mkdirSync(home.backupsDir, { recursive: true });
    const [older, newer] = ['oncebitten-older.jsonl.gz', 'oncebitten-newer.jsonl.gz'].map((name) =>
      join(home.backupsDir, name),
    ) as [string, string];
    for (const [file, minutes] of [
      [older, -60],
      [newer, 60],
    ] as const) {
      writeFileSync(file, '');
      const time = new Date(Date.parse(at(0)) + minutes * 60_000);
      utimesSync(file, time, time);
    }
    const { text, json } = await give(forget, { session: 'dead', yes: true });
    assert.deepEqual((json as { backups: readonly string[] }).backups, [newer]);
    assert.ok(text.includes(newer) && !text.includes(older), text);
    assert.match(text, new RegExp(`to stop that: oncebitten pause --session ${ONE}`));
  });
});
