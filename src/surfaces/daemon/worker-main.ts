/**
 * The daemon's worker thread: all store access and all learning, so that matching in the main thread never waits
 * (`node:sqlite` is synchronous). What does not reach the store stays in the journal or the spool and is tried again.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { toReason } from '../../base/errors.ts';
import { readSettings } from '../../keep/read-settings.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { toDataHome } from '../data-home.ts';
import { compileLessons } from './compile-lessons.ts';
import { makeDrain } from './drain-spool.ts';
import { makeLoop } from './loop.ts';
import { scanTranscript } from './scan-transcript.ts';
import type { MainMessage, WorkerMessage, WorkerOptions } from './worker-messages.ts';
import { writeBriefs } from './write-briefs.ts';

type EventMessage = Extract<WorkerMessage, { kind: 'event' }>;

const MAX_BATCH = 200;
/** When the transcript is worth another look: it tells of calls that fired no hook. */
const ENDS = new Set(['turn-ended', 'session-ended', 'subagent-ended']);
const { dataDir, leftovers } = workerData as WorkerOptions;
const home = toDataHome(dataDir);
const settings = readSettings(home.configFile, process.env);
const store = await openStore({ url: settings.store.url, file: home.storeFile });
const parts = { store, settings, manifestFile: home.manifestFile };
const loop = makeLoop(parts);
const drain = makeDrain({
  dir: home.spoolDir,
  loop,
  scan: (agent, path) => scanTranscript({ store, loop, agent, path }),
});
const waiting: WorkerMessage[] = [];
let working = true;
/** An event of the current segment did not reach the store: take its facts from the file. */
let missed = false;

parentPort?.on('message', (message: WorkerMessage) => {
  waiting.push(message);
  if (!working) void work();
});
await attempt('compile', () => compileLessons(parts));
await attempt('drain', () => drain(leftovers));
await brief();
await work();

async function work(): Promise<void> {
  working = true;
  for (let message = waiting.shift(); message !== undefined; message = waiting.shift()) await take(message);
  working = false;
}

async function take(message: WorkerMessage): Promise<void> {
  if (message.kind === 'event') await takeEvents([message, ...takeWaitingEvents()]);
  if (message.kind === 'segment') await takeSegment(message.name);
  if (message.kind === 'drain') await attempt('drain', () => drain([]));
  if (message.kind === 'flush') tell({ kind: 'flushed', number: message.number });
  if (message.kind === 'stop') await stop();
}

function takeWaitingEvents(): readonly EventMessage[] {
  const end = waiting.slice(0, MAX_BATCH).findIndex((message) => message.kind !== 'event');
  return waiting.splice(0, end < 0 ? MAX_BATCH : end) as EventMessage[];
}

async function takeEvents(messages: readonly EventMessage[]): Promise<void> {
  const events = messages.map((message) => message.event);
  const facts = messages.flatMap((message) => message.facts);
  const done = await attempt('events', () => loop.takeEvents(events, facts));
  missed ||= done === undefined;
  for (const event of events) {
    const { kind, agent, transcriptPath } = event;
    if (!ENDS.has(kind) || transcriptPath === undefined) continue;
    await attempt('transcript', () => scanTranscript({ store, loop, agent, path: transcriptPath }));
  }
}

async function takeSegment(name: string): Promise<void> {
  if (missed) await attempt('segment', () => drain([name]));
  else drain.forget(name);
  missed = false;
  await brief();
}

function brief(): Promise<unknown> {
  return attempt('briefs', () => writeBriefs(store, home, loop.takeTouched()));
}

async function stop(): Promise<void> {
  await attempt('close', () => store.close());
  parentPort?.close();
}

/** The worker goes on whatever happens to one message; the log says what did. Undefined when the step failed. */
async function attempt<T>(what: string, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    tell({ kind: 'log', line: `${what}: ${toReason(error)}` });
    return undefined;
  }
}

function tell(message: MainMessage): void {
  parentPort?.postMessage(message);
}
