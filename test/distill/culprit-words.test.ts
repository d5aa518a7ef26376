import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/base/model/finding.ts';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { rejectedWord } from '../../src/distill/propose/rejected-words/rejected-word.ts';
import { failed, makeWindow, worked } from './session-script.ts';

function find(wrong: string, said: string, right: string): Finding {
  const [finding] = correctedCommand.detect(makeWindow([failed(wrong, said), worked(right)]));
  assert.ok(finding);
  return finding;
}

function correct({ edit }: Finding, command: string): string | undefined {
  return edit && applyEdit(edit, command);
}

describe('a rejected word', () => {
  it('is corrected beside an empty word, too', () => {
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
