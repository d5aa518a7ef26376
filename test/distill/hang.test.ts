import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isHang } from '../../src/capture/outcomes/is-hang.ts';
import { hang } from '../../src/distill/propose/commands/hang.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makeWindow, other, type Step, worked } from './session-script.ts';

function timedOut(command: string): Step {
  const output = 'Command timed out after 120000 ms';
  return { tool: 'shell', command, output, outcome: 'failure', outcomeType: 'timeout' };
}

function stopped(command: string, durationMs: number, output = ''): Step {
  return { tool: 'shell', command, output, outcome: 'cancelled', outcomeType: 'interrupt', durationMs };
}

interface Case {
  readonly stuck: string;
  readonly fix: string;
  readonly speaks: string;
  readonly silent: string;
}

const SEEN: Readonly<Record<string, Case>> = {
  'a pager, switched off': {
    stuck: 'git log -p a.ts',
    fix: 'git log --no-pager a.ts',
    speaks: 'git log -p b.ts',
    silent: 'git log --no-pager',
  },
  'a pager, in a pipe': {
    stuck: 'git diff main',
    fix: 'git diff main | cat',
    speaks: 'git diff other',
    silent: 'git diff other | cat',
  },
  'a question, answered beforehand': {
    stuck: 'apt-get install jq',
    fix: 'apt-get install -y jq',
    speaks: 'apt-get install curl',
    silent: 'apt-get install -y curl',
  },
  'a watcher, run once': {
    stuck: 'npx vitest src',
    fix: 'npx vitest run src',
    speaks: 'npx vitest lib',
    silent: 'npx vitest run lib',
  },
  'a watcher, left out': {
    stuck: 'npm run build -- --watch',
    fix: 'npm run build',
    speaks: 'npm run build -- --watch',
    silent: 'npm run build',
  },
  'a log that is followed': {
    stuck: 'docker logs -f web',
    fix: 'docker logs web',
    speaks: 'docker logs -f db',
    silent: 'docker logs db',
  },
  'a server, in the background': {
    stuck: 'npm run dev',
    fix: 'npm run dev > dev.log 2>&1 &',
    speaks: 'npm run dev',
    silent: 'nohup npm run dev &',
  },
  'a server, ended after a while': {
    stuck: 'node server.js',
    fix: 'timeout 5 node server.js || true',
    speaks: 'node server.js',
    silent: 'timeout 9 node server.js; echo',
  },
  'a variable that switches it off': {
    stuck: 'npm test',
    fix: 'CI=1 npm test',
    speaks: 'npm test',
    silent: 'CI=1 npm test',
  },
  'an editor that nobody closes': {
    stuck: 'git commit',
    fix: 'git commit -m done',
    speaks: 'git commit',
    silent: 'git commit -m x',
  },
  'no input': {
    stuck: 'ssh host uptime',
    fix: 'ssh host uptime </dev/null',
    speaks: 'ssh host ls',
    silent: 'ssh host ls < /dev/null',
  },
};

