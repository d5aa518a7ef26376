import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toTyped } from '../../src/surfaces/cli/to-typed.ts';

const commands = ['doctor', 'install', 'lessons list', 'lessons add', 'daemon start'];

describe('a hint', () => {
  it('names the data directory that was given', () => {
    const type = (told: string, home: string) => toTyped(told, { commands, home, isClone: false });
    assert.equal(type('Check it: oncebitten doctor', '/d'), 'Check it: oncebitten doctor --home /d');
    assert.equal(
      type('Undo it: oncebitten install claude-code --project', "da ta/it's"),
      String.raw`Undo it: oncebitten install --home 'da ta/it'\''s' claude-code --project`,
    );
    assert.equal(type('      oncebitten lessons list --home /s', '/d'), '      oncebitten lessons list --home /s');
    assert.equal(type('see: oncebitten install --help', '/d'), 'see: oncebitten install --help');
    assert.equal(type('oncebitten doctor; or oncebitten lessons add', '/d').match(/--home/g)?.length, 2);
  });

  it('is as it was written without one, and goes through npm in a clone', () => {
    const told = 'run: oncebitten daemon start\n      oncebitten lessons list --home /s';
    assert.equal(toTyped(told, { commands, isClone: false }), told);
    assert.equal(
      toTyped(told, { commands, isClone: true }),
      told.replaceAll('oncebitten ', 'npm run -s oncebitten -- '),
    );
  });

  it('leaves sentences alone', () => {
    for (const told of ['what oncebitten doctor says', 'oncebitten: agent x: is unknown', 'use oncebitten 2'])
      assert.equal(toTyped(told, { commands, home: '/d', isClone: true }), told);
  });
});
