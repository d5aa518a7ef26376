/** The life of lessons, by the real command line on a real store: every verb, what it refuses, and others at work too. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Store } from '../../src/base/contracts/store.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { openStore } from '../../src/keep/store/open-store.ts';
import { openManifest } from '../../src/match/manifest.ts';
import { openShell, type Shell } from '../cli/open-shell.ts';
import { makeCall, makeFailure, makeSignature } from '../contracts/store/make-samples.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';
import type { Output } from '../run-cli.ts';

const BY_DETECTOR = { kind: 'episode', by: 'distill/x@1', trust: 'observed' } as const;

describe('the life of a lesson', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const withStore = async <T>(use: (store: Store) => Promise<T>): Promise<T> => {
    const store = await openStore({ url: '', file: join(shell.dataDir, 'oncebitten.db') });
    try {
      return await use(store);
    } finally {
      await store.close();
    }
  };
  const add = async (slug: string, fields: Partial<Lesson> = {}): Promise<Lesson> => {
    const lesson = makeTestLesson({ slug, origin: BY_DETECTOR, ...fields });
    const change = { by: 'distill/x@1', reason: 'learned, draft: 1 hits, 0 false alarms', at: lesson.createdAt };
    await withStore((store) => store.saveLesson(lesson, change));
    return lesson;
  };
  const show = (slug: string): Promise<Lesson> =>
    withStore(async (store) => (await store.findLesson(slug)) ?? assert.fail(slug));
  const listSpeaking = (): readonly string[] => {
    const manifest = openManifest(readFileSync(join(shell.dataDir, 'manifest.json'))) ?? assert.fail('no manifest');
    return manifest.all().map(({ slug }) => slug);
  };
  /** The command line itself is wrong. */
  const assertSenseless = (args: readonly string[], says: RegExp): Promise<void> => assertRefused(args, says, '', 2);
  /** One line of what is wrong, one of what to do, and not a trace in the store. */
  const assertRefused = async (args: readonly string[], says: RegExp, stdin = '', expected = 1): Promise<void> => {
    const before = await withStore(dump);
    const { code, stdout, stderr } = await shell.run(args, { stdin });
    assert.equal(code, expected, `${args.join(' ')}: ${stdout}`);
    assert.match(stderr, says);
    assert.match(stderr, /\n {2}next: ./);
    assert.equal(stdout, '');
    assert.deepEqual(await withStore(dump), before);
  };

  it('approve lets drafts speak, all that are named or none', async () => {
    await add('app-one', { status: 'draft', needsReview: true, confidence: 0.4, priority: 2 });
    await add('app-two', { status: 'draft' });
    await assertRefused(['lessons', 'approve', 'app-one', 'app-none'], /lesson app-none: /);
    const { lessons } = await shell.json<{ lessons: Lesson[] }>(
      ...['lessons', 'approve', 'app-one', 'app-two', 'app-one', '--reason', 'seen it'],
    );
    assert.deepEqual(
      lessons.map(({ slug, status }) => [slug, status]),
      [
        ['app-one', 'active'],
        ['app-two', 'active'],
      ],
    );
    const { reviewedBy } = await shell.json<Lesson>('lessons', 'show', 'app-one');
    assert.match(reviewedBy ?? '', /^user:./);
    assert.ok(
      ['app-one', 'app-two'].every((slug) => listSpeaking().includes(slug)),
      'they are in the manifest',
    );
    await assertRefused(['lessons', 'approve', 'app-one'], /is active, and user:\S+ has reviewed it/);
    await add('app-gone', { status: 'archived' });
    await assertRefused(['lessons', 'approve', 'app-gone'], /is archived\n {2}next: restore it first/);
  });

  it('approve refuses a trigger that would match everything, which a draft may have', async () => {
    await add('app-bad', { status: 'draft', triggers: {} });
    await assertRefused(['lessons', 'approve', 'app-bad'], /app-bad: has a trigger that would match nearly every call/);
    await shell.json('lessons', 'edit', 'app-bad', '--summary', 'its words may change');
    await shell.json('lessons', 'edit', 'app-bad', '--program', 'gh');
    await shell.json('lessons', 'approve', 'app-bad');
    assert.ok(listSpeaking().includes('app-bad'));
  });

  it('reject, archive and restore move them, with the reason', async () => {
    await add('mov-one');
    await add('mov-two', { status: 'draft' });
    const rejected = await shell.run(['lessons', 'reject', 'mov-one', '--reason', 'it\nis wrong']);
    assert.match(rejected.stdout, /mov-one.*oncebitten lessons undo --home \S+ mov-one/);
    assert.deepEqual((await show('mov-one')).archival, { cause: 'rejected', reason: 'it is wrong', from: 'active' });
    assert.ok(!listSpeaking().includes('mov-one'));
    await assertRefused(['lessons', 'reject', 'mov-one'], /is rejected already/);
    await assertRefused(['lessons', 'archive', 'mov-two', 'mov-one'], /mov-one: is archived already/);
    await shell.json('lessons', 'archive', 'mov-two');
    await shell.json('lessons', 'restore', 'mov-one', 'mov-two');
    assert.deepEqual([(await show('mov-one')).status, (await show('mov-two')).status], ['active', 'draft']);
    await assertRefused(['lessons', 'restore', 'mov-one'], /is not archived but active/);
  });

  it('edit changes it with flags, and with JSON', async () => {
    await add('edi-one', { tags: ['a:b'] });
    await shell.json(
      'lessons',
      'edit',
      'edi-one',
      '--summary',
      'mine',
      '--priority',
      '9',
      '--tag',
      'x:y',
      '--mode',
      'pause',
    );
    await shell.json('lessons', 'edit', 'edi-one', '--program', 'gh pr', '--without=--json', '--scope', 'user');
    const lesson = await show('edi-one');
    assert.deepEqual([lesson.summary, lesson.priority, lesson.tags, lesson.mode], ['mine', 9, ['x:y'], 'pause']);
    assert.deepEqual(lesson.triggers, {
      tools: ['shell'],
      programs: [{ name: 'gh', sub: ['pr'], args: { none: ['--json'] } }],
    });
    const patch = JSON.stringify({ remediation: 'key AKIAIOSFODNN7EXAMPLE', validUntil: '2020-01-01' });
    const { code, stdout } = await shell.run(['lessons', 'edit', 'edi-one', '--stdin', '--json'], { stdin: patch });
    assert.equal(code, 0);
    assert.deepEqual(JSON.parse(stdout).changed, ['remediation', 'validity']);
    assert.match((await show('edi-one')).remediation, /\[redacted:/);
    assert.ok(!listSpeaking().includes('edi-one'), 'its time is over');
    await shell.json('lessons', 'edit', 'edi-one', '--valid-until', 'none');
    assert.ok(listSpeaking().includes('edi-one'));
  });

  it('says of a lesson whose time is over, or has not come, that it is silent', async () => {
    await add('tim-one', { triggers: { tools: ['shell'], programs: [{ name: 'gh' }] } });
    const tell = async (...args: readonly string[]) => (await shell.run(['lessons', ...args])).stdout;
    const test = () =>
      shell.json<{ speaks: boolean; silent?: string }>('lessons', 'test', 'tim-one', '--command', 'gh');
    const assertSilent = async (said: readonly string[], day: string) => {
      for (const text of said) assert.ok(text.includes(day), text);
      const { speaks, silent } = await test();
      assert.deepEqual([speaks, silent?.includes(day)], [true, true], 'its trigger matches, its time does not');
      assert.ok(!listSpeaking().includes('tim-one'));
    };
    const views = async () => Promise.all([tell('list'), tell('show', 'tim-one'), tell('test', 'tim-one')]);
    const over = await tell('edit', 'tim-one', '--valid-until', '2020-01-01');
    await assertSilent([over, ...(await views())], '2020-01-01');
    await tell('edit', 'tim-one', '--valid-until', 'none', '--valid-from', '2999-01-01');
    await assertSilent(await views(), '2999-01-01');
    await tell('edit', 'tim-one', '--valid-from', 'none');
    assert.equal((await test()).silent, undefined);
    assert.ok(listSpeaking().includes('tim-one'));
  });

  it('edit takes a body of the lesson’s type, cleans it, and drops it when the words are others', async () => {
    await add('bod-one', { type: 'warning' });
    const edit = ['lessons', 'edit', 'bod-one', '--stdin'];
    const body = { risk: 'it says key AKIAIOSFODNN7EXAMPLE', mitigation: 'leave it away' };
    const { stdout } = await shell.run([...edit, '--json'], { stdin: JSON.stringify({ body }) });
    assert.deepEqual(JSON.parse(stdout).changed, ['body']);
    const { body: kept } = await show('bod-one');
    assert.match(JSON.stringify(kept), /\[redacted:.*leave it away/);
    await assertRefused(edit, /is a warning, but has the body of a checklist/, '{"body":{"title":"t","items":["a"]}}');
    await assertRefused(edit, /body: /, '{"body":{"nothing":"t"}}');
    await shell.run(edit, { stdin: '{"type":"checklist","body":{"title":"t","items":["a"]}}' });
    assert.deepEqual((await show('bod-one')).body, { title: 't', items: ['a'] });
    await shell.json('lessons', 'edit', 'bod-one', '--summary', 'other words');
    assert.equal((await show('bod-one')).body, undefined);
  });

  it('edit says how far a mode goes, and what would let it go further', async () => {
    await add('mod-one');
    const edit = async (mode: string, env = {}): Promise<string> =>
      (await shell.run(['lessons', 'edit', 'mod-one', '--mode', mode], { env })).stdout;
    assert.match(await edit('block'), /shown as: note\b.*block.*delivery\.maxMode block/);
    const raised = { ONCEBITTEN_DELIVERY_MAX_MODE: 'block' };
    assert.match(await edit('pause', raised), /shown as: note\b.*pause/);
    await shell.json('config', 'set', 'delivery.maxMode', 'block');
    assert.match(await edit('rewrite'), /: pause, because /);
    assert.match(await edit('pause'), /: pause, .*user:/);
    assert.match(await edit('note'), /: note, .*user:/);
    await shell.json('config', 'unset', 'delivery.maxMode');
    const { stdout } = await shell.run(['lessons', 'show', 'mod-one']);
    assert.match(stdout, / note, .*user:/);
  });

  it('edit refuses what makes no sense', async () => {
    await add('edi-two');
    const edit = ['lessons', 'edit', 'edi-two'];
    await assertRefused(edit, /got no changes, and there is no terminal/);
    await assertSenseless([...edit, '--priority', '11'], /priority: /);
    await assertSenseless([...edit, '--mode', 'shout'], /mode: /);
    await assertSenseless([...edit, '--scope', 'galaxy'], /--scope galaxy: /);
    await assertSenseless([...edit, '--valid-from', 'soon'], /validFrom: is not a day/);
    await assertSenseless([...edit, '--with', 'x'], /--program/);
    await assertRefused([...edit, '--program', 'gh', '--with=-a', '--without=-a'], /never fires: no command can be/);
    await assertRefused([...edit, '--file', '*.md'], /no call has both/);
    await assertRefused([...edit, '--stdin'], /is not JSON/, '{');
    await assertRefused([...edit, '--stdin'], /lesson: unexpected fields: status/, '{"status":"active"}');
    await assertRefused([...edit, '--stdin'], /linear-time/, '{"triggers":{"command":{"match":["(a)\\\\1"]}}}');
    await assertRefused([...edit, '--stdin'], /secret in its trigger/, SECRET_TRIGGER);
    await assertRefused([...edit, '--summary', (await show('edi-two')).summary], /would not change/);
    await assertRefused(['lessons', 'edit', 'nobody', '--priority', '3'], /nobody: /);
  });

  it('merge makes one of several, and only what can be', async () => {
    await add('mer-into', { occurrences: 2 });
    await add('mer-one', { occurrences: 3 });
    await add('mer-two', { occurrences: 4 });
    await assertRefused(['lessons', 'merge', 'mer-into', 'mer-one', 'nobody'], /nobody: /);
    await assertSenseless(['lessons', 'merge', 'mer-into', 'mer-into'], /same lesson twice/);
    await shell.json('lessons', 'merge', 'mer-into', 'mer-one', 'mer-two');
    assert.equal((await show('mer-into')).occurrences, 9);
    const told = await shell.run(['lessons', 'show', 'mer-one']);
    assert.match(told.stdout, /archived, superseded: .*mer-into\n/);
    assert.match(told.stdout, /see {9}mer-into/);
    await assertRefused(['lessons', 'merge', 'mer-into', 'mer-one'], /mer-one is superseded already/);
    await assertRefused(['lessons', 'merge', 'mer-one', 'mer-into'], /mer-one is archived/);
    const { changes } = await shell.json<{ changes: unknown[] }>('lessons', 'undo', 'mer-two');
    assert.equal(changes.length, 3, 'the whole merge is taken back');
    assert.equal((await show('mer-into')).occurrences, 2);
    assert.deepEqual([(await show('mer-one')).status, (await show('mer-two')).status], ['active', 'active']);
  });

  it('undo walks back through the commands of a person, and redo forward', async () => {
    const first = await add('und-one', { status: 'draft' });
    const { slug } = first;
    await shell.json('lessons', 'approve', slug);
    await shell.json('lessons', 'edit', slug, '--priority', '8');
    await shell.json('lessons', 'archive', slug);
    // Learning goes on meanwhile, and is not undone.
    await withStore((store) =>
      store.updateLessons([slug], ([now = first]) => [
        {
          lesson: { ...now, occurrences: 5 },
          change: { by: 'distill/x@1', reason: 'seen again: 2 hits', at: now.updatedAt },
        },
      ]),
    );
    await shell.json('lessons', 'undo');
    await shell.json('lessons', 'undo', slug);
    await shell.json('lessons', 'undo');
    const { updatedAt: _, ...now } = await withStore(async (store) => (await store.findLesson(slug)) ?? assert.fail());
    const { updatedAt: __, ...before } = first;
    assert.deepEqual(now, { ...before, occurrences: 5 });
    await assertRefused(['lessons', 'undo', slug], /lesson und-one: has nothing to undo/);
    for (let i = 0; i < 3; i++) await shell.json('lessons', 'undo', '--redo', slug);
    const { status, priority, archival } = await show(slug);
    assert.deepEqual([status, priority, archival?.cause], ['archived', 8, 'archived']);
    await assertRefused(['lessons', 'undo', '--redo', slug], /has nothing to redo/);
    await assertRefused(['lessons', 'undo', 'nobody'], /nobody: /);
  });

  it('undo brings back what was archived by itself, and takes back what was just written', async () => {
    await add('aut-one', { status: 'archived', archival: { cause: 'expired', reason: 'old', from: 'draft' } });
    await withStore((store) =>
      store.updateLessons(['aut-one'], ([now]) => {
        const { archival: _, ...open } = now ?? assert.fail();
        const change = { by: 'promote/expire-lesson', reason: 'old', at: open.updatedAt };
        return [
          { lesson: { ...open, status: 'draft' }, change },
          { lesson: now ?? assert.fail(), change },
        ];
      }),
    );
    await shell.json('lessons', 'undo', 'aut-one');
    assert.equal((await show('aut-one')).status, 'draft');
    const { slug } = await shell.json<Lesson>('lessons', 'add', '--summary', 'oops', '--program', 'oops');
    await shell.json('lessons', 'undo');
    assert.equal((await show(slug)).status, 'archived');
  });

  it('history and show tell who changed what, and why', async () => {
    await add('his-one', { status: 'draft' });
    await shell.json('lessons', 'approve', 'his-one', '--reason', 'I know it');
    const history = await shell.list<{ by: string; reason: string; changed: Record<string, unknown> }>(
      ...['lessons', 'history', 'his-one'],
    );
    assert.deepEqual(
      history.map(({ reason }) => reason),
      ['learned, draft: 1 hits, 0 false alarms', 'approved: I know it'],
    );
    assert.match(history[1]?.by ?? '', /^user:/);
    assert.deepEqual(history[1]?.changed.status, { before: 'draft', after: 'active' });
    const { stdout } = await shell.run(['lessons', 'history', 'his-one']);
    assert.match(stdout, /user:\S+: approved: I know it\n(?: {4}.*\n)* {4}status: draft -> active/);
    assert.match((await shell.run(['lessons', 'show', 'his-one'])).stdout, /back-test {3}1 hits, 0 false alarms/);
    await assertRefused(['lessons', 'history', 'nobody'], /nobody: /);
  });

  it('list finds lessons by what they are and say', async () => {
    await add('lis-one', {
      tags: ['lang:go'],
      summary: 'about Gophers',
      priority: 3,
      occurrences: 90,
      status: 'draft',
    });
    await add('lis-two', { tags: ['lang:go', 'tool:x'], priority: 9, occurrences: 91 });
    const slugs = async (...args: readonly string[]) =>
      (await shell.list<Lesson>('lessons', 'list', ...args)).map(({ slug }) => slug);
    assert.deepEqual(await slugs('--tag', 'lang:go'), ['lis-two', 'lis-one']);
    assert.deepEqual(await slugs('--tag', 'lang:go', '--tag', 'tool:x'), ['lis-two']);
    assert.deepEqual(await slugs('--search', 'gophers'), ['lis-one']);
    assert.deepEqual(await slugs('--tag', 'lang:go', '--needs-review'), ['lis-one']);
    assert.deepEqual(await slugs('--tag', 'lang:go', '--status', 'active'), ['lis-two']);
    assert.deepEqual((await slugs('--sort', 'seen')).slice(0, 2), ['lis-two', 'lis-one']);
    assert.deepEqual(await shell.list('lessons', 'list', '--search', 'kraken'), []);
    await assertSenseless(['lessons', 'list', '--sort', 'mood'], /sort mood/);
    await assertRefused(['lessons', 'list', '--project', '/no/such/place'], /project \/no\/such\/place/);
  });

  it('test says whether it speaks at a call, and how it would have done in the past', async () => {
    const signature = makeSignature('gh');
    await add('tes-one', { signatureId: signature.id });
    await withStore((store) =>
      store.saveCalls(
        [
          makeFailure(signature, { callId: 'a', inputSummary: 'gh pr diff 7 --stat' }),
          makeFailure(signature, { callId: 'b', inputSummary: 'gh pr diff 8 --stat | cat' }),
          makeCall({ callId: 'c', inputSummary: 'gh pr diff 7 --name-only' }),
          makeCall({ callId: 'd', inputSummary: 'echo "gh pr diff --stat"' }),
          makeCall({ callId: 'e', inputSummary: 'gh pr diff 9 --stat' }),
        ],
        'observed',
      ),
    );
    const told = await shell.json<{ fires: number; hits: number; falseAlarms: number; pastCalls: number }>(
      ...['lessons', 'test', 'tes-one'],
    );
    assert.deepEqual([told.fires, told.hits, told.falseAlarms, told.pastCalls], [3, 2, 1, 5]);
    const speaks = async (...args: readonly string[]) =>
      (await shell.json<{ speaks: boolean }>('lessons', 'test', 'tes-one', ...args)).speaks;
    assert.equal(await speaks('--command', 'cd x && gh pr diff 1 --stat'), true);
    assert.equal(await speaks('--tool', 'Bash', '--input', '{"command":"gh pr diff 1"}'), false);
    await assertSenseless(['lessons', 'test', 'tes-one', '--tool', 'Bash'], /needs a tool and its input/);
    await assertSenseless(['lessons', 'test', 'tes-one', '--tool', 'Bash', '--input', '{'], /not JSON/);
    await assertSenseless(
      ['lessons', 'test', 'tes-one', '--command', 'x', '--tool', 'Bash'],
      /both --command and --tool/,
    );
    await assertRefused(['lessons', 'test', 'nobody'], /nobody: /);
  });

  it('test fails a lesson that speaks at what it tells to do', async () => {
    await add('tes-two', { remediation: 'gh pr diff 7 --stat', signatureId: 'sig1_other' });
    const { code, stdout } = await shell.run(['lessons', 'test', 'tes-two']);
    assert.equal(code, 1);
    assert.match(stdout, /Problems: .*fires on its own advice/);
  });

  it('test takes a sentence with code in it for no command', async () => {
    const remediation = 'Use `gh pr diff --name-only` instead of `gh pr diff --stat`';
    await add('tes-three', { remediation, signatureId: 'sig1_other' });
    const { stdout } = await shell.run(['lessons', 'test', 'tes-three']);
    assert.doesNotMatch(stdout, /fires on its own advice/);
  });

  it('add makes a draft where it is asked to, which waits for approval and then fires', async () => {
    const words = ['--draft', '--summary', 'frob needs a limit', '--program', 'frob', '--json'];
    const { slug, status } = JSON.parse((await shell.run(['lessons', 'add', ...words])).stdout) as Lesson;
    assert.equal(status, 'draft');
    assert.ok(!listSpeaking().includes(slug));
    const { stdout } = await shell.run(['lessons', 'list', '--needs-review', '--json']);
    assert.ok((JSON.parse(stdout) as { items: readonly Lesson[] }).items.some((one) => one.slug === slug));
    await shell.run(['lessons', 'approve', slug]);
    assert.ok(listSpeaking().includes(slug));
  });

  it('add refuses triggers that are unsafe, match everything or never match, and says why', async () => {
    const add = (triggers: object): string => JSON.stringify({ summary: 'x', triggers });
    const cases: readonly [object, RegExp][] = [
      [{ command: { match: ['(?=a)b'] } }, /not a linear-time regular expression/],
      [{ command: { match: ['.*'] } }, /would match nearly every call/],
      [{ paths: ['**'] }, /would match nearly every call/],
      [{}, /would match every call/],
      [{ command: { match: ['$git'] } }, /never fires: command has a match that no text can have/],
      [{ programs: [{ name: 'gh', args: { any: ['-a'], none: ['-a'] } }] }, /never fires: no command can be `gh -a/],
      [{ tools: ['read'], programs: [{ name: 'gh' }] }, /never fires: programs is about shell commands/],
    ];
    for (const [triggers, says] of cases) await assertRefused(['lessons', 'add', '--stdin'], says, add(triggers));
  });

  it('loses nothing when commands and learning change it at once, and knows the last writer', async () => {
    const first = await add('all-one', { occurrences: 0, tags: [] });
    const learn = (store: Store) =>
      store.updateLessons(['all-one'], ([now = first]) => [
        {
          lesson: { ...now, occurrences: now.occurrences + 1 },
          change: { by: 'distill/x@1', reason: 'seen again', at: new Date().toISOString() },
        },
      ]);
    const commands: Promise<Output>[] = [
      shell.run(['lessons', 'edit', 'all-one', '--summary', 'other words']),
      shell.run(['lessons', 'edit', 'all-one', '--tag', 'a:b']),
      shell.run(['lessons', 'edit', 'all-one', '--priority', '9']),
    ];
    await withStore(async (store) => {
      for (let i = 0; i < 20; i++) await learn(store);
    });
    for (const { code, stderr } of await Promise.all(commands)) assert.equal(code, 0, stderr);
    const { summary, tags, priority, occurrences } = await show('all-one');
    assert.deepEqual([summary, tags, priority, occurrences], ['other words', ['a:b'], 9, 20]);
    const history = await withStore((store) => store.listLessonHistory(first.id));
    assert.equal(history.length, 24);
    for (const [i, { before }] of history.entries()) if (i > 0) assert.deepEqual(before, history[i - 1]?.after);
  });
});

const SECRET_TRIGGER = JSON.stringify({
  triggers: { programs: [{ name: 'x', args: { any: ['AKIAIOSFODNN7EXAMPLE'] } }] },
});

async function dump(store: Store): Promise<readonly unknown[]> {
  const lessons = await store.listLessons();
  return [await store.readLessonStamp(), lessons];
}
