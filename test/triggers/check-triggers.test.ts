import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallView } from '../../src/base/triggers/call-view.ts';
import { type AskSession, isConditionMet } from '../../src/base/triggers/session-conditions.ts';
import type { ProgramTrigger, Triggers } from '../../src/base/triggers/trigger.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { makeCallView, makeShellCall } from './make-call-view.ts';

const check = (triggers: Triggers, call: CallView) => judgeTriggers(triggers, call);

/** The commands that a trigger matches. */
const heard = (triggers: Triggers, commands: readonly string[]) =>
  commands.filter((command) => check(triggers, makeShellCall(command)).holds);
const heardBy = (program: ProgramTrigger, commands: readonly string[]) => heard({ programs: [program] }, commands);

const DIFF: ProgramTrigger = { name: 'gh', sub: ['pr', 'diff'], args: { any: ['--stat'] } };

describe('a trigger on programs', () => {
  it('holds for the program wherever the command line runs it', () => {
    const running = [
      'gh',
      '/usr/local/bin/gh status',
      'cd /x && gh status',
      'gh status | head',
      'echo $(gh status)',
      'X=1 sudo -u me gh status',
      "bash -c 'gh status'",
      'if gh status; then true; fi',
      'ls | xargs -n 1 gh',
    ];
    assert.deepEqual(heardBy({ name: 'gh' }, running), running);
  });

  it('never holds for words that only look like the command', () => {
    const looks = [
      'echo "gh pr diff 1 --stat"',
      "git commit -m 'gh pr diff --stat'",
      "cat > notes <<'E'\ngh pr diff 1 --stat\nE",
      'cat <<E\ngh pr diff 1 --stat\nE',
      'tee notes <<< "gh pr diff --stat"',
      'ghx pr diff --stat',
      '# gh pr diff --stat',
      'which gh',
      '$GH pr diff --stat',
    ];
    assert.deepEqual(heardBy(DIFF, looks), []);
  });

  it('takes sub-commands in order, past options and the values of global ones', () => {
    const same = [
      'gh pr diff --stat',
      'gh -R o/r pr diff 7 --stat',
      'gh --repo=o/r pr diff --stat',
      'gh pr --stat diff',
    ];
    assert.deepEqual(heardBy(DIFF, same), same);
    assert.deepEqual(heardBy(DIFF, ['gh diff pr --stat', 'gh pr view diff --stat', 'gh pr --stat', 'gh --stat']), []);
    const log = ['git -C /x log', 'git --no-pager -c a.b=c log', 'git --git-dir /x/.git --work-tree /x log'];
    assert.deepEqual(heardBy({ name: 'git', sub: ['log'] }, [...log, 'git -C log status']), log);
  });

  it('takes any of the words in `any`, and an option also with a value', () => {
    const commands = ['gh pr diff --stat', 'gh pr diff --stat=40', 'gh pr diff --patch'];
    assert.deepEqual(heardBy({ name: 'gh', args: { any: ['--stat', '--patch'] } }, commands), commands);
    assert.deepEqual(heardBy(DIFF, ['gh pr diff --statistics', 'gh pr diff stat', 'gh pr diff x--stat']), []);
  });

  it('matches a word that is not an option only as a whole', () => {
    assert.deepEqual(heardBy({ name: 'make', args: { any: ['test'] } }, ['make test', 'make test=1', 'make tests']), [
      'make test',
    ]);
  });

  it('needs every word in `all`', () => {
    const commands = ['rm -r -f x', 'rm -r x', 'rm -f x'];
    assert.deepEqual(heardBy({ name: 'rm', args: { all: ['-r', '-f'] } }, commands), ['rm -r -f x']);
  });

  it('stays silent at any word in `none`, also one with a value', () => {
    const push: ProgramTrigger = { name: 'git', sub: ['push'], args: { any: ['--force'], none: ['--dry-run', '-n'] } };
    const commands = ['git push --force', 'git push --force -n', 'git push --dry-run=x --force', 'git push'];
    assert.deepEqual(heardBy(push, commands), ['git push --force']);
  });

  it('looks at each simple command alone', () => {
    assert.deepEqual(heardBy(DIFF, ['gh pr diff 1 | grep -- --stat', 'gh pr diff 1 && git diff --stat']), []);
    const both = { name: 'gh', args: { none: ['--web'] } };
    assert.deepEqual(heardBy(both, ['gh pr view --web; gh pr view']), ['gh pr view --web; gh pr view']);
  });

  it('takes any program of the list', () => {
    const commands = ['gh status', 'hub status', 'git status'];
    assert.deepEqual(heard({ programs: [{ name: 'gh' }, { name: 'hub' }] }, commands), ['gh status', 'hub status']);
  });
});

