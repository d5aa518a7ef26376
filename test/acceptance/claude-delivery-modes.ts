/** The ways in which a lesson reaches a call of Claude Code without changing it: beside it, by refusing it once or always. */
import { rmSync } from 'node:fs';
import type { Lesson } from '../../src/base/model/lesson.ts';
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
  const { cli, session, teach } = stage;
  await cli('config', 'set', 'delivery.maxMode', 'pause');
  const lesson = await teach('--paused');
  await cli('lessons', 'edit', lesson.slug, '--mode', 'pause');
  const first = (await stage.read()).calls.length;
  const command = './shipit send --paused 1';
  const run = await session('PAUSE', { turns: [call(command), call(command), DONE] });
  checkPaused(stage, 'pause', run, lesson);
  await checkRows(stage, 'pause', first, lesson);

  await checkOrphan(stage, lesson, first + 2);
}

/** Nobody starts another daemon meanwhile: what answers after its death is the hook alone. */
async function checkOrphan(stage: Stage, lesson: Lesson, first: number): Promise<void> {
  const { checks, cli, home, session, teach, takeRuns, findDaemon } = stage;
  const name = 'pause, daemon killed before the retry';
  const other = await teach('--orphaned');
  const pid = await findDaemon();
  const { startingFile } = home();
  const kill = call(`kill -9 ${pid}; touch '${startingFile}'; echo killed`);
  const command = call('./shipit send --paused 1');
  const turns = [command, kill, command, call('./shipit send --orphaned 1'), DONE];
  const killed = await session('ORPHAN', { turns });
  const [, , third, fourth, fifth] = toRequests(killed, 'ORPHAN');
  const isAlone = (await findDaemon()) === undefined;
  checks.check(`${name}: it was refused`, listResults(third)[0]?.isError === true);
  checks.check(`${name}: it was killed`, pid !== undefined && listResults(third)[1]?.text === 'killed');
  checks.check(`${name}: no other took its place`, isAlone);
  checks.check(`${name}: the retry runs`, listResults(fourth)[2]?.text === 'shipped send --paused 1');
  const told = [third, fourth, fifth].map((one) => countTold(one, other.slug)).join();
  checks.check(`${name}: and the hook speaks at the next call`, told === '0,0,1', told);
  checks.check(`${name}: each ran once`, takeRuns().join() === 'shipit send --paused 1,shipit send --orphaned 1');
  rmSync(startingFile, { force: true });
  await cli('daemon', 'start');
  await checkRows(stage, name, first, lesson);
  const { deliveries } = await stage.read();
  const kept = deliveries.filter(({ lessonId }) => lessonId === other.id).map(({ mode }) => mode);
  checks.check(`${name}: what the hook said is kept`, kept.join() === 'note', kept.join());
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
    notice.includes(`oncebitten lessons mute ${slug}`),
    notice,
  );
  checks.check(`${name}: the session ends cleanly`, run.results[0]?.code === 0, `${run.results[0]?.ms} ms`);
}

/** Neither a failure nor the user's refusal. */
async function checkRows({ checks, read }: Stage, name: string, from: number, { id }: Lesson): Promise<void> {
  const { calls, deliveries } = await read();
  const rows = calls.slice(from).filter(({ inputSummary = '' }) => inputSummary.includes('--paused'));
  const told = rows.map(({ outcome, outcomeType }) => `${outcome} ${outcomeType}`).join(', ');
  checks.check(`${name}: our refusal is kept as ours`, told === 'denied own-refusal, success exit-code', told);
  const mine = deliveries.filter(({ lessonId, sessionId }) => lessonId === id && sessionId === rows[0]?.sessionId);
  const kept = mine.map(({ mode, callId }) => `${mode} ${callId === rows[0]?.callId}`).join();
  checks.check(`${name}: the delivery is kept as a pause at the refused call`, kept === 'pause true', kept);
}

/** Only a person sets it: then no retry passes. */
export async function acceptBlock({ checks, cli, session, teach, takeRuns, read }: Stage): Promise<void> {
  await cli('config', 'set', 'delivery.maxMode', 'block');
  const { slug, remediation } = await teach('--blocked');
  await cli('lessons', 'edit', slug, '--mode', 'block');
  const command = call('./shipit send --blocked 1');
  const run = await session('BLOCK', { turns: [command, command, DONE] });
  const results = listResults(toRequests(run, 'BLOCK')[2]);
  const refused = results.filter(({ isError, text }) => isError && text.includes(remediation)).length;
  checks.check('block: the call and its retry are refused, with the lesson', refused === 2, `${refused} of 2`);
  checks.check('block: nothing ran', takeRuns().length === 0);
  const notices = toNotices(run.results[0]).split(`oncebitten lessons mute ${slug}`).length - 1;
  checks.check('block: the user is shown both', notices === 2, `${notices} times`);
  const told = (await read()).calls.slice(-2).map(({ outcome, outcomeType }) => `${outcome} ${outcomeType}`);
  checks.check('block: both are kept as ours', told.join() === 'denied own-refusal,denied own-refusal', told.join());
}
