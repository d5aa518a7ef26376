/**
 * `memory_capture`: a client without hooks reports its calls and the end of its session, and asks for the state. A report
 * goes to the daemon as the event of a hook does, so it is redacted, judged, stored and learned from in the same way. The
 * daemon is started if there is none, because the text of a report is in no session file.
 */

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';
import * as z from 'zod';
import { parseNote, mcp as reporter } from '../../agents/mcp/hooks.ts';
import { CHILD_VARIABLE } from '../../base/contracts/agent-headless.ts';
import type { Store } from '../../base/contracts/store.ts';
import { UserError } from '../../base/errors.ts';
import { makeId } from '../../base/ids.ts';
import { dropAbsent } from '../../base/records.ts';
import { identifyProject } from '../../loop/projects/find-project.ts';
import { findOff, type Off, readKnown } from '../cli/explain/hook-answer.ts';
import { readHome } from '../cli/open-home.ts';
import { askDaemon, sendToDaemon } from '../daemon/ask-daemon.ts';
import { ensureDaemon, lookForDaemon } from '../daemon/control-daemon.ts';
import { findSilent, toSilentError } from '../daemon/silent-daemon.ts';
import { listHooked } from '../install/installed-hooks.ts';
import { findRecorder } from './hooked-client.ts';
import { checkNames, cwdField, idField, objectField, textField } from './inputs.ts';
import { readFailures } from './read-failures.ts';
import { getFolder, type McpContext, makeTool, toCommandInput } from './tool.ts';

const OUTCOMES = ['success', 'failure', 'cancelled', 'denied'] as const;
const MAX_LESSONS = 20;

const input = z.strictObject({
  action: z
    .enum(['tool_outcome', 'session_end_analysis', 'status'])
    .describe(
      'tool_outcome: report one finished call. session_end_analysis: the session is over. status: what is recorded.',
    ),
  session_id: idField
    .optional()
    .describe(
      'Your id of this session, the same in all its reports. Begin it with the name of your program: myagent-1f3a.',
    ),
  call_id: idField.optional().describe('Your id of the call. A call that is reported twice is stored once.'),
  tool: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('shell, read, edit, write, glob, grep, task, web, or your own name of the tool.'),
  command: textField.optional().describe('The command line, if the tool is a shell.'),
  path: z.string().max(4096).optional().describe('The file, if the tool reads or writes one.'),
  input: objectField.optional().describe('The whole input of the tool, instead of command and path.'),
  outcome: z.enum(OUTCOMES).optional().describe('denied: somebody refused the call. cancelled: the call was stopped.'),
  exit_code: z.int().optional().describe('The exit code of the command.'),
  output: textField.optional().describe('What the call printed, or its error.'),
  duration_ms: z.number().min(0).optional(),
  cwd: cwdField,
  model: z.string().max(200).optional().describe('The name of your model.'),
});

type Report = z.infer<typeof input>;

export const captureTool = makeTool({
  name: 'memory_capture',
  title: 'Record calls and sessions',
  description:
    'Record what you did, so that Oncebitten can learn from it. Do not use this tool if action status lists you in recorded_by_hooks: hooks record your calls already. After each call that failed, and after the call that fixed it, send action tool_outcome with session_id, tool, command or input, outcome and output. The answer contains a note if there is a lesson or a known fix for this failure: read it before you try again. When the session is over, send session_end_analysis with the same session_id. Secrets are removed before anything is stored.',
  input,
  isReadOnly: false,
  run: (report, context) => RUNS[report.action](report, { ...context, cwd: report.cwd ?? context.cwd }),
});

const RUNS: Readonly<Record<Report['action'], (report: Report, context: McpContext) => Promise<object>>> = {
  tool_outcome: reportCall,
  session_end_analysis: reportEnd,
  status: readStatus,
};

async function reportCall(report: Report, context: McpContext): Promise<object> {
  const { session_id, tool, outcome, command, path, model, exit_code, output, duration_ms } = report;
  const missing = Object.entries({ session_id, tool, outcome }).flatMap(([name, value]) =>
    value === undefined ? [name] : [],
  );
  if (session_id === undefined || missing.length > 0) throw refuseMissing('tool_outcome', missing);
  const { call_id = makeId('out', Date.now()) } = report;
  const cwd = getFolder(context);
  await checkNames({ session_id, call_id, tool, model, cwd });
  const wire = dropAbsent({
    ...{ session_id, call_id, tool, outcome, exit_code, output, duration_ms, model, cwd },
    input: report.input ?? dropAbsent({ command, path }),
  });
  const answer = await send('tool_outcome', wire, context);
  return { ...answer, call_id };
}

