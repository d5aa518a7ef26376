import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { toSignature } from '../../src/base/text/signature.ts';
import { openShell, type Shell } from './open-shell.ts';

describe('oncebitten sessions signature', () => {
  let shell: Shell;
  before(() => {
    shell = openShell();
  });
  after(() => shell.close());

  const sign = async (stdin: string, ...args: string[]): Promise<string[]> => {
    const { code, stdout, stderr } = await shell.run(['sessions', 'signature', ...args], { stdin });
    assert.equal(code, 0, stderr);
    return stdout.split('\n').slice(0, -1);
  };

  it('tells one signature for each line, empty and unfinished ones too', async () => {
    const [first, second, third, last, ...more] = await sign(
      'error: line 5\nerror: line 77\r\n\n\u001b[31mother\u001b[0m',
    );
    assert.match(first ?? '', /^sig\d+_\w+ {2}error: line <\*>$/);
    assert.equal(second, first);
    assert.match(third ?? '', /^sig\d+_/);
    assert.match(last ?? '', /^sig\d+_\w+ {2}other$/);
    assert.deepEqual(more, []);
    assert.deepEqual(await sign(''), []);
  });

  it('gives the id that a failure of the program has', async () => {
    const { stdout } = await shell.run(['sessions', 'signature', '--program', 'gh', '--json'], {
      stdin: 'unknown flag: --stat\n',
    });
    const signature = toSignature('gh', 'unknown flag: --stat\n\nUsage: gh')?.signature;
    const items = [{ id: signature?.id, template: 'unknown flag: --stat', program: 'gh' }];
    assert.deepEqual(JSON.parse(stdout), { items, total: 1, next: null });
    assert.deepEqual(await shell.json('sessions', 'signature'), { items: [], total: 0, next: null });
  });

  it('merges near-duplicates when asked', async () => {
    const lines = ['alice', 'bob', 'carol'].map((name) => `the deployment to the cluster failed for ${name} again\n`);
    assert.equal(new Set(await sign(lines.join(''))).size, 3);
    assert.equal(new Set(await sign(lines.join(''), '--merge')).size, 1);
  });

  it('streams a hundred thousand lines', async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `worker ${i} lost its lease of ${i * 7} s\n`);
    const told = await sign(lines.join(''));
    assert.equal(told.length, 100_000);
    assert.equal(new Set(told).size, 1);
  });
});
