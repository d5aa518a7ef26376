import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openRollout } from '../../src/agents/codex/history.ts';

const COMMIT = '1a2b3c4d'.repeat(5);
const row = (type: string, payload: object): string =>
  JSON.stringify({ timestamp: '2026-03-01T10:00:00.000Z', type, payload });
const prompt = row('event_msg', { type: 'user_message', message: 'fix the tax' });
const call = (id: string, workdir: string): readonly string[] => [
  row('response_item', {
    ...{ type: 'function_call', name: 'exec_command', call_id: id },
    arguments: JSON.stringify({ cmd: 'ls', workdir }),
  }),
  row('response_item', { type: 'function_call_output', call_id: id, output: 'Exit code: 0\nOutput:\nx' }),
];

const open = (git: object, memo?: string) => {
  const reader = openRollout({ path: '/x/rollout-1.jsonl', siblingFiles: {}, ...(memo === undefined ? {} : { memo }) });
  if (memo === undefined) reader.read(row('session_meta', { id: 't1', cwd: '/gone/shop', git }), 1);
  return reader;
};
const readAll = (git: object, lines: readonly string[]) => {
  const reader = open(git);
  return lines
    .flatMap((line, n) => reader.read(line, n + 2))
    .map(({ repository, commit, cwd }) => [cwd, repository, commit]);
};

describe('the repository in a rollout', () => {
  it('is the name of the remote without its password, and the commit', () => {
    const git = { repository_url: 'https://ann:hunter2@GitHub.com/Acme/Shop.git', commit_hash: COMMIT, branch: 'main' };
    assert.deepEqual(readAll(git, [prompt]), [['/gone/shop', 'github.com/acme/shop', COMMIT]]);
    assert.equal(open(git).memo?.includes('hunter2'), false);
  });

  it('is kept when reading continues', () => {
    const { memo } = open({ repository_url: 'git@github.com:acme/shop.git' });
    const [event] = open({}, memo).read(prompt, 9);
    assert.equal(event?.repository, 'github.com/acme/shop');
  });

  it('is unknown for text that names no repository, and zeros are not a commit', () => {
    for (const repository_url of ['[REDACTED]', 'https://github.com/..git', '', 'shop'])
      assert.deepEqual(readAll({ repository_url, commit_hash: '0'.repeat(40) }, [prompt]), [
        ['/gone/shop', undefined, undefined],
      ]);
  });

  it('is not reported for a call in another folder', () => {
    const git = { repository_url: 'git@github.com:acme/shop.git' };
    assert.deepEqual(readAll(git, [...call('a', '/gone/desk'), ...call('b', '/gone/shop/src'), ...call('c', 'web')]), [
      ['/gone/desk', undefined, undefined],
      ['/gone/shop/src', 'github.com/acme/shop', undefined],
      ['/gone/shop/web', 'github.com/acme/shop', undefined],
    ]);
  });
});
