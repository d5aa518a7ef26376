/** Claude Code runs the call as a lesson corrects it, as far as the user's own rules let it. */
import type { Lesson } from '../../src/base/model/lesson.ts';
import { SKIP } from './claude-story.ts';
import { call, DONE, listAnswers, listResults, toNotices, toRequests, toTexts } from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';
import type { RunResult } from './rig.ts';

export async function acceptRewrite(stage: Stage): Promise<void> {
  const { checks, cli, session, takeRuns, read } = stage;
  await cli('config', 'set', 'delivery.maxMode', 'rewrite');
  await session('LEARN', { turns: [call('./shipit send --old 1'), call('./shipit send --new 1'), DONE] });
  await read();
  const { items: lessons } = (await cli('lessons', 'list')) as { items: readonly Lesson[] };
  const lesson = lessons.find(({ replacement }) => replacement?.from === '--old');
  checks.check('rewrite: the correction is learned from calls', lesson !== undefined);
  if (lesson === undefined) return;
  await cli('lessons', 'edit', lesson.slug, '--mode', 'rewrite');
  takeRuns();
  const again = call('./shipit send --old 2');
  checkCorrected(stage, await session('REWRITE', { turns: [again, again, DONE] }), lesson);
  await checkKept(stage);
  await checkRules(stage);
}

function checkCorrected({ checks, takeRuns }: Stage, run: RunResult, { slug }: Lesson): void {
  const [, next, last] = toRequests(run, 'REWRITE');
  checks.check('rewrite: what ran is the corrected call', takeRuns().join() === 'shipit send --new 2');
  checks.check('rewrite: the model sees its result', listResults(next)[0]?.text === 'shipped send --new 2');
  checks.check('rewrite: and is told', toTexts(next).includes('`--new` instead of `--old`'));
  const second = listResults(last)[1]?.text ?? '';
  checks.check('rewrite: the same call again runs as it is', second.includes('unknown option: --old'), second);
  const notice = toNotices(run.results[0]);
  checks.check('rewrite: the user is shown it, and how to silence it', notice.includes(`mute ${slug}`), notice);
  const said = listAnswers(run.results[0]).filter(({ stdout }) => stdout.includes('updatedInput'));
  checks.check('rewrite: it decides no permission', said.length === 1 && !/ermission/.test(said[0]?.stdout ?? ''));
}

/** Its transcript has the call as the model made it, and beside it what ran. */
async function checkKept({ checks, cli, context, read }: Stage): Promise<void> {
  const listKept = async () => {
    const { calls, deliveries } = await read();
    const kept = calls.slice(-2).map(({ inputSummary, outcome }) => `${inputSummary} ${outcome}`);
    return { kept: kept.join(', '), mode: deliveries.findLast(({ callId }) => callId === calls.at(-2)?.callId)?.mode };
  };
  const told = './shipit send --new 2 success, ./shipit send --old 2 failure';
  const before = await listKept();
  checks.check('rewrite: the call is kept as what ran', before.kept === told, before.kept);
  checks.check('rewrite: the delivery is kept as a rewrite', before.mode === 'rewrite', before.mode);
  await cli('scan', '--path', `${context().home}/.claude/projects`);
  const after = await listKept();
  checks.check('rewrite: and stays so when the transcript is read', after.kept === told, after.kept);
}

/** The user's rules decide about what would run, not about what was asked for. */
async function checkRules({ checks, session, takeRuns }: Stage): Promise<void> {
  const withRule = async (name: string, args: readonly string[], rule: string) => {
    const turns = [call('./shipit send --old 3'), DONE];
    const run = await session(name, { turns, args: [...args, `Bash(./shipit send ${rule}:*)`] });
    const result = listResults(toRequests(run, name)[1])[0];
    return { ran: takeRuns().join(), isRefused: result?.isError === true, text: result?.text.slice(0, 80) };
  };
  const old = await withRule('OLD', ['--allowedTools'], '--old');
  checks.check(
    'rewrite: leave for the original is none for the corrected call',
    old.isRefused && old.ran === '',
    old.text,
  );
  const now = await withRule('NEW', ['--allowedTools'], '--new');
  checks.check('rewrite: leave for the corrected call lets it run', now.ran === 'shipit send --new 3', now.text);
  const never = await withRule('NEVER', [...SKIP, '--disallowedTools'], '--new');
  checks.check('rewrite: what the user forbids stays forbidden', never.isRefused && never.ran === '', never.text);
}
