import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Cure } from '../../src/base/model/cure.ts';
import { chooseCure } from '../../src/match/cure-book.ts';
import { cure } from './cure-script.ts';
import { failed, other, type Step, worked } from './session-script.ts';

describe('a cure', () => {
  it('is the edit between the command that failed and the one that worked', () => {
    assert.deepEqual(
      cure(failed('shipit deploy --fast prod', 'unknown flag: --fast'), worked('shipit deploy --quick prod')),
      [{ kind: 'edit', text: 'replace `--fast` with `--quick`' }],
    );
    assert.deepEqual(
      cure(failed('pytest -q', 'zsh: command not found: pytest'), other('read', '/r/a'), worked('uv run pytest -q')),
      [{ kind: 'edit', text: 'run it through `uv run`' }],
    );
  });

  it('is the file to be read first, where the very same edit worked then', () => {
    const edit: Step = { tool: 'edit', targetPath: '/repo/a.ts', inputHash: 'h1' };
    const refused: Step = { ...edit, outcome: 'failure', output: 'File has not been read yet. Read it first.' };
    const read: Step = { ...other('read', '/repo/a.ts'), rawTool: 'Read' };
    assert.deepEqual(cure(refused, read, { ...edit, outcome: 'success' }), [
      {
        kind: 'read-first',
        text: 'open it with Read, and likewise every other file before you edit it: a search or `cat` does not count',
      },
    ]);
    assert.deepEqual(cure(refused, { ...edit, outcome: 'success' }), [], 'it was not read');
    const otherText: Step = { ...edit, inputHash: 'h2', outcome: 'success' };
    assert.equal(cure(refused, other('read', '/repo/a.ts'), otherText)[0]?.kind, 'read-first', 'the tool says why');
    for (const output of ['String to replace not found in file.', 'Found 3 matches of the string to replace', 'EPERM'])
      assert.deepEqual(cure({ ...refused, output }, other('read', '/repo/a.ts'), otherText), [], output);
  });

  it('is the form that ended, of a check that hung until its time was over', () => {
    const hung: Step = {
      ...failed('pytest -q tests', 'Command timed out after 2m 0s\ntests/a.py .F\n1 failed', 143),
      outcomeType: 'timeout',
    };
    assert.deepEqual(cure(hung, worked('pytest -q tests --no-cov')), [{ kind: 'edit', text: 'add `--no-cov`' }]);
    const red = failed('pytest -q tests', 'tests/a.py .F\n1 failed');
    assert.deepEqual(cure(red, worked('pytest -q tests --no-cov')), [], 'a verdict on code');
  });

  it('is the folder or the command that the same command needed', () => {
    const build = 'deploytool build --all';
    assert.deepEqual(
      cure({ ...failed(build, 'no such target: all'), cwd: '/repo' }, { ...worked(build), cwd: '/repo/app' }),
      [{ kind: 'folder', text: 'run it in the folder `/repo/app`' }],
    );
    assert.deepEqual(
      cure(failed(build, "module 'left-pad' is missing"), worked('deploytool fetch left-pad'), worked(build)),
      [{ kind: 'first', text: 'run `deploytool fetch <name>` first' }],
    );
  });

  it('is another name for the variable `path`, which is the PATH of zsh', () => {
    const lost = failed('for path in a b; do nl "$path"; done', 'zsh:1: command not found: nl', 127);
    assert.deepEqual(cure(lost, worked('for file in a b; do nl "$file"; done')), [
      { kind: 'form', text: 'give the variable another name than `path`' },
    ]);
    const other = failed('for file in a b; do nlx "$file"; done', 'zsh:1: command not found: nlx', 127);
    assert.notDeepEqual(cure(other, worked('for one in a b; do nl "$one"; done')), [
      { kind: 'form', text: 'give the variable another name than `path`' },
    ]);
  });

  it('is how many arguments the program takes, if the error names one that is too many', () => {
    const said = "error: unexpected argument 'b_two' found";
    assert.deepEqual(cure(failed('shipit check a_one b_two', said), worked('shipit check c_three')), [
      { kind: 'form', text: 'give each call one argument, as in `shipit check <name>`' },
    ]);
    assert.deepEqual(cure(failed('shipit check a_one b_two', said), worked('shipit check c_three d_four')), []);
  });

  it('is the path of a program that the shell did not find, whatever the program was to do', () => {
    const missing = failed('gox build ./web', '/bin/bash: line 1: gox: command not found', 127);
    const found = [{ kind: 'edit', text: 'run `gox` as `/opt/gox/bin/gox`' }];
    assert.deepEqual(cure(missing, worked('/opt/gox/bin/gox list')), found);
    const red = { ...failed('/opt/gox/bin/gox build ./web', 'web.go:3:1: syntax error'), outcome: 'failure' } as const;
    assert.deepEqual(cure(missing, red)[0], found[0], 'it ran, and failed for a reason of its own');
    const searched = cure(missing, worked('export PATH=$PATH:/opt/gox/bin && gox build ./web'));
    assert.deepEqual(searched, [
      { kind: 'first', text: 'run `export PATH=$PATH:/opt/gox/bin` first, in the same line' },
    ]);
    const away = failed('~/bin/gox build ./web', '/bin/bash: line 1: /home/u/bin/gox: No such file or directory', 127);
    assert.deepEqual(cure(missing, away), [], 'it is not there either');
    assert.deepEqual(cure(missing, worked('which gox || /usr/bin/gox version || echo none', 'none')), [], 'a guess');
  });

  it('is the folder that a line goes to, or the path as it is seen from there', () => {
    const add = 'shipit add app/src/a.ts';
    const absent = { ...failed(add, "fatal: 'app/src/a.ts' did not match any files"), cwd: '/repo/app' };
    const rooted = { ...absent, projectRoot: '/repo' };
    assert.deepEqual(cure(rooted, { ...worked(`cd /repo && ${add}`), cwd: '/repo/app' }), [
      { kind: 'folder', text: "run it in the project's root folder" },
    ]);
    assert.deepEqual(cure({ ...rooted, cwd: '/repo' }, { ...worked(`cd /repo/web && ${add}`), cwd: '/repo' }), [
      { kind: 'folder', text: "run it in the project's folder `web`" },
    ]);
    assert.deepEqual(cure(absent, { ...worked('shipit add src/a.ts'), cwd: '/repo/app' }), [
      { kind: 'edit', text: 'leave out `app/` before the path: the shell is in that folder already' },
    ]);
    const busy = { ...failed(add, 'fatal: the index is broken'), cwd: '/repo/app' };
    assert.deepEqual(cure(busy, { ...worked(`cd /repo && ${add}`), cwd: '/repo/app' }), [], 'nothing is absent');
  });

  it('is the setting that the same command needed', () => {
    const unread = failed('shipit list all', 'cache is not writable');
    assert.equal(cure(unread, worked('SHIPIT_CACHE=/tmp/c shipit list all'))[0]?.text, 'set `SHIPIT_CACHE=/tmp/c`');
    assert.equal(
      cure(unread, worked('source .env.sh && shipit list all'))[0]?.text,
      'run `source .env.sh` first, in the same line',
    );
  });

  it('is also seen where the corrected command fails for another reason', () => {
    const flag = failed('shipit deploy --fast prod', 'unknown flag: --fast');
    const quick = 'shipit deploy --quick prod';
    assert.equal(cure(flag, failed(quick, 'error: prod is locked'))[0]?.text, 'replace `--fast` with `--quick`');
    assert.deepEqual(cure(flag, failed(quick, 'unknown flag: --quick')), [], 'the same reason');
    assert.deepEqual(cure(flag, failed(quick, 'error: --quick needs a value')), [], 'the new word');
  });

  it('is another parameter of the tool, or another tool for the same thing', () => {
    const call: Step = { tool: 'mcp:tracker', rawTool: 'mcp__tracker__find', parameters: { query: 'a', count: 'ten' } };
    const bad: Step = { ...call, outcome: 'failure', output: 'InputError: count must be a number' };
    assert.deepEqual(cure(bad, { ...call, outcome: 'success', parameters: { query: 'a', count: '10' } }), [
      { kind: 'input', text: 'give it `count: <number>`' },
    ]);
    const read: Step = { tool: 'read', rawTool: 'Read', targetPath: '/repo/src' };
    const folder: Step = { ...read, outcome: 'failure', output: 'EISDIR: illegal operation on a directory' };
    assert.deepEqual(cure(folder, worked('ls -la /repo/src', 'a.ts')), [
      { kind: 'tool', text: 'use `ls -la <path>` instead of Read' },
    ]);
    const absent: Step = { ...folder, output: 'File does not exist.' };
    assert.deepEqual(cure(absent, worked('ls -la /repo/src', 'a.ts')), [], 'exploration');
    const skill: Step = { tool: 'other', rawTool: 'Skill', parameters: { skill: 'commit' } };
    const unknown: Step = { ...skill, outcome: 'failure', output: 'Unknown skill: commit' };
    assert.deepEqual(cure(unknown, worked('git status'), worked('git commit -m done')), [], 'another command');
  });

  it('is an example of the form that worked, where no edit can be told', () => {
    const refused = failed('shipit find "-x|-y" src lib', 'shipit: bad pattern');
    assert.deepEqual(cure(refused, worked('shipit find -- "-x|-y" src')), [
      { kind: 'form', text: 'use `--`, as in `shipit find -- <text> <name>`' },
    ]);
    assert.deepEqual(cure(refused, worked('shipit find "x|y" src')), [], 'other objects only');
    const option = failed('shipit send web -m "a note"', "error: unexpected argument '-m' found");
    const plain = 'leave out `-m` and give its value as a plain argument';
    assert.equal(cure(option, worked('shipit send web "other words"'))[0]?.text, plain);
    const flag = failed('shipit send -m web', "error: unexpected argument '-m' found");
    assert.equal(cure(flag, worked('shipit send web'))[0]?.text, 'leave out `-m`', 'it may have no value');
  });

  it('is the edit that the error points at, not another command', () => {
    const many = failed('shipit diff 12 -- a.md', 'accepts at most 1 arg(s), received 2');
    assert.equal(cure(many, worked('shipit diff 12'))[0]?.text, 'leave out `-- <path>`');
    const login = failed('shipit diff 12 --repo acme/x', 'HTTP 401: Requires authentication');
    assert.deepEqual(cure(login, worked('shipit diff 12')), [], 'the form of the call is no matter');
    assert.deepEqual(cure(failed('bdx status --short', 'unknown flag: --short'), worked('git status --short')), []);
    const script = failed('wrapx run lint', 'lintx: command not found\nerror: script "lint" exited with code 127');
    assert.deepEqual(cure(script, worked('wrapx run typecheck')), [], 'another script');
    assert.deepEqual(cure(failed('shipit checks 5', 'no checks reported'), worked('shipit view 5')), []);
    const field = failed('shipit view 5 --json a,merged,body', 'Unknown field: "merged"\nAvailable fields:\n  body');
    assert.equal(cure(field, worked('shipit view 5 --json a'))[0]?.text, 'leave out `merged`');
    const glob = failed('ls docs/*-PLAN.md', 'zsh:1: no matches found: docs/*-PLAN.md');
    assert.deepEqual(cure(glob, worked('ls docs/', 'a.md')), [], 'that no file matches is an answer');
    assert.equal(
      cure(failed('wrapx npm run test', "error: unrecognized subcommand 'npm'"), worked('npm run test'))[0]?.text,
      'run it without `wrapx`',
    );
    assert.equal(
      cure(failed('wrapx npm run test', "error: unrecognized subcommand 'npm'"), worked('npm test src'))[0]?.text,
      'run it without `wrapx`',
      'another form of the wrapped command is not told',
    );
  });

  it('is the folder that an option selected, where the other command ran in it', () => {
    const option = { ...failed('git -C /repo/web add a.ts', "error: unexpected argument '-C' found"), cwd: '/repo' };
    const moved = 'use `cd <path> && git …` instead of `-C <path>`';
    assert.equal(cure(option, { ...worked('git add a.ts'), cwd: '/repo/web' })[0]?.text, moved);
    assert.equal(cure(option, { ...worked('cd web && git add a.ts'), cwd: '/repo' })[0]?.text, moved);
    assert.deepEqual(cure(option, { ...worked('git add a.ts'), cwd: '/repo' }), [], 'another folder');
  });

  it('is no other option, where the values have changed their roles', () => {
    const crossed = failed('shipit add web --on main --branch me/web', "error: unexpected argument '--branch' found");
    assert.deepEqual(cure(crossed, worked('shipit add me/web --on main --name web')), []);
  });

  it('is the only command that ran in between, where something was not ready', () => {
    const stale = failed('shipit test all', "SyntaxError: export 'a' not found in dist/index.js");
    assert.deepEqual(cure(stale, worked('shipit build'), worked('shipit test all')), [
      { kind: 'first', text: 'run `shipit build` first' },
    ]);
    const red = failed('shipit test all', `cache not found, made anew\n${'.\n'.repeat(9)}AssertionError: 3 is not 4`);
    assert.deepEqual(cure(red, worked('shipit build'), worked('shipit test all')), [], 'the cause is another one');
    assert.deepEqual(cure(stale, worked('shipit build'), other('edit', '/r/a'), worked('shipit test all')), [], 'code');
    assert.deepEqual(cure(stale, worked('shipit build'), worked('shipit sync'), worked('shipit test all')), [], 'two');
    const again = failed('mkx tmp && shipit up all', 'error: no such target');
    assert.deepEqual(cure(again, worked('mkx tmp && shipit up all')), [], 'the failed line ran it, too');
    const conflict = failed('git rebase main', 'CONFLICT (content): Merge conflict in a.ts');
    assert.deepEqual(cure(conflict, worked('git rebase --continue')), [], 'a conflict');
  });

  it('is the command that the agent put before the same command in one line', () => {
    const busy = failed('shipit up all', 'error: the shelf is in use');
    const pause = [{ kind: 'first', text: 'run `stockctl pause` first' }];
    assert.deepEqual(cure(busy, worked('stockctl pause && shipit up all')), pause);
    assert.deepEqual(cure(busy, worked('stockctl pause'), worked('shipit up all')), [], 'nothing shows that it helped');
    assert.deepEqual(cure(busy, worked('stockctl pause && stockctl mark && shipit up all')), [], 'one of two');
    assert.deepEqual(cure(busy, worked('sleep 5 && shipit up all')), [], 'only time passed');
    assert.deepEqual(cure(busy, worked('cat notes.txt && shipit up all')), [], 'a look changes nothing');
    const origin = failed('shipit get all', 'fatal: the origin is wrong');
    assert.deepEqual(cure(origin, worked('git remote set-head web main && shipit get all')), [
      { kind: 'first', text: 'run `git remote set-head <name> <name>` first' },
    ]);
    assert.deepEqual(cure(origin, worked('git remote show web && shipit get all')), [], 'it only shows');
    const check = failed('npm test', 'error: the shelf is in use');
    assert.deepEqual(cure(check, worked('stockctl pause && npm test')), [], 'a check may work for any reason');
    for (const first of ['sudo stockctl pause', 'stockctl pause --force', 'rm -rf shelf', 'git reset --hard'])
      assert.deepEqual(cure(busy, worked(`${first} && shipit up all`)), [], first);
  });

  it('is the only command that changed something, however often the agent looked and checked in between', () => {
    const absent = failed('npm run typecheck', 'sh: line 1: tscx: command not found\nexited with code 127', 127);
    const looks = [worked('git status'), worked('ls -la'), other('read', '/r/a'), worked('git diff --stat')];
    const first = [{ kind: 'first', text: 'run `npm install` first' }];
    assert.deepEqual(cure(absent, ...looks, worked('npm install'), worked('npm run typecheck')), first);
    assert.deepEqual(
      cure(absent, worked('npm install'), worked('npm run lint'), worked('npm run typecheck')),
      first,
      'a linter changes nothing',
    );
    const work = ['a', 'b', 'c'].map((name) => failed(`shipit up ${name}`, 'error: no such shelf'));
    assert.deepEqual(
      cure(absent, ...work, worked('npm install'), worked('npm run typecheck')),
      [],
      'the agent did other work',
    );
  });

  it('is found inside the script that runs on another machine', () => {
    const run = (script: string, host = 'ops@depot'): string => `ssh -p 22 ${host} "${script}"`;
    const flag = failed(run('shipit list --fast shelf'), 'unknown flag: --fast');
    const quick = [{ kind: 'edit', text: 'replace `--fast` with `--quick`' }];
    assert.deepEqual(cure(flag, worked(run('shipit list --quick shelf'))), quick);
    assert.deepEqual(cure(flag, worked(run('shipit list --quick shelf', 'ops@dock'))), [], 'another machine');
    assert.deepEqual(cure(flag, worked('shipit list --quick shelf')), [], 'this machine');
    const absent = failed(run('cd /srv/app && shipit up all.yml'), 'open /srv/app/all.yml: no such file or directory');
    assert.deepEqual(cure(absent, worked(run('cd /srv/app/conf && shipit up all.yml'))), [
      { kind: 'folder', text: 'run it in the folder `/srv/app/conf`' },
    ]);
    const busy = failed('shipit copy a.bin', 'error: the target is in use');
    assert.deepEqual(cure(busy, worked(`${run('stockctl pause')} && shipit copy a.bin`))[0]?.text, undefined, 'a host');
    const copy = failed('scp a.bin ops@depot:/srv/', 'scp: target /srv/a.bin is in use');
    assert.equal(
      cure(copy, worked(`${run('stockctl pause')} && scp a.bin ops@depot:/srv/`))[0]?.text,
      'run `stockctl pause` on the host first',
    );
    for (const first of ['sudo stockctl pause', 'rm a.bin', 'stockctl pause --force', 'kill 4'])
      assert.deepEqual(cure(copy, worked(`${run(first)} && scp a.bin ops@depot:/srv/`)), [], first);
    const denied = failed(run('shipit list --as web'), 'error: --as web is denied');
    assert.deepEqual(cure(denied, worked(run('sudo -u web shipit list'))), [], 'it raises rights');
  });

  it('is what changed inside a text, where the error names a word of it or cannot read it', () => {
    const ask = (text: string): string => `stockctl ask -q 'from shelf ${text} sort by day'`;
    const refused = failed(ask('{ name size(round: 8) }'), "error: field 'size' takes no argument 'round'");
    assert.deepEqual(cure(refused, worked(ask('{ name size }'))), [], 'the error says which word to leave out');
    const shelf = failed(ask('where town = "Ulm"'), 'error: no town "Ulm"');
    assert.equal(
      cure(shelf, worked(ask('where town = "Bonn"')))[0]?.text,
      'in the value of `-q`, use `town = "Bonn"`',
      'whatever the next call says instead',
    );
    const unread = failed(ask('where size ** 3 > 8'), 'syntax error at line 1');
    assert.equal(
      cure(unread, worked(ask('where size ^ 3 > 8')))[0]?.text,
      'in the value of `-q`, replace `* *` with `^`',
    );
    const down = failed(ask('where town = "Ulm"'), 'error: the stock is closed');
    assert.deepEqual(cure(down, worked(ask('where town = "Bonn"'))), [], 'the error is about something else');
    assert.deepEqual(cure(shelf, worked("stockctl ask -q 'list all towns'")), [], 'another question');
    const script = failed(`python3 -c "import shelf; shelf.sort(by='day')"`, "TypeError: unknown argument 'by'");
    assert.deepEqual(cure(script, worked(`python3 -c "import shelf; shelf.sort(key='day')"`)), [], 'code of that day');
    const swapped = ask('where town = "Ulm" delete');
    assert.deepEqual(cure(shelf, worked(swapped.replace('Ulm', 'drop'))), [], 'a harmful word');
  });

  it('is to leave out a sign that reaches the program with a backslash that nobody typed', () => {
    const typed = `stockctl sift '.shelf | keep(.town != "Ulm")'`;
    const escaped = failed(typed, `error: bad sign\n${String.raw`.shelf | keep(.town \!= "Ulm")`}`);
    assert.deepEqual(cure(escaped, worked(`stockctl sift '.shelf | keep(.town == "Ulm" | not)'`)), [
      { kind: 'form', text: 'write the text without `!`, because the tool that runs the shell turns it into `\\!`' },
    ]);
    assert.deepEqual(cure(escaped, worked(`stockctl sift '.shelf | keep(.day != "Monday")'`)), [], 'it is still there');
    const own = failed(String.raw`stockctl sift '.shelf | keep(.town \!= "Ulm")'`, escaped.output ?? '');
    assert.deepEqual(cure(own, worked(`stockctl sift '.shelf | keep(.town)'`)), [], 'the call typed the backslash');
  });

  it('is `--` or an option before a text that begins with a dash', () => {
    const taken = failed('findx -n "--keep|put" src lib', 'findx: unrecognized flag --keep|put');
    const AHEAD = ', and all options before the `--`';
    const mark = (sign: string, more = '') => [
      { kind: 'edit', text: `put \`${sign}\` before a text that begins with a dash${more}` },
    ];
    assert.deepEqual(cure(taken, worked('findx -n -- "--keep|put" src lib')), mark('--', AHEAD));
    assert.deepEqual(cure(taken, worked('findx -n -- "--keep|put" src')), mark('--', AHEAD), 'also with other folders');
    assert.deepEqual(cure(taken, worked('findx -n -e "--keep|put" src lib')), mark('-e'));
    const long = '--keep|allowed|every word of this long text is looked for';
    const text = failed(`findx "${long}" src`, `findx: unrecognized flag ${long}`);
    assert.deepEqual(cure(text, worked(`findx -- "${long}" src`)), mark('--', AHEAD), 'a text forces nothing');
    const closed = failed('findx -n "--keep|put" src lib', 'findx: src is closed');
    assert.deepEqual(cure(closed, worked('findx -n -- "--keep|put" src lib')), [], 'the error is about something else');
  });

  it('is a form with as many words as the error asks for', () => {
    const many = failed('stockctl show --brief shelf desk', 'fatal: needed a single place');
    assert.deepEqual(cure(many, worked('stockctl show --brief shelf')), [
      { kind: 'form', text: 'give each call one argument, as in `stockctl show --brief <name>`' },
    ]);
    assert.deepEqual(cure(many, worked('stockctl show --brief lamp')), [], 'other words');
    const absent = failed('stockctl show --brief shelf desk', 'fatal: no place desk');
    assert.deepEqual(cure(absent, worked('stockctl show --brief shelf')), [], 'the error is about one word');
  });

  it('is the folder from which a path is seen, or the folder that has a file of the same name', () => {
    const build = { ...failed('shipit pack ./web/cmd/a', 'error: web/cmd/a is no part of this pack'), cwd: '/repo' };
    const there = { ...worked('cd /repo/web && shipit pack ./cmd/a'), cwd: '/repo' };
    assert.deepEqual(cure(build, there), [
      { kind: 'folder', text: 'run it in the folder `/repo/web` and leave `web/` out of the path' },
    ]);
    assert.deepEqual(
      cure(build, { ...worked('cd /repo/web && shipit pack ./cmd/b'), cwd: '/repo' }),
      [],
      'another file',
    );
    const absent = { ...failed('shipit run .env/bin/go', 'shipit: .env/bin/go: No such file'), cwd: '/repo' };
    assert.deepEqual(cure(absent, { ...worked('shipit run /repo/env/bin/go'), cwd: '/repo' }), [
      { kind: 'edit', text: 'replace `.env/bin/go` with `env/bin/go`' },
    ]);
    assert.deepEqual(cure(absent, { ...worked('shipit run env/bin/stop'), cwd: '/repo' }), [], 'another name');
    const look = { ...failed('cat .env/bin/go', 'cat: .env/bin/go: No such file'), cwd: '/repo' };
    assert.deepEqual(cure(look, { ...worked('cat env/bin/go'), cwd: '/repo' }), [], 'exploration');
  });

  it('is nothing where the error says all there is to say', () => {
    const away = failed('shipit pack --into /tmp/a all', 'error: /tmp/a is not below out/packs');
    assert.deepEqual(cure(away, worked('shipit pack --into out/packs/a all')), [], 'the place that it allows');
    const read: Step = { tool: 'read', rawTool: 'View', targetPath: '/repo/docs/a.md', inputHash: 'h1' };
    const large: Step = {
      ...read,
      outcome: 'failure',
      output: 'The content is too large. Use start and count parameters to read less.',
    };
    assert.deepEqual(cure(large, { ...read, outcome: 'success', inputHash: 'h3' }), [], 'the parameters');
  });

  it('is that a folder has to be listed, where a tool then showed a file in it', () => {
    const read: Step = { tool: 'read', rawTool: 'View', targetPath: '/repo/docs', inputHash: 'h1' };
    const folder: Step = { ...read, outcome: 'failure', output: 'EISDIR: illegal operation on a directory' };
    const file: Step = { ...read, outcome: 'success', targetPath: '/repo/docs/a.md', inputHash: 'h2' };
    assert.equal(cure(folder, file)[0]?.kind, 'tool');
    assert.match(cure(folder, file)[0]?.text ?? '', /list the folder/);
    assert.deepEqual(cure(folder, { ...file, targetPath: '/repo/b.md' }), [], 'another folder');
  });

  it('is what got past the error, though the call then failed for another reason', () => {
    const other = { outcome: 'failure', output: 'error: two shelves collide' } as const;
    const edited = failed('shipit add a.ts && shipit go --on', 'error: there was a problem with the editor');
    assert.deepEqual(
      cure(edited, { ...worked('SHIP_EDITOR=true shipit go --on'), ...other }),
      [{ kind: 'edit', text: 'set `SHIP_EDITOR=true`' }],
      'of two commands of one program, the one that the agent corrected',
    );
    const named = { ...other, output: 'error: SHIP_EDITOR is not allowed' };
    assert.deepEqual(
      cure(edited, { ...worked('SHIP_EDITOR=true shipit go --on'), ...named }),
      [],
      'it is about the fix',
    );
    const glob = failed('shipit add -D box@any:*', 'zsh:1: no matches found: box@any:*');
    assert.deepEqual(cure(glob, { ...worked('shipit add -D "box@any:*"'), ...other }), [
      { kind: 'edit', text: 'put the word with `*` in quotes, unless it is to name files' },
    ]);
  });

  it('is single quotes around a text in which the shell replaces or runs something', () => {
    const unread = failed('findx -n "take `stock` first" src', 'zsh:1: unmatched "');
    const told = (what: string, where: string, does: string) => [
      {
        kind: 'form',
        text: `put the ${what} in single quotes, because ${where} the shell ${does}`,
      },
    ];
    assert.deepEqual(
      cure(unread, worked("findx -n 'take `stock` first' src lib")),
      told('text that contains a back quote', 'in double quotes', 'runs it as a command'),
    );
    assert.deepEqual(cure(unread, worked("findx -n 'take all' src")), [], 'another text');
    const emptied = failed('readx web/$shelf.$box.txt', 'readx: web/..txt: No such file or directory');
    assert.deepEqual(
      cure(emptied, worked("readx 'web/$shelf.$box.txt'")),
      told('word that contains `$`', 'without quotes', 'replaces it'),
    );
    const other = failed('readx web/$shelf.$box.txt', 'readx: the desk is closed');
    assert.deepEqual(cure(other, worked("readx 'web/$shelf.$box.txt'")), [], 'the error is about something else');
  });

  it('is also seen behind a pipe, where what a look prints has the words of an error', () => {
    const flag = failed('rg --colr never shelf src', 'rg: unrecognized flag --colr');
    const right = (output: string): Step => worked('rg --color never shelf src | head -5', output);
    const told = [{ kind: 'edit', text: 'replace `--colr` with `--color`' }];
    assert.deepEqual(cure(flag, right("src/a.ts: error: shelf is broken\nthrow new Error('shelf')")), told);
    assert.deepEqual(cure(flag, right('rg: unrecognized flag --color')), [], 'its own complaint');
    const send = failed('shipit send --fst box', 'unknown flag: --fst');
    assert.deepEqual(cure(send, worked('shipit send --fast box | head -5', 'error: box is broken')), [], 'no look');
  });

  it('is not what code, chance or the objects of another day changed', () => {
    const red = failed('go test ./cart', '--- FAIL: TestTotal (0.00s)\nFAIL');
    assert.deepEqual(cure(red, other('edit', '/repo/cart.go'), worked('go test ./cart')), [], 'a red test');
    const format = failed('cargo fmt --check', 'Diff in src/main.rs:82:');
    assert.deepEqual(cure(format, worked('cargo fmt')), [], 'a check that only reports');
    const net = failed('git fetch origin', 'fatal: unable to access: Could not resolve host: example.com');
    assert.deepEqual(cure(net, worked('git fetch --all origin')), [], 'the world');
    assert.deepEqual(cure(failed('cat a.txt', 'cat: a.txt: No such file'), worked('cat b.txt')), [], 'exploration');
    assert.deepEqual(cure(failed('make it', 'make: busy'), worked('make it')), [], 'chance');
    assert.deepEqual(cure(failed('shipit up', 'no room left'), worked('shipit status')), [], 'another sub-command');
  });

  it('never forces, never raises rights, and never comes from a hidden outcome', () => {
    const refused = failed('shipit push main', 'error: push was rejected');
    assert.deepEqual(cure(refused, worked('shipit push --force main')), []);
    assert.deepEqual(cure(refused, worked('shipit push --no-verify main')), []);
    assert.deepEqual(cure(failed('shipit up', 'permission denied: shipit'), worked('sudo shipit up')), []);
    const locked = failed('shipit up prod', "lock 'shipit.lock' is held");
    for (const first of ['sudo lockctl free shipit.lock', 'lockctl free --force shipit.lock', 'rm -rf ~/ shipit.lock'])
      assert.deepEqual(cure(locked, worked(first), worked('shipit up prod')), [], first);
    const flag = failed('shipit deploy --fast prod', 'unknown flag: --fast');
    assert.deepEqual(cure(flag, { ...worked('shipit deploy --quick prod | cat'), masked: true }), []);
  });
});

