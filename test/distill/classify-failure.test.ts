import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LiveCall } from '../../src/base/model/call.ts';
import type { ToolName } from '../../src/base/model/tool.ts';
import { FAILURE_CLASSES, type FailureClass } from '../../src/base/statistics/failures.ts';
import { signCall } from '../../src/base/text/signature.ts';
import { classifyFailure } from '../../src/distill/episodes/classify-failure.ts';
import { makeWindow, other, worked } from './session-script.ts';

const ROOT = '/repo';

/** A failed call as capture makes it. */
const toFailure = (tool: ToolName, output: string, fields: Partial<LiveCall> = {}) => {
  const ended = { outcome: 'failure', outcomeType: 'exit-code', output } as const;
  const rawTool = tool === 'shell' ? 'Bash' : tool;
  const call = { tool, rawTool, cwd: ROOT, projectRoot: ROOT, ...ended, ...fields };
  const found = signCall(call, output);
  return {
    ...call,
    ...(found === undefined ? {} : { signature: found.signature, message: found.causeLine }),
  };
};
const shell = (command: string, output: string, exitCode = 1, fields: Partial<LiveCall> = {}) =>
  toFailure('shell', output, { command, exitCode, ...fields });

const all = (wanted: FailureClass, rows: readonly (readonly [string, string, number?])[]): void => {
  for (const [command, output, exitCode] of rows)
    assert.equal(classifyFailure(shell(command, output, exitCode)), wanted, `${command}\n${output}`);
};

