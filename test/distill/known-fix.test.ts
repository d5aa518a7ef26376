/** A failure that a session got past becomes a lesson for the next call that fails in the same way. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { applyEdit } from '../../src/base/shell/command-edit.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { gateFinding } from '../../src/distill/gate/gate-finding.ts';
import { toMergeKey } from '../../src/distill/lessons/hash-lesson.ts';
import { makeLesson } from '../../src/distill/lessons/make-lesson.ts';
import { knownFix } from '../../src/distill/propose/known-fix.ts';
import { failed, makeWindow, other, prompted, type Step, worked } from './session-script.ts';

const UNKNOWN = 'error: unknown flag: --fast';

function signed(step: Step): Step {
  const cause = toSignature(step.command?.split(' ')[0] ?? step.rawTool ?? '', step.output ?? '');
  return cause === undefined ? step : { ...step, signature: cause.signature, message: cause.causeLine };
}

const learn = (...steps: readonly Step[]) => knownFix.detect(makeWindow(steps));
const rejected = signed(failed('shipit status --fast web-1', UNKNOWN));
const unread = signed({
  ...{ tool: 'edit', rawTool: 'Edit', targetPath: '/repo/a.ts', inputHash: 'one', outcome: 'failure' },
  output: 'File has not been read yet. Read it first before writing to it.',
});

describe('a known fix', () => {
  it('says what failed and what to do, and is shown only with the same error', () => {
    const [finding] = learn(rejected, worked('shipit status --quick web-1'));
    assert.deepEqual(finding?.triggers, { tools: ['shell'], failure: true });
    assert.match(finding?.mistake ?? '', /shipit status.*--fast/);
    assert.match(finding?.remediation ?? '', /--quick/);
    assert.equal(finding?.signature.id, rejected.signature?.id);
  });

  it('tells the reason and the whole corrected command', () => {
    const [finding] = learn(
      signed(failed('shipit pod status web-1 --short', 'error: unknown flag: --short')),
      worked('shipit pod status web-1 --brief'),
    );
    assert.equal(
      finding?.summary,
      '`shipit pod status <name> --short` fails with "unknown flag: --short": replace `--short` with `--brief`',
    );
    assert.equal(finding?.remediation, 'Replace `--short` with `--brief`: `shipit pod status <name> --brief`');
  });

  it('is the quotes around a word that the shell took for a pattern', () => {
    for (const [wrong, right, word] of [
      ['grep -rn "open" --include=*.rs src', 'grep -rn "open" --include=\'*.rs\' src', '--include=*.rs'],
      ['curl -I http://localhost/?view=all', "curl -I 'http://localhost/?view=all'", 'http://localhost/?view=all'],
      ['pip install httpx[http2]', "pip install 'httpx[http2]'", 'httpx[http2]'],
    ] as const) {
      const [finding] = learn(signed(failed(wrong, `zsh:1: no matches found: ${word}`)), worked(right));
      assert.equal(applyEdit(finding?.edit ?? { program: '', steps: [] }, wrong), right);
    }
  });

  it('is one lesson for all programs where the shell itself complains', () => {
    const lessons = ['shipit', 'cargo'].map((program) => {
      const expanded = signed(failed(`${program} status; echo ===`, '(eval):1: == not found'));
      return learn(expanded, worked(`${program} status; echo '==='`))[0] ?? assert.fail();
    });
    assert.match(lessons[0]?.summary ?? '', /^The shell fails/);
    assert.deepEqual(lessons[0]?.tags, lessons[1]?.tags);
    const [one, other] = lessons.map((finding) => toMergeKey(finding, 'prj_1'));
    assert.equal(one, other);
  });

  it('is no change that the user may have asked for, unless the error names it', () => {
    const stopped = signed(failed('shipit list all', 'cache is not writable'));
    const moved = worked('SHIPIT_CACHE=/tmp/c shipit list all');
    assert.equal(learn(stopped, moved).length, 1);
    const asked = knownFix.detect(makeWindow([stopped, prompted('stop, take the other cache'), moved]));
    assert.deepEqual(asked, []);
    const told = signed(failed('shipit list all', 'SHIPIT_CACHE is not set'));
    assert.equal(knownFix.detect(makeWindow([told, prompted('go on'), moved])).length, 1);
  });

  it('is the only change between two attempts, whatever the error says', () => {
    const managed = signed(failed('pip install rich', 'error: externally-managed-environment'));
    const [finding] = learn(managed, worked('ls -a'), worked('.venv/bin/pip install rich'));
    assert.equal(finding?.remediation, 'Run `pip` as `.venv/bin/pip`: `.venv/bin/pip install <name>`');
    const later = worked('.venv/bin/pip install rich');
    assert.deepEqual(learn(managed, worked('make setup'), later), [], 'something was done in between');
    assert.deepEqual(learn(managed, worked('.venv/bin/pip install httpx --pre')), [], 'more than one change');
  });

  it('is no lesson where the error itself names it', () => {
    const advised = signed(failed('shipit put a', 'error: no shelf found; run `shipit shelf new` first'));
    assert.deepEqual(learn(advised, worked('shipit shelf new && shipit put a')), []);
  });

  it('needs no test on past calls', () => {
    const [finding] = learn(rejected, worked('shipit status --quick web-1'));
    assert.ok(finding);
    const gate = gateFinding(finding, [], () => assert.fail('no trigger is tested'));
    assert.equal(gate.verdict, 'active');
    const lesson = makeLesson(finding, gate, '2026-01-01T00:00:00.000Z');
    assert.deepEqual([lesson.status, lesson.signatureId], ['active', rejected.signature?.id]);
  });

  it('is one lesson for one failure, and another one for another failure', () => {
    const [one] = learn(rejected, worked('shipit status --quick web-1'));
    const again = signed(failed('shipit status --fast --all web-1', UNKNOWN));
    const [same] = learn(again, worked('shipit status --quick --all web-1'));
    const [tool] = learn(unread, other('read', '/repo/a.ts'), { ...other('edit', '/repo/a.ts'), rawTool: 'Edit' });
    assert.ok(one && same && tool);
    assert.equal(toMergeKey(one, 'p'), toMergeKey(same, 'p'));
    assert.notEqual(toMergeKey(one, 'p'), toMergeKey({ ...one, signature: { ...one.signature, id: 'other' } }, 'p'));
    assert.match(tool.remediation, /Read|read|open/i);
  });

  it('is no lesson where nothing got past the failure', () => {
    assert.deepEqual(learn(rejected, worked('ls')), []);
  });
});
