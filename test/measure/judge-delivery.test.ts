import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { Delivery } from '../../src/base/model/delivery.ts';
import type { Lesson } from '../../src/base/model/lesson.ts';
import { toRecordedView } from '../../src/base/triggers/call-view.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { judgeCure, judgeDelivery, type OwnCall } from '../../src/measure/judge-delivery.ts';
import { makeTestLesson } from '../fixtures/make-test-lesson.ts';

const DELIVERY: Delivery = {
  id: 'dlv_1',
  kind: 'call',
  lessonId: 'les_1',
  agent: 'claude-code',
  sessionId: 'one',
  contextId: '',
  callId: 'own',
  mode: 'note',
  arm: 'shown',
  score: 1,
  bytes: 10,
  latencyUs: 10,
  deliveredAt: '2026-01-01T00:00:10.000Z',
};

const signature = (id: string) => ({ id, version: 1, template: 'unknown flag', program: 'gh' });

const makeCall = (fields: Partial<LiveCall>): LiveCall => ({
  agent: 'claude-code',
  sessionId: 'one',
  contextId: '',
  callId: 'later',
  projectId: 'prj_1',
  tool: 'shell',
  rawTool: 'Bash',
  outcome: 'success',
  outcomeType: 'exit-code',
  masked: false,
  command: 'gh pr diff 1 --name-only',
  occurredAt: '2026-01-01T00:00:20.000Z',
  ...fields,
});

const fires = ({ triggers }: Lesson, call: LiveCall) => judgeTriggers(triggers, toRecordedView(call)).holds;

/** About `gh pr diff --stat`. */
const LEARNED = makeTestLesson({ signatureId: 'sig_flag' });
const STATED = makeTestLesson({});
const judge = (fields: Partial<LiveCall>, lesson: Lesson = LEARNED) =>
  judgeDelivery(DELIVERY, lesson, makeCall(fields), fires);
const failed = (command: string, id?: string): Partial<LiveCall> => ({
  outcome: 'failure',
  command,
  ...(id === undefined ? {} : { signature: signature(id) }),
});

describe('judging a pause or a rewrite', () => {
  const judgeAs = (mode: Delivery['mode'], fields: Partial<LiveCall>) =>
    judgeDelivery({ ...DELIVERY, mode }, LEARNED, makeCall(fields), fires);

  it('skips the paused call, and takes the retry', () => {
    const refused = { callId: 'own', outcome: 'denied', outcomeType: 'own-refusal' } as const;
    for (const mode of ['pause', 'block'] as const) {
      assert.equal(judgeAs(mode, refused), undefined);
      assert.equal(judgeAs(mode, { ...refused, callId: 'other' }), undefined);
      assert.equal(judgeAs(mode, { callId: 'own' }), undefined);
      assert.equal(judgeAs(mode, {}), 'clean');
      assert.equal(judgeAs(mode, failed('gh pr diff 1 --stat', 'sig_flag')), 'ignored');
    }
  });

  it('takes the corrected call as it ran', () => {
    assert.equal(judgeAs('rewrite', { callId: 'own' }), 'clean');
    assert.equal(judgeAs('rewrite', { callId: 'own', occurredAt: '2026-01-01T00:00:09.000Z' }), 'clean');
    assert.equal(
      judgeAs('rewrite', { callId: 'own', ...failed('gh pr diff 1 --name-only', 'sig_flag') }),
      'failed_anyway',
    );
    // A source reports what the model wrote, not what ran.
    assert.equal(judgeAs('rewrite', { callId: 'own', command: 'gh pr diff 1 --stat' }), undefined);
  });
});