describe('the book of cures', () => {
  const base = {
    agent: 'claude-code',
    projectId: 'prj_1',
    failingCallId: 'c1',
    fixingCallId: 'c2',
    kind: 'edit',
  } as const;
  const make = (sessionId: string, text: string, at: string, more: Partial<Cure> = {}): Cure => ({
    ...{ ...base, sessionId, text, at, signatureId: 'sig' },
    ...more,
  });
  const find = (...cures: readonly Cure[]) => chooseCure(cures);

  it('prefers what worked in most sessions, and tells both where two worked as often', () => {
    const [a, b] = [make('s1', 'add `-x`', '2026-01-01'), make('s2', 'add `-y`', '2026-01-02')];
    assert.equal(find(a, b)?.text, 'add `-y`, or add `-x`');
    const known = find(a, b, make('s3', 'add `-x`', '2026-01-03'));
    assert.deepEqual([known?.text, known?.sessions, known?.lastAt], ['add `-x`', 2, '2026-01-03']);
    const twice = find(a, b, make('s2', 'add `-y`', '2026-01-04', { failingCallId: 'c9' }));
    assert.equal(twice?.sessions, 1, 'twice in one session counts once');
  });

  it('joins what differs in a kind only, and prefers an edit to an example', () => {
    const [a, b] = [make('s1', 'add `-x <path>`', '2026-01-01'), make('s2', 'add `-x <name>`', '2026-01-02')];
    assert.deepEqual([find(a, b)?.text, find(a, b)?.sessions], ['add `-x <name>`', 2]);
    const form = make('s3', 'use a form like `shipit -z`', '2026-01-03', { kind: 'form' });
    assert.equal(find(a, form)?.text, 'add `-x <path>`');
    assert.equal(find(form)?.text, 'use a form like `shipit -z`');
  });

  it('prefers the edit that the failed line has the words for', () => {
    const edit = (word: string) => ({ program: 'shipit', steps: [{ from: [word], to: [] }] });
    const [a, b] = ['-x', '-y'].map((word, i) =>
      make(`s${i}`, `leave out \`${word}\``, '2026-01-01', { edit: edit(word) }),
    );
    assert.ok(a && b);
    assert.equal(chooseCure([a, b], 'shipit up -y')?.text, 'leave out `-y`');
    assert.equal(chooseCure([a, b], 'shipit up -z'), undefined);
  });

  it('is one that speaks of a sign only where the line has the sign, and one for two places of a variable', () => {
    const text = 'put the word that contains `$` in single quotes, because without quotes the shell replaces it';
    const quoted = [make('s1', text, '2026-01-01', { kind: 'form' })];
    assert.equal(chooseCure(quoted, 'shipit read a$b.txt')?.text, text);
    assert.equal(chooseCure(quoted, 'shipit read ab.txt'), undefined);
    const places = ['/tmp/a', '/tmp/b'].map((place) => make(place, `set \`SHIPIT_CACHE=${place}\``, '2026-01-01'));
    assert.equal(chooseCure(places)?.sessions, 2);
  });
});