describe('a trigger on the text of a command', () => {
  it('matches any `match` and stays silent at any `unless`', () => {
    const command = { match: ['--depth \\d', '--shallow'], unless: ['--no-tags', '--bare'] };
    const commands = ['git clone --depth 1 u', 'git clone --shallow u', 'git clone --depth 1 --bare u', 'git clone u'];
    assert.deepEqual(heard({ command }, commands), commands.slice(0, 2));
  });

  it('needs program, match and unless on the same simple command', () => {
    const triggers: Triggers = { programs: [{ name: 'npm' }], command: { match: ['install'], unless: ['--offline'] } };
    const commands = [
      'npm test && echo install',
      'apt install npm',
      'npm install && echo --offline',
      'npm install --offline',
    ];
    assert.deepEqual(heard(triggers, commands), ['npm install && echo --offline']);
  });

  it('does not read here-documents or other halves of a pipeline', () => {
    const triggers: Triggers = { command: { match: ['^cat .*secret', 'secret$'] } };
    assert.deepEqual(heard(triggers, ['cat > f <<E\nsecret\nE', 'cat f | grep -v "secrets"']), []);
  });

  it('does not apply to calls without a command', () => {
    const verdict = check({ command: { unless: ['x'] } }, makeCallView({ tool: 'edit', content: 'y' }));
    assert.ok(!verdict.holds && /no command here is a shell command/.test(verdict.because));
  });
});

describe('a trigger on files', () => {
  const edit = (path: string, content?: string) =>
    makeCallView({ tool: 'edit', path, ...(content === undefined ? {} : { content }) });

  it('holds for a path that any glob matches', () => {
    const paths = ['**/migrations/*.sql', 'package.json'];
    assert.ok(check({ paths }, edit('/repo/db/migrations/1.sql')).holds);
    assert.ok(check({ paths }, edit('/repo/package.json')).holds);
    assert.ok(!check({ paths }, edit('/repo/src/1.sql')).holds);
    assert.ok(!check({ paths }, makeShellCall('cat package.json')).holds);
  });

  it('holds for new text with any `match` and without any `unless`', () => {
    const content = { match: ['console\\.log', 'debugger'], unless: ['eslint-disable'] };
    assert.ok(check({ content }, edit('/a.ts', 'x\nconsole.log(1)')).holds);
    assert.ok(!check({ content }, edit('/a.ts', 'log(1)')).holds);
    assert.ok(!check({ content }, edit('/a.ts', '// eslint-disable\ndebugger')).holds);
  });

  it('does not apply to a call that writes no text, whatever the trigger leaves open', () => {
    for (const content of [{ unless: ['x'] }, { match: ['^'] }, { match: ['.*'] }]) {
      assert.ok(!check({ content }, makeShellCall('ls')).holds);
      assert.ok(!check({ content }, makeCallView({ tool: 'read', path: '/a.ts' })).holds);
      assert.ok(check({ content }, edit('/a.ts', '')).holds);
    }
  });
});

