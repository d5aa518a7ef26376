import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLocalRemote, toRemoteName } from '../../src/base/text/remote-name.ts';
import { findRemote } from '../../src/capture/projects/identify-project.ts';

describe('a remote', () => {
  const rows = [
    ['git@github.com:a/b.git', 'github.com/a/b'],
    ['github.com:a/b', 'github.com/a/b'],
    ['git@github.com:/a/b.git', 'github.com/a/b'],
    ['ssh://git@GITHUB.com:22/a/b.git/', 'github.com/a/b'],
    ['https://github.com/a/b', 'github.com/a/b'],
    ['https://user:pa@ss@github.com/a/b.git', 'github.com/a/b'],
    ['https://token@github.com:443/a/b.git', 'github.com/a/b'],
    ['ssh://git@ssh.github.com:443/a/b.git', 'github.com/a/b'],
    ['ssh://git@altssh.gitlab.com:443/a/b.git', 'gitlab.com/a/b'],
    ['git@ssh.dev.azure.com:v3/org/team/repo', 'dev.azure.com/org/team/repo'],
    ['https://org@dev.azure.com/org/team/_git/repo', 'dev.azure.com/org/team/repo'],
    ['ssh://git@host:7999/team/B.git', 'host/team/B'],
    ['git+ssh://git@host:7999/team/B.git', 'host/team/B'],
    ['[git@host:7999]:team/B.git', 'host/team/B'],
    ['https://host:8443/team/B.git', 'host:8443/team/B'],
    ['ssh://git@[::1]:2222/a/b', '[::1]/a/b'],
    ['git@[::1]:a/b', '[::1]/a/b'],
    ['git://host/a.git', 'host/a'],
    ['file:///srv/repo.git', '/srv/repo'],
    ['/srv/repo.git', '/srv/repo'],
    ['../repo.git', '/home/repo'],
  ] as const;
  for (const [remote, name] of rows) {
    it(`${remote} is ${name}`, () => assert.equal(toRemoteName(remote, '/home/root'), name));
  }

  it('is on this machine when it names no host', () => {
    assert.equal(findLocalRemote('/srv/repo.git', '/home/root'), '/srv/repo.git');
    assert.equal(findLocalRemote('../repo', '/home/root'), '/home/repo');
    assert.equal(findLocalRemote('file:///srv/repo.git', '/home/root'), '/srv/repo.git');
    for (const remote of ['git@host:a/b', 'https://host/a', 'ssh://host:22/a', 'file://'])
      assert.equal(findLocalRemote(remote, '/home/root'), undefined, remote);
  });

  const word = fc.stringMatching(/^[a-z][a-z0-9-]{1,12}$/);
  const path = fc.array(fc.stringMatching(/^[A-Za-z0-9_-]{1,12}$/), { minLength: 1, maxLength: 3 });

  it('has one name however it is written', () => {
    const host = fc.tuple(word, word).map((parts) => `${parts.join('.')}.example`);
    const port = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(host, path, word, port, fc.boolean(), (where, folders, user, at, isLong) => {
        const rest = `${folders.join('/')}${isLong ? '.git' : ''}`;
        const names = [
          `${user}@${where}:${rest}`,
          `${where.toUpperCase()}:${rest}`,
          `ssh://${user}@${where}/${rest}`,
          `ssh://${user}@${where}:${at}/${rest}/`,
          `https://${where}/${rest}`,
          `https://${user}:${at}@${where}:443/${rest}/`,
          `git://${where}:9418/${rest}`,
        ].map((remote) => toRemoteName(remote, '/root'));
        assert.deepEqual(new Set(names), new Set([`${where}/${folders.join('/')}`]));
      }),
    );
  });

  it('never contains the user', () => {
    const secret = fc.stringMatching(/^ghp_[A-Za-z0-9@:%+]{8,20}$/);
    fc.assert(
      fc.property(fc.constantFrom('https', 'ssh', 'git+ssh'), secret, path, (scheme, password, folders) => {
        const name = toRemoteName(`${scheme}://bot:${password}@host.example/${folders.join('/')}`, '/root');
        return name === `host.example/${folders.join('/')}`;
      }),
    );
  });

  it('is always a name, whatever the text', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        (text) => typeof toRemoteName(text.replaceAll('\0', ''), '/r') === 'string',
      ),
    );
  });
});

describe('the remote of a git config', () => {
  const rows: readonly (readonly [what: string, config: string, remote: string | undefined])[] = [
    ['is absent without one', '[core]\n\tbare = false\n\turl = nothing\n', undefined],
    ['is that of origin, wherever it stands', '[remote "a"]\nurl = a:a\n[remote "origin"]\nurl = o:o\n', 'o:o'],
    ['is not its push address', '[remote "origin"]\n\tpushurl = p:p\n\turl = o:o\n', 'o:o'],
    ['is the first of several', '[remote "origin"]\n\turl = o:o\n\turl = p:p\n', 'o:o'],
    ['may stand in the line of its section', '[remote "origin"] url = o:o\n', 'o:o'],
    ['may stand in quotes', '[remote "origin"]\n\turl = "o:a b#c"\n', 'o:a b#c'],
    ['ends where a comment begins', '[remote "origin"]\n\turl = o:o ; mine\n', 'o:o'],
    ['may have a name with a quote', '[remote "o\\"o"]\n\turl = o:o\n', 'o:o'],
    ['may have lines that end as on Windows', '[remote "origin"]\r\n\turl = o:o\r\n', 'o:o'],
    ['is not an empty address', '[remote "origin"]\n\turl =\n[remote "b"]\n\turl = b:b\n', 'b:b'],
  ];
  for (const [what, config, remote] of rows) it(what, () => assert.equal(findRemote(config), remote));

  it('is found or not, whatever the file contains', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (config) => typeof findRemote(config) !== 'number'));
  });

  it('ignores case if the host does', () => {
    assert.equal(
      toRemoteName('git@github.com:Acme/Thing.git', '/'),
      toRemoteName('https://github.com/acme/thing', '/'),
    );
    assert.notEqual(toRemoteName('git@git.example.com:A/b', '/'), toRemoteName('git@git.example.com:a/b', '/'));
  });
});
