import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { DETECTOR_NAMES } from '../../src/base/model/settings.ts';
import { DETECTORS, detectFindings } from '../../src/distill/detect-findings.ts';
import { loadDetectors } from '../../src/loop/learning/load-detectors.ts';
import { failed, makeWindow, worked } from '../distill/session-script.ts';

const FINDING = `{
  kind: 'corrected-command', agent: 'claude-code', sessionId: 's', projectId: 'p', failingCallId: 'call-0',
  fixingCallId: 'call-1', intentKey: 'deploy', steps: 1, summary: 'use staging', mistake: 'm', remediation: 'deploy staging',
  signature: { id: 'sig2_x', version: 2, template: 't', program: 'deploy' }, tags: [], signals: [],
  triggers: { tools: ['shell'], programs: [{ name: 'deploy' }] }, evidence: { agent: 'claude-code', sessionId: 's', at: '' },
}`;

describe('detectors of the user’s own', () => {
  const dir = mkdtempSync(join(tmpdir(), 'oncebitten-plugins-'));
  after(() => rmSync(dir, { recursive: true, force: true }));
  const load = async (text: string, name = 'plugin.mjs') => {
    const file = join(dir, name);
    writeFileSync(file, text);
    const log: string[] = [];
    const detectors = await loadDetectors({ detectorPlugins: [file], detectorsOff: [] }, (line) => log.push(line));
    return { own: detectors.slice(DETECTORS.length), detectors, log };
  };
  const window = makeWindow([failed('deploy prod', 'no'), worked('deploy staging')]);

  it('run beside ours, under their own name, and what they find is guarded like anything else', async () => {
    const { own, log } = await load(
      `export default { name: 'acme/staging@1', detect: () => [${FINDING}] };`,
      'good.mjs',
    );
    assert.deepEqual(log, []);
    const [finding] = detectFindings(window, own);
    assert.equal(finding?.detector, 'acme/staging@1');
  });

  it('may be several in a module', async () => {
    const { own } = await load(
      `export default ['a/b@1', 'a/c@2'].map((name) => ({ name, detect: () => [] }));`,
      'several.mjs',
    );
    assert.deepEqual(
      own.map(({ name }) => name),
      ['a/b@1', 'a/c@2'],
    );
  });

  it('that throw have seen nothing, and are told of once', async () => {
    const { own, log } = await load(
      `export default { name: 'a/throws@1', detect() { throw new Error('oops'); } };`,
      't.mjs',
    );
    assert.deepEqual([detectFindings(window, own), detectFindings(window, own)], [[], []]);
    assert.deepEqual(log, ['detector a/throws@1 failed: oops']);
  });

  for (const [title, text] of Object.entries({
    'that are no module': 'export default {',
    'without a default export': 'export const detect = 1;',
    'under a name of ours': `export default { name: 'distill/x@1', detect: () => [] };`,
    'without a function': `export default { name: 'a/b@1' };`,
  }))
    it(`${title} are left out, ours stay`, async () => {
      const { detectors, log } = await load(text, `${title.replaceAll(' ', '-')}.mjs`);
      assert.deepEqual(detectors, [...DETECTORS]);
      assert.equal(log.length, 1);
      assert.match(log[0] ?? '', /left out/);
    });

  it('whose file is missing are left out', async () => {
    const log: string[] = [];
    assert.deepEqual(
      await loadDetectors({ detectorPlugins: [join(dir, 'none.mjs')], detectorsOff: [] }, (line) => log.push(line)),
      [...DETECTORS],
    );
    assert.equal(log.length, 1);
  });

  it('leaves out a built-in detector that is switched off', async () => {
    const off = await loadDetectors({ detectorPlugins: [], detectorsOff: ['repair', 'hang'] }, () => {});
    const names = off.map(({ name }) => name);
    assert.equal(names.length, DETECTORS.length - 2);
    assert.ok(!names.some((name) => /^distill\/(?:repair|hang)@/.test(name)));
  });

  it('can be switched off by its name, each', () => {
    const names = DETECTORS.map(({ name }) => name.replace(/^distill\/|@\d+$/g, ''));
    assert.deepEqual([...DETECTOR_NAMES].toSorted(), [...names, 'recurrence', 'absent-path'].toSorted());
  });
});
