import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toPlace } from '../../src/distill/propose/paths/wrong-directory.ts';
import { makeWindow, worked } from './session-script.ts';

const seenIn = (...folders: readonly string[]) => makeWindow(folders.map((cwd) => ({ ...worked('ls'), cwd }))).calls;

describe('the end of a folder', () => {
  it('begins with the name of the highest folder that the session was seen in', () => {
    assert.equal(toPlace(seenIn('/w/repo', '/w/repo/web/src'), '/w/repo/web'), 'repo/web');
    assert.equal(toPlace(seenIn('/w/repo/web/'), '/w/repo/web'), 'web');
    assert.equal(toPlace(seenIn('/w/other', '/w/rep'), '/w/repo/'), 'repo');
  });

  it('never names a person, nor what only the shell knows', () => {
    assert.equal(toPlace(seenIn('/home/ann', '/'), '/home/ann/repo'), 'repo');
    for (const cwd of ['/home/ann', '/Users/ann/', '/root', '/', '/tmp', 'repo', '/w/$DIR', '/w/a b', undefined])
      assert.equal(toPlace([], cwd), undefined, cwd);
  });
});
