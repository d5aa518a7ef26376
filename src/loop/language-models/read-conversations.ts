/**
 * Reads past sessions whole, as packs need them: calls with their redacted texts, and what the user said. Private, paused
 * and forgotten sessions are left out. Nothing of it is stored.
 */

import { findHistory } from '../../agents/histories.ts';
import type { Store } from '../../base/contracts/store.ts';
import { toReason } from '../../base/errors.ts';
import type { LiveCall } from '../../base/model/call.ts';
import { type SessionKey, toContextKey, toSessionKey } from '../../base/model/session.ts';
import type { Settings } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { makeSecretScan, type SecretScan } from '../../capture/secrets/scan-secrets.ts';
import { readTranscriptFile } from '../../capture/transcripts/read-transcript.ts';
import type { SessionMessage, SessionWindow } from '../../distill/detector.ts';
import type { Conversation } from '../../distill/packs/conversation.ts';
import { makeDigester } from '../digest-events.ts';
import { makeCaptureFilter, type ReadRules, toSighting } from '../privacy/capture-filter.ts';
import type { SessionSighting } from '../privacy/private-sessions.ts';
import { type FindProject, makeProjectFinder } from '../projects/find-project.ts';
import { toLive } from '../replay/read-sessions.ts';

export interface HistoryParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly switchesFile: string;
  readonly awayDir?: string;
  readonly log: (line: string) => void;
}

/** The conversations of these files, with the projects that the store has for them. */
export async function readHistory(
  parts: HistoryParts,
  files: readonly SessionFile[],
  onProgress: ReadParts['onProgress'] = () => {},
): Promise<readonly Conversation[]> {
  const { store, settings, log } = parts;
  const readRules = makeCaptureFilter(parts);
  const { trackedTools, detection } = settings;
  const read = await readConversations(files, { trackedTools, detection, log, readRules, onProgress });
  return keepProjects(store, read);
}

/** At most so many sessions are read from the store, the newest ones. */
const MAX_STORED = 200;

/** The sessions whose transcripts are gone, from what the store kept of their calls: the beginnings of their texts. */
export async function readGone(
  parts: HistoryParts,
  read: readonly Conversation[],
  agents?: readonly string[],
): Promise<readonly Conversation[]> {
  const inFiles = new Set(read.flatMap(({ calls: [first] }) => (first === undefined ? [] : [toSessionKey(first)])));
  const sessions = await parts.store.listSessions({ limit: MAX_STORED });
  const isGone = (session: SessionKey): boolean =>
    !inFiles.has(toSessionKey(session)) && agents?.includes(session.agent) !== false;
  return readStored(parts, sessions.filter(isGone));
}

export async function readStored(
  parts: HistoryParts,
  sessions: readonly SessionKey[],
): Promise<readonly Conversation[]> {
  const { store, settings } = parts;
  const readRules = makeCaptureFilter(parts);
  const conversations: Conversation[] = [];
  for (const { agent, sessionId } of sessions) {
    const session = await store.findSession(agent, sessionId);
    const calls = (await store.listCalls({ agent, sessionId })).filter(
      ({ inputSummary }) => inputSummary !== undefined,
    );
    const contexts = Map.groupBy(calls, toContextKey);
    for (const own of contexts.values()) {
      const live = own.map((call) => toLive(call, session ?? {}, settings.detection));
      conversations.push(await filterConversation({ calls: live, spoken: [] }, readRules));
    }
  }
  return conversations;
}

interface ReadParts {
  readonly trackedTools: readonly string[];
  readonly detection?: Settings['detection'];
  readonly log: (line: string) => void;
  readonly readRules: ReadRules;
  readonly onProgress?: (done: number, all: number) => void;
}

/** A file that an agent wrote. */
export interface SessionFile {
  readonly agent: string;
  readonly path: string;
}

