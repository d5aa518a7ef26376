/** Reports of clients without hooks, as the daemon reads them: wire in, events out, whatever the wire is. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ADAPTERS } from '../../src/agents/hooks.ts';
import { mcp, parseNote } from '../../src/agents/mcp/hooks.ts';
import { findReporter } from '../../src/agents/reporters.ts';
import type { EventOf } from '../../src/base/model/event.ts';
import { eventSchema } from '../../src/capture/calls/event-schema.ts';
import { judgeOutcome } from '../../src/capture/outcomes/judge-outcome.ts';
import { toRuns } from '../to-runs.ts';

const AT = '2026-11-15T10:00:00.000Z';
const IDS = { session_id: 'myagent-1', call_id: 'c1', tool: 'shell', cwd: '/tmp/x' };

const read = (more: object) => mcp.readHook('tool_outcome', { ...IDS, ...more }, AT) as EventOf<'call-ended'>;

describe('the reports of a client without hooks', () => {
  it('have the outcome that the client states', () => {
    const input = { command: 'gh pr diff --stat' };
    const outcomes = ['success', 'failure', 'cancelled', 'denied'].map(
      (outcome) => judgeOutcome(read({ input, outcome })).outcome,
    );
    assert.deepEqual(outcomes, ['success', 'failure', 'cancelled', 'denied']);
    assert.equal(judgeOutcome(read({ input, outcome: 'success', exit_code: 2 })).outcome, 'failure');
  });

  it('know the tools of all agents with hooks by our names', () => {
    for (const [tool, input, part] of [
      ['shell', { command: 'ls' }, 'command'],
      ['Bash', { command: 'ls' }, 'command'],
      ['edit', { path: '/a', new_string: 'b' }, 'content'],
      ['read', { file_path: '/a' }, 'path'],
    ] as const)
      assert.ok(read({ tool, input, outcome: 'success' }).input[part], tool);
    assert.equal(read({ tool: 'mcp__server__tool', input: {}, outcome: 'success' }).tool, 'mcp:server/tool');
    assert.equal(read({ tool: 'unheard_of', input: {}, outcome: 'success' }).tool, 'other');
  });

  it('end a session', () => {
    assert.equal(mcp.readHook('session_end_analysis', IDS, AT)?.kind, 'session-ended');
  });

  it('are read only by the daemon, because no hook sends them', () => {
    assert.ok(!ADAPTERS.includes(mcp));
    assert.equal(findReporter(mcp.facts.id)?.id, mcp.facts.id);
    assert.equal(findReporter(ADAPTERS[0]?.facts.id ?? ''), undefined);
  });

  it('are answered with a text, which can be read back', () => {
    const note = { kind: 'note', to: 'call-ended', context: 'a "lesson"\nin two lines' } as const;
    assert.equal(parseNote(mcp.writeHook(note)), note.context);
    assert.equal(parseNote(''), undefined);
    assert.doesNotMatch(mcp.writeHook(note), /permission|decision|allow/i);
  });

  it('give an event of the known shape or none, whatever they contain', () => {
    const wire = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          session_id: fc.oneof(fc.string(), fc.jsonValue()),
          call_id: fc.oneof(fc.string(), fc.jsonValue()),
          tool: fc.oneof(fc.constantFrom('shell', 'edit', 'read', 'x'), fc.jsonValue()),
          input: fc.jsonValue(),
          outcome: fc.oneof(fc.constantFrom('success', 'failure', 'denied'), fc.jsonValue()),
          output: fc.oneof(fc.string(), fc.jsonValue()),
          exit_code: fc.oneof(fc.integer(), fc.jsonValue()),
          duration_ms: fc.oneof(fc.nat(), fc.constant(Number.NaN)),
          cwd: fc.jsonValue(),
        },
        { requiredKeys: [] },
      ),
    );
    const property = fc.property(fc.constantFrom('tool_outcome', 'session_end_analysis', 'x'), wire, (name, given) => {
      const event = mcp.readHook(name, given, AT);
      if (event !== undefined) assert.ok(eventSchema.safeParse(event).success, JSON.stringify(event));
    });
    fc.assert(property, { numRuns: toRuns(500) });
  });
});