describe('all parts of a trigger', () => {
  it('must hold together, and the first that does not is named', () => {
    const triggers: Triggers = {
      tools: ['edit', 'write'],
      subagents: ['reviewer'],
      paths: ['*.ts'],
      content: { match: ['any'] },
    };
    const call = makeCallView({ tool: 'edit', subagentType: 'reviewer', path: '/a.ts', content: 'any' });
    const because = (fields: Partial<CallView>) => {
      const verdict = check(triggers, { ...call, ...fields });
      return verdict.holds ? '' : verdict.because;
    };
    assert.equal(because({}), '');
    assert.equal(because({ tool: 'write' }), '');
    assert.match(because({ tool: 'read' }), /edit, write.* the call is read/);
    assert.match(because({ subagentType: 'planner' }), /sub-agents reviewer/);
    assert.match(because({ path: '/a.py' }), /\*\.ts/);
    assert.match(because({ content: 'unknown' }), /new text/);
  });

  it('distinguish the main conversation from a sub-agent', () => {
    const main = makeShellCall('ls');
    assert.ok(!check({ subagents: ['reviewer'] }, main).holds);
    assert.ok(check({ tools: ['shell'] }, main).holds);
  });

  it('name the missing program', () => {
    const verdict = check({ programs: [DIFF] }, makeShellCall('ls'));
    assert.ok(!verdict.holds && verdict.because.includes('`gh pr diff --stat`'));
  });

  it('never hold if a list is empty, and always hold if nothing is restricted', () => {
    assert.ok(!check({ tools: [] }, makeShellCall('ls')).holds);
    assert.ok(!check({ programs: [] }, makeShellCall('ls')).holds);
    assert.ok(check({}, makeCallView({ tool: 'mcp:x' })).holds);
  });

  it('never hold for a regex that does not compile', () => {
    assert.deepEqual(heard({ command: { match: ['('] } }, ['(', 'ls']), []);
  });
});

