/** Rules that the calls around a user's words show, where the words alone do not say enough. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Triggers } from '../../src/base/triggers/trigger.ts';
import { userCorrection } from '../../src/distill/propose/user-words/user-correction.ts';
import { speaks } from './detect-pairs.ts';
import { makeWindow, other, prompted, type Step, worked } from './session-script.ts';

function learn(before: readonly Step[], words: string, after: readonly Step[]): readonly { triggers: Triggers }[] {
  return userCorrection.detect(makeWindow([...before, prompted(words), ...after]));
}

describe('a rule that calls show', () => {
  it('bans what the words name and the next calls do not have', () => {
    const [draft, ...more] = learn(
      [worked('quill publish --draft-wipe site')],
      'ugh, that cost us an hour: never ever `--draft-wipe` on this box, capisce',
      [worked('quill publish site')],
    );
    assert.ok(draft && more.length === 0);
    assert.ok(speaks(draft, 'quill publish --draft-wipe blog'));
    assert.ok(!speaks(draft, 'quill publish blog'));
  });

  it('names what was run in the place of another program', () => {
    const [draft] = learn(
      [worked('cd out && make -j4')],
      "don't call make. It is a Ninja tree. Use `quill build --preset dev`",
      [worked('quill build --preset dev')],
    );
    assert.ok(draft);
    assert.ok(speaks(draft, 'make install'));
    assert.ok(!speaks(draft, 'quill build --preset dev'));
  });

  it('asks for the option that the words name and only the next call has', () => {
    const [draft] = learn([worked('quill tag v1')], 'shoud be signed, make sure you allways do it with --sign', [
      worked('quill tag --sign v1'),
    ]);
    assert.ok(draft);
    assert.ok(speaks(draft, 'quill tag v2'));
    assert.ok(!speaks(draft, 'quill tag --sign v2'));
  });

  it('asks for a command before another one if the next line runs both in this order', () => {
    const [draft] = learn(
      [worked('quill lint dist')],
      'you are looking at an old tree you always have to run quill bundle before quill lint otherwise its stale',
      [worked('quill bundle && quill lint dist')],
    );
    assert.deepEqual(draft?.triggers.session, { unless: [{ ran: 'quill bundle' }] });
    assert.deepEqual(draft?.triggers.programs, [{ name: 'quill', sub: ['lint'] }]);
  });

  it('leaves alone a file that the words name and nobody edits any more', () => {
    const [draft] = learn([other('edit', 'vars/vault.yml')], 'Halt! vars/vault.yml bitte niemals direkt bearbeiten', [
      worked('git checkout vars/vault.yml'),
    ]);
    assert.deepEqual(draft?.triggers.paths, ['**/vars/vault.yml']);
  });

  it('is none if the words do not hold for good, ask, or speak of somebody else', () => {
    const before = [worked('quill publish --wipe site')];
    const after = [worked('quill publish site')];
    for (const words of [
      'hm, without --wipe this time',
      'did you really need --wipe there?',
      'the nightly job never runs quill publish',
      'at my old job nobody ever ran quill publish with --wipe, go ahead',
      'looks good, next: the footer',
    ])
      assert.deepEqual(learn(before, words, after), [], words);
  });
});