/** What came of the session, as far as it is known at its end. */
async function reportEnd({ session_id, model }: Report, context: McpContext): Promise<object> {
  if (session_id === undefined) throw refuseMissing('session_end_analysis', ['session_id']);
  await checkNames({ session_id, model, cwd: context.cwd });
  const answer = await send('session_end_analysis', dropAbsent({ session_id, model, cwd: context.cwd }), context);
  await askDaemon(context.home, 'flush');
  const { calls, failures, lessons } = await readHome(context, async ({ store }) => ({
    ...(await countSession(store, session_id)),
    lessons: (await store.listLessons())
      .filter(({ evidence }) => evidence.some((one) => isOurs(one.agent) && one.sessionId === session_id))
      .slice(0, MAX_LESSONS)
      .map(({ slug, summary, status }) => ({ lesson: slug, summary, status })),
  }));
  const unresolved = calls === 0 ? [] : await readFailures(context, { session: session_id, unresolved: true });
  return { ...answer, calls, failures, lessons, unresolved };
}

async function readStatus({ session_id }: Report, context: McpContext): Promise<object> {
  const { daemon, silent } = await lookForDaemon(context.home);
  const state = silent === undefined ? 'not running' : `process ${silent.pid} does not answer`;
  if (daemon !== undefined) await askDaemon(context.home, 'flush');
  const off = findPause(context, session_id ?? '');
  const hooked = listHooked(toCommandInput(context, {})).map(({ agent }) => agent);
  return readHome(context, async ({ store }) => {
    const { sessions, calls, failures, lessons, drafts } = await store.countAll();
    return {
      ...{ daemon: daemon === undefined ? state : 'running', version: daemon?.version ?? null },
      ...{ recording: off === undefined, ...dropAbsent({ because: off && WHY_OFF[off] }) },
      recorded_by_hooks: [...new Set(hooked)],
      stored: { sessions, calls, failures, lessons, drafts },
      ...(session_id === undefined ? {} : { session: await countSession(store, session_id) }),
    };
  });
}

async function countSession(store: Store, sessionId: string) {
  const [session] = await store.listSessions({ agent: reporter.facts.id, sessionId, limit: 1 });
  return { calls: session?.calls ?? 0, failures: session?.failures ?? 0 };
}

function isOurs(agent: string): boolean {
  return agent === reporter.facts.id;
}

async function send(event: string, wire: object, context: McpContext): Promise<object> {
  const sessionId = 'session_id' in wire ? String(wire.session_id) : '';
  const off = findPause(context, sessionId);
  if (off !== undefined) return { recorded: false, because: WHY_OFF[off] };
  const recorder = await findRecorder(context, sessionId);
  if (recorder !== undefined)
    return { recorded: false, because: `the hooks of ${recorder} record the calls of this session already` };
  const { home } = context;
  const message = { event: `${reporter.facts.id} ${event}`, payload: JSON.stringify(wire), patienceMs: ANSWER_MS };
  // A daemon that is only slow may store the report yet, and the id keeps it from being stored twice.
  const again = 'call_id' in wire ? `report the call again with call_id ${String(wire.call_id)}` : 'report it again';
  const first = await sendToDaemon(home, message);
  const silent = first.isSilent ? findSilent(home) : undefined;
  if (silent !== undefined) throw toSilentError(silent, `the user can end it: oncebitten daemon stop; then ${again}`);
  if (first.answer === undefined) await startFor(context);
  const line = first.answer ?? (await sendToDaemon(home, message)).answer;
  if (line === undefined) {
    const next = `see whether it runs: oncebitten daemon status; then ${again}`;
    throw new UserError({ subject: 'the daemon', reason: 'did not take the report', next });
  }
  return { recorded: true, ...dropAbsent({ note: parseNote(line) }) };
}

/** Clients wait 60 s for an answer: two messages and a start are well within that. */
const ANSWER_MS = 6_000;
const START_MS = 25_000;

/**
 * Starts a daemon. This process may be older than the installed version, because a client may run for days, so the
 * installed command starts it.
 */
async function startFor({ home, env }: McpContext): Promise<void> {
  if (!existsSync(home.commandFile)) await ensureDaemon(home, process.env, START_MS);
  else
    await promisify(execFile)(home.commandFile, ['daemon', 'start'], { env, timeout: START_MS }).catch(() => undefined);
}

const WHY_OFF: Readonly<Record<Off, string>> = {
  disabled: 'Oncebitten is disabled in the environment of this client',
  paused: 'Oncebitten is paused here',
  private: 'this folder is private (setting privateProjects)',
  muted: '',
};

/** Muted lessons do not keep calls from being recorded. */
function findPause(context: McpContext, sessionId: string): Off | undefined {
  const { home, env, cwd } = context;
  // In an agent that we started, the calls are ours.
  if (env[CHILD_VARIABLE] === '1') return 'disabled';
  const started = reporter.readCall('shell', {}, 'status');
  const origin = {
    agent: reporter.facts.id,
    sessionId,
    contextId: '',
    at: new Date().toISOString(),
    source: 'hook',
  } as const;
  const event = { ...origin, kind: 'call-started', ...started, ...dropAbsent({ cwd }) } as const;
  const off = findOff(event, { ...readKnown({ home, env }), projectId: identifyProject(cwd ?? '').id });
  return off === 'muted' ? undefined : off;
}

function refuseMissing(action: string, names: readonly string[]): UserError {
  return new UserError({
    subject: `memory_capture with action ${action}`,
    reason: `lacks ${names.join(', ')}`,
    next: 'send it again with these fields',
  });
}
