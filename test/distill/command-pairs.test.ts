import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import type { Detector } from '../../src/distill/detector.ts';
import { changedForm } from '../../src/distill/propose/commands/changed-form.ts';
import { changedRunner } from '../../src/distill/propose/commands/changed-runner.ts';
import { missingOption } from '../../src/distill/propose/commands/missing-option.ts';
import { missingVariable } from '../../src/distill/propose/commands/missing-variable.ts';
import { missingWrapper } from '../../src/distill/propose/commands/missing-wrapper.ts';
import { scriptSyntax } from '../../src/distill/propose/commands/script-syntax.ts';
import { shellWord } from '../../src/distill/propose/commands/shell-word.ts';
import { swappedOption } from '../../src/distill/propose/commands/swapped-option.ts';
import { tooManyWords } from '../../src/distill/propose/commands/too-many-words.ts';
import { unquotedPattern } from '../../src/distill/propose/commands/unquoted-pattern.ts';
import { wrongEndpoint } from '../../src/distill/propose/commands/wrong-endpoint.ts';
import { ignoredPath } from '../../src/distill/propose/paths/ignored-path.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, other, worked } from './session-script.ts';

interface Pair {
  readonly detector: Detector;
  readonly wrong: string;
  readonly said: string;
  readonly right: string;
  readonly summary: RegExp;
  readonly speaks?: readonly string[];
  readonly silent?: readonly string[];
}

const NOT_FOUND = 'gh: Not Found (HTTP 404)\n{\n  "message": "Not Found",\n  "status": "404"\n}';

