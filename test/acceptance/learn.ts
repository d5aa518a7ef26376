/**
 * One question to the model behind each real client, in the home of a user who has hooks, instructions, a server of
 * tools and a provider of their own: the model gets the question and nothing else, its answer comes back, nothing of the
 * user's runs, nothing of the session is captured, and every way to fail ends with a clear message and no process.
 */
import { existsSync } from 'node:fs';
import type { Checks } from './checks.ts';
import { LEARN_CLIENTS, MEMORY } from './learn-clients.ts';
import { acceptLearnCommand } from './learn-command.ts';
import {
  type AskHow,
  type Check,
  EVIL_FILE,
  type LearnStage,
  openLearnStage,
  PATIENCE_MS,
  PROMPT,
} from './learn-stage.ts';
import { type ModelRequest, openRig, type Turn } from './rig.ts';

const ANSWER = { add: ['use --new'] };
/** Starting a client takes up to this long on a busy machine. */
const SHORT_MS = 12_000;

export async function acceptLearn(name: string, checks: Checks): Promise<void> {
  const client = LEARN_CLIENTS[name];
  if (client === undefined) throw new Error(`no client ${name}`);
  const rig = await openRig(name);
  const stage = openLearnStage(rig, client);
  const check = (what: string, ok: boolean, detail = ''): void =>
    checks.check(`${name}: ${what}`, ok, ok ? '' : detail);
  try {
    await acceptAnswer(stage, check);
    await acceptFailures(stage, check);
    await acceptLearnCommand(stage, check);
  } finally {
    stage.close();
  }
}

async function acceptAnswer({ client, ask, runOrdinary, rig }: LearnStage, check: Check): Promise<void> {
  const { answer, requests, log, scanned, leftovers } = await ask([client.toTurn(ANSWER)]);
  const told = JSON.stringify(answer);
  check('the answer comes back', answer.ok && answer.text === JSON.stringify(ANSWER), told);
  check('with the tokens that it cost', (answer.usage?.inputTokens ?? 0) >= 1000, told);
  check('the question reaches the model', rig.findInRequests(requests, PROMPT.trim()).length > 0);
  check('in one request', requests.length === 1, String(requests.length));
  const tools = requests.flatMap(listTools);
  check(
    'the model has no tool that acts',
    tools.every((tool) => HARMLESS.includes(tool)),
    tools.join(),
  );
  check('no hook of the user runs', !log.includes('HOOK'), log);
  check(
    'no server of the user starts, or its tools are hidden',
    client.startsServers === true || !log.includes('SERVER'),
    log,
  );
  const hasMemory = rig.findInRequests(requests, MEMORY).length > 0;
  check("the user's instructions are where we say they are", hasMemory === (client.readsMemory === true));
  check('no session is captured', scanned === 0, `${scanned} sessions`);
  check('no process is left', leftovers.processes.length === 0, leftovers.processes.join());
  check('no folder is left', leftovers.folders.length === 0, leftovers.folders.join());
  check('hooks of an ordinary session do run here', (await runOrdinary()).includes('HOOK'));
}

/** Claude Code's way to answer in a form, and what Codex cannot leave out: a question, and a patch that is rejected. */
const HARMLESS = ['StructuredOutput', 'DeferredToolPlaceholder', 'request_user_input', 'apply_patch'];

function listTools({ body }: ModelRequest): readonly string[] {
  const { tools = [] } = (body ?? {}) as { readonly tools?: readonly Readonly<Record<string, unknown>>[] };
  return tools.flatMap((tool) => {
    const declared = tool.functionDeclarations as readonly { readonly name: string }[] | undefined;
    if (declared !== undefined) return declared.map((one) => one.name);
    const named = tool.function as { readonly name: string } | undefined;
    return [String(named?.name ?? tool.name ?? tool.type)];
  });
}

async function acceptFailures({ client, ask }: LearnStage, check: Check): Promise<void> {
  const expect = async (what: string, kinds: readonly string[], turns: readonly Turn[], how: AskHow = {}) => {
    const { answer, leftovers, scanned } = await ask(turns, how);
    const kind = answer.ok ? 'ok' : answer.kind;
    check(`${what}: ${answer.ok ? '' : answer.reason}`, kinds.includes(kind), JSON.stringify(answer));
    const rest = [...leftovers.processes, ...leftovers.folders, ...(scanned === 0 ? [] : [`${scanned} sessions`])];
    check(`${what}: nothing is left`, rest.length === 0, rest.join());
  };
  const short = { deadlineMs: SHORT_MS };
  await expect('hangs', ['too-slow'], [{ delayMs: PATIENCE_MS, text: 'late' }], short);
  await expect('is killed', ['failed'], [{ delayMs: PATIENCE_MS, text: 'late' }], { isKilled: true });
  await expect('answers with words', ['garbage'], [{ text: 'I would rather not.' }]);
  await expect(
    'answers with a tool',
    ['garbage', 'failed', 'ok'],
    [{ text: 'x', tools: [client.toEvil(EVIL_FILE)] }, client.toTurn(ANSWER)],
  );
  check('the tool writes nothing', !existsSync(EVIL_FILE));
  await expect('has a wrong key', ['not-logged-in'], [{ status: 401, error: 'Incorrect API key provided' }]);
  // A client that tries for ever must have met the limit before it is ended.
  const long = { deadlineMs: 3 * SHORT_MS };
  await expect('reaches a limit', ['rate-limit'], [{ status: 429, error: 'Rate limit reached' }], long);
  await expect('has trouble', ['failed', 'rate-limit', 'too-slow'], [{ status: 500, error: 'boom' }], short);
  await expect('is not logged in', ['not-logged-in'], [], { isEmptyHome: true });
  if (client.agent === 'claude-code') {
    await expect('costs more than it may', ['over-budget'], [{ text: 'x' }], { maxUsd: 0.0001 });
  }
}
