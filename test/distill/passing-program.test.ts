import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toSignature } from '../../src/base/text/signature.ts';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { findCures } from '../../src/distill/episodes/find-cures.ts';
import { failed, makeWindow, type Step, worked } from './session-script.ts';

/** What a lesson or a known fix would say. */
function learn(...steps: readonly [Step, ...Step[]]): readonly string[] {
  const window = toWindow(steps);
  return [
    ...findCures(window).map(({ cure }) => cure.text),
    ...listLessons(window).map(({ remediation }) => remediation),
  ];
}

function toWindow([wrong, ...next]: readonly [Step, ...Step[]]) {
  const { command = '', output = '' } = wrong;
  const cause = toSignature(command.split(' ')[0] ?? '', output);
  const signed = cause === undefined ? wrong : { ...wrong, signature: cause.signature, message: cause.causeLine };
  return makeWindow([signed, ...next]);
}

function listLessons(window: ReturnType<typeof toWindow>) {
  return detectFindings(window).filter(({ episodeOnly, kind }) => !episodeOnly && kind !== 'code-edit');
}

describe('a program in a temporary folder', () => {
  for (const place of ['/tmp/b', '/private/tmp/b', '/var/folders/z1/T', '$TMPDIR', '"$TMPDIR"', `\${TMPDIR}`])
    it(`is of that day: ${place}`, () => {
      const wrong = failed(`${place}/shipit deploy --fast prod`, 'unknown flag: --fast');
      assert.deepEqual(learn(wrong, worked(`${place}/shipit deploy --quick prod`)), []);
    });

  it('is so as the script of an interpreter, but not what the interpreter needs', () => {
    const wrong = failed('python3 /tmp/load.py --fast prod', 'unknown flag: --fast');
    assert.deepEqual(learn(wrong, worked('python3 /tmp/load.py --quick prod')), []);
    const missing = failed('python3 /tmp/load.py prod', "ModuleNotFoundError: No module named 'numpy'");
    assert.ok(learn(missing, worked('.venv/bin/python3 /tmp/load.py prod')).length > 0);
  });

  it('is not so if only its objects are there, or if it lies elsewhere', () => {
    for (const [program, object] of [
      ['shipit', '/tmp/out'],
      ['/opt/tmp/shipit', 'prod'],
      ['./tmp/shipit', 'prod'],
    ])
      assert.ok(
        learn(
          failed(`${program} deploy --fast ${object}`, 'unknown flag: --fast'),
          worked(`${program} deploy --quick ${object}`),
        ).length > 0,
        program,
      );
  });
});

describe('a program of every machine that is not found', () => {
  for (const [program, words] of [
    ['head', '-3 a.txt'],
    ['grep', '-n x a.txt'],
    ['ls', 'src'],
    ['cat', 'a.txt'],
    ['uname', '-a'],
  ])
    it(`was lost with the PATH, so only the same error shows its fix (${program})`, () => {
      const wrong = failed(`PATH=/x; ${program} ${words}`, `zsh:1: command not found: ${program}`, 127);
      const window = toWindow([wrong, worked(`/usr/bin/${program} ${words}`, 'x')]);
      assert.ok(findCures(window).length > 0);
      assert.deepEqual(
        listLessons(window).filter(({ triggers }) => triggers.failure !== true),
        [],
      );
    });

  it('teaches where another one is', () => {
    const wrong = failed('shipit deploy prod', 'zsh:1: command not found: shipit', 127);
    assert.ok(learn(wrong, worked('/opt/bin/shipit deploy prod')).length > 0);
  });
});

describe('a word that begins with `=` in zsh', () => {
  const QUOTE = 'put quotes around a word that begins with `=`, because zsh takes it for the path of a program';

  for (const [line, said, later] of [
    ['echo === a ===', '(eval):1: == not found', "echo '=== a ==='"],
    ['echo === a ===; git log', 'zsh:1: == not found', 'echo --- a ---; git log'],
    ['printf =x', 'zsh: x not found', 'printf "=x"'],
  ] as const)
    it(`has to be quoted: ${line}`, () => {
      // Before such a call, and with the error.
      const told = learn(failed(line, said), worked(later, 'a')).map((text) => text.replace(/[.]$/, '').toLowerCase());
      assert.deepEqual([...new Set(told)], [QUOTE.toLowerCase()]);
    });

  it('is no other advice where no later call was without it', () => {
    const wrong = failed('echo === a; shipit x', 'zsh:1: == not found');
    assert.deepEqual(learn(wrong, worked('echo --- === a; shipit x', 'a')), []);
    assert.deepEqual(learn(wrong, worked('ls')), []);
  });
});
