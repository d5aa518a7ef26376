import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import v8 from 'node:v8';
import type { Detector } from '../../src/distill/detector.ts';
import { missingWrapper } from '../../src/distill/propose/commands/missing-wrapper.ts';
import { unquotedPattern } from '../../src/distill/propose/commands/unquoted-pattern.ts';
import { ignoredPath } from '../../src/distill/propose/paths/ignored-path.ts';
import { repair } from '../../src/distill/propose/repair/repair.ts';
import { detectAll, detectWith, speaks } from './detect-pairs.ts';
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
    detector: repair,
    wrong: 'psql shop -c "select 1"',
    said: 'psql: error: FATAL: role "root" does not exist',
    right: 'psql -U postgres shop -c "select 1"',
    summary: /: run `psql -U postgres <a …>` instead of `psql <a …>`$/,
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

describe('what only looks like a pair', () => {
  it('a pattern for which there are no files today is no matter of quotes', () => {
    const said = 'zsh: no matches found: *.log';
    assert.deepEqual(detectWith(unquotedPattern, failed('rm *.log', said), worked('rm -f a.txt')), []);
  });

  it('what forces waits for a person', () => {
    const said = 'error: failed to push some refs. Use --force to overwrite';
    const findings = detectAll(failed('git push', said), worked('git push --force'));
    for (const { caution } of findings) assert.match(caution ?? '', /forces/);
  });

  it('another address in quotes is no remedy of a pattern of files', () => {
    const wrong = failed('rm *.log', 'zsh: no matches found: *.log');
    assert.deepEqual(detectWith(unquotedPattern, wrong, worked('rm "a*.txt"')), []);
    const option = failed('grep -r x --include=*.go .', 'zsh: no matches found: --include=*.go');
    assert.deepEqual(detectWith(unquotedPattern, option, worked('grep -r x --exclude="*.go" .')), []);
  });
});
