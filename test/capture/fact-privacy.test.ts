import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { ADAPTERS, findAdapter } from '../../src/agents/hooks.ts';
import { toFacts } from '../../src/capture/journal/facts.ts';
import { parseFact } from '../../src/capture/journal/read-facts.ts';
import { toRuns } from '../to-runs.ts';

const MARKER = 'hunter2-of-the-user';
const AT = '2026-01-01T00:00:00.000Z';
const FIXTURES = join(import.meta.dirname, '../fixtures/claude-code/hooks');
/** What a fact may contain: ids, place, tool, outcome. Every other text of a payload is input or output. */
const NAMES = new Set([
  'session_id',
  'hook_event_name',
  'transcript_path',
  'agent_transcript_path',
  'cwd',
  'tool_name',
  'tool_use_id',
  'agent_id',
  'agent_type',
  'reason',
  'source',
  'model',
  'type',
]);
/** Prefixes with a meaning for the agent or for us; each takes another path through the code. */
const BEGINNINGS = [
  '',
  'Exit code 1\n',
  'Exit code 127\n',
  '<tool_use_error>',
  'warning: ',
  'password=',
  "The user doesn't want to proceed with this tool use. The tool use was rejected. To tell you how to proceed, the user said:\n",
  'Command timed out after 2m\n',
  '<local-command-stdout>',
  '{"a":"',
];

/** The payload with the marker in every text that is not a name. */
function mark(value: unknown, say: (text: string) => string, key = ''): unknown {
  if (typeof value === 'string') return NAMES.has(key) ? value : say(value);
  if (Array.isArray(value)) return value.map((one) => mark(one, say, key));
  if (typeof value !== 'object' || value === null) return value;
  // Inside a tool's input and output a key means nothing to us: `type` there is the user's.
  const isTheirs = key === 'tool_input' || key === 'tool_response' || key === 'theirs';
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, mark(one, say, isTheirs ? 'theirs' : name)]),
  );
}

const recorded = readdirSync(FIXTURES).map((name) => JSON.parse(readFileSync(join(FIXTURES, name), 'utf8')));

const tell = (agent: string, eventName: string, wire: unknown) => {
  const event = findAdapter(agent)?.readHook(eventName, wire, AT);
  return event === undefined ? [] : toFacts(event, 'prj_1');
};

const assertBare = (facts: ReturnType<typeof toFacts>) => {
  for (const fact of facts) {
    const line = JSON.stringify(fact);
    assert.ok(!line.includes(MARKER), line);
    assert.deepEqual(parseFact(line), fact);
  }
};

describe('the facts of an event', () => {
  it('contain no text of input or output, for every recorded payload with any text in it', () => {
    const text = fc.tuple(fc.constantFrom(...BEGINNINGS), fc.string({ unit: 'binary', maxLength: 20 }));
    fc.assert(
      fc.property(fc.constantFrom(...recorded), text, fc.boolean(), (wire, [beginning, rest], keep) => {
        const say = (old: string) => `${beginning}${MARKER}${rest}${keep ? old : ''}`;
        assertBare(tell('claude-code', wire.hook_event_name, mark(wire, say)));
      }),
      { numRuns: toRuns(1000) },
    );
  });

  it('contain no text of input or output, for any shape of them', () => {
    const marked = fc
      .jsonValue({ maxDepth: 3 })
      .map((value) => mark({ theirs: value, also: 'x' }, (text) => MARKER + text));
    const event = fc.constantFrom('PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'UserPromptSubmit', 'Stop');
    const tool = fc.constantFrom('Bash', 'Edit', 'Write', 'Read', 'Task', 'mcp__x__y', 'NoSuchTool');
    fc.assert(
      fc.property(event, tool, marked, marked, (hook_event_name, tool_name, tool_input, other) => {
        const wire = { session_id: 's', tool_use_id: 't', hook_event_name, tool_name, tool_input };
        const texts = { tool_response: other, error: `Exit code 1\n${MARKER}`, prompt: MARKER, message: MARKER };
        const calls = [{ tool_name, tool_use_id: 't', tool_input, tool_response: `${MARKER} warning: x` }];
        for (const agent of ADAPTERS) {
          assertBare(tell(agent.facts.id, hook_event_name, { ...wire, ...texts }));
          assertBare(
            tell(agent.facts.id, 'PostToolBatch', { ...wire, hook_event_name: 'PostToolBatch', tool_calls: calls }),
          );
        }
      }),
      { numRuns: toRuns(500) },
    );
  });

  it('are one for each recorded payload that we read, with the outcome of its call', () => {
    const outcomes = recorded.flatMap((wire) =>
      tell('claude-code', wire.hook_event_name, wire).map((fact) =>
        fact.kind === 'call' ? fact.call.outcome : fact.kind,
      ),
    );
    for (const outcome of ['success', 'failure', 'denied', 'seen', 'ended'])
      assert.ok(outcomes.includes(outcome as 'seen'), outcome);
  });
});
