import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { toCaller, toTyped } from '../../src/surfaces/cli/caller.ts';
import { stopDaemon } from '../stop-daemon.ts';
import { openShell } from './open-shell.ts';

const CLONE = 'npm run -s oncebitten --';
const commands = ['doctor', 'install', 'lessons list', 'lessons add', 'daemon start'];

describe('a hint', () => {
  it('names the data directory that was given', () => {
    const type = (told: string, home: string) => toTyped(told, { commands, home, caller: 'oncebitten' });
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
    assert.equal(toTyped(told, { commands, caller: 'oncebitten' }), told);
    assert.equal(toTyped(told, { commands, caller: CLONE }), told.replaceAll('oncebitten ', `${CLONE} `));
  });

  it('is seen behind a question, in brackets, and where it names a group or none at all', () => {
    for (const told of [
      'Are the hooks in place? oncebitten doctor',
      'see the commands: oncebitten lessons --help',
      'see the commands: oncebitten --help',
      'Usage: oncebitten [options]',
      'Usage: oncebitten lessons list [options]',
      'remove one (oncebitten lessons list), or see oncebitten doctor',
      'end it with oncebitten daemon start, then oncebitten doctor',
      "echo '{}' | oncebitten lessons add",
    ])
      assert.equal(toTyped(told, { commands, caller: CLONE }), told.replaceAll('oncebitten ', `${CLONE} `));
    assert.equal(
      toTyped('see: oncebitten lessons', { commands, home: '/d', caller: 'oncebitten' }),
      'see: oncebitten lessons',
    );
  });

  it('leaves sentences alone', () => {
    for (const told of ['what oncebitten doctor says', 'oncebitten: agent x: is unknown', 'use oncebitten 2'])
      assert.equal(toTyped(told, { commands, home: '/d', caller: CLONE }), told);
  });
});

describe('the caller', () => {
  const NONE = '/no/such/home/bin/oncebitten';
  const inClone = { npm_lifecycle_event: 'oncebitten', npm_package_name: 'oncebitten' };

  it('is npm in a clone, npx where that brought us, and else our own name', () => {
    assert.equal(toCaller(inClone, NONE), CLONE);
    assert.equal(toCaller({ ...inClone, npm_lifecycle_event: 'start' }, NONE), CLONE);
    assert.equal(toCaller({ npm_lifecycle_event: 'npx' }, NONE), 'npx oncebitten');
    assert.equal(toCaller({ npm_lifecycle_event: 'test', npm_package_name: 'shop' }, NONE), 'oncebitten');
    assert.equal(toCaller({}, NONE), 'oncebitten');
    const called = { ...inClone, npm_package_json: '/src/oncebitten/package.json' };
    assert.equal(toCaller({ ...called, INIT_CWD: '/src/oncebitten/docs' }, NONE), CLONE);
    const elsewhere = { ...called, INIT_CWD: '/src/shop' };
    assert.equal(toCaller(elsewhere, NONE), 'npm --prefix /src/oncebitten run -s oncebitten --');
  });

  it('is the command of the data directory once that is installed', () => {
    const dir = mkdtempSync(join(tmpdir(), 'oncebitten-caller-'));
    try {
      const file = join(dir, 'oncebitten');
      writeFileSync(file, '');
      for (const called of [inClone, { npm_lifecycle_event: 'npx' }, {}]) {
        assert.equal(toCaller({ ...called, PATH: '/usr/bin' }, file), file);
        assert.equal(toCaller({ ...called, PATH: `/usr/bin:${dir}/` }, file), 'oncebitten');
      }
      const quoted = join(dir, "it's", 'oncebitten');
      mkdirSync(dirname(quoted));
      writeFileSync(quoted, '');
      assert.equal(toCaller({ PATH: '' }, quoted), `'${quoted.replace("'", String.raw`'\''`)}'`);
    } finally {
      rmSync(dir, { recursive: true });
    }
  });

  it('is named by the home folder: in a clone, start says what works everywhere from then on', async () => {
    const shell = openShell();
    const dir = join(shell.home, '.oncebitten');
    try {
      const { stdout } = await shell.run(['start'], { home: false, env: inClone });
      assert.match(stdout, /^ +~\/\.oncebitten\/bin\/oncebitten install claude-code$/m);
      assert.doesNotMatch(stdout, /npm run|(?<!\/)oncebitten install/);
    } finally {
      await stopDaemon(dir);
      await shell.close();
    }
  });
});
