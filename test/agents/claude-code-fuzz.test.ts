/** Damaged transcripts: no crash, no hang, and no call gets the end of another. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { openTranscript } from '../../src/agents/claude-code/history.ts';
import type { AgentEvent, EventOf } from '../../src/base/model/event.ts';
import { assertLinear } from '../measure-cpu.ts';
import { toRuns } from '../to-runs.ts';
import { makeDamage } from './make-damage.ts';
import { openLines } from './open-lines.ts';

const KINDS = ['done', 'failed', 'refused', 'early', 'background', 'old-background', 'late', 'sub', 'split'] as const;
/** So long that no damage turns one into another. */
const id = fc.stringMatching(/^[0-9a-f]{24}$/);

interface Story {
  readonly id: string;
  readonly kind: (typeof KINDS)[number];
}

/** An exit code of its own. */
const toCode = (own: string): number => 3 + (Number.parseInt(own.slice(0, 2), 16) % 120);

let second = 0;
const row = (fields: object): string =>
  JSON.stringify({ sessionId: 's', timestamp: new Date(1.77e12 + second++ * 1000).toISOString(), ...fields });
const ask = (own: string, more: object = {}, before: readonly object[] = []): string =>
  row({
    type: 'assistant',
    message: {
      id: `msg ${own}`,
      content: [...before, { type: 'tool_use', id: own, name: 'Bash', input: { command: `run ${own}` } }],
    },
    ...more,
  });
const answer = (own: string, block: object, more: object = {}): string =>
  row({ type: 'user', message: { content: [{ type: 'tool_result', tool_use_id: own, ...block }] }, ...more });
const notify = (own: string, tags: string): string =>
  row({
    type: 'user',
    message: {
      content: `<task-notification>${tags}<status>failed</status><summary>Background command "${own}" failed with exit code ${toCode(own)}</summary></task-notification>`,
    },
  });
const prompt = (): string => row({ type: 'user', message: { content: 'go on' } });

/** Every text about a call contains its id. */
function toLines({ id: own, kind }: Story): readonly string[] {
  const done = answer(own, { content: `of ${own}` }, { toolUseResult: { stdout: `of ${own}`, stderr: '' } });
  const started = { toolUseResult: { stdout: '', backgroundTaskId: `task-${own}` } };
  const left = answer(own, { content: `running in background with ID task-${own}` }, started);
  const words = `The user doesn't want to proceed with this tool use. the user said: ${own}`;
  const lines: Readonly<Record<Story['kind'], () => readonly string[]>> = {
    done: () => [ask(own), done],
    failed: () => [ask(own), answer(own, { is_error: true, content: `Exit code 2\nof ${own}` })],
    refused: () => [ask(own), answer(own, { is_error: true, content: words })],
    early: () => [done, ask(own)],
    background: () => [ask(own), left, notify(own, `<tool-use-id>${own}</tool-use-id>`)],
    'old-background': () => [ask(own), left, notify(own, `<task-id>task-${own}</task-id>`)],
    late: () => [ask(own), prompt(), done],
    sub: () => [ask(own, { isSidechain: true, agentId: `a${own}` }), answer(own, { content: `of ${own}` })],
    split: () => [
      row({ type: 'assistant', message: { id: `msg ${own}`, content: [{ type: 'text', text: `of ${own}` }] } }),
      ask(own, {}, [{ type: 'thinking', thinking: `of ${own}` }]),
      done,
    ],
  };
  return lines[kind]();
}

const story = fc.record({ id, kind: fc.constantFrom(...KINDS) });
const stories = fc.uniqueArray(story, { selector: (one) => one.id, minLength: 1, maxLength: 8 });
const others = fc.constantFrom(
  prompt(),
  row({ type: 'system', subtype: 'compact_boundary' }),
  row({ type: 'user', message: { content: [{ type: 'text', text: '[Request interrupted by user]' }] } }),
  row({ type: 'queue-operation', operation: 'enqueue' }),
);

function toExitCode(own: string, kind: Story['kind']): number | undefined {
  if (kind === 'refused' || kind === 'sub') return undefined;
  if (kind === 'background' || kind === 'old-background') return toCode(own);
  return kind === 'failed' ? 2 : 0;
}

