import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { findNeededProgram, listProven, listTouched } from '../../src/base/shell/changed-things.ts';
import { toExactKey } from '../../src/base/shell/exact-call.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { findNeeds } from '../../src/distill/episodes/find-needs.ts';
import { failed, makeWindow, other, type Step, worked } from './session-script.ts';

const ROOT = '/repo';

/** As capture makes it. */
function toCall(step: Step): LiveCall {
  const [call] = makeWindow([{ cwd: ROOT, projectRoot: ROOT, ...step }]).calls;
  assert(call !== undefined);
  const { tool, rawTool, command, output = '', cwd } = call;
  const found = call.outcome === 'failure' ? toSignature(command?.split(' ')[0] ?? tool, output) : undefined;
  const json = JSON.stringify(call.parameters ?? {});
  const exactKey = toExactKey(
    { tool, rawTool, input: { json, ...(command === undefined ? {} : { command }) }, cwd },
    ROOT,
  );
  return {
    ...call,
    ...(exactKey === undefined ? {} : { exactKey }),
    ...(found === undefined ? {} : { signature: found.signature, message: found.causeLine }),
  };
}

function isRemembered(step: Step): boolean {
  return findNeeds(toCall(step)) !== undefined;
}

/** Does the working step settle the failed one? */
function settles(failing: Step, working: Step): boolean {
  const needs = findNeeds(toCall(failing));
  assert(needs !== undefined, `${failing.command} is not remembered`);
  return listTouched(toCall(working), ROOT).some((thing) => needs.includes(thing));
}

/** Would the step repeat the failed one? */
function repeats(failing: Step, asked: Step): boolean {
  const needs = findNeeds(toCall(failing));
  assert(needs !== undefined, `${failing.command} is not remembered`);
  return listProven(toCall(asked), ROOT).some((thing) => needs.includes(thing));
}

const UNKNOWN_FLAG = failed('shipit deploy --fast prod', 'error: unknown flag --fast');
const MISSING = failed('shipit pack docs/guide.md', 'shipit: template page is broken');

describe('a failed call that is remembered', () => {
  it('names its absent program in another call, and none where the words were wrong', () => {
    const absent = findNeeds(toCall(failed('frobctl list', 'bash: frobctl: command not found', 127))) ?? [];
    assert.equal(findNeededProgram(toCall(failed('cd app && frobctl show', '')), absent), 'frobctl');
    assert.equal(findNeededProgram(toCall(failed('shipit show', '')), absent), undefined);
    const wrong = findNeeds(toCall(UNKNOWN_FLAG)) ?? [];
    assert.equal(findNeededProgram(toCall(UNKNOWN_FLAG), wrong), undefined);
  });

  it('is one whose failure is about the call itself', () => {
    assert(isRemembered(UNKNOWN_FLAG));
    assert(isRemembered(MISSING));
    assert(isRemembered(failed('cd app && shipit sync', 'shipit: no profile named app')));
    assert(isRemembered(failed('frobctl list', 'bash: frobctl: command not found', 127)));
    assert(isRemembered(failed('ls --nonsense', "ls: unrecognized option '--nonsense'", 2)), 'the words of a look');
  });

  it('is no check that judged the code, no look, no request and no hidden failure', () => {
    for (const [command, output] of [
      ['go test ./cart', '--- FAIL: TestCart (0.00s)\n    cart_test.go:12: want 2, got 1\nFAIL'],
      ['npm run lint', 'src/cart.ts:3:1 error no-unused-vars'],
      ['npx tsc -p .', "src/cart.ts(3,1): error TS2304: Cannot find name 'cart'."],
      ['ls missing', 'ls: missing: No such file or directory'],
      ['cat docs/a.md', 'cat: docs/a.md: No such file or directory'],
      ['curl -f https://a.example/x', 'curl: (22) The requested URL returned error: 404'],
      ['shipit deploy', 'connect: connection refused'],
      ['shipit deploy', 'error: rate limit exceeded'],
      ['shipit deploy | tail -3', 'shipit: template page is broken'],
      ['shipit deploy; echo done', 'shipit: template page is broken'],
      ['shipit deploy --help', 'shipit: template page is broken'],
    ] as const)
      assert(!isRemembered(failed(command, output)), command);
    assert(!isRemembered({ ...MISSING, masked: true }), 'a masked failure');
    assert(!isRemembered({ ...MISSING, outcome: 'denied' }), 'a refusal');
  });

  it('of another tool is a call with input that the tool does not take', () => {
    const read: Step = { tool: 'read', rawTool: 'Read', outcome: 'failure', targetPath: '/repo/a.txt' };
    assert(isRemembered({ ...read, output: 'File content (90000 tokens) exceeds maximum allowed tokens (25000).' }));
    assert(!isRemembered({ ...read, output: 'File does not exist.' }));
    const query: Step = { tool: 'mcp:db', rawTool: 'mcp__db__q', outcome: 'failure', output: 'unknown parameter "x"' };
    assert(isRemembered(query));
    const edit: Step = { tool: 'edit', outcome: 'failure', output: 'String to replace not found in file.' };
    assert(!isRemembered(edit));
  });
});

