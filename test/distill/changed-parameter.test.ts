import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { LiveCall } from '../../src/base/model/call.ts';
import { changedParameter, findChangedParameter } from '../../src/distill/propose/agent-tools/changed-parameter.ts';
import { detectWith, speaks } from './detect-pairs.ts';
import { failed, type Step, worked } from './session-script.ts';

const TRACKER = { tool: 'mcp:tracker/create_issue', rawTool: 'mcp__tracker__create_issue' } as const;

function refused(parameters: LiveCall['parameters'], output: string): Step {
  return { ...TRACKER, outcome: 'failure', outcomeType: 'error-flag', ...withParameters(parameters), output };
}

function taken(parameters: LiveCall['parameters']): Step {
  return { ...TRACKER, outcome: 'success', output: '{"id":1}', ...withParameters(parameters) };
}

function withParameters(parameters: LiveCall['parameters']): Step {
  return parameters === undefined ? {} : { parameters };
}

describe('changed-parameter', () => {
  const denied = failed(
    'git checkout -b feature',
    "fatal: cannot lock ref 'refs/heads/feature': Operation not permitted",
  );

  it('sees a command that worked unchanged once it was let out of the sandbox', () => {
    const [finding] = detectWith(
      changedParameter,
      { ...denied, parameters: { workdir: '/repo' } },
      {
        ...worked('git checkout -b feature'),
        parameters: { workdir: '/repo', sandbox_permissions: 'require_escalated', justification: 'may I?' },
      },
    );
    assert.ok(finding);
    assert.match(
      finding.summary,
      /^`git checkout` needs `sandbox_permissions` here: give it `sandbox_permissions: require/,
    );
    const again = 'git checkout -b other';
    assert.ok(speaks(finding, { command: again, json: '{"cmd":"git checkout -b other"}' }));
    const escalated = '{"cmd":"git checkout -b other","sandbox_permissions":"require_escalated"}';
    assert.ok(!speaks(finding, { command: again, json: escalated }));
    assert.ok(!speaks(finding, { command: 'git status', json: '{}' }));
  });

  it('says nothing of a command that was changed too, that failed again, or that worked by itself', () => {
    const out = { sandbox_permissions: 'require_escalated' };
    assert.deepEqual(detectWith(changedParameter, denied, { ...worked('git switch feature'), parameters: out }), []);
    assert.deepEqual(detectWith(changedParameter, denied, { ...denied, parameters: out }), []);
    assert.deepEqual(detectWith(changedParameter, denied, worked('git checkout -b feature')), []);
    const longer = { ...worked('git checkout -b feature'), parameters: { timeout: '600000', description: 'again' } };
    assert.deepEqual(detectWith(changedParameter, denied, longer), []);
  });

  it('sees an id of the wrong kind, whatever its number', () => {
    const id = '4ce84f4e-af33-43fe-a749-cfe9c112f7ed';
    const [finding] = detectWith(
      changedParameter,
      refused({ title: 'Fix login', parentId: 'SHOP-53' }, 'parentId contained a non-uuid identifier.'),
      taken({ title: 'Fix login', parentId: id }),
    );
    assert.ok(finding);
    assert.match(finding.summary, /does not take `parentId: <id>`/);
    // The ids of that day are wrong for the next call.
    assert.doesNotMatch(finding.summary + finding.remediation, /SHOP-53|4ce84f4e/);
    const { tool } = TRACKER;
    assert.ok(speaks(finding, { tool, json: '{"title":"Other","parentId":"SHOP-7"}' }));
    assert.ok(!speaks(finding, { tool, json: `{"title":"Other","parentId":"${id}"}` }));
    assert.ok(!speaks(finding, { tool: 'mcp:tracker/list_issues', json: '{"parentId":"SHOP-7"}' }));
  });

  it('sees the one value that was changed, although the error names none', () => {
    const [finding] = detectWith(
      changedParameter,
      refused({ title: 'Fix login', team: 'Shop' }, 'Argument Validation Error'),
      taken({ title: 'Fix login', team: 'Company', project: 'Shop' }),
    );
    assert.ok(finding);
    assert.deepEqual(finding.triggers, { tools: [TRACKER.tool], input: { match: ['"team" *: *"?Shop"?[,}]'] } });
  });

  it('says nothing when two values were changed, or when it is other work', () => {
    const wrong = refused({ title: 'Fix login', team: 'Shop', state: 'Open' }, 'Argument Validation Error');
    assert.deepEqual(detectWith(changedParameter, wrong, taken({ title: 'Fix login', team: 'A', state: 'B' })), []);
    assert.deepEqual(detectWith(changedParameter, wrong, taken({ title: 'Other', team: 'A', state: 'B' })), []);
  });

  it('sees a parameter that the tool does not have', () => {
    const edit = { tool: 'edit', rawTool: 'Edit', targetPath: '/repo/a.ts' } as const;
    const output =
      'InputValidationError: The required parameter `new_string` is missing. An unexpected parameter `new_str`';
    const [finding] = detectWith(
      changedParameter,
      { ...edit, outcome: 'failure', output, parameters: { file_path: '/repo/a.ts', new_str: '…' } },
      { ...edit, outcome: 'success', output: 'updated', parameters: { file_path: '/repo/a.ts', new_string: '…' } },
    );
    assert.ok(finding);
    assert.match(finding.summary, /^`Edit` takes no `new_str`: give it as `new_string`/);
    assert.ok(speaks(finding, { tool: 'edit', json: '{"file_path":"b.ts","new_str":"x"}' }));
    assert.ok(!speaks(finding, { tool: 'edit', json: '{"file_path":"b.ts","new_string":"{\\"new_str\\": 1}"}' }));
  });

  it('takes any parameters, and never names one that is the same in both', () => {
    const parameters = fc.dictionary(fc.stringMatching(/^[a-z_][\w.-]{0,8}$/), fc.string({ maxLength: 40 }));
    fc.assert(
      fc.property(parameters, parameters, fc.string(), (before, after, output) => {
        const call = { ...taken(before), output } as LiveCall;
        const found = findChangedParameter(call, taken(after) as LiveCall);
        if (found !== undefined && found.after !== undefined) assert.notEqual(before[found.name], after[found.name]);
      }),
    );
  });
});
