import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bareWord } from '../../src/distill/propose/commands/bare-word.ts';
import { makeSigned, speaks } from './detect-pairs.ts';
import { failed, type Step, worked } from './session-script.ts';

const detect = (...steps: readonly Step[]) => bareWord.detect(makeSigned(steps));
const UNMATCHED = 'zsh:1: no matches found: repos/o/r/contents/a.ts?ref=main';

describe('a word without quotes that the shell replaced', () => {
  it('needs quotes wherever such a word comes again', () => {
    const [finding] = detect(
      failed('gh api repos/o/r/contents/a.ts?ref=main', UNMATCHED),
      worked("gh api 'repos/o/r/contents/a.ts?ref=main'"),
    );
    assert.ok(finding, 'nothing was seen');
    assert.match(finding.remediation, /quotes/);
    for (const command of ['gh api repos/o/r/branches?page=2', 'cd app && gh api orgs/o/repos?x=1 --jq .name'])
      assert.ok(speaks(finding, command), `silent on ${command}`);
    assert.ok(!speaks(finding, "gh api repos/o/r --jq '.[] | .foo? | .bar'"), 'in the quotes of another text');
    assert.ok(speaks(finding, "gh api -H 'Accept: x' repos/o/r/branches?page=2"), 'behind a text in quotes');
    for (const command of ["gh api 'repos/o/r/branches?page=2'", 'gh api repos/o/r/branches', 'gh pr view a?'])
      assert.ok(!speaks(finding, command), `speaks on ${command}`);
  });

  it('is the value of an option, for a program that looks for files itself', () => {
    const [finding] = detect(
      failed('find src -name *.py', 'find: paths must precede expression: `src/a.py'),
      worked("find src -name '*.py'"),
    );
    assert.ok(finding, 'nothing was seen');
    assert.ok(speaks(finding, 'find . -name *.ts'));
    assert.ok(!speaks(finding, "find . -name '*.ts'"));
    assert.ok(!speaks(finding, 'find src/* -type f'), 'a folder is no value of the option');
  });

  it('begins with =, which zsh takes for the path of a program', () => {
    const [finding] = detect(
      failed('git status --short; echo ===; git log -1', '(eval):1: == not found'),
      worked('git status --short; echo "==="; git log -1'),
    );
    assert.ok(finding, 'nothing was seen');
    assert.ok(speaks(finding, 'cat a.txt && echo ====NEXT===='));
    for (const command of ['echo "==="', "echo 'a =b'", 'echo a=b', 'FOO==x make'])
      assert.ok(!speaks(finding, command), `speaks on ${command}`);
  });

  it('stands between back quotes, which every shell reads in double quotes, too', () => {
    const [finding] = detect(failed('rg -n "the `shelf` form" docs', 'zsh:1: command not found: shelf'));
    assert.ok(finding, 'nothing was seen');
    assert.match(finding.remediation, /single quotes/);
    for (const command of ['git commit -m "add `x`"', `echo 'a' && gh pr create --body "use \`y\` here"`])
      assert.ok(speaks(finding, command), `silent on ${command}`);
    for (const command of [
      "git commit -m 'add `x`'",
      'git commit -m "add \\`x\\`"',
      `echo 'say "\`x\`"'`,
      'echo `date`',
    ])
      assert.ok(!speaks(finding, command), `speaks on ${command}`);
    assert.deepEqual(detect(failed('shelf -n "the `box` form"', 'zsh:1: command not found: shelf')), [], 'no text');
  });

  it('teaches nothing if such a word has worked, or was meant as a pattern', () => {
    const bare = 'gh api repos/o/r/branches?page=2';
    const fixed = [
      failed('gh api repos/o/r/contents/a.ts?ref=main', UNMATCHED),
      worked(`gh api 'repos/o/r?x'`),
    ] as const;
    assert.deepEqual(detect(worked(bare), ...fixed), []);
    assert.deepEqual(
      detect(failed('ls docs/*.md', 'zsh:1: no matches found: docs/*.md'), worked("ls 'docs/*.md'")),
      [],
    );
  });
});