describe('a working call', () => {
  it('settles the same call, unless its outcome is hidden or still open', () => {
    assert(settles(UNKNOWN_FLAG, worked('shipit  deploy --fast "prod"')));
    assert(!settles(UNKNOWN_FLAG, worked('shipit deploy --fast prod | tail -1')));
    assert(!settles(UNKNOWN_FLAG, { ...worked('shipit deploy --fast prod'), outcomeType: 'background' }));
    assert(!settles(UNKNOWN_FLAG, worked('shipit deploy --quick prod')));
    assert(settles(UNKNOWN_FLAG, worked('shipit deploy --fast staging')), 'the option that the error names');
  });

  it('settles calls that name what it changed', () => {
    assert(settles(MISSING, other('edit', '/repo/docs/guide.md')), 'the file');
    assert(
      settles(failed('shipit pack docs', 'shipit: page is broken'), other('write', '/repo/docs/b/c.md')),
      'its folder',
    );
    assert(!settles(MISSING, other('edit', '/repo/src/main.ts')), 'another file');
    assert(settles(MISSING, worked('cp /tmp/x docs/guide.md')), 'a command that names the file');
    assert(settles(MISSING, worked('echo "# Guide" > docs/guide.md')), 'the file behind >');
    assert(!settles(MISSING, worked('cat docs/guide.md')), 'a look');
    assert(!settles(MISSING, worked('grep -r guide.md . 2>/dev/null')));
  });

  it('settles calls whose error names what it installed', () => {
    const missing = failed('frobctl list', 'bash: frobctl: command not found', 127);
    assert(settles(missing, worked('apt-get install -y frobctl')));
    assert(!settles(missing, worked('apt-get install -y other')));
    assert(settles(missing, worked('frobctl show')), 'the program is there again');
    assert(!settles(missing, worked('frobctl show || true')), 'hidden');
    assert(!settles(failed('frobctl lst', 'frobctl: unknown command: lst'), worked('frobctl show')), 'a wrong word');
    assert(!settles(missing, worked('/opt/frob/bin/frobctl show')), 'at its path it was there all the time');
    assert(!settles(missing, worked('PATH=/opt/frob/bin:$PATH frobctl show')), 'on a path that only this line has');
    assert(!settles(failed('cd app && frobctl list', 'bash: frobctl: command not found', 127), worked('cd app')));
  });

  it('settles no rejected word by having it, as the correction often does, but by a file of that name', () => {
    const rejected = failed('shipit bun run check', "error: unrecognized subcommand 'bun'", 2);
    assert(!settles(rejected, worked('shipit test bun run check')), 'the correction');
    assert(settles(rejected, other('write', '/repo/plugins/bun/main.ts')), 'a file that may bring it');
    const skill: Step = { tool: 'other', rawTool: 'Skill', outcome: 'failure', output: 'Unknown skill: tidy' };
    assert(!settles({ ...skill, parameters: { skill: 'tidy' } }, worked('cargo-ish run tidy')));
    assert(settles({ ...skill, parameters: { skill: 'tidy' } }, other('write', '/repo/.skills/tidy/SKILL.md')));
  });

  it('settles calls of a program that works on the same state, but not wrong words', () => {
    assert(settles(failed('shipit publish', 'shipit: version 3 is taken'), worked('shipit bump')));
    assert(!settles(failed('shipit publish', 'shipit: version 3 is taken'), worked('otherctl bump')));
    assert(!settles(UNKNOWN_FLAG, worked('shipit bump')));
  });

  it('settles every call that runs code, if it is an edit', () => {
    const edit = other('edit', '/repo/lib/a.ts');
    for (const command of ['node tools/seed.js', 'npm run seed', './seed', 'python -c "import a"', 'uv run seed'])
      assert(settles(failed(command, 'seed: the table is broken'), edit), command);
    assert(!settles(failed('shipit seed', 'shipit: the table is broken'), edit));
  });
});

describe('a check that could not begin', () => {
  const refused = failed('frobtest run', 'frobtest: needs runtime 20, this is runtime 14');
  const test = { ...refused, command: 'npm test' };

  it('is remembered, and settled only by itself or by a file that its error names', () => {
    assert(isRemembered(test));
    assert(settles(test, worked('npm test')));
    assert(!settles(test, worked('npm run lint')));
    assert(!settles(test, other('edit', 'src/cart.ts')));
    const unread = { ...test, output: 'frobtest: the settings in frob.toml are too old' };
    assert(settles(unread, other('edit', 'frob.toml')));
  });
});

describe('a call that is about to run', () => {
  const missing = failed('frobctl list', 'bash: frobctl: command not found', 127);

  it('repeats the same call, but no other call of the program', () => {
    assert(repeats(MISSING, worked('shipit  pack "docs/guide.md"')));
    assert(!repeats(MISSING, worked('shipit pack docs/other.md')));
    assert(!repeats(MISSING, worked('cd docs && shipit pack docs/guide.md')), 'another folder');
  });

  it('repeats words that the program rejected in another folder, unless the project has the program', () => {
    assert(repeats(UNKNOWN_FLAG, worked('cd app && shipit deploy --fast prod')));
    assert(!repeats(UNKNOWN_FLAG, worked('cd app && shipit deploy prod')));
    const script = failed('./deploy.sh --fast', 'error: unknown flag --fast');
    assert(!repeats(script, worked('cd app && ./deploy.sh --fast')));
  });

  it('repeats any call of a program that was absent, unless it looks elsewhere for it', () => {
    assert(repeats(missing, worked('frobctl show')));
    assert(!repeats(missing, worked('/opt/frob/bin/frobctl show')));
    assert(!repeats(missing, worked('export PATH=$PATH:/opt/frob/bin && frobctl show')));
    assert(!repeats(missing, worked('which frobctl')));
  });
});
