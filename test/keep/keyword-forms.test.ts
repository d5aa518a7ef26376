import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { listForms } from '../../src/keep/manifest/compiled-triggers.ts';

describe('the forms of a keyword', () => {
  it('follow from its spelling', () => {
    const rows = [
      ['deploy', 'deploys', 'deployed', 'deploying'],
      ['release', 'releases', 'released', 'releasing'],
      ['push', 'pushes', 'pushed', 'pushing'],
      ['retry', 'retries', 'retried', 'retrying'],
      ['agree', 'agrees', 'agreed', 'agreeing'],
      ['ship', 'ships', 'shipped', 'shipping'],
      ['edit', 'edits', 'edited', 'editing'],
    ];
    for (const [word = '', ...forms] of rows)
      for (const form of forms) assert.ok(listForms([word]).includes(form), `${word}: ${form}`);
  });

  it('begin with the keyword itself, each once', () => {
    assert.equal(listForms(['Deploy'])[0], 'Deploy');
    const forms = listForms(['deploy', 'deploys', 'deploy']);
    assert.equal(new Set(forms).size, forms.length);
  });

  it('inflect the first or the last word of a phrase', () => {
    const forms = listForms(['bump version']);
    for (const form of ['bumped version', 'bump versions', 'bumping version']) assert.ok(forms.includes(form), form);
    assert.ok(!forms.includes('bumped versions'));
  });

  it('do not exist for words that are not English', () => {
    for (const word of ['ci', 'v2', 'veröffentlichen', '発表', 'k8s', '']) assert.deepEqual(listForms([word]), [word]);
  });
});
