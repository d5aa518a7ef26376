/** What a session of Claude Code hears at its start. */
import { readManifest } from '../../src/match/read-manifest.ts';
import { call, DONE, listAnswers, toRequests, toTexts } from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';

const CRITICAL = 'CRITICAL LESSONS from earlier work';
const UNRESOLVED = 'UNRESOLVED TOOL FAILURES';
const DRAFTS = '1 draft of a lesson waits';
const REPORT = `Done.

#lesson
tool: Bash
trigger: ./shipit wave --hand
mistake: shipit wave has no --hand
fix: ./shipit wave --arm
tags: tool:shipit
#/lesson
`;

export async function acceptOpening(stage: Stage): Promise<void> {
  const { checks, cli, teach, session, read } = stage;
  await cli('daemon', 'start');
  const fresh = await open(stage, 'FRESH');
  const protocol = readManifest(stage.home().manifestFile)?.header.protocol ?? '';
  checks.check(
    'session start: a fresh home says the protocol and nothing else',
    fresh.said === protocol && protocol !== '',
  );
  checks.check('session start: it is in the first model request', fresh.first.includes(protocol));
  await cli('config', 'set', 'selfReportProtocol', 'false');
  const silent = await open(stage, 'SILENT');
  checks.check('session start: with the protocol off nothing is said', silent.said === '', silent.said.slice(0, 80));
  await cli('config', 'unset', 'selfReportProtocol');

  const { slug } = await teach('--critical', ['--priority', '10']);
  await session('LEAVE', { turns: [call('./shipit send --old 1'), { text: REPORT }] });
  await read();
  const full = await open(stage, 'FULL');
  const at = [CRITICAL, slug, UNRESOLVED, './shipit send --old 1', DRAFTS, protocol].map((part) =>
    full.said.indexOf(part),
  );
  const isInOrder = at.every((place, n) => place >= 0 && (n === 0 || place > (at[n - 1] ?? 0)));
  checks.check(
    'session start: CRITICAL lesson, open failure, drafts and protocol, in this order',
    isInOrder,
    at.join(' '),
  );
  checks.check('session start: all of it is in the first model request', full.first.includes(full.said));
  checks.check(
    'session start: within the budget',
    Buffer.byteLength(full.said) <= 4096,
    `${Buffer.byteLength(full.said)} bytes`,
  );
  const { deliveries } = await read();
  const last = deliveries.filter(({ sessionId }) => sessionId === deliveries.at(-1)?.sessionId);
  const kept = last.map(({ kind, mode }) => `${kind} ${mode}`).join();
  checks.check('session start: the CRITICAL lesson is kept as a delivery', kept === 'session-start note', kept);
  const next = await open(stage, 'NEXT');
  checks.check(
    'session start: the open failure is told once',
    next.said.includes(slug) && !next.said.includes(UNRESOLVED),
  );
}

async function open({ session }: Stage, name: string): Promise<{ readonly said: string; readonly first: string }> {
  const run = await session(name, { turns: [DONE] });
  const { stdout = '' } = listAnswers(run.results[0]).find(({ event }) => event === 'SessionStart') ?? {};
  const said = stdout.trim() === '' ? '' : String(JSON.parse(stdout).hookSpecificOutput.additionalContext);
  return { said, first: toTexts(toRequests(run, name)[0]) };
}
