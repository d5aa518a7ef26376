import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toSignature } from '../../src/base/text/signature.ts';
import { isKnownFixForAllProjects, isRepositoryCause } from '../../src/distill/gate/is-repository-cause.ts';

const judge = (command: string, message: string, more: { tags?: string[]; sub?: string[] } = {}): boolean => {
  const [program = ''] = command.split(' ');
  const name = program.split('/').at(-1) ?? '';
  const signature = toSignature(name, message)?.signature;
  assert.ok(signature);
  const triggers = { programs: [{ name, ...(more.sub && { sub: more.sub }) }] };
  const call = { tool: 'shell', rawTool: 'Bash', command, message } as const;
  return isRepositoryCause({ tags: more.tags ?? ['topic:cli-flag'], signature, triggers }, call);
};

describe('the cause of a failure', () => {
  it('is of no repository when a program does not know a word of its command line', () => {
    assert.equal(judge('gh pr diff --stat', 'unknown flag: --stat'), false);
    assert.equal(judge('cargo test --nocapture', "error: unexpected argument '--nocapture' found"), false);
    assert.equal(judge('gh pr view --json merged', 'Unknown JSON field: "merged"'), false);
    assert.equal(judge('git log --nocolor', 'fatal: unrecognized argument: --nocolor'), false);
    assert.equal(judge('find . -depth-max 1', "find: unknown predicate `-depth-max'"), false);
  });

  it('is of no repository when it is a rule of the shell or of a tool', () => {
    assert.equal(judge('grep x --include=*.go', 'zsh: no matches found', { tags: ['topic:shell-quoting'] }), false);
  });

  it('is of one when the repository lacks something', () => {
    assert.equal(judge('cargo test --lib', 'error: no library targets found in package `shop`'), true);
    assert.equal(judge('cargo run --bin web', 'error: no bin target named `web`.'), true);
    assert.equal(judge('go test ./x', 'no required module provides package x'), true);
  });

  it('is of one when the program is the repository’s own', () => {
    assert.equal(judge('./shipit deploy --fast', 'unknown flag: --fast'), true);
    assert.equal(judge('scripts/build --all', 'unknown option: --all'), true);
    assert.equal(judge('npm run lint --fast', 'unknown option: --fast', { sub: ['run', 'lint'] }), true);
    assert.equal(judge('mise run lint --fast', 'unknown option: --fast', { sub: ['run', 'lint'] }), true);
    assert.equal(judge('poe deploy --fast', 'unknown option: --fast'), true);
    assert.equal(judge('make deploy --fast', "make: unrecognized option '--fast'"), true);
  });
});

describe('the wrong use of a program or tool', () => {
  const isKnownEverywhere = (
    tool: 'shell' | 'edit',
    command: string,
    message: string,
    topic = 'known-fix',
  ): boolean => {
    const signature = toSignature(command.split(' ')[0] ?? '', message)?.signature;
    assert.ok(signature);
    const triggers = { tools: [tool], failure: true } as const;
    return isKnownFixForAllProjects(
      { tags: [`topic:${topic}`], signature, triggers },
      { tool, rawTool: 'x', command, message },
    );
  };

  it('is known in every project at once', () => {
    assert.equal(isKnownEverywhere('shell', 'gh pr diff 1 -- a', 'accepts at most 1 arg(s), received 2'), true);
    assert.equal(isKnownEverywhere('shell', 'ls *.x', 'zsh:1: no matches found: *.x'), true);
    assert.equal(isKnownEverywhere('edit', '', 'File has not been read yet.'), true);
  });

  it('is of one project where its own program, a path or a missing program is meant', () => {
    assert.equal(isKnownEverywhere('shell', 'bun src/cli.ts run --fast', 'unknown flag: --fast'), false);
    assert.equal(isKnownEverywhere('shell', 'npm run lint', 'sh: line 1: biome: command not found'), false);
    assert.equal(isKnownEverywhere('shell', 'gh pr list --x', 'unknown flag: --x', 'project-fix'), false);
  });
});