describe('hang', () => {
  for (const [title, { stuck, fix, speaks: wrong, silent }] of Object.entries(SEEN))
    it(`sees ${title}`, () => {
      const [finding, ...more] = detectWith(hang, timedOut(stuck), other('read', '/repo/a'), worked(fix, 'done'));
      assert.ok(finding);
      assert.deepEqual(more, []);
      assert.ok(finding.signals.includes('hang'));
      assert.ok(speaks(finding, stuck), 'on what hung');
      assert.ok(!speaks(finding, fix), 'silent on what did not');
      assert.ok(speaks(finding, wrong));
      assert.ok(!speaks(finding, silent));
      for (const source of finding.triggers.line?.unless ?? []) assert.ok(isLinearRegex(source), source);
    });

  it('sees the same line started in the background by the agent itself', () => {
    const started: Step = { ...worked('npm run dev'), outcomeType: 'background' };
    const [finding] = detectWith(hang, timedOut('npm run dev'), started);
    assert.ok(finding);
    assert.ok(speaks(finding, { command: 'npm run dev', json: '{"command":"npm run dev"}' }));
    assert.ok(!speaks(finding, { command: 'npm run dev', json: '{"command":"npm run dev","run_in_background":true}' }));
  });

  it('sees one that the user stopped after a long silence', () => {
    const [finding] = detectWith(hang, stopped('git log', 45_000), worked('git log | cat'));
    assert.equal(finding?.summary, '`git log` does not end by itself here: pipe its output');
  });

  const NOTHING: Readonly<Record<string, readonly Step[]>> = {
    'slow tests that were quick the next time': [timedOut('npm test'), worked('npm test')],
    'a part of what took so long': [timedOut('go test ./...'), worked('go test ./a | tail')],
    'slow tests in a pipe': [timedOut('npm test'), worked('npm test 2>&1 | tail -20')],
    'a command that came to its own end under timeout': [timedOut('make all'), worked('timeout 600 make all')],
    'the network': [timedOut('curl https://a.example/x'), worked('curl --max-time 5 https://a.example/x')],
    'another thing': [timedOut('git log a.ts'), worked('git log --no-pager b.ts')],
    'another command': [timedOut('git log'), worked('git --no-pager status')],
    'what never worked': [timedOut('git commit'), failed('git commit -m x', 'nothing to commit')],
    'an ordinary failure': [failed('git log x', 'fatal: bad revision'), worked('git log x | cat')],
    'one that was stopped at once': [stopped('git log', 4_000), worked('git log | cat')],
    'one that was stopped while it spoke': [stopped('git log', 45_000, 'line\n'.repeat(60)), worked('git log | cat')],
    'one that fell with its siblings': [
      stopped('git log', 45_000, 'Cancelled: parallel tool call Bash(ls) errored'),
      worked('git log | cat'),
    ],
    'a long wait for the permission to run': [{ ...worked('git log'), durationMs: 900_000 }, worked('git log | cat')],
  };
  for (const [title, steps] of Object.entries(NOTHING))
    it(`leaves alone: ${title}`, () => {
      assert.deepEqual(detectWith(hang, ...steps), []);
    });

  it('speaks of what hung, not of everything that its program can be given', () => {
    const stuck = timedOut('go test -run=TestLoop ./sync');
    const [finding] = detectWith(hang, stuck, worked('timeout 60 go test -run=TestLoop ./sync || true'));
    assert.ok(finding);
    assert.ok(speaks(finding, 'go test -run=TestLoop ./sync'));
    assert.ok(!speaks(finding, 'go test ./auth'));
    assert.ok(!speaks(finding, 'go test -run=TestLoop ./auth'));
  });

  it('does not guess which command of a long script it was', () => {
    const script = 'npm ci; npm run a; npm run b; git log; npm run c';
    assert.deepEqual(detectWith(hang, timedOut(script), worked('git log | cat')), []);
  });

  it('is not told where the line that worked runs the stuck form, too', () => {
    assert.deepEqual(detectWith(hang, timedOut('-y /dev/null'), worked('-y & -y run')), []);
  });

  it('never throws, and never speaks on its own fix', () => {
    const word = fc.constantFrom(
      'git',
      'log',
      '-y',
      '|',
      'cat',
      '&',
      'timeout',
      '5',
      'CI=1',
      '<',
      '/dev/null',
      ';',
      'run',
    );
    const line = fc.oneof(
      fc.string(),
      fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
    );
    fc.assert(
      fc.property(line, line, (stuck, fix) => {
        for (const finding of hang.detect(makeWindow([timedOut(stuck), worked(fix)]))) {
          if (finding.triggers.input === undefined) assert.ok(!speaks(finding, fix));
        }
      }),
    );
  });
});

describe('isHang', () => {
  const [call] = makeWindow([worked('x')]).calls;
  const isStuck = (step: Step, hangSeconds = 30): boolean =>
    call !== undefined && isHang({ ...call, ...step }, hangSeconds);

  it('knows the words of agents that name no code', () => {
    const told = 'Command was automatically cancelled because it exceeded the timeout of 5.0 minutes';
    assert.ok(isStuck({ outcome: 'failure', outcomeType: 'error-flag', output: told }));
    assert.ok(!isStuck({ outcome: 'failure', outcomeType: 'exit-code', exitCode: 1, output: told }));
  });

  it('knows a killed one by its code and its time', () => {
    const killed: Step = { outcome: 'failure', outcomeType: 'exit-code', exitCode: 137 };
    assert.ok(isStuck({ ...killed, durationMs: 60_000 }));
    assert.ok(!isStuck({ ...killed, durationMs: 900 }));
    assert.ok(!isStuck({ ...killed, durationMs: 60_000 }, 61), 'the user sets how long a silence is');
    assert.ok(!isStuck({ ...killed, exitCode: 1, durationMs: 60_000 }));
  });
});
