/** The ways in which a lesson reaches a call of Claude Code: beside it, by refusing it once, by correcting it. */
import type { Lesson } from '../../src/base/lesson.ts';
import {
  call,
  countTold,
  DONE,
  listAnswers,
  listResults,
  toNotices,
  toRequests,
  toTexts,
} from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';
import type { RunResult } from './rig.ts';

export async function acceptNote({ checks, session, teach, takeRuns, read }: Stage): Promise<void> {
  const { slug, remediation } = await teach('--noted');
  const run = await session('NOTE', { turns: [call('./shipit send --noted 1'), DONE] });
  const [, next] = toRequests(run, 'NOTE');
  checks.check('note: the session ends cleanly', run.results[0]?.code === 0, `${run.results[0]?.ms} ms`);
  checks.check('note: the lesson is in the very next model request', toTexts(next).includes(remediation));
  checks.check('note: with its trailer, once', countTold(next, slug) === 1, `${countTold(next, slug)} times`);
  checks.check('note: the call ran as it was', takeRuns().join() === 'shipit send --noted 1');
  checks.check('note: and its result is its own', listResults(next)[0]?.text === 'shipped send --noted 1');
  const said = listAnswers(run.results[0]).filter(({ stdout }) => stdout.includes(slug));
  checks.check('note: it decides no permission', said.length === 1 && !/ermission/.test(said[0]?.stdout ?? ''));
  checks.check('note: the user is not disturbed', toNotices(run.results[0]) === '');
  const { calls, deliveries } = await read();
  const kept = deliveries.map(({ kind, mode, callId }) => `${kind} ${mode} ${callId === calls[0]?.callId}`).join();
  checks.check('note: one delivery is kept, at its call', kept === 'call note true', kept);
}

export async function acceptPause(stage: Stage): Promise<void> {
  const { checks, cli, session, teach, takeRuns, findDaemon } = stage;
  await cli('config', 'set', 'delivery.maxMode', 'pause');
  const lesson = await teach('--paused');
  await cli('lessons', 'edit', lesson.slug, '--mode', 'pause');
  const first = (await stage.read()).calls.length;
  const command = './shipit send --paused 1';
  const run = await session('PAUSE', { turns: [call(command), call(command), DONE] });
  checkPaused(stage, 'pause', run, lesson);
  await checkRows(stage, 'pause', first, lesson);

  const pid = await findDaemon();
  const turns = [call(command), call(`kill -9 ${pid}; echo killed`), call(command), DONE];
  const killed = await session('ORPHAN', { turns });
  const [, , third, fourth] = toRequests(killed, 'ORPHAN').map(listResults);
  checks.check('pause, daemon killed before the retry: it was refused', third?.[0]?.isError === true);
  checks.check(
    'pause, daemon killed before the retry: it was killed',
    pid !== undefined && third?.[1]?.text === 'killed',
  );
  checks.check(
    'pause, daemon killed before the retry: the retry runs',
    fourth?.[2]?.text === 'shipped send --paused 1',
  );
  checks.check('pause, daemon killed before the retry: it ran once', takeRuns().length === 1);
  await checkRows(stage, 'pause, daemon killed before the retry', first + 2, lesson);
}

function checkPaused({ checks, takeRuns }: Stage, name: string, run: RunResult, { slug, remediation }: Lesson): void {
  const [, refused, passed] = toRequests(run, 'PAUSE');
  const [result] = listResults(refused);
  checks.check(`${name}: the first call is refused`, result?.isError === true, result?.text.slice(0, 60));
  checks.check(`${name}: with the lesson as the reason`, result?.text.includes(remediation) === true);
  checks.check(`${name}: the same call again runs`, listResults(passed)[1]?.text === 'shipped send --paused 1');
  checks.check(`${name}: it ran once`, takeRuns().length === 1);
  checks.check(`${name}: the lesson is told once`, countTold(passed, slug) === 1);
  const notice = toNotices(run.results[0]);
  checks.check(
    `${name}: the user is shown it, and how to silence it`,
    notice.includes(`oncebitten mute ${slug}`),
    notice,
  );
  checks.check(`${name}: the session ends cleanly`, run.results[0]?.code === 0, `${run.results[0]?.ms} ms`);
}

