/** A lesson that advises to force a call past a check waits for a person. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { failed, makeWindow, prompted, type Step, type Words, worked } from './session-script.ts';

const FORCING =
  '--no-verify --skip-tests --no-strict --legacy-peer-deps --allow-dirty --insecure --validate=false -lock=false --admin -auto-approve --nodeps --without-tests --privileged --break-system-packages --no-sandbox --force --force-with-lease --hard --accept-data-loss --yes'.split(
    ' ',
  );
const SENTENCE = '--this-option-has-a-name-that-is-a-whole-sentence-of-its-own';
const COMMANDS = ['shipit push main', 'npm install left-pad', 'docker run web', 'terraform plan', 'gh pr merge 12'];

/** Each finding that advises the option. */
function listAdvising(option: string, ...script: readonly (Step | Words)[]) {
  const [name = ''] = option.split('=');
  return detectFindings(makeWindow(script)).filter(({ remediation }) => remediation.includes(name));
}

describe('a lesson that advises', () => {
  for (const option of [...FORCING, SENTENCE])
    it(`${option} is held back`, () => {
      let found = 0;
      for (const command of COMMANDS) {
        const forced = worked(`${command} ${option}`);
        for (const first of [
          failed(`${command} --guard`, 'error: unknown option: --guard'),
          failed(command, `error: ${option.split('=')[0]} is required here`),
        ])
          for (const { caution, trust } of listAdvising(option, first, forced)) {
            assert.match(caution ?? '', /safeguard/);
            assert.equal(trust, 'foreign');
            found++;
          }
      }
      assert.ok(found > 0, 'no lesson was made, so none was held back');
    });

  it('to delete is held back', () => {
    const steps = [
      failed('shipit up prod', 'error: shipit.lock exists'),
      worked('rm -rf ~/shipit.lock && shipit up prod'),
    ];
    for (const { caution, remediation } of detectFindings(makeWindow(steps)))
      assert.ok(caution !== undefined || !/\brm\b/.test(remediation), remediation);
  });

  it('an option that the call misspelled, or that the user named, is not', () => {
    const spelled = listAdvising(
      '--ignore-missing-imports',
      failed('mypy src --ignore-missing-import', 'mypy: error: unrecognized arguments: --ignore-missing-import'),
      worked('mypy src --ignore-missing-imports'),
    );
    assert.ok(spelled.some(({ caution }) => caution === undefined));
    const named = listAdvising(
      '--admin',
      prompted('merge it with --admin when the checks are stuck'),
      failed('gh pr merge 12 --guard', 'error: unknown option: --guard'),
      worked('gh pr merge 12 --admin'),
    );
    assert.ok(named.some(({ caution }) => caution === undefined));
  });
});
