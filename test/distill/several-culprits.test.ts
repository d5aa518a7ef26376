import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { rejectedWord } from '../../src/distill/propose/rejected-words/rejected-word.ts';
import { retell } from '../../src/distill/text/retell-lesson.ts';
import { failed, makeWindow, worked } from './session-script.ts';

function find(wrong: string, said: string, right: string): Finding {
  const [finding] = correctedCommand.detect(makeWindow([failed(wrong, said), worked(right)]));
  assert.ok(finding);
  return finding;
}

function correct({ edit }: Finding, command: string): string | undefined {
  return edit && applyEdit(edit, command);
}

describe('an error that rejects several words of a command', () => {
  const TWO = [
    ['words in a row', 'tool: error: unrecognized arguments: --verbos --quiett'],
    ['a list with commas', 'unknown options: --verbos, --quiett'],
    ['quotations', "error: unknown options '--verbos' and '--quiett'"],
    ['two lines', 'error: unknown option: --verbos\nerror: unknown option: --quiett'],
    ['git quotations in two lines', "error: unknown option `verbos'\nerror: unknown option `quiett'"],
  ] as const;

  for (const [form, said] of TWO) {
    it(`corrects all of them, from ${form}`, () => {
      const finding = find('tool --verbos --quiett in.txt', said, 'tool --verbose --quiet in.txt');
      assert.equal(correct(finding, 'tool --verbos --quiett other.txt'), 'tool --verbose --quiet other.txt');
      assert.equal(correct(finding, 'tool --verbos other.txt'), undefined, 'only one of the two is there');
      assert.match(finding.remediation, /`--verbose`.*`--quiet`/);
      assert.match(finding.mistake, /verbos\b.*failed: .*verbos\b.*quiett\b/);
      assert.doesNotMatch(finding.mistake, /[,;:]$|`\w+'/);
      assert.ok(retell({ summary: finding.summary, tags: finding.tags }, finding.evidence.excerpt ?? ''));
    });
  }

  it('tells that all of them were left out', () => {
    const finding = find('tool --fast --color x', 'unknown options: --fast, --color', 'tool x');
    assert.equal(correct(finding, 'tool --fast --color y'), 'tool y');
  });

  it('corrects nothing where the fix of one of them is not known', () => {
    const said = 'unknown options: --fast, --color';
    const finding = find('tool a.txt --fast --color -q', said, 'tool a.txt --quick --dark red -q');
    assert.equal(correct(finding, 'tool b.txt --fast --color -q'), undefined);
    assert.equal(correct(finding, 'tool b.txt --fast'), undefined);
  });

  it('blames no word with which the command then worked', () => {
    const finding = find('tool a.txt --fast --color', 'unknown options: --fast, --color', 'tool a.txt --quick --color');
    assert.equal(correct(finding, 'tool b.txt --fast --color'), 'tool b.txt --quick --color');
  });

  it('takes the values between them for values', () => {
    const said = 'tool: error: unrecognized arguments: --foo bar --baz qux';
    const finding = find('tool --foo bar --baz qux', said, 'tool --food bar --bazz qux');
    assert.equal(correct(finding, 'tool --foo one --baz two'), 'tool --food one --bazz two');
    assert.doesNotMatch(finding.mistake, /\bbar\b|\bqux\b/);
  });

  it('comes to an end at a command with an empty word', () => {
    const finding = find("tool --fast ''", 'unknown option: --fast', "tool --quick ''");
    assert.equal(finding.remediation, 'Replace `--fast` with `--quick`: `tool --quick <text>`');
  });

  it('does not take a suggestion for a rejected word', () => {
    const said = "error: unknown option '--fast'. Did you mean --quick?";
    const finding = find('tool --fast --quick', said, 'tool --quick');
    assert.equal(correct(finding, 'tool --fast x'), 'tool x');
  });
});

describe('the words of the program in a lesson', () => {
  for (const [command, said, shown, fix] of [
    ['git commit --mesage x', "error: unknown option `mesage'", "unknown option 'mesage'", 'git commit --message x'],
    ['git log -Z', "error: unknown switch `Z'", "unknown switch 'Z'", 'git log -z'],
    ['tool --fast x', 'unknown option: --fast, see the manual', 'unknown option: --fast', 'tool x'],
  ] as const) {
    it(`have whole quotations and no separator at their end: ${shown}`, () => {
      const { mistake } = find(command, said, fix);
      assert.equal(mistake.split(' failed: ')[1], shown);
    });
  }

  it('begin with a word', () => {
    const said = '/bin/bash: line 3: pyhton: command not found';
    const [finding] = rejectedWord.detect(makeWindow([failed("pyhton - <<'E'\nprint(1)\nE", said), worked('ls')]));
    assert.match(finding?.mistake ?? '', /failed: pyhton: command not found$/);
  });
});

describe('a list with commas, of which a member is rejected', () => {
  const SAID = 'Unknown JSON field: "titel"\nAvailable fields:\n  body\n  title';

  it('is told as a replacement where another member stands in its place', () => {
    for (const [wrong, right] of [
      ['titel,body', 'title,body'],
      ['body,titel,url', 'body,title,url'],
      ['titel,bdy', 'title,body'],
    ]) {
      const finding = find(`gh pr view 12 --json ${wrong}`, SAID, `gh pr view 12 --json ${right}`);
      assert.ok(
        finding.remediation.startsWith('Replace `titel` with `title`: `gh pr view <number> --json '),
        finding.remediation,
      );
      assert.equal(correct(finding, 'gh pr view 3 --json number,titel'), 'gh pr view 3 --json number,title');
    }
  });

  it('is told as left out where nothing came, or something came elsewhere', () => {
    for (const right of ['body', 'body,url'])
      assert.equal(
        find('gh pr view 12 --json titel,body', SAID, `gh pr view 12 --json ${right}`).remediation,
        'Leave out `titel`: `gh pr view <number> --json body`',
      );
  });

  it('gives no later call the list of that day', () => {
    const finding = find('gh pr view 12 --json titel,bdy', SAID, 'gh pr view 12 --json title');
    assert.equal(correct(finding, 'gh pr view 3 --json number,titel'), undefined);
  });
});