function isEnd(event: AgentEvent): event is EventOf<'call-ended'> | EventOf<'background-ended'> {
  return event.kind === 'call-ended' || event.kind === 'background-ended';
}

describe('Claude Code transcripts, damaged at random', () => {
  it('never give a call the result of another', () => {
    const damaged = stories.chain((calls) => {
      const lines = calls.flatMap(toLines);
      return fc.tuple(fc.constant(calls), makeDamage(lines), fc.array(fc.tuple(fc.nat(), others), { maxLength: 3 }));
    });
    fc.assert(
      fc.property(damaged, ([calls, some, more]) => {
        const lines = more.reduce((all, [at, line]) => all.toSpliced(at % (all.length + 1), 0, line), [...some]);
        const { reader, read } = openLines(openTranscript, '/x/s.jsonl');
        const events = [...lines.flatMap((line) => [...read(line)]), ...(reader.leave?.() ?? [])];
        for (const { callId, input, result } of events.filter(isEnd)) {
          // A call whose id was damaged belongs to nobody.
          if (!calls.some((one) => one.id === callId)) continue;
          const told = `${input.json} ${result.text} ${result.denied?.words}`;
          for (const other of calls) if (other.id !== callId) assert.ok(!told.includes(other.id), callId);
        }
        assert.ok((reader.pendingLine ?? 1) <= Math.max(1, lines.length));
      }),
      { numRuns: toRuns(1500) },
    );
  });

  it('give the complete calls their own ends, in whatever order the calls are written', () => {
    fc.assert(
      fc.property(stories, (calls) => {
        const { reader, read } = openLines(openTranscript, '/x/s.jsonl');
        const ends = calls
          .flatMap(toLines)
          .flatMap((line) => [...read(line)])
          .filter(isEnd);
        const last = new Map(ends.map((event) => [event.callId, event]));
        for (const { id: own, kind } of calls) {
          const { result, input, contextId } = last.get(own) ?? assert.fail(kind);
          assert.equal(input.command, `run ${own}`);
          assert.equal(contextId, kind === 'sub' ? `a${own}` : '');
          assert.equal(result.exitCode, toExitCode(own, kind), kind);
          assert.equal(result.denied?.words, kind === 'refused' ? own : undefined);
        }
        assert.deepEqual([...reader.skipped], []);
        assert.equal(reader.pendingLine, undefined);
      }),
    );
  });

  it('report each background task with its own end, in whatever order they end', () => {
    const tasks = fc.uniqueArray(
      fc.record({ id, kind: fc.constantFrom<Story['kind']>('background', 'old-background') }),
      { selector: (one) => one.id, minLength: 2, maxLength: 8 },
    );
    fc.assert(
      fc.property(tasks, fc.infiniteStream(fc.nat()), (calls, order) => {
        const told = calls.map(toLines);
        const notices = told.flatMap((lines) => lines.slice(2)).sort(() => ((order.next().value ?? 0) % 2) - 0.5);
        const { read } = openLines(openTranscript, '/x/s.jsonl');
        const starts = told.flatMap((lines) => lines.slice(0, 2));
        const events = [...starts, ...notices].flatMap((line) => [...read(line)]);
        const ends = events.filter((event) => event.kind === 'background-ended');
        assert.equal(new Set(ends.map((event) => event.callId)).size, calls.length);
        for (const { callId, result } of ends) assert.equal(result.exitCode, toCode(callId));
      }),
    );
  });

  it('never take long: thousands of open calls, results without calls and rows without an end', () => {
    assertLinear((count) => {
      const { reader, read } = openLines(openTranscript, '/x/s.jsonl');
      for (let n = 0; n < count; n++) read(ask(`call ${n}`));
      for (let n = 0; n < count; n++) read(answer(`none ${n}`, { content: 'x' }));
      for (let n = 0; n < 5; n++) read(`{"type":"user","message":${'{"a":'.repeat(4 * count)}`);
      for (let n = 0; n < 5; n++) read('}{"'.repeat(4 * count));
      read(prompt());
      assert.ok((reader.memo ?? '').length < 10_000);
    }, 1250);
  });
});