/** Logs and skips files that cannot be read. A session in two files is one conversation. */
export async function readConversations(
  files: readonly SessionFile[],
  { trackedTools, detection, log, readRules, onProgress = () => {} }: ReadParts,
): Promise<readonly Conversation[]> {
  const collected = new Map<string, Collected>();
  const shared = { scan: makeSecretScan({ log }), findProject: makeProjectFinder(), trackedTools, detection };
  for (const [number, file] of files.entries()) {
    await readFile(file, collected, shared).catch((error) => log(`${file.path}: ${toReason(error)}`));
    onProgress(number + 1, files.length);
  }
  const conversations = [...collected.values()].map(({ calls, spoken }) => ({ calls: [...calls.values()], spoken }));
  return Promise.all(conversations.map((one) => filterConversation(one, readRules)));
}

interface Collected {
  /** By call id: a later report of a call replaces the earlier one. */
  readonly calls: Map<string, LiveCall>;
  readonly spoken: SessionMessage[];
}

interface Shared {
  readonly scan: SecretScan;
  readonly findProject: FindProject;
  readonly trackedTools: readonly string[];
  readonly detection: Settings['detection'] | undefined;
}

async function readFile({ agent, path }: SessionFile, collected: Map<string, Collected>, shared: Shared) {
  const history = findHistory(agent);
  if (history === undefined) throw new Error(`the agent ${agent} is unknown`);
  const take = ({ calls, from, spoken, spokenFrom }: SessionWindow): void => {
    const any = calls.at(-1) ?? spoken.at(-1);
    if (any === undefined) return;
    const known: Collected = collected.get(toContextKey(any)) ?? { calls: new Map(), spoken: [] };
    collected.set(toContextKey(any), known);
    for (const call of calls.slice(from)) if (!known.calls.has(call.callId)) known.calls.set(call.callId, call);
    known.spoken.push(...spoken.slice(spokenFrom));
  };
  const { scan, findProject, trackedTools, detection } = shared;
  const digest = makeDigester({
    scan,
    findProject,
    trackedTools: () => trackedTools,
    detectors: NO_DETECTORS,
    ...(detection === undefined ? {} : { detection: () => detection }),
    onWindows: (windows) => windows.forEach(take),
  });
  await readTranscriptFile({ path, history }, async (events) => {
    // A later event may reveal that an earlier call contained a secret, or how a call in the background ended.
    for (const call of (await digest(events)).calls.storedOnly) {
      const known = collected.get(toContextKey(call))?.calls;
      if (known?.has(call.callId)) known.set(call.callId, call);
    }
  });
}

const NO_DETECTORS = Promise.resolve([]);

/** Calls in folders that are gone belong to the project that the store has for their session. */
async function keepProjects(
  store: Pick<Store, 'listProjects' | 'findSession'>,
  conversations: readonly Conversation[],
): Promise<readonly Conversation[]> {
  const stored = new Set((await store.listProjects()).map(({ id }) => id));
  return Promise.all(
    conversations.map(async ({ calls, spoken }) => {
      const [first] = calls;
      if (first === undefined || calls.every(({ projectId }) => stored.has(projectId))) return { calls, spoken };
      const own = (await store.findSession(first.agent, first.sessionId))?.projectId;
      const keep = <T extends { readonly projectId: string }>(one: T): T =>
        own === undefined || stored.has(one.projectId) ? one : { ...one, projectId: own };
      return { calls: calls.map(keep), spoken: spoken.map(keep) };
    }),
  );
}

async function filterConversation({ calls, spoken }: Conversation, readRules: ReadRules): Promise<Conversation> {
  const isCaptured = await readRules([...calls.map(toSighting), ...spoken.map(toSpokenSight)]);
  // Nothing of a project that is paused now is sent, also nothing from before the pause.
  const at = new Date().toISOString();
  const mayStore = (sight: SessionSighting): boolean => isCaptured(sight) && isCaptured({ ...sight, at });
  return {
    calls: calls.filter((call) => mayStore(toSighting(call))),
    spoken: spoken.filter((one) => mayStore(toSpokenSight(one))),
  };
}

function toSpokenSight({ agent, sessionId, at, cwd, projectId, evidence }: SessionMessage) {
  return {
    agent,
    sessionId,
    at,
    project: { id: projectId },
    ...dropAbsent({ cwd, transcriptPath: evidence?.file }),
  };
}