describe('the class of a failure', () => {
  it('is command if the call itself was wrong', () => {
    all('command', [
      ['gh pr diff 7 --stat', 'unknown flag: --stat'],
      ['golangci-lint run', 'zsh: command not found: golangci-lint', 127],
      ['cd app && go test ./...', 'bash: line 1: cd: app: No such file or directory'],
      ['grep -rn x --include=*.go .', 'zsh:1: no matches found: --include=*.go'],
      ['mise run lint:all', 'mise ERROR no task lint:all found'],
      ['cat docs', 'cat: docs: Is a directory'],
      ['git push', 'error: failed to push some refs to "origin"\nremote: error: the branch is protected'],
      ['rm notes.md && make', "rm: cannot remove 'notes.md': No such file or directory"],
      ['git add notes.md', "fatal: pathspec 'notes.md' did not match any files", 128],
      ['./deploy.sh', 'bash: line 1: ./deploy.sh: No such file or directory', 127],
      ['scp a.bin box:/srv/', 'scp: /srv/a.bin: Failure'],
      ['gh pr view 3', 'GraphQL: this field is being deprecated'],
      ['python3 -c "import yaml"', "ModuleNotFoundError: No module named 'yaml'"],
      ['gh api repos/o/r/pulls/1/comment', 'gh: Not Found (HTTP 404)'],
      [
        'npm install left-pad@99',
        'npm error code ETARGET\nnpm error notarget No matching version found for left-pad@99.',
      ],
      ['mkdir /srv/shop', 'mkdir: cannot create directory ‘/srv/shop’: Permission denied'],
    ]);
    assert.equal(classifyFailure(toFailure('read', 'EISDIR: illegal operation on a directory, read')), 'command');
  });

  it('is verdict if a check ran and judged, in whatever form', () => {
    all('verdict', [
      ['go test ./...', '--- FAIL: TestX (0.00s)\n    x_test.go:3: open a.txt: no such file or directory'],
      ['cabal test', 'Running 1 test suites...\nTest suite spec: FAIL'],
      ['hadolint Dockerfile', 'Dockerfile:3 DL3008 warning: Pin versions'],
      ['prove t', "#   Failed test 'adds'\n#   at t/a.t line 7.\nResult: FAIL"],
      ['npm run lint:css', 'These files need to be formatted:\na.css'],
      ['black --check .', 'would reformat a.py\n1 file would be reformatted'],
      ['docker build .', "#9 3.9 src/a.ts(7,24): error TS2307: Cannot find module './b'\nERROR: failed to solve"],
      ['bash -n deploy.sh', 'deploy.sh: line 12: syntax error near unexpected token `fi', 2],
      ['npm test', 'Tests: 3 failed, 10 passed'],
      ['bun run lint', 'a.ts format\n  Formatter would have printed something else\nFound 1 error.'],
      ['cargo fmt --check', 'Diff in /repo/a.rs:3:\n-   Error {\n+ Error {'],
      ['go build ./...', '# shop\n./main.go:3:5: undefined: x'],
      ['npx tsc --noEmit', 'src/a.ts(3,5): error TS2304: Cannot find name'],
      ['npm test', "Error: Cannot find module './cart'\n1 failed, 2 passed"],
      ['npx knip', 'Unused files (2)\nsrc/cart.ts\nsrc/tax.ts'],
    ]);
    all('command', [['go vet ./web/...', 'pattern ./web/...: directory prefix web does not contain main module']]);
  });

  it('is command if an older runtime could not load its own modules, so that the check did not begin', () => {
    all('command', [
      ['npm test', "internal/modules/cjs/loader.js:883\n  throw err;\n  ^\n\nError: Cannot find module 'node:path'"],
      ['npm test', "node:internal/modules/cjs/loader:936\n  throw err;\n  ^\n\nError: Cannot find module 'node:test'"],
    ]);
  });

  it('is command if PowerShell or cmd.exe did not understand the line, or found no such program', () => {
    all('command', [
      [
        'npm run a && npm test',
        "At line:1 char:11\nThe token '&&' is not a valid statement separator in this version.",
      ],
      ['Write-Host "a', 'The string is missing the terminator: ".\n    + CategoryInfo          : ParserError: (:) []'],
      ['rg foo', "rg : The term 'rg' is not recognized as the name of a cmdlet, function, script file, or program."],
      ['jq .', "'jq' is not recognized as an internal or external command,\noperable program or batch file."],
      ['Get-ChildItem -Foo', "Get-ChildItem : A parameter cannot be found that matches parameter name 'Foo'."],
      ['ls D:\\shop\\src', "ls: cannot access 'D:shopsrc': No such file or directory", 2],
    ]);
  });

  it('is exploration if a cmdlet found nothing where it looked', () => {
    all('exploration', [
      ['gc a.md; dir b', "gc : Cannot find path 'C:\\shop\\a.md' because it does not exist."],
      [
        'Get-ChildItem x | Select-Object Name',
        "Get-ChildItem: Cannot find path 'C:\\shop\\x' because it does not exist.",
      ],
      [
        'git show 1964abcd',
        "fatal: ambiguous argument '1964abcd': unknown revision or path not in the working tree.",
        128,
      ],
      ['ls -d lib vendor 2>/dev/null', ''],
    ]);
  });

  it('is status if the command reports how far other work is, or was stopped while it watched', () => {
    all('status', [
      ['gh pr checks 7', 'lint\tfail\t5m24s\thttps://ci.example/1\nbuild\tpass\t1m\thttps://ci.example/2'],
      ['gh run watch 7 --exit-status', 'Refreshing run status every 3 seconds.\nX The operation was canceled.'],
      ['gh pr checks 7 --watch', '', 130],
      ['gh pr checks 7 --watch', 'Some checks are still pending\n^C'],
      ['gh auth status', 'You are not logged into any GitHub hosts. To log in, run: gh auth login'],
      ['gh run view 7 --log-failed', 'run 7 is still in progress; logs will be available when it is complete'],
      ['until nc -z localhost 80; do sleep 1; done', 'command timed out after 60000 milliseconds', 124],
      ['timeout 5 shipd serve > out.log 2>&1', '', 124],
      ['kill %1', 'bash: kill: %1: no such job'],
      ['git worktree remove ../web', "fatal: '../web' is not a working tree", 128],
    ]);
    all('command', [['gh pr checks 7 --wach', 'unknown flag: --wach']]);
  });

  it('is harness if the shell tool refused the line, and world if only a hook of the user failed', () => {
    const refused = shell('sleep 45; tail a.log', 'Blocked: sleep 45 followed by: tail a.log', 0, {
      outcomeType: 'error-flag',
    });
    const { exitCode: _, ...unrun } = refused;
    assert.equal(classifyFailure(unrun), 'harness');
    assert.equal(classifyFailure({ ...unrun, rawTool: 'hook:Stop' }), 'world');
  });

  it('is command if the very same words work in another order', () => {
    const failing = shell('grep a.txt total', 'grep: total: No such file or directory', 2);
    assert.equal(classifyFailure(failing), 'exploration');
    assert.equal(classifyFailure(failing, makeWindow([worked('grep total a.txt')]).calls), 'command');
  });

  it('is command if a check could not begin: nothing to check, no right to, or built for another machine', () => {
    all('command', [
      [
        'go test ./srv/...',
        'pattern ./srv/...: lstat ./srv/: no such file or directory\nFAIL\t./srv/... [setup failed]',
      ],
      ['go test ./e2e', 'package shop/e2e: build constraints exclude all Go files in /repo/e2e\nFAIL\tshop/e2e'],
      ['go test -run TestTax', 'no Go files in /repo\nFAIL\t. [setup failed]'],
      ['npm test', 'Error: listen EPERM: operation not permitted 0.0.0.0:3000\n1 failed'],
      ['go test ./a', 'fork/exec /tmp/a.test: exec format error\nFAIL\tshop/a'],
    ]);
  });

  it('is verdict if a check failed and only a part of what it says is there', () => {
    all('verdict', [
      [
        'go build ./a',
        'package shop/a\n\timports shop/b from a.go\n\timports shop/a from b.go: import cycle not allowed',
      ],
      ['go test ./... | tail -3', '\twant (int, error)\nFAIL\tshop/a [build failed]\nFAIL'],
      ['mise run test:all 2>&1 | grep -A 3 "TestX"', '--- FAIL: TestX (0.2s)\n    x_test.go:3: no'],
    ]);
  });

  it('is command if a program of the tool itself is gone, because another tool does the same', () => {
    const gone = "ENOENT: no such file or directory, posix_spawn '/opt/agent/rg'";
    assert.equal(classifyFailure(toFailure('grep', gone)), 'command');
  });

  it('is verdict if a hook of git ran a check', () => {
    all('verdict', [['git commit -m x', 'lint-staged\n✖ eslint found problems\n3 problems (3 errors)']]);
  });

  it('is verdict if code of the project was running as the error arose', () => {
    all('verdict', [
      [
        'python3 shop/load.py',
        'Traceback (most recent call last):\n  File "/repo/shop/load.py", line 3, in run\nValueError: x',
      ],
      ['node server.js', 'TypeError: x is undefined\n    at run (/repo/server.js:3:5)\n\nNode.js v24.1.0'],
      ['go run ./cmd', 'panic: nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/repo/cmd/main.go:12 +0x18'],
      ['./target/app', "thread 'main' panicked at src/main.rs:9:10:\nno value", 101],
      [
        'python3 -c "from shop import pay; pay()"',
        'Traceback (most recent call last):\n  File "<string>", line 1, in <module>\n  File "/repo/shop.py", line 3, in pay\nValueError: x',
      ],
    ]);
    all('command', [
      [
        'python3 shop/load.py',
        'Traceback (most recent call last):\n  File "/repo/shop/load.py", line 1, in <module>\nModuleNotFoundError: No module named \'yaml\'',
      ],
    ]);
  });

  it('is verdict, whatever form the program gives to places and counts', () => {
    all('verdict', [
      ['mvn -q compile', '[ERROR] COMPILATION ERROR :\n[ERROR] /repo/Tax.java:[12,9] cannot find symbol'],
      ['terraform validate', '│ Error: Unsupported argument\n│\n│   on queue.tf line 4, in resource "q":'],
      [
        'bundle exec rubocop',
        'a.rb:4:3: C: Style/StringLiterals: Prefer single quotes\n1 file inspected, 1 offense detected',
      ],
      ['swift build', "a.swift:3:5: error: cannot find 'x' in scope"],
      [
        'docker build .',
        '#9 2.1 main.go:3:5: undefined: x\nERROR: failed to solve: process "go build" did not complete',
      ],
      [
        'git push',
        '> vitest run\n\n FAIL  a.test.ts > rounds\n Tests  1 failed | 3 passed (4)\nerror: failed to push some refs',
      ],
    ]);
  });

  it('is verdict if tests ran and mention the network or a right that was missing', () => {
    all('verdict', [
      ['go test ./...', '--- FAIL: TestDial (0.00s)\n dial tcp: connection refused'],
      ['go test ./...', '--- FAIL: TestSave (0.00s)\n    save_test.go:3: open /srv/a: permission denied'],
    ]);
  });

  it('is command, not verdict, if a check did not begin', () => {
    all('command', [
      ['pytest --fast', 'ERROR: usage: pytest [options]\npytest: error: unrecognized arguments: --fast', 4],
      ['go build -o ./shop ./...', 'Exit code 1\ngo: cannot write multiple packages to non-directory ./shop'],
      ['python -m pytest', '/usr/bin/python: No module named pytest'],
      ['bun run lint', '$ biome check\n/usr/bin/bash: line 1: biome: command not found', 127],
      ['npm run lint', 'npm error Missing script: "lint"'],
      [
        'npx eslint .',
        "Oops! Something went wrong! :(\n\nESLint: 9.1.0\n\nESLint couldn't find an eslint.config.js file.",
      ],
      ['mvn test', '[INFO] BUILD FAILURE\n[ERROR] The goal requires a project, but there is no POM in this directory'],
      [
        'gradle :app:tests',
        "FAILURE: Build failed\n\nCannot locate tasks that match ':app:tests': task 'tests' not found",
      ],
      [
        'shop eval a.yaml --dry',
        'error: found 1 error\n\n  shop eval a.yaml --dry\n                   ^ Unknown arguments',
      ],
    ]);
  });

  it('is command, not verdict, if a check did not end by itself', () => {
    all('command', [
      ['pytest -q', 'Command timed out after 2m 0s\n1 failed', 143],
      ['timeout 60 pytest', 'tests/a.py F\ntests/b.py F', 124],
    ]);
    assert.equal(
      classifyFailure(shell('pytest -q', '1 failed', 143, { outcomeType: 'timeout', hung: true })),
      'command',
    );
  });

  it('is command if the program answers with its usage, and status if it was asked for it', () => {
    const usage = 'usage: shop list [<options>]\n\ncommon options:\n  --all';
    all('command', [['shop list --no-all', usage, 129]]);
    all('status', [
      ['shop list --help', usage, 129],
      ['./shop help', `error: ${usage}`],
    ]);
  });

  it('is not verdict if a program shows the log of a check', () => {
    for (const command of ['tail -5 build.log', 'gh run view 7 --log'])
      assert.notEqual(classifyFailure(shell(command, '--- FAIL: TestX (0.00s)')), 'verdict', command);
  });

  it('is harness if the agent rejected the input', () => {
    for (const output of [
      'File has not been read yet. Read it first before writing to it.',
      'InputValidationError: Edit failed due to the following issue',
      'No changes to make: old_string and new_string are exactly the same.',
    ])
      assert.equal(classifyFailure(toFailure('edit', output)), 'harness', output);
    assert.equal(classifyFailure({ ...toFailure('shell', ''), outcome: 'denied' }), 'harness');
  });

  it('is edit-text if the file is not as the edit expects it', () => {
    for (const output of [
      'String to replace not found in file.\nString: x',
      'Found 3 matches of the string to replace, but replace_all is false',
      'File has been modified since read, either by the user or by a linter. Read it again.',
      'Failed to edit, could not find the string to replace.',
      'No replacement was performed. Multiple occurrences of old_str in lines [3, 9].',
    ])
      assert.equal(classifyFailure(toFailure('edit', output)), 'edit-text', output);
    const patch = toFailure('mcp:files/edit_file', 'Could not find exact match for edit', { rawTool: 'edit_file' });
    assert.equal(classifyFailure(patch), 'edit-text', 'of any server');
    all('edit-text', [
      ['apply_patch', 'apply_patch verification failed: Failed to find expected lines in a.ts'],
      ['git apply fix.patch', 'error: patch failed: a.c:3\nerror: a.c: patch does not apply'],
      ['patch -p1 < fix.diff', 'patching file a.c\nHunk #1 FAILED at 12.'],
    ]);
  });

  it('is exploration if the call looked for something that is not there', () => {
    all('exploration', [
      ['sed -n 1,9p a.ts', "sed: can't read a.ts: No such file or directory", 2],
      ['rg x docs', 'rg: docs: No such file or directory (os error 2)', 2],
      ['ls docs tests 2>/dev/null', 'tests:\na.ts', 2],
      ['git show main:a.ts', "fatal: path 'a.ts' exists on disk, but not in 'main'", 128],
      ['ssh box "cat /etc/shop.conf"', 'cat: /etc/shop.conf: No such file or directory'],
      ['python3 -c "import shop; shop.pay"', "AttributeError: module 'shop' has no attribute 'pay'"],
      ['node -p "require.resolve(\'zod\')"', "Error: Cannot find module 'zod'"],
    ]);
    for (const [tool, output] of [
      ['read', 'File does not exist.'],
      ['grep', 'Path does not exist: /repo/src'],
      ['web', 'Request failed with status code 404'],
    ] as const)
      assert.equal(classifyFailure(toFailure(tool, output)), 'exploration', output);
    assert.equal(classifyFailure(toFailure('edit', 'File does not exist.')), 'command', 'an edit does not look');
  });

  it('is command if the shell stands in a folder of the project and the path does not', () => {
    const fields = { cwd: `${ROOT}/app` };
    const absent = (path: string) => `ls: cannot access '${path}': No such file or directory`;
    assert.equal(classifyFailure(shell('ls app/a.ts', absent('app/a.ts'), 2, fields)), 'command');
    assert.equal(classifyFailure(shell('ls /repo/b', absent('/repo/b'), 2, fields)), 'exploration');
  });

  it('is status if an exit code only reports', () => {
    all('status', [
      ['git merge main', 'CONFLICT (content): Merge conflict in a.go\nAutomatic merge failed'],
      ['git push', ' ! [rejected] main -> main (fetch first)\nerror: failed to push some refs'],
      ['git commit -m x', 'On branch main\nnothing to commit, working tree clean'],
      ['ssh box "tail log | grep error"', 'Welcome to the box'],
      ['gh pr view', 'no pull requests found for branch "main"'],
      ['npm view shop@9 version', 'npm error code E404\nnpm error 404 No match found for version 9'],
      ['git rev-parse --abbrev-ref @{u}', "fatal: no upstream configured for branch 'tax'", 128],
      ['./run.sh', 'exit status 2'],
      ['./run.sh', ''],
    ]);
  });

  it('is world if the same call works at another time', () => {
    all('world', [
      ['go get ./...', 'dial tcp: lookup proxy.example.org on 10.0.0.2:53: no such host'],
      ['git fetch', 'fatal: unable to access: Could not resolve host: example.test', 128],
      ['git add a', "fatal: Unable to create '/x/.git/index.lock': File exists.", 128],
      ['curl https://example.test', 'HTTP/2 503 service unavailable'],
    ]);
  });

  it('is status if the thing is there or done already, or is gone', () => {
    all('status', [
      ['git tag v2', "fatal: tag 'v2' already exists", 128],
      [
        'aws sqs create-queue --queue-name jobs',
        'An error occurred (QueueAlreadyExists) when calling CreateQueue',
        254,
      ],
      ['mkdir out', 'mkdir: cannot create directory ‘out’: File exists'],
      ['docker rm box', 'Error response from daemon: No such container: box'],
      ['git rebase --abort', 'fatal: No rebase in progress?', 128],
      ['git tag -d v2', "error: tag 'v2' not found."],
      ['kill 4711', 'bash: line 1: kill: (4711) - No such process'],
    ]);
    all('command', [
      ['git checkout main', "fatal: 'main' is already used by worktree at '/w/main'", 128],
      ['make deploy-all', "make: *** No rule to make target 'deploy-all'.  Stop.", 2],
    ]);
  });

  it('is world if somebody else has the lock, or another machine does not answer', () => {
    all('world', [
      ['apt-get install jq', 'E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7', 100],
      ['npm ci', 'npm error code ECONNRESET\nnpm error network aborted'],
      ['cargo build', 'error: failed to write a.rmeta: No space left on device\nerror: could not compile `shop`', 101],
      ['redis-cli -h db.example.test ping', 'Could not connect to Redis at db.example.test:6379: Connection refused'],
    ]);
  });

  it('is world if somebody has to log in, and command if a service of this machine is missing or its port is taken', () => {
    all('world', [
      ['aws s3 ls', 'An error occurred (ExpiredToken) when calling ListBuckets: The provided token has expired.', 254],
      ['gh pr view 3', 'HTTP 401: Bad credentials (https://host/graphql)\nTry authenticating with:  gh auth login'],
    ]);
    all('command', [
      ['redis-cli ping', 'Could not connect to Redis at localhost:6379: Connection refused'],
      ['docker build .', 'ERROR: Cannot connect to the Docker daemon at unix:///x. Is the docker daemon running?'],
      ['docker compose up', 'Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated'],
    ]);
  });

  it('is status if a request finds no service on this machine, or a wait was too short', () => {
    all('status', [
      [
        'curl http://localhost:3000/health',
        'curl: (7) Failed to connect to localhost port 3000: Connection refused',
        7,
      ],
      ['kubectl wait pod/web --timeout=10s', 'error: timed out waiting for the condition on pods/web'],
    ]);
  });

  it('is world if somebody has a lock, also where the agent removes it and the call works', () => {
    const locked = shell('git commit -m x', "fatal: Unable to create '/repo/.git/index.lock': File exists.", 128);
    assert.equal(classifyFailure(locked), 'world');
    const next = [shell('rm -f .git/index.lock', '', 0), shell('git commit -m x', '', 0)];
    assert.equal(
      classifyFailure(
        locked,
        next.map((call) => ({ ...call, outcome: 'success' }) as LiveCall),
      ),
      'world',
    );
  });

  it("is status if the project's own program was asked for something that it does not know, and for nothing like it later", () => {
    const tried = shell('/tmp/shop serve --bogus', 'Error: unknown flag: --bogus');
    assert.equal(classifyFailure(tried), 'status');
    const works = { ...shell('/tmp/shop serve --port', '', 0), outcome: 'success' } as LiveCall;
    assert.equal(classifyFailure(tried, [works]), 'command');
    assert.equal(classifyFailure(shell('kubectl get po --bogus', 'Error: unknown flag: --bogus')), 'command');
  });

  it('is verdict if a formatter prints what it would change', () => {
    all('verdict', [['gofmt -d a.go', 'diff a.go.orig a.go\n--- a.go.orig\n+++ a.go\n@@ -1,2 +1,2 @@\n-a\n+b']]);
  });

  it('is status if somebody ended a program that works on, and verdict if a program crashed', () => {
    all('status', [
      ['timeout 8 ./server', 'listening on :8080', 124],
      ['npm run watch', 'Watching for file changes.', 130],
      ['./server & sleep 3; kill -9 $!; wait $!', 'listening on :8080', 137],
    ]);
    all('verdict', [['./build/app', 'reading a.csv\nSegmentation fault (core dumped)', 139]]);
  });

  it('is exploration if a script of one use or a question meets other names or data', () => {
    all('exploration', [
      [
        "python3 -c \"import json; print(json.load(open('a.json'))['x'])\"",
        "Traceback (most recent call last):\nKeyError: 'x'",
      ],
      [
        'node -e "console.log(require(\'./a.json\').x.y)"',
        "TypeError: Cannot read properties of undefined (reading 'y')",
      ],
      ['jq ".a[]" b.json', 'jq: error (at b.json:1): Cannot iterate over null (null)', 5],
      ['kubectl describe pod web', 'Error from server (NotFound): pods "web" not found'],
      ['curl -fsS https://a.test/b', 'curl: (22) The requested URL returned error: 404', 22],
      ['brew info jqq', 'Error: No available formula with the name "jqq".'],
      ['curl -s https://a.test/b | jq .c', 'jq: parse error: Invalid numeric literal at line 1, column 10', 5],
    ]);
  });

  it('is command, not verdict, if a check does not come to judge', () => {
    all('command', [
      ['npx vitest run a.test.ts', ' RUN  v2.1.8\n\nNo test files found, exiting with code 1\n\nfilter: a.test.ts'],
      ['golangci-lint run', "Error: can't load config: unsupported version of the configuration", 3],
      ['psql -c "select vat from shop"', 'ERROR:  column "vat" does not exist\nLINE 1: select vat from shop'],
      ['just lint-all', 'error: Justfile does not contain recipe `lint-all`\nDid you mean `lint`?'],
      [
        'pip install yq',
        'error: externally-managed-environment\n\n× This environment is externally managed\n╰─> Use a venv',
      ],
    ]);
  });

  it('follows what came next, where the call itself does not tell', () => {
    const failure = shell('./sync.sh', 'Error: the shop is not in order');
    const after = (...steps: Parameters<typeof makeWindow>[0]) =>
      classifyFailure(failure, makeWindow(steps.map((step) => ({ cwd: ROOT, ...step }))).calls);
    assert.equal(after(), 'command');
    assert.equal(after(worked('./sync.sh')), 'world');
    assert.equal(after(worked('ls'), worked('./sync.sh')), 'world');
    assert.equal(after(worked('npm install'), worked('./sync.sh')), 'command', 'another command made it work');
    assert.equal(after(other('edit', '/repo/a'), worked('./sync.sh')), 'verdict');
    assert.equal(after(worked('./sync.sh --all')), 'command', 'another call worked');
  });

  it('counts a later call as the same if it repeats what had not run', () => {
    const failure = shell('npm install && ./sync.sh', 'Error: the shop is not in order');
    const after = (command: string) => classifyFailure(failure, makeWindow([{ cwd: ROOT, ...worked(command) }]).calls);
    assert.equal(after('./sync.sh'), 'world');
    assert.equal(after('npm install && ./sync.sh'), 'world');
    assert.equal(after('npm run build && ./sync.sh'), 'command', 'another command made it work');
  });

  it('follows what came next rather than the judgement of a check', () => {
    const failure = shell('pytest -q', 'tests/a.py:3: in run\n1 failed, 2 passed');
    const after = (...steps: Parameters<typeof makeWindow>[0]) =>
      classifyFailure(failure, makeWindow(steps.map((step) => ({ cwd: ROOT, ...step }))).calls);
    assert.equal(after(), 'verdict');
    assert.equal(after(other('edit', '/repo/a'), worked('pytest -q')), 'verdict');
    assert.equal(after(worked('pip install httpx'), worked('pytest -q')), 'command', 'something was missing');
    assert.equal(after(worked('npm run build'), worked('pytest -q')), 'command', 'something was stale');
    assert.equal(after(worked('cat a.py'), worked('pytest -q')), 'world', 'nothing changed');
    assert.equal(after(worked('ruff format'), worked('pytest -q')), 'verdict', 'a formatter edits');
    assert.equal(after(worked('git stash'), worked('pytest -q')), 'verdict', 'git may edit');
  });

  it('is one of the classes for any input', () => {
    const text = fc.string({ maxLength: 200 });
    fc.assert(
      fc.property(fc.constantFrom<ToolName>('shell', 'edit', 'mcp:x'), text, text, (tool, command, output) =>
        FAILURE_CLASSES.includes(classifyFailure(toFailure(tool, output, { command }))),
      ),
    );
  });
});