describe('judging a delivery', () => {
  it('leaves a lesson at the start of a session open, whatever the session does', () => {
    const told: Delivery = { ...DELIVERY, kind: 'session-start', callId: '' };
    for (const call of [makeCall({}), makeCall(failed('gh pr diff --stat', 'sig_flag'))])
      assert.equal(judgeDelivery(told, LEARNED, call, fires), undefined);
  });

  it('waits for a later call of the same context', () => {
    assert.equal(judge({ callId: 'own' }), undefined);
    assert.equal(judge({ occurredAt: '2026-01-01T00:00:09.999Z' }), undefined);
    assert.equal(judge({ contextId: 'sub' }), undefined);
    assert.equal(judge({ sessionId: 'two' }), undefined);
    assert.equal(judge({ occurredAt: DELIVERY.deliveredAt }), 'clean');
  });

  describe('with parallel calls', () => {
    const own = { tool: 'shell', rawTool: 'Bash', occurredAt: '2026-01-01T00:00:15.000Z' } as const;
    const after = (fields: Partial<LiveCall>, mode: Delivery['mode'] = 'note') =>
      judgeDelivery(
        { ...DELIVERY, mode },
        LEARNED,
        makeCall({ ...failed('gh pr diff --stat', 'sig_flag'), ...fields }),
        fires,
        own,
      );

    it('skips a call that began before the note arrived with the result of its own call', () => {
      assert.equal(after({ durationMs: 8_000, durationSource: 'paired' }), undefined);
      assert.equal(after({ durationMs: 8_000, durationSource: 'agent' }), undefined);
      assert.equal(after({ occurredAt: '2026-01-01T00:00:14.000Z' }), undefined);
      assert.equal(after({ durationMs: 4_000, durationSource: 'paired' }), 'ignored');
      // The time since the last event is not the duration of the call.
      assert.equal(after({ durationMs: 8_000, durationSource: 'gap' }), 'ignored');
    });

    it('knows that a transcript records the start of a call, and a hook its end', () => {
      const took = { durationMs: 8_000, durationSource: 'paired', source: 'transcript' } as const;
      assert.equal(after(took), 'ignored');
      assert.equal(after({ ...took, occurredAt: '2026-01-01T00:00:14.000Z' }), undefined);
      const long = { ...own, occurredAt: DELIVERY.deliveredAt, ...took, durationMs: 11_000 };
      const later = makeCall(failed('gh pr diff --stat', 'sig_flag'));
      assert.equal(judgeDelivery(DELIVERY, LEARNED, later, fires, long), undefined);
      assert.equal(judgeDelivery(DELIVERY, LEARNED, later, fires, { ...long, durationMs: 9_000 }), 'ignored');
    });

    it('skips a call that began while its own was running, also if that has not ended yet', () => {
      const beside = makeCall({ ...failed('gh pr diff --stat', 'sig_flag'), parallelCallIds: ['own'] });
      assert.equal(judgeDelivery(DELIVERY, LEARNED, beside, fires), undefined);
      assert.equal(after({ parallelCallIds: ['another'] }), 'ignored');
      // A paused call ends at once.
      assert.equal(after({ parallelCallIds: ['own'] }, 'pause'), 'ignored');
    });
  });

  it('is clean if the call that the lesson warns against worked: the failure was not repeated', () => {
    assert.equal(judge({ command: 'gh pr diff 2 --stat' }), 'clean');
    assert.equal(judge({ command: 'gh pr diff 2 --stat' }, STATED), 'ignored');
  });

  it('learns nothing from a call without an end', () => {
    assert.equal(judge({ outcome: 'cancelled' }), undefined);
    assert.equal(judge({ outcome: 'denied' }), undefined);
  });

  it('learns nothing from a call with another intent', () => {
    for (const command of ['git diff --stat', 'gh issue list', 'ls', '', 'echo "gh pr diff"'])
      assert.equal(judge({ command }), undefined, command);
    const { command: _, ...edit } = makeCall({ tool: 'edit', rawTool: 'Edit' });
    assert.equal(judgeDelivery(DELIVERY, LEARNED, edit, fires), undefined);
  });

  it('is clean when the same program works', () => {
    assert.equal(judge({ command: 'gh pr diff 1 --name-only' }), 'clean');
    assert.equal(judge({ command: 'gh pr diff 1', outcome: 'partial' }), 'clean');
    assert.equal(judge({ command: 'cd x && gh -R o/r pr diff 1' }), 'clean');
  });

  it('learns nothing from another sub-command, nor from a question for help', () => {
    for (const command of ['gh pr view 1', 'gh pr list', 'gh pr diff --help', 'gh help pr diff'])
      assert.equal(judge({ command }), undefined, command);
  });

  describe('if the remedy is something else', () => {
    const learn = (mistake: string, remediation: string, triggers: Lesson['triggers']): Lesson =>
      makeTestLesson({
        ...{ signatureId: 'sig_x', mistake: `\`${mistake}\` failed`, remediation, triggers },
        origin: { kind: 'episode', by: 'test', trust: 'observed' },
      });
    const judgeAfter = (own: string, lesson: Lesson, command: string) =>
      judgeDelivery(DELIVERY, lesson, makeCall({ command }), fires, { tool: 'shell', rawTool: 'Bash', command: own });

    it('accepts another sub-command if the lesson names it', () => {
      const lesson = learn('npm tests', 'npm test', { programs: [{ name: 'npm', sub: ['tests'] }] });
      assert.equal(judge({ command: 'npm test' }, lesson), 'clean');
      assert.equal(judge({ command: 'npm publish' }, lesson), undefined);
      assert.equal(judge(failed('npm tests', 'sig_x'), lesson), 'ignored');
    });

    it('accepts another version of the program, whatever it runs', () => {
      const lesson = learn('python a.py', 'python3 a.py', { programs: [{ name: 'python' }] });
      assert.equal(judge({ command: 'python3 b.py' }, lesson), 'clean');
      assert.equal(judge({ command: 'grep -n python Makefile' }, lesson), undefined);
      assert.equal(judge({ command: 'which python' }, lesson), undefined);
    });

    it('accepts another program on the same object', () => {
      const lesson = learn('cat tasks/lint', 'ls tasks/lint', {
        programs: [{ name: 'cat', args: { any: ['tasks/lint'] } }],
      });
      assert.equal(judgeAfter('cat tasks/lint', lesson, 'ls tasks/lint'), 'clean');
      assert.equal(judgeAfter('cat other/lint', lesson, 'ls -l other/lint'), 'clean');
      assert.equal(judgeAfter('cat tasks/lint', lesson, 'ls src'), undefined);
    });

    it('takes work on another object for another intent if the lesson is about the object', () => {
      const script = learn('npm run tset', 'npm run test', {
        programs: [{ name: 'npm', sub: ['run'], args: { any: ['tset'] } }],
      });
      assert.equal(judge({ command: 'npm run test -- a' }, script), 'clean');
      for (const command of ['npm run lint', 'npm run']) assert.equal(judge({ command }, script), undefined, command);
      const branch = learn('git checkout mian', 'git checkout main', {
        programs: [{ name: 'git', sub: ['checkout', 'mian'] }],
      });
      assert.equal(judge({ command: 'git checkout main' }, branch), 'clean');
      assert.equal(judge({ command: 'git checkout -b other' }, branch), undefined);
      const path = learn('cat src/a.json', 'Go on without it', {
        programs: [{ name: 'cat' }, { name: 'tail' }],
        command: { match: ['src/a\\.json'] },
      });
      assert.equal(judgeAfter('cat src/a.json', path, 'npm test | tail -20'), undefined);
    });

    it('takes, of several commands, the one that the lesson is about, or that does more than prepare', () => {
      const built = learn('npm run build', 'cd web && npm run build', {
        programs: [{ name: 'npm', sub: ['run', 'build'] }],
      });
      assert.equal(judge({ command: 'cd web && git status' }, built), undefined);
      const tested = learn('npm test', 'npm ci && npm test', { programs: [{ name: 'npm', sub: ['test'] }] });
      assert.equal(judge({ command: 'npm ci' }, tested), undefined);
      const other = learn('make', 'cd web && ninja', { programs: [{ name: 'make' }] });
      assert.equal(judge({ command: 'cd web' }, other), undefined);
      assert.equal(judge({ command: 'ninja' }, other), 'clean');
    });

    it('takes a program that is named by its path for another way to run it', () => {
      const lesson = learn('tsc', 'npx tsc', {
        programs: [{ name: 'tsc' }],
        command: { match: ['(?:^|\\s)tsc(?:\\s|$)'] },
      });
      assert.equal(judge({ command: './node_modules/.bin/tsc --noEmit' }, lesson), 'clean');
    });

    it("reads a person's text: a command as it is, code in words, and not what they say never to do", () => {
      const write = (remediation: string) =>
        makeTestLesson({ remediation, triggers: { programs: [{ name: 'npm', sub: ['install'] }] } });
      assert.equal(judge({ command: 'pnpm install' }, write('pnpm install')), 'clean');
      assert.equal(
        judge({ command: 'pnpm install' }, write('never run `npm` or `yarn` here, use `pnpm install`')),
        'clean',
      );
      assert.equal(judge({ command: 'yarn' }, write('never run `npm` or `yarn` here, use `pnpm install`')), undefined);
      assert.equal(judge({ command: 'use x' }, write('use the other one')), undefined);
    });

    it('accepts another program if the program itself is the mistake', () => {
      const lesson = learn('docker build .', 'podman build .', { programs: [{ name: 'docker' }] });
      assert.equal(judge({ command: 'podman build .' }, lesson), 'clean');
      assert.equal(judge({ command: 'podman ps' }, lesson), undefined);
      const named = learn('pip install a', 'uv pip install a', {
        programs: [{ name: 'pip' }],
        command: { match: ['(?:^|\\s)pip(?:\\s|$)'] },
      });
      assert.equal(judge({ command: 'uv pip install b' }, named), 'clean');
    });

    it('does not take the value of an option for an object', () => {
      const lesson = learn('head -n 20 src/a.json', 'Go on without it', {
        programs: [{ name: 'head' }, { name: 'tail' }],
        command: { match: ['src/a\\.json'] },
      });
      assert.equal(judgeAfter('head -n 20 src/a.json', lesson, 'npm test | tail -n 20'), undefined);
    });

    it("judges a person's correction by the action, whether it works or not", () => {
      const corrected = makeTestLesson({
        ...{ signatureId: 'sig_words', remediation: 'pnpm install (the user said: "pnpm, not npm")' },
        ...{ triggers: { programs: [{ name: 'npm', sub: ['install'] }] } },
        origin: { kind: 'episode', by: 'distill/user-correction@1', trust: 'stated' },
      });
      assert.equal(judge({ command: 'npm install zod' }, corrected), 'ignored');
      assert.equal(judge({ command: 'pnpm install zod' }, corrected), 'clean');
    });

    it('does not judge if a call could only show that a lesson is not followed', () => {
      const lesson = makeTestLesson({ remediation: 'use the Read tool', triggers: { programs: [{ name: 'cat' }] } });
      assert.equal(judge({ command: 'cat a.txt' }, lesson), undefined);
      const word = { programs: [{ name: 'npm', args: { all: ['publish'] } }] };
      assert.equal(judge({ command: 'npm publish' }, { ...lesson, triggers: word }), undefined);
    });

    it('accepts another tool on the same file', () => {
      const lesson = learn('Read docs', 'ls docs', { tools: ['read'], paths: ['**/docs'] });
      const own: OwnCall = { tool: 'read', rawTool: 'Read', targetPath: '/repo/docs' };
      const verdict = (command: string) => judgeDelivery(DELIVERY, lesson, makeCall({ command }), () => false, own);
      assert.equal(verdict('ls /repo/docs'), 'clean');
      assert.equal(verdict('ls src'), undefined);
    });

    it('accepts the file that the lesson names', () => {
      const lesson = learn('Read .lintrc.yml', '.lintrc.yaml', { tools: ['read'], paths: ['**/.lintrc.yml'] });
      const { command: _, ...read } = makeCall({ tool: 'read', rawTool: 'Read', targetPath: '/repo/.lintrc.yaml' });
      assert.equal(
        judgeDelivery(DELIVERY, lesson, read, () => false),
        'clean',
      );
      assert.equal(
        judgeDelivery(DELIVERY, lesson, { ...read, targetPath: '/repo/x' }, () => false),
        undefined,
      );
    });
  });

  it('is clean if the program fails for another reason', () => {
    assert.equal(judge(failed('gh pr diff 1', 'sig_auth')), 'clean');
    assert.equal(judge(failed('gh pr diff 1')), 'clean');
  });

  it('is ignored if the same mistake fails the same way', () => {
    assert.equal(judge(failed('gh pr diff 2 --stat', 'sig_flag')), 'ignored');
  });

  it('failed anyway if the remedy fails the same way', () => {
    assert.equal(judge(failed('gh pr diff 2 --name-only', 'sig_flag')), 'failed_anyway');
  });

  it('is ignored if another mistake of its kind was made, because nobody tried the remedy', () => {
    assert.equal(judge(failed('gh pr diff 2 --numstat', 'sig_flag')), 'ignored');
  });

  it('is ignored if the same mistake fails, in whatever words', () => {
    assert.equal(judge(failed('gh pr diff 2 --stat', 'sig_other')), 'ignored');
    assert.equal(judge(failed('gh pr diff 2 --stat')), 'ignored');
  });

  it('is ignored if the same mistake fails the same way in another command', () => {
    const line = makeTestLesson({
      signatureId: 'sig_x',
      triggers: { tools: ['shell'], line: { match: ['^timeout '] } },
    });
    const call = makeCall(failed('timeout 9 make lint', 'sig_x'));
    const own: OwnCall = { tool: 'shell', rawTool: 'Bash', intentKey: 'check test' };
    assert.equal(
      judgeDelivery(DELIVERY, line, call, () => true, own),
      'ignored',
    );
    assert.equal(
      judgeDelivery(DELIVERY, line, call, () => false, own),
      undefined,
    );
  });

  it('counts a remedy as tried if only the remedy silences the lesson', () => {
    const triggers = { programs: [{ name: 'npm', sub: ['test'], args: { none: ['--ci'] } }] };
    const lesson = makeTestLesson({ signatureId: 'sig_x', remediation: '`npm test --ci`', triggers });
    assert.equal(judge(failed('npm test --ci', 'sig_x'), lesson), 'failed_anyway');
  });

  it('counts leaving a word out as tried if the lesson asks for no more', () => {
    const bare = makeTestLesson({ signatureId: 'sig_flag', remediation: '`gh pr diff 7`' });
    assert.equal(judge(failed('gh pr diff 2 --numstat', 'sig_flag'), bare), 'failed_anyway');
    const words = makeTestLesson({ signatureId: 'sig_flag', remediation: 'Look at the files one by one' });
    assert.equal(judge(failed('gh pr diff 2 --numstat', 'sig_flag'), words), 'failed_anyway');
  });

  it('is clean if the tool is run in another way', () => {
    const lint = makeTestLesson({ signatureId: 'sig_path', triggers: { programs: [{ name: 'golangci-lint' }] } });
    assert.equal(judge({ command: 'mise exec -- golangci-lint run' }, lint), 'clean');
    assert.equal(judge({ command: 'go test ./...' }, lint), undefined);
  });

  describe('of a lesson that a person wrote, without a known failure', () => {
    it('is ignored if the call that it warns against fails, whatever the message', () => {
      assert.equal(judge(failed('gh pr diff 2 --stat', 'sig_any'), STATED), 'ignored');
      assert.equal(judge(failed('gh pr diff 2 --stat'), STATED), 'ignored');
    });

    it('is clean if the call follows it, even if that fails for its own reason', () => {
      assert.equal(judge(failed('gh pr diff 2 --name-only', 'sig_any'), STATED), 'clean');
      assert.equal(judge(failed('gh pr diff 2 --name-only'), STATED), 'clean');
      assert.equal(judge({}, STATED), 'clean');
    });
  });

  it('parses the call on which the lesson fired for the shell of its tool', () => {
    const branch = makeTestLesson({
      signatureId: 'sig_branch',
      triggers: { tools: ['shell'], programs: [{ name: 'git', sub: ['checkout'], args: { any: ['main'] } }] },
    });
    const own: OwnCall = { tool: 'shell', rawTool: 'PowerShell', command: 'git checkout `\n main' };
    const later = makeCall({ command: 'git checkout -q main' });
    const judgeAfter = (fired: OwnCall) => judgeDelivery(DELIVERY, branch, later, () => false, fired);
    assert.equal(judgeAfter(own), 'clean');
    assert.equal(judgeAfter({ ...own, command: 'git checkout next' }), undefined);
  });

  describe('of a lesson that names no program', () => {
    const files = makeTestLesson({
      ...{ signatureId: 'sig_dir', triggers: { tools: ['read'], paths: ['**/docs'] } },
      remediation: 'List it instead',
    });
    const own: OwnCall = { tool: 'read', rawTool: 'Read', targetPath: '/repo/docs', intentKey: 'read x' };
    const read = (targetPath: string, fields: Partial<LiveCall> = {}): LiveCall => {
      const { command: _, ...call } = makeCall({ tool: 'read', rawTool: 'Read', targetPath, ...fields });
      return call;
    };
    const judgeFile = (call: LiveCall, lesson = files, holds = false, of: OwnCall = own) =>
      judgeDelivery(DELIVERY, lesson, call, () => holds, of);

    it('accepts the same file, one of its name elsewhere, or a file in it as the same intent', () => {
      for (const path of ['/repo/docs', '/repo/web/docs', '/repo/docs/index.md'])
        assert.equal(judgeFile(read(path)), 'clean', path);
      for (const path of ['/repo/docs2', '/repo/src/a.ts']) assert.equal(judgeFile(read(path)), undefined, path);
      assert.equal(judgeFile(read('/repo/docs', { tool: 'edit' })), undefined);
      assert.equal(
        judgeDelivery(DELIVERY, files, read('/repo/docs'), () => false),
        undefined,
      );
    });

    it('is judged by the failure that it is about', () => {
      const again = read('/repo/docs', { outcome: 'failure', signature: signature('sig_dir') });
      assert.equal(judgeFile(again, files, true), 'ignored');
      assert.equal(judgeFile(again, files, false), 'failed_anyway');
    });

    it('takes the intent of the command on which it fired, also in a line of several commands', () => {
      const line = makeTestLesson({ signatureId: 'sig_x', triggers: { tools: ['shell'], line: { match: ['FOO='] } } });
      const fired: OwnCall = { tool: 'shell', rawTool: 'Bash', intentKey: 'check test' };
      const several = `several:${'shell git add'.padEnd(48)}${'check test'.padEnd(48)}`;
      for (const [intentKey, verdict] of [
        ['check test', 'clean'],
        [several, 'clean'],
        ['shell git add', undefined],
      ] as const)
        assert.equal(judgeFile(makeCall({ intentKey }), line, false, fired), verdict, intentKey);
    });

    it('is not judged if only the written text could show it and that is not reported', () => {
      const content = makeTestLesson({ triggers: { paths: ['**/*.ts'], content: { match: ['x'] } } });
      const edited: OwnCall = { tool: 'edit', rawTool: 'Edit', targetPath: '/repo/a.ts' };
      const call = read('/repo/a.ts', { tool: 'edit' });
      assert.equal(judgeFile(call, content, false, edited), undefined);
      assert.equal(judgeFile(call, { ...content, signatureId: 'sig_x' }, false, edited), 'clean');
    });
  });

  it('never judges a lesson without a program', () => {
    const files = makeTestLesson({ triggers: { paths: ['*.ts'] } });
    assert.equal(judge(failed('gh pr diff', 'sig_flag'), files), undefined);
  });
});