/** Neither a failure nor the user's refusal. */
async function checkRows({ checks, read }: Stage, name: string, from: number, { id }: Lesson): Promise<void> {
  const { calls, deliveries } = await read();
  const rows = calls.slice(from).filter(({ program }) => program !== 'kill');
  const told = rows.map(({ outcome, outcomeType }) => `${outcome} ${outcomeType}`).join(', ');
  checks.check(`${name}: our refusal is kept as ours`, told === 'denied own-refusal, success exit-code', told);
  const mine = deliveries.filter(({ lessonId, sessionId }) => lessonId === id && sessionId === rows[0]?.sessionId);
  const kept = mine.map(({ mode, callId }) => `${mode} ${callId === rows[0]?.callId}`).join();
  checks.check(`${name}: the delivery is kept as a pause at the refused call`, kept === 'pause true', kept);
}

export async function acceptRewrite(stage: Stage): Promise<void> {
  const { checks, cli, session, takeRuns, read } = stage;
  await cli('config', 'set', 'delivery.maxMode', 'rewrite');
  await session('LEARN', { turns: [call('./shipit send --old 1'), call('./shipit send --new 1'), DONE] });
  await read();
  const lesson = ((await cli('lessons', 'list')) as readonly Lesson[]).find(
    ({ replacement }) => replacement?.from === '--old',
  );
  checks.check('rewrite: the correction is learned from calls', lesson !== undefined);
  if (lesson === undefined) return;
  await cli('lessons', 'edit', lesson.slug, '--mode', 'rewrite');
  takeRuns();

  const run = await session('REWRITE', { turns: [call('./shipit send --old 2'), DONE] });
  const [, next] = toRequests(run, 'REWRITE');
  checks.check('rewrite: what ran is the corrected call', takeRuns().join() === 'shipit send --new 2');
  checks.check('rewrite: the model sees its result', listResults(next)[0]?.text === 'shipped send --new 2');
  checks.check('rewrite: and is told', toTexts(next).includes('`--new` instead of `--old`'));
  const notice = toNotices(run.results[0]);
  checks.check('rewrite: the user is shown it, and how to silence it', notice.includes(`mute ${lesson.slug}`), notice);
  const { calls, deliveries } = await read();
  const last = calls.at(-1);
  checks.check(
    'rewrite: the call is kept as what ran',
    last?.inputSummary === './shipit send --new 2',
    last?.inputSummary,
  );
  checks.check('rewrite: the delivery is kept as a rewrite', deliveries.at(-1)?.mode === 'rewrite');
  const said = listAnswers(run.results[0]).filter(({ stdout }) => stdout.includes('updatedInput'));
  checks.check('rewrite: it decides no permission', said.length === 1 && !/ermission/.test(said[0]?.stdout ?? ''));
  await checkRules(stage);
}

/** The user's rules decide about what would run, not about what was asked for. */
async function checkRules({ checks, session, takeRuns }: Stage): Promise<void> {
  const withRule = async (name: string, rule: string) => {
    const args = ['--allowedTools', `Bash(./shipit send ${rule}:*)`];
    const run = await session(name, { turns: [call('./shipit send --old 3'), DONE], args });
    return { ran: takeRuns().join(), result: listResults(toRequests(run, name)[1])[0] };
  };
  const old = await withRule('OLD', '--old');
  checks.check('rewrite: a rule for the original lets nothing else through', old.ran === '', old.ran);
  checks.check(
    'rewrite: the call is refused by the client',
    old.result?.isError === true,
    old.result?.text.slice(0, 80),
  );
  const now = await withRule('NEW', '--new');
  checks.check(
    'rewrite: a rule for the corrected call lets it through',
    now.ran === 'shipit send --new 3',
    now.result?.text.slice(0, 80),
  );
}
