import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { HISTORIES } from '../../src/agents/histories.ts';
import type { GateRefusal } from '../../src/base/contracts/store.ts';
import { groupRefusals } from '../../src/capture/brief.ts';

const refusal = (id: string, fields: Partial<GateRefusal> = {}): GateRefusal => ({
  ...{ id, by: 'hook', command: 'git commit -m x', output: 'PreToolUse:Bash hook error: no', at: `2026-01-0${id}` },
  intents: ['shell git commit'],
  ...fields,
});
const three = (fields: Partial<GateRefusal>) => ['1', '2', '3'].map((id) => refusal(id, fields));

const SENTENCES = HISTORIES.flatMap(({ refusals = [] }) => refusals);
const group = (refusals: Parameters<typeof groupRefusals>[0]) => groupRefusals(refusals, SENTENCES);

describe('gates that refuse repeatedly', () => {
  it('are reported from three refusals of one intent by one gate on', () => {
    const all = three({});
    assert.deepEqual(group(all.slice(1)), []);
    assert.deepEqual(group(all)[0]?.ids, ['1', '2', '3']);
    const apart = [refusal('1'), refusal('2'), refusal('3', { intents: ['shell git push'] })];
    assert.deepEqual(group(apart), []);
    const others = [refusal('1'), refusal('2'), refusal('3', { output: 'PreToolUse:Bash hook error: [guard]: no' })];
    assert.deepEqual(group(others), []);
  });

  it('count a refused line with several intents once, for the intent that was refused most often', () => {
    const both = ['shell git add', 'shell git commit'];
    const lines = [...['1', '2', '3'].map((id) => refusal(id, { intents: both })), refusal('4')];
    assert.deepEqual(
      group(lines).map(({ ids }) => ids),
      [['1', '2', '3', '4']],
    );
  });

  it('have the name and the reason that the agent reports', () => {
    const told = (output: string, by: GateRefusal['by'] = 'hook') => {
      const [entry] = group(three({ output, by }));
      return [entry?.hook, entry?.stderr];
    };
    assert.deepEqual(told('PreToolUse:Bash hook error: [sh guard.sh]: not on main\nmore'), [
      'hook `sh guard.sh` (PreToolUse:Bash)',
      'not on main',
    ]);
    assert.deepEqual(told('PreToolUse:Edit hook error: read. Command: x'), [
      'a PreToolUse:Edit hook',
      'read. Command: x',
    ]);
    assert.deepEqual(told('Command blocked by PreToolUse hook: no secrets. Command: cat .env'), [
      'a PreToolUse hook',
      'no secrets',
    ]);
    assert.deepEqual(told('Denied by preToolUse hook: keep the beds'), ['a preToolUse hook', 'keep the beds']);
    assert.deepEqual(told('Tool execution blocked: never'), ['a hook', 'never']);
    assert.deepEqual(told('Permission to use Bash with command rm -rf made has been denied.', 'rule'), [
      'a permission rule',
      '',
    ]);
    assert.deepEqual(told('Permission to use Bash has been auto-denied (prompts unavailable).', 'rule'), [
      'a permission rule',
      '(prompts unavailable).',
    ]);
    assert.deepEqual(told('denied for reasons of its own', 'rule'), [
      'a permission rule',
      'denied for reasons of its own',
    ]);
  });

  it('never cut a reason or a command inside a word, whatever a hook prints', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 60 }), (words) => {
        const text = words.join(' ');
        const [entry] = group(three({ output: `PreToolUse:Bash hook error: ${text}`, command: text }));
        assert.equal(entry?.ids.length, 3);
        assert.ok((entry?.stderr.length ?? 0) <= 200 && (entry?.command.length ?? 0) < 200);
        assert.doesNotMatch(entry?.stderr ?? '', /\n/);
      }),
    );
  });
});
