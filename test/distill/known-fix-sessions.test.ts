/** What a session teaches about tools, folders and commands that have to run first: shown with the same error the next time. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { LiveCall } from '../../src/base/model/call.ts';
import { knownFix } from '../../src/distill/propose/known-fix.ts';
import { detectAll, makeSigned } from './detect-pairs.ts';
import { failed, type Step, type Words, worked } from './session-script.ts';

const learn = (...script: readonly (Step | Words)[]): readonly string[] =>
  detectAll(...script).map(({ triggers, remediation }) => {
    assert.equal(triggers.failure, true);
    return remediation;
  });

const unread = (
  targetPath: string,
  output = `EISDIR: illegal operation on a directory, read '${targetPath}'`,
): Step => ({
  ...{ tool: 'read', rawTool: 'Read', targetPath, output, outcome: 'failure', cwd: '/repo' },
});

describe('a folder that was read as a file', () => {
  it('is to be listed, in the words of several agents', () => {
    const path = '/repo/tasks/lint';
    assert.deepEqual(learn(unread(path), worked(`ls ${path}`)), ['Use `ls <path>` instead of Read']);
    const said = unread(path, `Path is a directory, not a file: ${path}`);
    assert.deepEqual(learn(said, worked(`ls ${path}`)), ['Use `ls <path>` instead of Read']);
  });
});

describe('a command that has to run first', () => {
  const wrong = failed('node build.js', "Error: Cannot find module 'esbuild'");
  const script = [wrong, worked('npm install'), worked('node build.js')];

  it('is told where nothing else changed', () => {
    assert.deepEqual(learn(...script), ['Run `npm install` first']);
  });

  it('is known when the call has come that proves it', () => {
    const found = script.map((_, last) => knownFix.detect(makeSigned(script.slice(0, last + 1), last)).length);
    assert.deepEqual(found, [0, 0, 1]);
  });
});

describe('a tool that refused what it was given', () => {
  const TRACKER = { tool: 'mcp:tracker/create_issue', rawTool: 'mcp__tracker__create_issue' } as const;
  const refused = (parameters: LiveCall['parameters'] & {}, output: string): Step => ({
    ...TRACKER,
    ...{ outcome: 'failure', outcomeType: 'error-flag', parameters, output },
  });
  const taken = (parameters: LiveCall['parameters'] & {}): Step => ({
    ...TRACKER,
    ...{ outcome: 'success', output: '{"id":1}', parameters },
  });

  it('wants another value of the only parameter that changed, although the error names none', () => {
    const wrong = refused({ title: 'Fix login', team: 'Shop' }, 'Argument Validation Error');
    const right = taken({ title: 'Fix login', team: 'Company', project: 'Shop' });
    assert.deepEqual(learn(wrong, right), ['Give it another `team`']);
  });

  it('teaches nothing where two values changed, or where the next call is other work', () => {
    const wrong = refused({ title: 'Fix login', team: 'Shop', state: 'Open' }, 'Argument Validation Error');
    assert.deepEqual(learn(wrong, taken({ title: 'Fix login', team: 'A', state: 'B' })), []);
    assert.deepEqual(learn(wrong, taken({ title: 'Other', team: 'A', state: 'B' })), []);
  });
});
