/** A path that several sessions looked for in vain, and the calls at which a lesson about it fires. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { toSignature } from '../../src/base/text/signature.ts';
import { toRecordedView } from '../../src/base/triggers/call-view.ts';
import { gateFinding, type PastCall } from '../../src/distill/gate/gate-finding.ts';
import { proposeAbsentPath } from '../../src/distill/propose/paths/absent-path.ts';
import { judgeTriggers } from '../../src/keep/manifest/compiled-triggers.ts';
import { holdsInPast } from '../../src/loop/learning/past-calls.ts';
import { makePast, makeWindow, type Step } from './session-script.ts';

const ROOT = '/home/u/shop';

let count = 0;

function past(fields: Partial<PastCall>): PastCall {
  count++;
  return makePast({ callId: `past-${count}`, sessionId: `s${count}`, ...fields });
}

const GONE = { outcome: 'failure', message: 'File does not exist.' } as const;

const read = (targetPath: string, fields: Partial<PastCall> = {}): PastCall =>
  past({ tool: 'read', rawTool: 'Read', targetPath, inputSummary: targetPath, ...fields });

const shell = (inputSummary: string, fields: Partial<PastCall> = {}): PastCall => past({ inputSummary, ...fields });

const search = (path: string, fields: Partial<PastCall> = {}): PastCall =>
  past({ tool: 'grep', rawTool: 'Grep', inputSummary: JSON.stringify({ path, pattern: 'total' }), ...fields });

function failing(step: Step): LiveCall {
  const { message = 'File does not exist.' } = step;
  const { signature } = toSignature('Read', message) ?? {};
  const call = {
    cwd: ROOT,
    projectRoot: ROOT,
    sessionId: 'now',
    outcome: 'failure',
    output: message,
    message,
  } as const;
  return makeWindow([{ ...call, ...(signature && { signature }), ...step }]).calls[0] ?? assert.fail();
}

const readInVain = (path: string, step: Step = {}): LiveCall =>
  failing({ tool: 'read', rawTool: 'Read', targetPath: path, ...step });

describe('a path that another session looked for in vain', () => {
  const now = readInVain(`${ROOT}/lib/cart.yml`);
  const before = read(`${ROOT}/lib/cart.yml`, GONE);

  it('is said not to be there, before any call that reads it, and no other', () => {
    const finding = proposeAbsentPath(now, [before, now]);
    assert.equal(finding?.summary, '`lib/cart.yml` is not in this project');
    const { triggers } = finding;
    const at = { cwd: `${ROOT}/web` };
    const fires = (call: PastCall): boolean => judgeTriggers(triggers, toRecordedView({ ...call, ...at })).holds;
    for (const call of [
      read(`${ROOT}/lib/cart.yml`),
      search(`${ROOT}/lib/cart.yml`),
      shell('cat lib/cart.yml | head -3'),
      shell('rg total lib/cart.yml'),
      shell('node lib/cart.yml'),
    ])
      assert.ok(fires(call), call.inputSummary);
    for (const call of [
      read(`${ROOT}/lib/cart.yaml`),
      read(`${ROOT}/old-lib/cart.yml`),
      read('/home/u/other/lib/cart.yml'),
      search(`${ROOT}/lib`),
      shell('rg lib/cart.yml docs'),
      shell('echo lib/cart.yml'),
      shell('touch lib/cart.yml'),
      // These ask whether it is there.
      shell('test -f lib/cart.yml && ./start'),
      shell('ls lib/cart.yml'),
      shell('cat lib/cart.yml 2>/dev/null || true'),
      past({ tool: 'write', rawTool: 'Write', targetPath: `${ROOT}/lib/cart.yml` }),
    ])
      assert.ok(!fires(call), call.inputSummary ?? call.tool);
  });

  it('is the same path in the words of every tool, and in another worktree', () => {
    const said = { outcome: 'failure', message: `Path does not exist: ${ROOT}/lib/cart.yml` } as const;
    const cat = { outcome: 'failure', message: 'cat: lib/cart.yml: No such file or directory' } as const;
    const worktree = read(`${ROOT}/.trees/one/lib/cart.yml`, GONE);
    for (const one of [search(`${ROOT}/lib/cart.yml`, said), shell('cat lib/cart.yml', cat), worktree])
      assert.deepEqual(proposeAbsentPath(now, [one])?.triggers.reads, ['lib/cart.yml'], one.inputSummary);
    const two = `${ROOT}/.trees/two`;
    const there = readInVain(`${two}/lib/cart.yml`, { cwd: two });
    assert.deepEqual(proposeAbsentPath(there, [worktree])?.triggers.reads, ['lib/cart.yml']);
  });

  it('teaches nothing in one session, nor where another path was missing', () => {
    assert.equal(proposeAbsentPath(now, [{ ...before, sessionId: 'now' }]), undefined);
    assert.equal(proposeAbsentPath(now, [read(`${ROOT}/lib/order.yml`, GONE)]), undefined);
    const large = { outcome: 'failure', message: 'the file is too large' } as const;
    assert.equal(proposeAbsentPath(now, [read(`${ROOT}/lib/cart.yml`, large)]), undefined);
  });

  it('teaches nothing where calls only asked whether it is there', () => {
    const said = { outcome: 'failure', message: 'ls: lib/cart.yml: No such file or directory' } as const;
    assert.equal(proposeAbsentPath(now, [shell('ls lib/cart.yml', said)]), undefined);
    assert.equal(proposeAbsentPath(failing({ command: 'ls lib/cart.yml', ...said }), [before]), undefined);
  });

  it('teaches nothing where a call in between read, wrote, ran or listed it', () => {
    for (const proof of [
      read(`${ROOT}/.trees/one/lib/cart.yml`),
      past({ tool: 'write', rawTool: 'Write', targetPath: `${ROOT}/lib/cart.yml` }),
      search(`${ROOT}/lib/cart.yml`),
      shell('ls -l lib/cart.yml'),
      shell('echo "a: 1" > lib/cart.yml'),
      shell('./lib/cart.yml --now'),
    ]) {
      assert.equal(proposeAbsentPath(now, [before, proof]), undefined, proof.inputSummary ?? proof.tool);
      assert.ok(proposeAbsentPath(now, [proof, before]), 'it was removed since');
    }
  });

  it('needs a third session where the path is a plain word', () => {
    const plain = readInVain(`${ROOT}/vendor`);
    const one = read(`${ROOT}/vendor`, GONE);
    assert.equal(proposeAbsentPath(plain, [one]), undefined);
    assert.ok(proposeAbsentPath(plain, [one, read(`${ROOT}/vendor`, GONE)]));
  });

  it('is the folder where a call looked for that, and no call knows anything in it', () => {
    const inside = readInVain(`${ROOT}/lib/rules/tax.ts`);
    const folder = search('lib/rules', { outcome: 'failure', message: 'Path does not exist: lib/rules' });
    assert.deepEqual(proposeAbsentPath(inside, [folder])?.triggers.reads, ['lib/rules']);
    const other = read(`${ROOT}/lib/rules/vat.ts`, GONE);
    assert.equal(proposeAbsentPath(inside, [other]), undefined, 'the folder may be there');
    assert.equal(proposeAbsentPath(inside, [folder, read(`${ROOT}/lib/rules/all.ts`)]), undefined);
  });

  it('passes the gate, whatever the words of the tools', () => {
    const said = { outcome: 'failure', message: `Path does not exist: ${ROOT}/lib/cart.yml` } as const;
    const calls = [
      read(`${ROOT}/lib/cart.yml`, GONE),
      search(`${ROOT}/lib/cart.yml`, said),
      { ...now, signatureId: 'sig' },
    ];
    const finding = proposeAbsentPath(now, calls) ?? assert.fail();
    assert.equal(gateFinding(finding, calls, holdsInPast).verdict, 'active');
    const there = [...calls, read(`${ROOT}/lib/cart.yml`)];
    assert.equal(gateFinding(finding, there, holdsInPast).verdict, 'dropped');
  });
});

describe('the place of a path that is not there', () => {
  const now = readInVain(`${ROOT}/lib/cart.yml`);
  const before = read(`${ROOT}/lib/cart.yml`, { ...GONE, sessionId: 'old' });
  const propose = (...next: readonly PastCall[]): string | undefined =>
    proposeAbsentPath(now, [before, ...next])?.summary.split('use ')[1];

  it('is what the session read next: another ending, or the same name elsewhere', () => {
    const old = { sessionId: 'old' };
    assert.equal(propose(read(`${ROOT}/lib/cart.yaml`, old)), '`lib/cart.yaml`');
    assert.equal(propose(shell('cat conf/cart.yml', old)), '`conf/cart.yml`');
    assert.equal(propose(read(`${ROOT}/lib/order.yml`, old)), undefined);
    assert.equal(propose(read(`${ROOT}/lib/cart.yaml`, { sessionId: 'another' })), undefined);
  });

  it('is not known where the project has the name in two folders, or outside of it', () => {
    const old = { sessionId: 'old' };
    assert.equal(propose(read(`${ROOT}/conf/cart.yml`, old), read(`${ROOT}/web/cart.yml`)), undefined);
    assert.equal(propose(read('/etc/cart.yml', old)), undefined);
  });

  it('is what the error suggests', () => {
    const message = 'File does not exist. Did you mean cart.yaml?';
    assert.match(
      proposeAbsentPath(readInVain(`${ROOT}/lib/cart.yml`, { message }), [before])?.summary ?? '',
      /use `lib\/cart\.yaml`$/,
    );
  });
});
