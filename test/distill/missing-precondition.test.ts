import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingPrecondition } from '../../src/distill/propose/commands/missing-precondition.ts';
import { denied, detectWith, speaks } from './detect-pairs.ts';
import { failed, makeWindow, other, worked } from './session-script.ts';

describe('missing-precondition', () => {
  const wrong = failed('node build.js', "Error: Cannot find module 'esbuild'");

  it('learns what had to run first, where the error is one that it mends', () => {
    const [finding] = detectWith(missingPrecondition, wrong, worked('npm install'), worked('node build.js'));
    assert.ok(finding);
    assert.equal(finding.summary, 'Before `node`: run `npm install`'.replace('`node`', `\`${finding.intentKey}\``));
    assert.equal(finding.fixingCallId, 'call-1');
    assert.ok(speaks(finding, 'node build.js'));
    assert.ok(!speaks(finding, { command: 'node build.js', ran: ['npm install --silent'] }));
    assert.ok(!speaks(finding, 'npm install && node build.js'));
  });

  it('learns it where calls come one by one, when the one that proves it has come', () => {
    const script = [wrong, worked('npm install'), worked('node build.js')];
    const found = script.map(
      (_, last) => missingPrecondition.detect(makeWindow(script.slice(0, last + 1), last)).length,
    );
    assert.deepEqual(found, [0, 0, 1]);
  });

  it('learns what the error itself names', () => {
    const said = 'go: updates to go.mod needed; to update it:\n\tgo mod tidy';
    const [finding] = detectWith(
      missingPrecondition,
      failed('go run ./cmd/x', said),
      worked('go mod tidy'),
      worked('go run ./cmd/x'),
    );
    assert.ok(finding);
    assert.equal(finding.remediation, 'Run `go mod tidy` first');
  });

  it('learns what the user named', () => {
    const [finding] = detectWith(
      missingPrecondition,
      failed('git status', 'fatal: unable to read e53647ba1f1e5203bedff558b482f178db045555'),
      denied('git log -3', 'run git read-tree HEAD to recover'),
      worked('git read-tree HEAD'),
      worked('git status'),
    );
    assert.ok(finding);
    assert.match(finding.summary, /run `git read-tree/);
  });

  it('learns that a server of this machine has to be started, and nothing of servers elsewhere', () => {
    const refused = (host: string) =>
      failed(
        `psql -h ${host} shop`,
        `psql: error: connection to server at "${host}", port 5432 failed: Connection refused`,
      );
    const session = (host: string) => [
      refused(host),
      worked('docker compose up -d db'),
      worked(`psql -h ${host} shop`),
    ];
    const [finding] = detectWith(missingPrecondition, ...session('localhost'));
    assert.equal(finding?.summary, 'Before `psql`: run `docker compose up -d <name>`');
    assert.deepEqual(detectWith(missingPrecondition, ...session('db.example.com')), []);
  });

  it('says nothing of what only happened to run between', () => {
    const flaky = failed('node build.js', 'Segmentation fault');
    assert.deepEqual(detectWith(missingPrecondition, flaky, worked('npm install'), worked('node build.js')), []);
  });

  it('says nothing when code was changed in between', () => {
    const steps = [wrong, other('edit', '/repo/build.js'), worked('npm install'), worked('node build.js')];
    assert.deepEqual(detectWith(missingPrecondition, ...steps), []);
  });

  it('says nothing of tests that turned green, formatters and conflicts', () => {
    const red = failed('npm test', '1 failed\nrun npm run build');
    assert.deepEqual(detectWith(missingPrecondition, red, worked('npm run build'), worked('npm test')), []);
    const ugly = failed('npm run lint', 'files need to be formatted: npm run fmt');
    assert.deepEqual(detectWith(missingPrecondition, ugly, worked('npm run fmt'), worked('npm run lint')), []);
    const conflict = failed('git rebase --continue', 'CONFLICT: use git add');
    assert.deepEqual(
      detectWith(missingPrecondition, conflict, worked('git add a'), worked('git rebase --continue')),
      [],
    );
  });
});
