/** Claude Code: every tool and every way a call can end is captured, each call as exactly one row. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredCall } from '../../src/base/model/call.ts';
import type { Checks } from './checks.ts';
import { bash, FILES, makeScript, makeStory, one, SKIP, type Story, TOOLS } from './claude-story.ts';
import { makeProductCli } from './make-product-cli.ts';
import { readCaptured } from './read-captured.ts';
import { openRig, type RunContext } from './rig.ts';

export async function accept(checks: Checks): Promise<void> {
  const rig = await openRig('claude');
  let context: RunContext | undefined;
  const cli = makeProductCli(() => context?.home ?? '');
  const prepare = async (run: RunContext): Promise<void> => {
    context = run;
    if (!existsSync(join(run.home, '.oncebitten'))) await cli('install', 'claude-code', '--force');
  };
  const files = FILES;
  const read = async () => readCaptured(join(context?.home ?? '', '.oncebitten'));

  try {
    let rows: Story = [];
    const all = await rig.runClaude('oncebitten-capture', {
      files,
      prepare,
      script: (run) => {
        rows = makeStory(run.project);
        return makeScript(
          'ALL',
          rows.map(([turn]) => turn),
        );
      },
      steps: [{ prompt: 'STORY-ALL work', args: [...SKIP, ...TOOLS] }],
    });
    checks.check('the session ends cleanly', all.results[0]?.code === 0, `exit ${all.results[0]?.code}`);
    const first = await read();
    expectRows(
      checks,
      'every call is one row with its outcome',
      first.calls,
      rows.flatMap(([, ...expected]) => expected),
    );
    expectFacts(checks, first.calls);

    await rig.runClaude('oncebitten-capture', {
      keep: true,
      files,
      prepare,
      script: makeScript('DENIED', [one(bash('touch made-it')), one(bash('echo allowed'))]),
      steps: [{ prompt: 'STORY-DENIED work', args: ['--allowedTools', 'Bash(echo:*)'] }],
    });
    const second = await read();
    expectRows(checks, 'a refused call is denied, never a failure', newOf(first.calls, second.calls), [
      'shell denied - main',
      'shell success - main',
    ]);

    await rig.runClaude('oncebitten-capture', {
      keep: true,
      files,
      prepare,
      script: makeScript('STOPPED', [one(bash('kill -INT $PPID; sleep 3; echo survived'))]),
      steps: [{ prompt: 'STORY-STOPPED work', args: SKIP }],
    });
    const third = await read();
    const stopped = newOf(second.calls, third.calls).map((call) => call.outcome);
    checks.check('an interrupted call is no failure', !stopped.includes('failure'), stopped.join(' ') || 'no row');

    await rig.runClaude('oncebitten-capture', {
      keep: true,
      files,
      prepare,
      script: makeScript('COMPACT', [one(bash('echo one'))]),
      steps: [
        { prompt: 'STORY-COMPACT work', args: SKIP },
        {
          prompt: '/compact',
          args: (results: readonly { sessionId: string }[]) => [...SKIP, '--resume', results[0]?.sessionId ?? ''],
        },
      ],
    });
    const fourth = await read();
    expectRows(checks, 'compaction adds no call', newOf(third.calls, fourth.calls), ['shell success - main']);

    await cli('scan', '--path', join(context?.home ?? '', '.claude/projects'));
    const last = await read();
    checks.check(
      'reading the transcripts afterwards adds no row',
      last.calls.length === fourth.calls.length,
      `${fourth.calls.length} -> ${last.calls.length}`,
    );
    const changed = last.calls.filter(
      (call) => fourth.calls.find((old) => old.id === call.id)?.outcome !== call.outcome,
    );
    checks.check(
      'and changes no outcome',
      changed.length === 0,
      changed.map((call) => `${call.callId} ${call.outcome}`).join(', '),
    );
  } finally {
    if (context !== undefined) await cli('daemon', 'stop');
  }
}

function newOf(before: readonly StoredCall[], after: readonly StoredCall[]): readonly StoredCall[] {
  const known = new Set(before.map((call) => call.id));
  return after.filter((call) => !known.has(call.id));
}

/** As sets: parallel calls end in any order. */
function expectRows(checks: Checks, name: string, calls: readonly StoredCall[], expected: readonly string[]): void {
  const rows = calls.map(
    ({ tool, outcome, exitCode, contextId }) =>
      `${tool} ${outcome} ${exitCode || '-'} ${contextId === '' ? 'main' : 'sub'}`,
  );
  const surplus = subtract(rows, expected).map((row) => `+ ${row}`);
  const missing = subtract(expected, rows).map((row) => `- ${row}`);
  checks.check(name, surplus.length + missing.length === 0, [`${rows.length} rows`, ...surplus, ...missing].join('; '));
}

/** A command that failed without a word: `exit 4`. */
function isMute({ outputSummary = '' }: StoredCall): boolean {
  return outputSummary.replace(/^Exit code \d+/, '').trim() === '';
}

function subtract(from: readonly string[], what: readonly string[]): readonly string[] {
  const left = [...what];
  return from.filter((row) => {
    const at = left.indexOf(row);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function expectFacts(checks: Checks, calls: readonly StoredCall[]): void {
  const without = (what: keyof StoredCall) =>
    calls.filter((call) => call[what] === undefined).map((call) => call.callId);
  checks.check('every call has a hash of its input', without('inputHash').length === 0, without('inputHash').join(' '));
  checks.check(
    'every failure has a cause',
    calls.every((call) => call.outcome !== 'failure' || call.message !== undefined || isMute(call)),
  );
  const timed = calls.filter((call) => call.durationMs !== undefined).length;
  checks.check('calls have their duration', timed >= calls.length - 4, `${timed} of ${calls.length}`);
  const linked = calls.filter((call) => call.precedingId !== undefined).length;
  checks.check(
    'all but the first of each context know their predecessor',
    linked === calls.length - 2,
    `${linked} of ${calls.length}`,
  );
}