describe('a cure that was shown at a failure', () => {
  const delivery: Delivery = { ...DELIVERY, kind: 'failure', lessonId: 'cure_sig_flag' };
  const own: OwnCall = {
    ...{ tool: 'shell', rawTool: 'Bash', command: 'gh pr diff 1 --stat', inputHash: 'h1' },
    ...{ outcome: 'failure', occurredAt: DELIVERY.deliveredAt },
  };
  const judge = (fields: Partial<LiveCall>) => judgeCure(delivery, makeCall(fields), own);
  const again = { outcome: 'failure', signature: signature('sig_flag') } as const;

  it('is clean when a later call of the same intent does not fail with its cause', () => {
    assert.equal(judge({}), 'clean');
    assert.equal(judge({ outcome: 'failure', signature: signature('sig_other') }), 'clean');
  });

  it('is ignored by the same call, and failed anyway when another call fails with its cause', () => {
    assert.equal(judge({ ...again, inputHash: 'h1' }), 'ignored');
    assert.equal(judge({ ...again, inputHash: 'h2' }), 'failed_anyway');
  });

  it('is not judged by its own call, an earlier one, one beside it, another intent or another conversation', () => {
    for (const fields of [
      { ...again, callId: 'own' },
      { occurredAt: '2026-01-01T00:00:05.000Z' },
      { parallelCallIds: ['own'] },
      { command: 'git status' },
      { contextId: 'sub' },
      { outcome: 'denied' } as const,
    ])
      assert.equal(judge(fields), undefined, JSON.stringify(fields));
  });
});
