/** Once per context: what sub-agents hear, and what a conversation hears after compaction, resume, fork and clear. */
import { SKIP } from './claude-story.ts';
import { call, countTold, DONE, toRequests, toSessionId, toSubagent, toTexts } from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';
import type { RunResult, Step } from './rig.ts';

/** Each of two writes down its begin before the other ends, or they were not there at once. */
const LONG_CALL = './shipit send --sub 1; sleep 1.5; ./shipit sent';

export async function acceptSubagents(stage: Stage): Promise<void> {
  const { checks, cli, session, teach } = stage;
  const { slug } = await teach('--sub', ['--priority', '9']);
  const kid = (name: string, command = './shipit send --sub 1') => {
    return { name, match: `STORY-${name}\\b`, turns: [call(command), DONE] };
  };
  const main = { text: 'I send somebody.', tools: [toSubagent('KID')] };
  const alone = await session('PARENT', { turns: [main, call('./shipit send --sub 1'), DONE], others: [kid('KID')] });
  checks.check('sub-agent: hears the lesson at its own call', countTold(toRequests(alone, 'KID')[1], slug) === 1);
  const [, back, last] = toRequests(alone, 'PARENT');
  checks.check('sub-agent: its parent does not', countTold(back, slug) === 0);
  checks.check('sub-agent: but at a call of its own', countTold(last, slug) === 1);

  const twins = async (name: string): Promise<readonly number[]> => {
    const both = { text: 'I send two.', tools: [toSubagent(`${name}-A`), toSubagent(`${name}-B`)] };
    const others = [`${name}-A`, `${name}-B`].map((one) => kid(one, LONG_CALL));
    stage.takeRuns();
    const run = await session(name, { turns: [both, DONE], others });
    const runs = stage.takeRuns().join(', ');
    const isAtOnce = runs === 'shipit send --sub 1, shipit send --sub 1, shipit sent, shipit sent';
    checks.check(`two sub-agents at once, ${name}: their calls are under way together`, isAtOnce, runs);
    return others.map((one) => countTold(toRequests(run, one.name)[1], slug));
  };
  const told = await twins('TWINS');
  checks.check('two sub-agents at once: each hears it once', told.join() === '1,1', told.join());
  const deliveries = (await stage.read()).deliveries.filter(({ kind }) => kind === 'call');
  const contexts = deliveries.filter(({ sessionId }) => sessionId === deliveries.at(-1)?.sessionId);
  const distinct = new Set(contexts.map(({ contextId }) => contextId)).size;
  checks.check('two sub-agents at once: two deliveries are kept', contexts.length === 2 && distinct === 2);
  await cli('config', 'set', 'dedup', 'session');
  const shared = await twins('SHARED');
  checks.check(
    'two sub-agents at once, once a session: one of them hears it',
    shared.toSorted().join() === '0,1',
    shared.join(),
  );
  await cli('config', 'unset', 'dedup');
}

export async function acceptCompaction({ checks, session, teach }: Stage): Promise<void> {
  const [high, low] = [await teach('--high', ['--priority', '7']), await teach('--low', ['--priority', '5'])];
  const both = call('./shipit send --high 1; ./shipit send --low 1');
  const summary = { text: '<summary>STORY-COMPACT goes on</summary>' };
  const steps: readonly Step[] = [
    { prompt: 'STORY-COMPACT ship it', args: SKIP },
    { prompt: '/compact', args: resume },
    { prompt: 'STORY-COMPACT ship it again', args: resume },
  ];
  const run = await session('COMPACT', { turns: [both, DONE, summary, both, DONE], steps });
  const requests = toRequests(run, 'COMPACT');
  const [before, after] = [requests[1], requests.at(-1)];
  checks.check(
    'compaction: both lessons are told before it',
    countTold(before, high.slug) === 1 && countTold(before, low.slug) === 1,
  );
  checks.check('compaction: what was told is gone', !toTexts(requests.at(-2)).includes(high.remediation));
  checks.check('compaction: the lesson of priority 7 comes again', countTold(after, high.slug) === 1);
  checks.check('compaction: that of priority 5 does not', countTold(after, low.slug) === 0);
  checkEnds(checks, 'compaction', run);
}

export async function acceptGoingOn(stage: Stage): Promise<void> {
  const { checks, session, teach } = stage;
  const again = async (name: string, option: string, next: Step) => {
    const { slug } = await teach(option);
    // What comes only now shows that silence about the other is meant.
    const fresh = await teach(`${option}-too`);
    const turn = call(`./shipit send ${option} 1`);
    const both = call(`./shipit send ${option} 1; ./shipit send ${option}-too 1`);
    const steps = [{ prompt: `STORY-${name} ship it`, args: SKIP }, next];
    // The client writes a fork's transcript a moment after its prompt; no real model has answered by then.
    const run = await session(name, { turns: [turn, DONE, { ...both, delayMs: 500 }, DONE], steps });
    checkEnds(checks, name.toLowerCase(), run);
    const requests = toRequests(run, name);
    const came = requests.map((one) => countTold(one, fresh.slug)).join();
    checks.check(`${name.toLowerCase()}: a lesson that was not told before comes after it`, came === '0,0,0,1', came);
    return {
      slug,
      requests,
      ids: run.results.map(toSessionId),
      told: requests.map((one) => countTold(one, slug)).join(),
    };
  };
  const resumed = await again('RESUME', '--resumed', { prompt: 'again', args: resume });
  checks.check('resume: the same session goes on', resumed.ids[0] === resumed.ids[1]);
  checks.check('resume: the lesson does not come again', resumed.told === '0,1,1,1', resumed.told);

  const fork: Step['args'] = (results) => [...resume(results), '--fork-session'];
  const forked = await again('FORK', '--forked', { prompt: 'again', args: fork });
  checks.check('fork: another session goes on', forked.ids[0] !== forked.ids[1]);
  checks.check('fork: the lesson does not come again', forked.told === '0,1,1,1', forked.told);

  const input = ['/clear', 'STORY-CLEAR ship it'].map((content) =>
    JSON.stringify({ type: 'user', message: { role: 'user', content } }),
  );
  const streamed: Step['args'] = (results) => [...resume(results), '--input-format', 'stream-json'];
  const cleared = await again('CLEAR', '--cleared', { input: `${input.join('\n')}\n`, args: streamed });
  checks.check('clear: nothing of before is left', !toTexts(cleared.requests[2]).includes(cleared.slug));
  checks.check('clear: the lesson comes again', cleared.told === '0,1,0,1', cleared.told);
}

type StepArgs = Extract<Step['args'], (...given: never[]) => unknown>;

const resume: StepArgs = (results) => [...SKIP, '--resume', results[0]?.sessionId ?? ''];

function checkEnds(checks: Stage['checks'], name: string, { results }: RunResult): void {
  const ends = results.map(({ code, ms }) => `exit ${code}, ${ms} ms`).join('; ');
  checks.check(
    `${name}: every step ends cleanly`,
    results.every(({ code }) => code === 0),
    ends,
  );
}
