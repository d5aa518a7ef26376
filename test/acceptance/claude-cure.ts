/**
 * Claude Code: a call fails as it did in an earlier session, and what got past it then is in the next request to the model.
 * Not for a new failure, once per conversation, to sub-agents too; and nothing of ours changes how a run ends.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Lesson } from '../../src/base/model/lesson.ts';
import type { Checks } from './checks.ts';
import { withHook } from './claude-delivery-trouble.ts';
import {
  call,
  DONE,
  listAnswers,
  listResults,
  toFinalText,
  toRequests,
  toSubagent,
  toTexts,
} from './delivery-requests.ts';
import { openStage, type Stage } from './delivery-stage.ts';
import { openRig, type RunResult, type Turn } from './rig.ts';

const DEPLOY = `#!/bin/sh
[ "$1" = moon ] && { echo 'error: cannot reach the moon' >&2; exit 4; }
for word; do [ "$word" = --fast ] && { echo 'error: unexpected argument --fast found' >&2; exit 2; }; done
echo "deployed $*"
`;
const WRONG = './deploy send --fast';
const RIGHT = './deploy send --quick';

export async function accept(checks: Checks): Promise<void> {
  const stage = await openStage(await openRig('claude'), checks, 'cure');
  try {
    const { project } = stage.context();
    writeFileSync(join(project, 'deploy'), DEPLOY);
    chmodSync(join(project, 'deploy'), 0o755);
    await acceptCure(stage);
    await acceptSubagent(stage);
    await acceptEdit(stage);
    await acceptTrouble(stage);
    await acceptWithheld(stage);
  } finally {
    await stage.close();
  }
}

/** The notes about failures that our hooks gave in a run: event and text. */
function listNotes(run: RunResult, word: string): readonly string[] {
  return listAnswers(run.results[0])
    .filter(({ event, stdout }) => event.startsWith('PostTool') && stdout.includes(word))
    .map(({ event }) => event);
}

async function acceptCure(stage: Stage): Promise<void> {
  const { checks, session } = stage;
  const first = await session('TEACH', { turns: [call(`${WRONG} web`), call(`${RIGHT} web`), DONE] });
  checks.check('cure: a new failure hears nothing', listNotes(first, '--quick').length === 0);
  await stage.read();
  await archiveLessons(stage);
  const run = await session('CURE', { turns: [call(`${WRONG} api`), call(`${WRONG} api`), DONE] });
  const [, next, last] = toRequests(run, 'CURE');
  checks.check('cure: it is in the very next model request', toTexts(next).includes('--quick'));
  checks.check('cure: the error of the call stays', listResults(next)[0]?.text.includes('--fast found') === true);
  const notes = listNotes(run, '--quick');
  checks.check('cure: it answers the failure, once', notes.join() === 'PostToolUseFailure', notes.join());
  checks.check('cure: the session ends cleanly', run.results[0]?.code === 0 && last !== undefined);
  const said = listAnswers(run.results[0]).filter(({ stdout }) => stdout.includes('--quick'));
  checks.check('cure: it decides no permission', said.length === 1 && !/ermission/.test(said[0]?.stdout ?? ''));
  const other = await session('OTHER', { turns: [call('./deploy moon'), DONE] });
  checks.check('cure: another failure hears nothing', listNotes(other, 'additionalContext').length === 0);
  const { deliveries } = await stage.read();
  const kept = deliveries.map(({ kind, mode, arm, outcome }) => `${kind} ${mode} ${arm} ${outcome}`).join();
  checks.check('cure: one delivery is kept and judged', kept === 'failure note shown ignored', kept);
}

/** A lesson learned from the same calls would tell it before the call fails. */
async function archiveLessons({ cli }: Stage): Promise<void> {
  const { items } = (await cli('lessons', 'list', '--all')) as { readonly items: readonly Lesson[] };
  for (const { slug, status } of items) if (status !== 'archived') await cli('lessons', 'archive', slug);
}

