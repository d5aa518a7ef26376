/**
 * The daemon's worker thread: all store access and all learning, so that matching in the main thread never waits
 * (`node:sqlite` is synchronous). What does not reach the store stays in the journal or the spool and is tried again.
 */

import { existsSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { toReason, type UserError } from '../../base/errors.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../base/model/settings.ts';
import { isPrivate } from '../../base/model/switches.ts';
import { removeDrafts } from '../../capture/journal/spool-files.ts';
import { makeSettingsFinder } from '../../keep/settings/read-settings.ts';
import { openStore } from '../../keep/store/open-store.ts';
import { compileLessons } from '../../loop/compile-lessons.ts';
import { readKnowledge } from '../../loop/delivery/read-knowledge.ts';
import { makeDrain } from '../../loop/drain-spool.ts';
import { toDataHome } from '../../loop/home/data-home.ts';
import { readBuildVersion } from '../../loop/home/program-files.ts';
import { makeLearnJob } from '../../loop/language-models/learn-job.ts';
import { openModel } from '../../loop/language-models/open-model.ts';
import { makeLoop } from '../../loop/learn.ts';
import { finishForgetting } from '../../loop/privacy/forget-data.ts';
import { makeSwitchReader } from '../../loop/privacy/switches.ts';
import { followRepositories } from '../../loop/repository-lessons.ts';
import { listScanFiles } from '../../loop/scan/scan-files.ts';
import { makeScanJob } from '../../loop/scan/scan-job.ts';
import { scanSessions, scanTranscript } from '../../loop/scan/scan-sessions.ts';
import { makeBackupJob } from '../../loop/upkeep/backup-job.ts';
import { makeExpiryJob } from '../../loop/upkeep/expiry-job.ts';
import { makeRetentionJob } from '../../loop/upkeep/retention-job.ts';
import { openTrustedClock } from '../../loop/upkeep/trusted-clock.ts';
import { writeBriefs } from '../../loop/write-briefs.ts';
import { toTrouble } from './faults.ts';
import type { MainMessage, SentEvent, WorkerMessage, WorkerOptions } from './open-keeper.ts';

const MAX_BATCH = 500;
const MAX_REST_MS = 50;
/** The least time between two messages about known fixes. */
const MIN_SEND_MS = 5_000;
/** How often lesson files of repositories are checked while no events come in. */
const LOOK_MS = 500;
/** How old briefs may become while events wait. */
const MAX_BRIEF_AGE_MS = 3_000;
/** How often the clock is checked. */
const CLOCK_MS = 60_000;
const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * 60 * 60 * 1000;
/** Events after which the transcript is read, because it contains calls that fired no hook. */
const ENDS = new Set(['turn-ended', 'session-ended', 'subagent-ended']);
/** Also when the next call begins, if hooks give no ids of calls: then only the transcript reports how a call ended. */
function hasNews(event: AgentEvent): boolean {
  return ENDS.has(event.kind) || (event.kind === 'call-started' && event.callId === '');
}
const MEANWHILE = {
  store: 'events wait in the spool',
  manifest: 'hooks use the previous lessons',
  settings: 'the previous settings stay in effect',
} as const;
const { dataDir, leftovers, mayScan } = workerData as WorkerOptions;
const home = toDataHome(dataDir);
const findSettings = makeSettingsFinder(home.configFile, process.env);
const { settings, store } = await open();
const log = (line: string): void => tell({ kind: 'log', line });
const { manifestFile, switchesFile, awayDir } = home;
const listSessionFiles = () =>
  listScanFiles({ home: homedir(), env: process.env, scanPaths: parts.settings.scanPaths });
const clock = await openTrustedClock({
  home,
  log,
  findNewestWrite: store.findNewestWrite,
  fileTimes: () => listSessionFiles().map(({ mtimeMs }) => mtimeMs),
});
const isGone = (): boolean => !existsSync(home.dir);
const knowledge = makeKnowledgePost();
const parts = {
  store,
  settings,
  manifestFile,
  switchesFile,
  awayDir,
  log,
  findTrustedNow: clock.findNow,
  isGone,
  onCured: knowledge.expire,
};
const loop = makeLoop(parts);
const isOwnFile = settings.store.url === '';
const backup = makeBackupJob({
  backupsDir: home.backupsDir,
  clock,
  log,
  oncebitten: readBuildVersion(),
  open: isOwnFile ? () => openStore({ url: '', file: home.storeFile }) : undefined,
});
const { isBackedUp } = backup;
const retention = makeRetentionJob({ store, settings: () => parts.settings, clock, isBackedUp, log });
const expiry = makeExpiryJob({ store, settings: () => parts.settings, clock, compile, log });
const repositories = followRepositories({
  store,
  dataDir: home.dir,
  log,
  isPrivate: (root) => isPrivate(root, parts.settings.privateProjects),
});
const drain = makeDrain({
  dir: home.spoolDir,
  loop,
  scan: (agent, path) => scanTranscript({ store, loop, agent, path }),
});
const scan = makeScanJob({
  settings: () => parts.settings,
  switches: makeSwitchReader(switchesFile),
  list: listSessionFiles,
  scanAll: (files, goOn, onProgress) =>
    scanThenBrief(() => scanSessions({ ...parts, loop, files, giveWay: goOn, onProgress })),
  scanOne: ({ agent, path }, goOn) => scanThenBrief(() => scanTranscript({ store, loop, agent, path, giveWay: goOn })),
  giveWay,
  tell: (status) => tell({ kind: 'scan', status }),
  log,
});
const learner = makeLearnJob({
  answers: () => parts,
  openModel: (models) => openModel(models),
  log,
  onLearned: knowledge.expire,
});
const queue: WorkerMessage[] = [];
let working = true;
/** When the current piece of a scan began. */
let gaveWayMs = performance.now();
/** When briefs were last written. */
let briefedMs = performance.now();
/** When interrupted removals were last looked for. */
let finishedMs = performance.now();
/** An event of the current segment did not reach the store; its facts are then read from the file. */
let missed = false;
/** The manifest may be outdated, because compiling failed, for example on a full disk. */
let uncompiled = false;
/** The last drain stored everything. */
let drained = true;
/** The settings fault that was reported to the main thread. */
let reportedFault: UserError | undefined;

parentPort?.on('message', (message: WorkerMessage) => {
  queue.push(message);
  if (!working) void work();
});
setInterval(() => {
  if (!repositories.isFollowing() || queue.some(({ kind }) => kind === 'look')) return;
  queue.push({ kind: 'look' });
  if (!working) void work();
}, LOOK_MS).unref();
tell({ kind: 'ready' });
// An earlier worker may have reported a fault that is fixed now.
tell({ kind: 'fine', topic: 'settings' });
removeDrafts(home.spoolDir, (clock.findNow() ?? Number.NEGATIVE_INFINITY) - DAY_MS);
// Running time under a steady clock counts as a witness.
setInterval(clock.findNow, CLOCK_MS).unref();
await finishRemovals();
await compile();
await drainSpool(leftovers);
await brief();
await knowledge.send();
if (!mayScan) scan.end();
await work();

async function open() {
  try {
    const read = getSettings();
    return { settings: read, store: await openStore({ url: read.store.url, file: home.storeFile }) };
  } catch (error) {
    tellTrouble('store', error);
    throw error;
  }
}

function getSettings(): Settings {
  const read = findSettings();
  // Do not start with a broken settings file, because the intended settings are unknown.
  const fault = findSettings.findFault();
  if (fault !== undefined) throw fault;
  return read ?? DEFAULT_SETTINGS;
}

async function work(): Promise<void> {
  working = true;
  do {
    await takeMessages();
    await knowledge.sendSoon();
    // Other work runs between two pieces.
    await nextTurn();
    if (queue.length === 0) await scan.step();
    // A running backup still contains the rows and cannot be changed yet.
    if (performance.now() - finishedMs > HOUR_MS && !backup.isRunning()) await finishRemovals();
    backup.step();
    await expiry.step();
    learner.step();
  } while ((await retention.step()) || queue.length > 0);
  working = false;
}

/** Finishes a `forget` that was killed or stopped by a full disk. */
async function finishRemovals(): Promise<void> {
  finishedMs = performance.now();
  const isEnding = (): boolean => queue.some(({ kind }) => kind === 'stop');
  await attempt('forget', () => finishForgetting({ ...parts, home }, { isDaemon: true, isEnding }));
}

async function takeMessages(): Promise<void> {
  for (let message = queue.shift(); message !== undefined; message = queue.shift()) await take(message);
}

/** Runs a scan, or a part of one, and writes the briefs after it, even if it failed. */
async function scanThenBrief<T>(scanned: () => Promise<T>): Promise<T> {
  try {
    return await scanned();
  } catch (error) {
    // Compiling may have failed, so it is tried again.
    uncompiled = true;
    throw error;
  } finally {
    await brief();
  }
}

/** Runs between two pieces of a scan: leaves half of the time to other work and handles live events. */
async function giveWay(): Promise<void> {
  await sleep(Math.min(performance.now() - gaveWayMs, MAX_REST_MS));
  await takeMessages();
  gaveWayMs = performance.now();
}

async function take(message: WorkerMessage): Promise<void> {
  if (message.kind === 'events') await takeEvents([...message.events, ...takeQueuedEvents(message.events.length)]);
  if (message.kind === 'segment') await takeSegment(message.name);
  if (message.kind === 'drain') await refresh().then(() => drainSpool([]));
  if (message.kind === 'drain' || message.kind === 'flush') await knowledge.send();
  if (message.kind === 'look') await lookAtFiles();
  if (message.kind === 'flush') tell({ kind: 'flushed', number: message.number, all: drained && !missed });
  if (message.kind === 'stop') await stop();
}

/** Takes the next queued events that fit into one batch with `taken` others. */
function takeQueuedEvents(taken: number): readonly SentEvent[] {
  const more: SentEvent[] = [];
  for (let [next] = queue; next?.kind === 'events' && taken + more.length < MAX_BATCH; [next] = queue) {
    more.push(...next.events);
    queue.shift();
  }
  return more;
}

async function takeEvents(sent: readonly SentEvent[]): Promise<void> {
  await refresh();
  const events = sent.map(({ event }) => event);
  const facts = sent.flatMap((one) => one.facts);
  repositories.see(events);
  await lookAtFiles();
  const done = await attempt('events', () => loop.takeEvents(events, facts));
  tell({ kind: 'taken', events: sent.length });
  missed ||= done === undefined;
  // Compiling may have failed, so it is tried again.
  uncompiled ||= done === undefined;
  for (const event of events) {
    const { kind, agent, transcriptPath } = event;
    if (transcriptPath !== undefined) scan.hear(agent, transcriptPath);
    if (!hasNews(event) || transcriptPath === undefined) continue;
    await attempt('transcript', () => scanTranscript({ store, loop, agent, path: transcriptPath }));
    if (kind === 'session-ended') learner.hear({ agent, path: transcriptPath });
  }
}

/** Applies changed lesson files before the next call. */
async function lookAtFiles(): Promise<void> {
  if (await attempt('lesson files', repositories.look)) await compile();
}

async function takeSegment(name: string): Promise<void> {
  if (missed) await drainSpool([name]);
  else drain.forget(name);
  missed = false;
  // A brief reads all calls of a week, so a worker that is behind writes it less often than segments come.
  const isBehind = queue.some(({ kind }) => kind === 'events');
  if (!isBehind || performance.now() - briefedMs > MAX_BRIEF_AGE_MS) await brief();
}

function brief(): Promise<unknown> {
  briefedMs = performance.now();
  return attempt('briefs', () => writeBriefs(store, home, loop.takeTouched()));
}

async function drainSpool(segments: readonly string[]): Promise<void> {
  try {
    await drain(segments);
    drained = true;
    tell({ kind: 'fine', topic: 'store' });
  } catch (error) {
    drained = false;
    tellTrouble('store', error);
  }
  if (uncompiled) await compile();
}

/**
 * Applies changed settings at once, such as a new private project or a lower limit. It compiles even if only the file
 * time changed, because a cold hook needs a manifest that is newer than the settings file.
 */
async function refresh(): Promise<void> {
  const now = findSettings() ?? parts.settings;
  tellFault(findSettings.findFault());
  if (now === parts.settings) return;
  parts.settings = now;
  await compile();
}

function tellFault(fault: UserError | undefined): void {
  if (fault === reportedFault) return;
  reportedFault = fault;
  if (fault === undefined) tell({ kind: 'fine', topic: 'settings' });
  else tellTrouble('settings', fault);
}

async function compile(): Promise<void> {
  try {
    await compileLessons(parts);
    uncompiled = false;
    tell({ kind: 'fine', topic: 'manifest' });
  } catch (error) {
    uncompiled = true;
    tellTrouble('manifest', error);
  }
}

/** Sends the main thread what it needs from the store, when it has changed and not too often. */
function makeKnowledgePost() {
  let sentMs = Number.NEGATIVE_INFINITY;
  let isOld = true;
  let manifest = '';
  const send = async (): Promise<void> => {
    // Commands that change lessons, feedback or projects write a manifest.
    const now = findVersion(manifestFile);
    if (!isOld && now === manifest) return;
    const read = await attempt('known fixes', () => readKnowledge(store, parts.settings));
    if (read === undefined) return;
    [isOld, manifest, sentMs] = [false, now, performance.now()];
    tell({ kind: 'knowledge', knowledge: read });
  };
  return {
    expire: (): void => {
      isOld = true;
    },
    send,
    sendSoon: async (): Promise<void> => {
      if (isOld && performance.now() - sentMs > MIN_SEND_MS) await send();
    },
  };
}

function findVersion(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  return `${stats?.ino} ${stats?.mtimeMs} ${stats?.size}`;
}

async function stop(): Promise<void> {
  retention.end();
  expiry.end();
  scan.end();
  learner.end();
  await learner.settle();
  await backup.end();
  await attempt('close', () => store.close());
  parentPort?.close();
}

/** Runs a step and logs its error, so that one message cannot stop the worker. Undefined if the step failed. */
async function attempt<T>(what: string, step: () => Promise<T>): Promise<T | undefined> {
  try {
    return await step();
  } catch (error) {
    tell({ kind: 'log', line: `${what}: ${toReason(error)}` });
    return undefined;
  }
}

function tellTrouble(topic: keyof typeof MEANWHILE, error: unknown): void {
  const [text, next] = toTrouble(error, MEANWHILE[topic]);
  tell({ kind: 'trouble', topic, text, next });
}

function tell(message: MainMessage): void {
  parentPort?.postMessage(message);
}
