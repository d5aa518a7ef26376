/** What a session of Claude Code hears at its start. */
import { readManifest } from '../../src/match/manifest.ts';
import { call, DONE, listAnswers, toRequests, toTexts } from './delivery-requests.ts';
import type { Stage } from './delivery-stage.ts';

const CRITICAL = 'CRITICAL LESSONS from earlier work';
const UNRESOLVED = 'UNRESOLVED TOOL FAILURES';
const DRAFTS = 'oncebitten lessons review';
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
  const { deliveries } = await read();
  const last = deliveries.filter(({ sessionId }) => sessionId === deliveries.at(-1)?.sessionId);
  const kept = last.map(({ kind, mode }) => `${kind} ${mode}`).join();
  checks.check('session start: the CRITICAL lesson is kept as a delivery', kept === 'session-start note', kept);
  const next = await open(stage, 'NEXT');
  checks.check(
    'session start: the open failure is told once',
    next.said.includes(slug) && !next.said.includes(UNRESOLVED),
  );
  await checkCrowded(stage, protocol);
}

const BUDGET_BYTES = 4096;
/** Of a failure, with its command and what it printed. */
const FAILURE_BYTES = 600;
const PARTS = ['anchor', 'beacon', 'compass', 'deck', 'engine', 'funnel', 'galley', 'harbour'];

/** There is more to say than room. */
async function checkCrowded(stage: Stage, protocol: string): Promise<void> {
  const { checks, cli, session, read } = stage;
  for (const part of PARTS.slice(0, 5)) {
    const words = ['--summary', `the ${part} ${'must hold '.repeat(25)}`, '--fix', `./shipit check ${part}`];
    await cli('lessons', 'add', ...words, '--program', `shipit ${part}`, '--priority', '10');
  }
  const tools = PARTS.map((part) => ({ name: 'Bash', input: { command: `./shipit break ${part}`, description: 'x' } }));
  await session('BREAK', { turns: [{ text: 'I break.', tools }, DONE] });
  await read();
  const starts = [await open(stage, 'CROWDED'), await open(stage, 'WAITING')];
  const told = starts.map(({ said }) => PARTS.filter((part) => said.includes(`error: no ${part} here`)));
  const [first] = starts;
  const bytes = starts.map(({ said }) => Buffer.byteLength(said));
  const isFull = bytes[0] !== undefined && bytes[0] > BUDGET_BYTES - FAILURE_BYTES && bytes[0] <= BUDGET_BYTES;
  checks.check(
    'session start, more to say than room: full, and within the budget',
    isFull,
    `${bytes.join(', ')} bytes`,
  );
  const critical = first?.said.match(/^- [a-z-]+-\w{4}: /gm)?.length ?? 0;
  const isWhole = first?.said.endsWith(protocol) === true && first.first.includes(first.said);
  checks.check(
    'session start, more to say than room: five CRITICAL lessons, and the protocol, whole',
    isWhole && critical === 5,
    `${critical}`,
  );
  const [now = [], later = []] = told;
  const isCut = now.length > 0 && now.length < PARTS.length;
  checks.check('session start, more to say than room: failures are told as far as they fit', isCut, now.join());
  const isNext = later.length > 0 && later.every((part) => !now.includes(part));
  checks.check('session start, more to say than room: the others wait for the next', isNext, later.join());
}

async function open({ session }: Stage, name: string): Promise<{ readonly said: string; readonly first: string }> {
  const run = await session(name, { turns: [DONE] });
  const { stdout = '' } = listAnswers(run.results[0]).find(({ event }) => event === 'SessionStart') ?? {};
  const said = stdout.trim() === '' ? '' : String(JSON.parse(stdout).hookSpecificOutput.additionalContext);
  return { said, first: toTexts(toRequests(run, name)[0]) };
}