async function acceptSubagent({ checks, session }: Stage): Promise<void> {
  const kid = { name: 'KID', match: 'STORY-KID\\b', turns: [call(`${WRONG} kid`), DONE] };
  const main: Turn = { text: 'I send somebody.', tools: [toSubagent('KID')] };
  const run = await session('PARENT', { turns: [main, call(`${WRONG} own`), DONE], others: [kid] });
  checks.check('sub-agent: it gets the cure', toTexts(toRequests(run, 'KID')[1]).includes('--quick'));
  const [, back, last] = toRequests(run, 'PARENT');
  checks.check('sub-agent: its parent does not', !toTexts(back).includes('--quick'));
  checks.check('sub-agent: but at a failure of its own', toTexts(last).includes('--quick'));
}

/** An edit that is refused because the file was not read fires no hook but that of its batch. */
async function acceptEdit(stage: Stage): Promise<void> {
  const { checks, session, context } = stage;
  const { project } = context();
  const tool = (name: string, input: object): Turn => ({ text: 'go', tools: [{ name, input }] });
  const edit = (file: string): Turn =>
    tool('NotebookEdit', { notebook_path: join(project, file), cell_id: 'c1', new_source: '2' });
  const cell = { cell_type: 'code', id: 'c1', source: ['1'], metadata: {}, outputs: [], execution_count: null };
  const notebook = JSON.stringify({ cells: [cell], metadata: {}, nbformat: 4, nbformat_minor: 5 });
  for (const name of ['one.ipynb', 'two.ipynb']) writeFileSync(join(project, name), notebook);
  const read = tool('Read', { file_path: join(project, 'one.ipynb') });
  await session('TEACH-EDIT', { turns: [edit('one.ipynb'), read, edit('one.ipynb'), DONE] });
  await stage.read();
  await archiveLessons(stage);
  const run = await session('EDIT', { turns: [edit('two.ipynb'), DONE] });
  const [, next] = toRequests(run, 'EDIT');
  const notes = listNotes(run, 'Read');
  checks.check('edit: the refusal reaches the model', listResults(next)[0]?.isError === true);
  checks.check('edit: its cure comes with the batch', notes.join() === 'PostToolBatch', notes.join());
  const [note] = listAnswers(run.results[0]).filter(({ event, stdout }) => event === 'PostToolBatch' && stdout !== '');
  const told = JSON.parse(note?.stdout ?? '{}').hookSpecificOutput?.additionalContext ?? 'nothing';
  checks.check('edit: in the very next model request', toTexts(next).includes(told), told);
  checks.check('edit: the file is unchanged', readFileSync(join(project, 'two.ipynb'), 'utf8') === notebook);
}

async function acceptTrouble(stage: Stage): Promise<void> {
  const { checks, session } = stage;
  const turns = [call(`${WRONG} x`), call(`${RIGHT} x`), { text: 'All done.' }];
  const toEnd = (run: RunResult, name: string): string =>
    JSON.stringify([run.results[0]?.code, toFinalText(run.results[0]), listResults(toRequests(run, name).at(-1))]);
  const well = toEnd(await session('WELL', { turns }), 'WELL');
  checks.check('trouble: the run ends as scripted', /All done/.test(well), well.slice(0, 200));
  for (const { name, begin } of [
    withHook('the hook is killed while it runs', '(sleep 0.1; kill -9 $$) & exec sleep 3'),
    withHook('the hook fails with words', 'echo broken; echo broken >&2; exit 2'),
    withHook('the hook is missing'),
  ]) {
    const end = await begin(stage);
    const told = toEnd(await session('ILL', { turns }), 'ILL');
    await end();
    checks.check(`trouble, ${name}: the run ends the same`, told === well, told === well ? '' : told);
  }
}

const MAX_TRIES = 12;

async function acceptWithheld(stage: Stage): Promise<void> {
  const { checks, cli, session } = stage;
  await cli('config', 'set', 'holdout.share', '0.5');
  await cli('config', 'set', 'holdout.after', '0');
  await stage.read();
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const run = await session('DRAWN', { turns: [call(`${WRONG} try-${tries}`), DONE] });
    const isTold = toTexts(toRequests(run, 'DRAWN').at(-1)).includes('--quick');
    const last = (await stage.read()).deliveries.at(-1);
    if (isTold || last?.arm !== 'holdout') continue;
    checks.check('withheld: recorded and not shown', last.kind === 'failure' && last.bytes === 0);
    return;
  }
  checks.check('withheld: recorded and not shown', false, `never drawn in ${MAX_TRIES} sessions`);
}