const PAIRS: readonly Pair[] = [
  {
    detector: ignoredPath,
    wrong: 'git add README.md build/cli/main.ts',
    said: 'The following paths are ignored by one of your .gitignore files:\nbuild/cli\nhint: Use -f if you really want to add them.',
    right: 'git add -f -- build/cli/main.ts',
    summary: /^git ignores `build\/cli`, and `git add` fails as a whole: what is wanted from there needs `-f`/,
    speaks: ['git add ./build/cli/other.ts', 'git status && git add build/cli'],
    silent: [
      'git add README.md',
      'git add build/client/x.ts',
      'git commit -m "build/cli"',
      'git add --force build/cli/x',
    ],
  },
  {
    detector: changedRunner,
    wrong: 'pytest tests/api -q',
    said: "ModuleNotFoundError: No module named 'httpx'",
    right: 'uv run pytest tests/api -q',
    summary: /^`pytest` runs in the wrong environment here: run it through `uv run`$/,
    speaks: ['pytest -x', 'cd api && pytest tests'],
    silent: ['uv run pytest', '.venv/bin/pytest tests', 'grep pytest pyproject.toml', 'pytest --version'],
  },
  {
    detector: changedRunner,
    wrong: 'python tools/seed.py --all',
    said: "Traceback (most recent call last):\nModuleNotFoundError: No module named 'sqlalchemy'",
    right: '.venv/bin/python tools/seed.py --all',
    summary: /use `\.venv\/bin\/python` instead of `python`$/,
    speaks: ['python manage.py migrate'],
    silent: ['.venv/bin/python manage.py migrate', 'python3 -V'],
  },
  {
    detector: changedRunner,
    wrong: 'npm run build',
    said: 'error: This project is configured to use pnpm',
    right: 'pnpm build',
    summary: /use `pnpm/,
    speaks: ['npm run lint'],
    silent: ['pnpm run lint', 'npm view zod version'],
  },
  {
    detector: missingOption,
    wrong: 'psql shop -c "select 1"',
    said: 'psql: error: FATAL: role "root" does not exist',
    right: 'psql -U postgres shop -c "select 1"',
    summary: /^`psql` needs `-U` here/,
    speaks: ['psql shop -c "select 2"'],
    silent: ['psql -U postgres shop', 'pg_dump shop'],
  },
  {
    detector: unquotedPattern,
    wrong: 'grep -rn "open" --include=*.rs src',
    said: '(eval):1: no matches found: --include=*.rs',
    right: 'grep -rn "open" --include=\'*.rs\' src',
    summary: /^The shell \(zsh\) takes `--include=` with `\*` for a file pattern: put .* in quotes$/,
    speaks: ['grep -r foo --include=*.ts .', 'ls && grep -l x --include=*_test.py .'],
    silent: ['grep -r foo --include="*.ts" .', 'grep -r "--include=*.ts" .', 'grep -rn open src'],
  },
  {
    detector: unquotedPattern,
    wrong: 'gh api repos/o/r/issues/5/comments?per_page=100 --jq length',
    said: 'zsh:1: no matches found: repos/o/r/issues/5/comments?per_page=100',
    right: 'gh api "repos/o/r/issues/5/comments?per_page=100" --jq length',
    summary: /with `\?` in quotes$/,
    speaks: ['gh api repos/o/r/pulls?state=open'],
    silent: [
      'gh api "repos/o/r/pulls?state=open"',
      'gh api repos/o/r/pulls',
      'gh api graphql -f body="why not pulls?state=open here"',
      "gh api graphql -f q='a b?c=d'",
    ],
  },
  {
    detector: unquotedPattern,
    wrong: 'curl -I http://localhost:3000/?view=all',
    said: 'zsh:1: no matches found: http://localhost:3000/?view=all',
    right: 'curl -s "http://localhost:3000/api?type=new"',
    summary: /with `\?` in quotes$/,
    speaks: ['curl http://localhost:8080/?q=1', 'curl -s http://localhost/api?x=2 | jq .'],
    silent: ['curl "http://localhost:8080/?q=1"', 'curl http://localhost:8080/', "curl 'http://localhost/api?x=2'"],
  },
  {
    detector: unquotedPattern,
    wrong: 'pip install httpx[http2]',
    said: 'zsh: no matches found: httpx[http2]',
    right: "pip install 'httpx[http2]'",
    summary: /with `\[` in quotes$/,
    speaks: ['pip install -U uvicorn[standard]'],
    silent: ['pip install "uvicorn[standard]"', 'pip install uvicorn'],
  },
  {
    detector: shellWord,
    wrong: 'make -s check; status=$?; echo $status',
    said: 'zsh:1: read-only variable: status',
    right: 'make -s check; rc=$?; echo $rc',
    summary: /^`status` is a read-only variable/,
    speaks: [
      'npm test; status=$?',
      'status=$(git rev-parse HEAD)',
      'if a; then export status=1; fi',
      'A="x y" status=1 b',
    ],
    silent: [
      'git status',
      'npm test; exit_status=$?',
      'rc=$?; echo status',
      'gh api repos/o/r/statuses/1 -f status=success',
      'make status=1',
      'echo "the status=1 here"',
      'git commit -m "set it; status=1"',
      "cat > a.sh <<'EOF'\nstatus=1\nEOF",
    ],
  },
  {
    detector: shellWord,
    wrong: 'head -3 a.txt; echo ===; head -3 b.txt',
    said: '(eval):1: == not found',
    right: 'head -3 a.txt; echo "==="; head -3 b.txt',
    summary: /quote it/,
    speaks: ['echo ====='],
    silent: [
      'echo "=== a ==="',
      'echo "a === b"',
      "printf 'a == b'",
      '[ a == b ]',
      "jq '.[] | select(.a == 1)' x.json",
    ],
  },
  {
    detector: missingWrapper,
    wrong: 'timeout 5 go vet ./store',
    said: 'zsh:1: command not found: timeout',
    right: 'go vet ./store',
    summary: /^`timeout` is not on the PATH here/,
    speaks: [
      'timeout 60 npm test',
      'cd a && timeout -k 5 30 make',
      'A=1 timeout 5 b',
      'x=$(timeout 5 b)',
      'ls | xargs timeout 5 cat',
      'if true; then timeout 9 b; fi',
    ],
    silent: [
      'git commit -m "raise timeout for tests"',
      'git commit -m "fix: a; timeout 5 was too short"',
      'grep -rn timeout src/',
      'command -v timeout || true',
      'which timeout gtimeout',
      "cat > run.sh <<'EOF'\ntimeout 5 b\nEOF",
      'gtimeout 5 b',
      'npm test -- --timeout 5',
    ],
  },
  {
    detector: scriptSyntax,
    wrong: "jq 'map({\n  id: .a // .b,\n  name: .name,\n  path: .path\n})' x.json",
    said: "jq: error: syntax error, unexpected //, expecting '}' at <top-level>, line 2:\n  id: .a // .b,\njq: 1 compile error",
    right: "jq 'map({\n  id: (.a // .b),\n  name: .name,\n  path: .path\n})' x.json",
    summary: /^`jq` does not understand `id: \.a \/\/ \.b`: use `id: \(\.a \/\/ \.b\)`$/,
    silent: ["jq '.id' x.json"],
  },
  {
    detector: tooManyWords,
    wrong: 'gh pr diff 12 -- src/a.ts src/b.ts',
    said: 'accepts at most 1 arg(s), received 3',
    right: 'gh pr diff 12',
    summary: /^`gh pr diff` takes at most one argument and nothing after `--`/,
    speaks: ['gh pr diff 7 -- README.md | head'],
    silent: ['gh pr diff 7', 'gh pr view 7 -- x', 'git diff -- README.md'],
  },
  {
    detector: tooManyWords,
    wrong: 'gh pr diff 12 src/a.ts',
    said: 'accepts at most 1 arg(s), received 2',
    right: 'gh api repos/o/r/pulls/12/files',
    summary: /takes at most one argument: use `gh api/,
    speaks: ['gh pr diff 7 README.md'],
    silent: ['gh pr diff 7', 'gh pr diff'],
  },
  {
    detector: wrongEndpoint,
    wrong: 'gh api repos/o/r/pulls/comments/2761673774/replies -f body="done"',
    said: NOT_FOUND,
    right: 'gh api repos/o/r/pulls/141/comments/2761673774/replies -f body="done"',
    summary:
      /^There is no `repos\/\{owner\}\/\{repo\}\/pulls\/comments\/\{id\}\/replies`: it is `repos\/\{owner\}\/\{repo\}\/pulls\/\{id\}\/comments\/\{id\}\/replies`$/,
    speaks: ['gh api repos/other/name/pulls/comments/55512345/replies -f body=x'],
    silent: ['gh api repos/o/r/pulls/comments/55512345', 'gh api repos/o/r/pulls/7/comments/5/replies'],
  },
  {
    detector: wrongEndpoint,
    wrong: 'gh api repos/o/r/pulls/9/comments/2738948818 --jq .body',
    said: NOT_FOUND,
    right: "gh api repos/o/r/pulls/9/comments --jq '.[] | select(.id == 2738948818) | .body'",
    summary: /it is `repos\/\{owner\}\/\{repo\}\/pulls\/\{id\}\/comments`/,
    speaks: ['gh api repos/o/r/pulls/12/comments/99'],
    silent: ['gh api repos/o/r/pulls/12/comments/99/replies', 'gh api repos/o/r/pulls/12/comments'],
  },
  {
    detector: swappedOption,
    wrong: 'gh api repos/o/r/pulls/7/comments -f body="x" -f in_reply_to=123',
    said: '{"message":"Invalid request.\\n\\nFor \'properties/in_reply_to\', \\"123\\" is not a number."}',
    right: 'gh api repos/o/r/pulls/7/comments -f body="x" -F in_reply_to=123',
    summary: /use `-F in_reply_to=<text>`$/,
    speaks: ['gh api repos/a/b/pulls/1/comments -f in_reply_to=9'],
    silent: ['gh api repos/a/b/pulls/1/comments -F in_reply_to=9 -f body=in_reply_to'],
  },
  {
    detector: changedForm,
    wrong: 'go run /tmp/x_test.go',
    said: 'go: cannot run *_test.go files (/tmp/x_test.go)',
    right: 'go run /tmp/x.go',
    summary: /^`go run` does not take `\*_test\.go`/,
    speaks: ['go run ./scratch_test.go'],
    silent: ['go run ./main.go', 'go test ./x_test.go'],
  },
  {
    detector: changedForm,
    wrong: 'go build -o ./bin/tool ./cmd/...',
    said: 'go: cannot write multiple packages to non-directory ./bin/tool',
    right: 'go build -o ./bin/tool ./cmd/tool',
    summary: /^`go build -o` does not take `\*\/\.\.\.`/,
    speaks: ['go build -o out ./...'],
    silent: ['go build ./...', 'go build -o out ./cmd/x'],
  },
  {
    detector: missingOption,
    wrong: 'git push',
    said: 'fatal: The current branch blue has no upstream branch.\nTo push the current branch and set the remote as upstream, use\n\n    git push --set-upstream origin blue',
    right: 'git push --set-upstream origin blue',
    // Not the branch of that day: on another one it would push the wrong thing.
    summary: /^`git push` needs `--set-upstream` here: add `--set-upstream origin HEAD`$/,
    speaks: ['git push', 'git push 2>&1 | tail -3', 'git push origin', 'git commit -qm x && git push'],
    silent: ['git push -u origin blue', 'git push -u origin HEAD', 'git push origin main', 'git push --tags origin v1'],
  },
  {
    detector: missingOption,
    wrong: 'go test ./internal/e2e/',
    said: 'package x/internal/e2e: build constraints exclude all Go files in /repo/internal/e2e',
    right: 'go test -tags=e2e ./internal/e2e/',
    summary: /^`go test` needs `-tags` here/,
    speaks: ['go test -v ./internal/e2e/...'],
    silent: ['go test -tags e2e ./internal/e2e', 'go test ./internal/core'],
  },
  {
    detector: missingVariable,
    wrong: 'go list ./...',
    said: 'open /home/u/.cache/go-build/69/x-a: operation not permitted',
    right: 'env GOCACHE=/tmp/go-build go list ./...',
    summary: /^`go list` needs `GOCACHE` here: set `GOCACHE=<path>`$/,
    speaks: ['go list -m all'],
    silent: ['GOCACHE=/tmp/x go list -m all', 'go version'],
  },
];

describe('pairs of commands', () => {
  for (const { detector, wrong, said, right, summary, speaks: on = [], silent = [] } of PAIRS) {
    it(`${detector.name}: ${wrong.split('\n')[0]}`, () => {
      const [finding, ...more] = detectWith(detector, failed(wrong, said), worked('ls'), worked(right));
      assert.ok(finding, 'nothing was seen');
      assert.deepEqual(more, []);
      assert.match(finding.summary, summary);
      assert.equal(finding.fixingCallId, 'call-2');
      assert.ok(speaks(finding, wrong), 'silent on its own mistake');
      assert.ok(!speaks(finding, right), 'speaks on its own fix');
      for (const command of on) assert.ok(speaks(finding, command), `silent on ${command}`);
      for (const command of silent) assert.ok(!speaks(finding, command), `speaks on ${command}`);
    });

    it(`${detector.name} sees nothing where nothing was mended: ${wrong.split('\n')[0]}`, () => {
      assert.deepEqual(detectWith(detector, failed(wrong, said), worked('ls'), other('read', '/repo/a.ts')), []);
      assert.deepEqual(detectWith(detector, failed(wrong, 'connection refused'), worked(right)), []);
      assert.deepEqual(detectWith(detector, worked(wrong, said), worked(right)), []);
    });

    it(`${detector.name} asks for linear patterns only: ${wrong.split('\n')[0]}`, () => {
      v8.setFlagsFromString('--enable-experimental-regexp-engine');
      const [finding] = detectWith(detector, failed(wrong, said), worked(right));
      const { command, line } = finding?.triggers ?? {};
      for (const source of [...(command?.match ?? []), ...(line?.match ?? []), ...(line?.unless ?? [])])
        assert.doesNotThrow(() => new RegExp(source, 'l'));
    });
  }
});

describe('the words of a lesson', () => {
  it('are as wide as its trigger: no repository is named where any is meant', () => {
    const [finding] = detectWith(
      wrongEndpoint,
      failed('gh api repos/acme/shop/pulls/comments/2761673774/replies -f body=x', NOT_FOUND),
      worked('gh api repos/acme/shop/pulls/141/comments/2761673774/replies -f body=x'),
    );
    assert.ok(finding);
    const { summary, mistake, remediation, intentKey } = finding;
    for (const text of [summary, mistake, remediation, intentKey]) assert.doesNotMatch(text, /acme|shop/);
    assert.match(remediation, /`gh api repos\/\{owner\}\/\{repo\}\/pulls\/\{id\}\/comments\/\{id\}\/replies/);
  });
});

describe('a form that an option does not take', () => {
  it('is no matter of a folder, or of nothing at all', () => {
    const said = 'go: cannot write multiple packages to non-directory bin/app';
    const steps = [failed('go build -o bin/app ./...', said), worked('go build -o bin/app ./cmd/app')];
    const [finding] = detectWith(changedForm, ...steps);
    assert.ok(finding);
    assert.ok(speaks(finding, 'go build -o out/x ./...'));
    for (const right of ['go build -o bin/ ./...', 'go build -o "bin/" ./...', 'go build -o /dev/null ./...'])
      assert.ok(!speaks(finding, right), right);
  });
});

describe('what only looks like a pair', () => {
  it('a pattern for which there are no files today is no matter of quotes', () => {
    const said = 'zsh: no matches found: *.log';
    assert.deepEqual(detectWith(unquotedPattern, failed('rm *.log', said), worked('rm -f a.txt')), []);
  });

  it('too few words are not too many', () => {
    const steps = [failed('gh pr diff', 'accepts 1 arg(s), received 0'), worked('gh pr diff 12')];
    assert.deepEqual(detectWith(tooManyWords, ...steps), []);
  });

  it('a path that works for another number was no wrong path', () => {
    const [wrong, right] = ['gh api repos/o/r/issues/9/labels', 'gh api repos/o/r/issues/pulls/9/labels'];
    const steps = [failed(wrong, NOT_FOUND), worked('gh api repos/o/r/issues/8/labels'), worked(right)];
    assert.deepEqual(detectWith(wrongEndpoint, ...steps), []);
  });

  it('another id in the same path is a slip', () => {
    const steps = [failed('gh api repos/o/r/issues/9', NOT_FOUND), worked('gh api repos/o/r/issues/8')];
    assert.deepEqual(detectWith(wrongEndpoint, ...steps), []);
  });

  it('a file that is not there teaches nothing about its form', () => {
    const steps = [
      failed('go run ./x_test.go', 'stat ./x_test.go: no such file or directory'),
      worked('go run ./x.go'),
    ];
    assert.deepEqual(detectWith(changedForm, ...steps), []);
  });

  it('forcing is never a lesson', () => {
    const said = 'error: failed to push some refs. Use --force to overwrite';
    assert.deepEqual(detectWith(missingOption, failed('git push', said), worked('git push --force')), []);
  });

  it('a secret in a variable is never told', () => {
    const steps = [failed('npm publish', 'need auth'), worked('NPM_TOKEN=abcdef npm publish')];
    assert.deepEqual(detectWith(missingVariable, ...steps), []);
  });

  it('a variable that makes a program say more mends nothing', () => {
    for (const name of ['GIT_TRACE', 'DEBUG', 'RUST_LOG', 'NODE_DEBUG']) {
      const steps = [failed('git stash push', 'error: could not write index'), worked(`${name}=1 git stash push`)];
      assert.deepEqual(detectWith(missingVariable, ...steps), [], name);
    }
  });

  it('of a script of many commands, and of what is only sourced, nobody knows what a variable was for', () => {
    const long = 'npm ci; npm run a; npm run b; npm run seed -- --all';
    const said = 'Error: no database';
    assert.deepEqual(detectWith(missingVariable, failed(long, said), worked(`BASE=main npm run seed -- --all`)), []);
    assert.deepEqual(detectWith(missingVariable, failed('. ops/env.sh', said), worked('BASE=main . ops/env.sh')), []);
  });

  it('another address in quotes is no remedy of a pattern of files', () => {
    const wrong = failed('rm *.log', 'zsh: no matches found: *.log');
    assert.deepEqual(detectWith(unquotedPattern, wrong, worked('rm "a*.txt"')), []);
    const option = failed('grep -r x --include=*.go .', 'zsh: no matches found: --include=*.go');
    assert.deepEqual(detectWith(unquotedPattern, option, worked('grep -r x --exclude="*.go" .')), []);
  });

  it('a verdict on the code is not mended by a variable', () => {
    const steps = [failed('go test ./...', '--- FAIL: TestX (0.00s)'), worked('CI=1 go test ./...')];
    assert.deepEqual(detectWith(missingVariable, ...steps), []);
  });
});
