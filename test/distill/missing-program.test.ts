import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { detectFindings } from '../../src/distill/detect-findings.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { correctedCommand } from '../../src/distill/propose/rejected-words/corrected-command.ts';
import { isLinearRegex } from '../../src/keep/schemas/linear-regex.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { assertLinear } from '../measure-cpu.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, makePast, makeWindow, worked } from './session-script.ts';

const lost = failed('cd svc && go build ./cmd/web', '/bin/bash: line 1: go: command not found', 127);

describe('a program that the line itself has to make known', () => {
  it('learns the set-up that the line began with', () => {
    const right = worked('PATH=$PATH:/usr/local/go/bin && cd svc && go build ./cmd/web');
    const [finding] = detectWith(correctedCommand, lost, right);
    assert.ok(finding);
    assert.equal(finding.remediation, 'Run `PATH=$PATH:/usr/local/go/bin` first, in the same line');
    assert.ok(speaks(finding, 'go test ./...'));
    assert.ok(speaks(finding, 'GOPATH=/tmp/x go test . && ls -la'));
    for (const line of [
      'PATH=/usr/local/go/bin:$PATH go test ./...',
      'export PATH="$PATH:/usr/local/go/bin" && go test ./...',
      'cd svc; export PATH=$PATH:/opt/go/bin; go vet .',
      'source ~/.profile && go test ./...',
      '. ./env.sh && go test ./...',
      'eval "$(mise activate bash)" && go test ./...',
      '/usr/local/go/bin/go test ./...',
    ])
      assert.ok(!speaks(finding, line), line);
  });

  it('learns an environment that has to be activated', () => {
    const wrong = failed('pytest -q tests', 'bash: pytest: command not found', 127);
    const [finding] = detectFindings(makeWindow([wrong, worked('source .venv/bin/activate && pytest -q tests')]), [
      correctedCommand,
    ]);
    assert.equal(
      finding?.summary,
      '`pytest` is not on the PATH here: run `source .venv/bin/activate` first, in the same line',
    );
    assert.ok(finding && speaks(finding, 'cd app && pytest -x'));
    assert.ok(finding && !speaks(finding, 'cd app && . .venv/bin/activate && pytest -x'));
  });

  it('says nothing where the program is found without any set-up later, or where nobody sees how', () => {
    const found = worked('PATH=$PATH:/opt/go/bin && go build ./cmd/web');
    assert.deepEqual(detectWith(correctedCommand, lost, found, worked('go version')), []);
    assert.deepEqual(detectWith(correctedCommand, lost, worked('PATH=$(cat path.txt) go build ./cmd/web')), []);
    assert.deepEqual(detectWith(correctedCommand, lost, worked('source env.sh && ls')), []);
  });

  it('asks for linear patterns only', () => {
    const [finding] = detectWith(correctedCommand, lost, worked('export PATH=/x:$PATH && go build ./cmd/web'));
    const sources = finding?.triggers.line?.unless ?? [];
    assert.ok(sources.length > 0);
    for (const source of sources) assert.ok(isLinearRegex(source));
  });

  it('takes no longer for a line that never ends', () => {
    assertLinear((count) => {
      const endless = worked(`PATH=${'a:'.repeat(count)}( && go build ./cmd/web`);
      assert.deepEqual(detectWith(correctedCommand, lost, endless), []);
    }, 5_000);
  });
});

describe('a program that is on the machine', () => {
  const own = (fix: string, signatureId: string): readonly PastCall[] => [
    makePast({ callId: 'call-0', command: 'go build ./cmd/web', outcome: 'failure', signatureId }),
    makePast({ callId: 'call-1', command: fix }),
  ];

  it('may be on the PATH of another session: it has to be missed twice', () => {
    for (const fix of ['/usr/local/go/bin/go build ./cmd/web', 'PATH=$PATH:/opt/go/bin && go build ./cmd/web']) {
      const [finding] = detectWith(correctedCommand, lost, worked(fix));
      assert.ok(finding, fix);
      const { id } = finding.signature;
      assert.equal(gateFinding(finding, own(fix, id), holdsInPast).verdict, 'draft');
      const before = makePast({ callId: 'old', command: 'go vet ./...', outcome: 'failure', signatureId: id });
      assert.equal(gateFinding(finding, [...own(fix, id), before], holdsInPast).verdict, 'active');
    }
  });

  it('is missing for good where another one does its work, or where the project has its own', () => {
    for (const [wrong, fix] of [
      ['python seed.py', 'python3 seed.py'],
      ['tsc --noEmit', './node_modules/.bin/tsc --noEmit'],
    ] as const) {
      const [program = ''] = wrong.split(' ');
      const [finding] = detectWith(correctedCommand, failed(wrong, `zsh: command not found: ${program}`), worked(fix));
      assert.ok(finding, wrong);
      const past: readonly PastCall[] = [
        makePast({ callId: 'call-0', command: wrong, outcome: 'failure', signatureId: finding.signature.id }),
        makePast({ callId: 'call-1', command: fix }),
      ];
      assert.equal(gateFinding(finding, past, holdsInPast).verdict, 'active');
    }
  });

  it('has no stand-in that does another kind of work, or shares only a sign with it', () => {
    for (const [wrong, other] of [
      ['ruff src/app.py', 'pytest src/app.py'],
      ['fd ...', 'make ...'],
    ] as const) {
      const [program = ''] = wrong.split(' ');
      const missing = failed(wrong, `zsh: command not found: ${program}`);
      assert.deepEqual(detectWith(correctedCommand, missing, worked(other)), [], other);
    }
  });
});