describe('a trigger on the whole call', () => {
  const fires = (triggers: Triggers, command: string, fields: Partial<CallView> = {}) =>
    check(triggers, makeShellCall(command, { line: command, ...fields })).holds;

  it('counts the words that are not options', () => {
    const programs = [{ name: 'gh', sub: ['pr', 'diff'], words: 4 }];
    assert.deepEqual(heard({ programs }, ['gh pr diff 1', 'gh pr diff 1 a.ts', 'gh pr diff --patch 1']), [
      'gh pr diff 1 a.ts',
    ]);
  });

  it('sees variables that only the line contains', () => {
    const triggers: Triggers = { programs: [{ name: 'go' }], line: { unless: ['GOCACHE='] } };
    assert.ok(fires(triggers, 'go list'));
    assert.ok(!fires(triggers, 'env GOCACHE=/tmp/x go list'));
    assert.ok(fires({ line: { match: ['(?:^|\\s)status='] } }, 'make; status=$?'));
    assert.ok(!fires({ line: { match: ['(?:^|\\s)status='] } }, 'git status'));
  });

  it('knows whether the command names the folder it runs in', () => {
    const triggers: Triggers = { programs: [{ name: 'cd' }, { name: 'go' }], directory: 'argument' };
    const from = (cwd: string, command: string) => fires(triggers, command, { cwd });
    assert.ok(from('/r/a/b', 'cd a/b'));
    assert.ok(from('/r/a/b', 'cd ./a/b/ && ls'));
    assert.ok(from('/r/a', 'go test ./a/...'));
    assert.ok(from('/r/a/b', 'go vet ./a/b/c'));
    assert.ok(!from('/r/a', 'go test ./a/b'), 'a part of one name may well be there twice');
    assert.ok(!from('/r', 'cd a/b'));
    assert.ok(!from('/r/a/b', 'cd /r/a/b'));
    assert.ok(!from('/r/a/b', 'cd ../a/b'));
    assert.ok(!from('/r/a/b', 'cd /r && go test ./a/b'), 'it moves first');
    assert.ok(!from('/r/a/b', 'popd && go test ./a/b'), 'it moves first');
    assert.ok(!from('/r/a/b', 'Set-Location /r; go test ./a/b'), 'it moves first');
    assert.ok(!fires(triggers, 'cd a/b'), 'where it is made from is not known');
  });

  it('is silent once something ran, before or in the same line', () => {
    const triggers: Triggers = {
      programs: [{ name: 'git', sub: ['push'] }],
      session: { unless: [{ ran: 'git pull' }] },
    };
    const after = (line: string): AskSession => {
      const { commands } = makeShellCall(line);
      return ({ meant }) => isConditionMet(meant, { commands });
    };
    assert.ok(fires(triggers, 'git push'));
    assert.ok(fires(triggers, 'git push', { past: after('git pulled; echo git pull') }));
    assert.ok(!fires(triggers, 'git push', { past: after('git pull --rebase origin main') }));
    assert.ok(!fires(triggers, 'git -C /x pull && git push'));
  });

  it('is silent if the earlier calls are unknown', () => {
    const triggers: Triggers = { tools: ['shell'], session: { unless: [{ ran: 'git pull' }, { ran: 'git fetch' }] } };
    const past: AskSession = ({ meant }) => ('ran' in meant && meant.ran === 'git pull' ? false : undefined);
    const verdict = check(triggers, makeShellCall('git push', { past }));
    assert.ok(!verdict.holds && /unknown: ran git fetch$/.test(verdict.because));
    assert.ok(check(triggers, makeShellCall('git push', { past: () => false })).holds);
  });

  it("asks for the call's own file, whatever folder the call runs in, and for no other", () => {
    const triggers: Triggers = { tools: ['edit', 'shell'], session: { unless: [{ read: '{path}' }] } };
    const read = (path: string): AskSession => {
      return ({ meant }) => isConditionMet(meant, { commands: [], path });
    };
    const edit = (path: string, past: AskSession) =>
      check(triggers, makeCallView({ tool: 'edit', path, cwd: '/r', past })).holds;
    assert.ok(!edit('/r/src/a.ts', read('/r/src/a.ts')));
    assert.ok(!edit('src/a.ts', read('/r/src/a.ts')));
    assert.ok(edit('src/b.ts', read('/r/src/a.ts')));
    assert.ok(edit('/a.ts', read('/r/a.ts')));
    assert.ok(
      fires(triggers, 'ls', { past: () => true }),
      'a call without a file cannot have been prepared by reading it',
    );
    assert.ok(check(triggers, makeCallView({ tool: 'edit', path: '/r/a.ts' })).holds, 'its own path is no past');
  });

  it('asks for any file whose path ends like the given one', () => {
    const triggers: Triggers = { tools: ['edit'], session: { unless: [{ read: 'docs/STYLE.md' }] } };
    const after = (path: string) =>
      check(
        triggers,
        makeCallView({
          tool: 'edit',
          path: '/r/a',
          past: ({ meant }) => isConditionMet(meant, { commands: [], path }),
        }),
      );
    assert.ok(!after('/r/docs/STYLE.md').holds);
    assert.ok(after('/r/mydocs/STYLE.md').holds);
  });

  it('about a line applies only to the shell', () => {
    const triggers: Triggers = { line: { unless: ['x'] } };
    assert.ok(fires(triggers, 'ls'));
    assert.ok(!check(triggers, makeCallView({ tool: 'read', path: '/a' })).holds);
  });

  it('reads the input of a tool as JSON', () => {
    const triggers: Triggers = { tools: ['read'], input: { unless: ['"limit" *:'] } };
    const read = (json: string) => check(triggers, makeCallView({ tool: 'read', path: '/a', json })).holds;
    assert.ok(read('{"file_path":"/a"}'));
    assert.ok(!read('{"file_path":"/a","limit":5}'));
    assert.ok(!check({ input: { match: ['"team":"x"'] } }, makeCallView({ tool: 'mcp:x' })).holds);
  });
});
