/**
 * Digests events without the store: cleans them, turns them into calls, and runs the detectors over them. A digest needs
 * only the events, so a scan can run it in several threads.
 */

import { dropOldest } from '../base/bounded-memory.ts';
import type { LiveCall } from '../base/model/call.ts';
import type { Cure } from '../base/model/cure.ts';
import { type AgentEvent, type EventOf, hasWorked } from '../base/model/event.ts';
import type { Finding, KeptReport } from '../base/model/finding.ts';
import { type Project, toContextKey } from '../base/model/session.ts';
import { DEFAULT_SETTINGS, type DetectionSettings } from '../base/model/settings.ts';
import { isHookRun, isTracked } from '../base/model/tool.ts';
import { compareTexts, dropAbsent } from '../base/records.ts';
import { listTouched } from '../base/shell/changed-things.ts';
import { type LiveCalls, makeCallFollower, makeSiblings, toLiveCalls } from '../capture/calls/to-calls.ts';
import { toSeemingEnd } from '../capture/outcomes/seems-done.ts';
import { cleanCall, cleanEvents, trimEvents } from '../capture/secrets/clean-events.ts';
import { makeKnownSecrets } from '../capture/secrets/known-secrets.ts';
import type { SecretScan } from '../capture/secrets/scan-secrets.ts';
import { findFirstFolder } from '../capture/transcripts/session-files.ts';
import { detectFindings, isTelling } from '../distill/detect-findings.ts';
import type { Detector, SessionMessage, SessionWindow } from '../distill/detector.ts';
import { findCures } from '../distill/episodes/find-cures.ts';
import { findNeeds } from '../distill/episodes/find-needs.ts';
import { findMissing } from '../distill/propose/paths/absent-path.ts';
import { mayRecur } from '../distill/propose/recurrence.ts';
import { findBehind } from '../distill/propose/self-reports/find-behind.ts';
import { findSaid } from '../distill/propose/self-reports/find-said.ts';
import { isMalformed } from '../distill/propose/self-reports/self-report.ts';
import type { Sight } from './keep-facts.ts';
import type { SessionSighting } from './privacy/private-sessions.ts';
import {
  type FindProject,
  type FindSessionProject,
  makeProjectFinder,
  makeSessionProjects,
} from './projects/find-project.ts';
import { makePlaceNotes, type PlaceNote } from './projects/note-places.ts';

export interface Digest {
  /** What the events say about their sessions. Of a run of equal sights only the first and the last are kept. */
  readonly sights: readonly (Sight & SessionSighting)[];
  readonly calls: DigestedCalls;
  readonly findings: readonly Found[];
  readonly reports: readonly SeenReport[];
  readonly ends: readonly EventOf<'session-ended'>[];
  readonly contextEnds: readonly EventOf<'subagent-ended'>[];
  readonly places: readonly PlaceNote[];
  /** How the agent got past failures. */
  readonly cures: readonly SeenCure[];
  /** The ids of failed calls whose failure may come again. Only here their whole outputs are known. */
  readonly repeatable: readonly string[];
}

interface DigestedCalls extends LiveCalls {
  /**
   * Neither stored nor learned from: working calls of tools that are not tracked, and those that only a batch reported.
   * They show that a call works again.
   */
  readonly untracked: readonly LiveCall[];
}

export interface Found {
  readonly finding: Finding;
  /** The calls around the finding, with their whole text. */
  readonly window: readonly LiveCall[];
}

interface DigesterParts {
  /** A function, because settings change while the daemon runs. */
  readonly trackedTools: () => readonly string[];
  readonly detection?: () => DetectionSettings;
  readonly scan: SecretScan;
  /** Default: the built-in detectors. */
  readonly detectors?: Promise<readonly Detector[]>;
  /** Shares a cache of projects with other parts; default: a cache of its own. */
  readonly findProject?: FindProject;
  /** Told the windows that the events extended, for code that reads whole conversations. */
  readonly onWindows?: (windows: readonly SessionWindow[]) => void;
}

export type Digester = (events: readonly AgentEvent[]) => Promise<Digest>;

/** Remembers the last calls of every context, so the events of a session must come in order. */
export function makeDigester(parts: DigesterParts): Digester {
  const { trackedTools, detection = () => DEFAULT_SETTINGS.detection, scan, detectors } = parts;
  const windows = makeCallWindows();
  const follower = makeCallFollower();
  const secrets = makeKnownSecrets();
  const shown = makeShownTexts();
  const siblings = makeSiblings();
  const findFolderProject = parts.findProject ?? makeProjectFinder();
  const findProject = makeSessionProjects(findFolderProject, findFirstFolder);
  const notePlaces = makePlaceNotes(findFolderProject, findProject);
  return async (raw) => {
    shown.note(raw);
    const events = follower.follow(await cleanEvents(trimEvents(raw.filter(isUsed)), scan, secrets));
    // Look at all events first, because the folder of a session is often in an event before its first call.
    for (const event of events) findProject(event);
    const all = siblings.mark(events, toLiveCalls(events, findProject, detection()));
    // A later call may reveal that an earlier one contained a secret; the earlier call is then digested again without it.
    const again = secrets.isNew() ? windows.clean(secrets.clean) : [];
    const untracked = all.hearsay.filter((call) => hasWorked(call) && !follower.hasEnded(call));
    const calls = toTracked({ ...all, storedOnly: [...again, ...all.storedOnly], untracked }, trackedTools());
    // Web pages and sub-agents, too, because their words are not the agent's own.
    const seen = listSeen(all, [...trackedTools(), 'mcp:*', 'web', 'task']);
    const grown = windows.add(seen, toMessages(events, seen, findProject)).map(toSeemingEnds);
    parts.onWindows?.(grown);
    const known = await detectors;
    const findings = grown.flatMap((window) =>
      detectFindings(window, known, { ...detection(), shown: () => shown.list(window) }).map((finding) => ({
        finding,
        window: window.calls,
      })),
    );
    return {
      sights: toSights(events, findProject),
      calls,
      findings,
      reports: grown.flatMap((window) => toKeptReports(window)),
      ends: events.filter((event) => event.kind === 'session-ended'),
      contextEnds: events.filter((event) => event.kind === 'subagent-ended'),
      places: notePlaces(events, all.observed),
      cures: grown.flatMap(toSeenCures),
      repeatable: calls.observed
        .filter((call) => mayRecur(call) || findMissing(call) !== undefined)
        .map(({ callId }) => callId),
    };
  };
}

/**
 * Calls in order, including refused ones, which a hook learns of only from the batch. A command that was left running
 * comes again with its end, which the agent reads at that time.
 */
function listSeen({ observed, hearsay, storedOnly }: LiveCalls, tracked: readonly string[]): readonly LiveCall[] {
  const ended = storedOnly.filter((call) => !isHookRun(call) && call.output && call.command !== undefined);
  const seen = [...observed, ...ended].filter((call) => isTracked(call, tracked));
  const refused = hearsay.filter(({ outcome }) => outcome === 'denied').map(asSeen);
  if (refused.length === 0) return seen;
  return [...seen, ...refused].sort((a, b) => compareTexts(a.occurredAt, b.occurredAt));
}

/** A refusal in a batch contains the user's own words, so learning treats it as observed. */
function asSeen(call: LiveCall): LiveCall {
  return { ...call, outcomeType: call.outcomeType.replace(/^told-/, '') };
}

/** Events that no later step reads need not be redacted. */
function isUsed(event: AgentEvent): boolean {
  if (event.kind === 'call-returned') return false;
  return event.kind !== 'said' || isTelling(event.text);
}

function toTracked(
  { observed, hearsay, storedOnly, untracked }: DigestedCalls,
  tracked: readonly string[],
): DigestedCalls {
  const isWanted = (call: LiveCall): boolean => isTracked(call, tracked);
  const isWorking = (call: LiveCall): boolean => !isWanted(call) && call.exactKey !== undefined && hasWorked(call);
  return {
    observed: observed.filter(isWanted).map(withThings),
    hearsay: hearsay.filter(isWanted),
    storedOnly: storedOnly.filter(isWanted),
    untracked: [...observed.filter(isWorking), ...untracked].map(withThings),
  };
}

/** With the things that a failed call needs or that a working call touched. */
function withThings(call: LiveCall): LiveCall {
  const touches = hasWorked(call) ? listTouched(call, call.projectRoot ?? '') : [];
  return touches.length > 0 ? { ...call, touches } : { ...call, ...dropAbsent({ needs: findNeeds(call) }) };
}

const SAME = ['agent', 'sessionId', 'cwd', 'branch', 'model', 'agentVersion', 'source', 'pid', 'host'] as const;

function toSights(events: readonly AgentEvent[], findProject: FindSessionProject): Digest['sights'] {
  const sights: (Sight & SessionSighting)[] = [];
  let run = 0;
  for (const event of events) {
    const last = sights.at(-1);
    const isSame = last !== undefined && event.kind !== 'session-started' && event.kind !== 'session-ended';
    run = isSame && SAME.every((field) => last[field] === event[field]) ? run + 1 : 0;
    // The run goes on, so the previous sight was not its last.
    if (run > 1) sights.pop();
    sights.push(toSight(event, findProject(event)));
  }
  return sights;
}

function toSight(event: AgentEvent, project: Project): Sight & SessionSighting {
  const { agent, sessionId, at, cwd, branch, model, agentVersion, source, pid, host, transcriptPath, kind } = event;
  return {
    agent,
    sessionId,
    at,
    source,
    kind,
    project,
    ...dropAbsent({ cwd, branch, model, agentVersion, pid, host, transcriptPath }),
    ...(event.kind === 'session-started' ? { start: event.start } : {}),
    ...(event.kind === 'session-ended' ? { endReason: event.reason } : {}),
  };
}

/**
 * The messages among clean events, each with the call before it. `calls`: the kept calls of the same events.
 */
function toMessages(
  events: readonly AgentEvent[],
  calls: readonly LiveCall[],
  findProject: FindSessionProject,
): readonly SessionMessage[] {
  if (!events.some(isMessage)) return [];
  const kept = new Set(calls.map(({ callId }) => callId));
  const last = new Map<string, string>();
  return events.flatMap((event) => {
    const key = toContextKey(event);
    if (event.kind === 'call-ended' && kept.has(event.callId)) last.set(key, event.callId);
    return isMessage(event) ? [toWords(event, findProject(event).id, last.get(key))] : [];
  });
}

function isMessage(event: AgentEvent): event is EventOf<'prompted' | 'said'> {
  return event.kind === 'prompted' || event.kind === 'said';
}

function toWords(
  event: EventOf<'prompted' | 'said'>,
  projectId: string,
  afterCallId: string | undefined,
): SessionMessage {
  const { kind, agent, sessionId, contextId, text, at, cwd, model, agentVersion, transcriptPath: file, line } = event;
  return {
    kind,
    agent,
    sessionId,
    contextId,
    text,
    at,
    projectId,
    ...dropAbsent({ afterCallId, cwd, model, agentVersion }),
    ...(file === undefined || line === undefined ? {} : { evidence: { file, line } }),
  };
}

interface ShownTexts {
  /** Takes the events before anything is cut. */
  note(events: readonly AgentEvent[]): void;
  /** The texts in the context of this window. */
  list(window: Pick<SessionWindow, 'calls' | 'spoken'>): readonly string[];
}

/** Bounds memory to a few megabytes. */
const MAX_TEXTS = 120;
const MAX_CHARS = 32 * 1024;
/** Shorter outputs are kept with their call. */
const MIN_CHARS = 1024;

/**
 * Keeps the whole outputs of the last calls (pages, files, answers of other agents), of which a call keeps only the ends.
 * They are only compared with the agent's words, to find copied text, and never leave memory, so they need no redaction.
 */
function makeShownTexts(): ShownTexts {
  let texts: { readonly key: string; readonly text: string }[] = [];
  return {
    note(events) {
      for (const event of events) {
        if (event.kind !== 'call-ended' || event.tool === 'shell') continue;
        const { text } = event.result;
        if (text.length > MIN_CHARS) texts.push({ key: toContextKey(event), text: text.slice(0, MAX_CHARS) });
      }
      if (texts.length > MAX_TEXTS) texts = texts.slice(-MAX_TEXTS);
    },
    list({ calls, spoken }) {
      const any = calls.at(-1) ?? spoken.at(-1);
      const key = any && toContextKey(any);
      return texts.filter((one) => one.key === key).map(({ text }) => text);
    },
  };
}

function toSeemingEnds(window: SessionWindow): SessionWindow {
  return { ...window, calls: window.calls.map(toSeemingEnd) };
}

/** With its folder, which decides whether it may be stored. */
interface SeenReport extends KeptReport {
  readonly cwd?: string;
}

/** With the folders of its two calls, which decide whether it may be stored. */
interface SeenCure extends Cure {
  readonly folders: readonly (string | undefined)[];
  readonly file?: string;
}

function toSeenCures(window: SessionWindow): readonly SeenCure[] {
  return findCures(window).map(({ cure, failing, fixing }) => ({
    ...cure,
    folders: [failing.cwd, fixing.cwd],
    ...dropAbsent({ file: failing.evidence?.file }),
  }));
}

/** The reports of a window as they are stored: kind and place, no words. */
function toKeptReports(window: SessionWindow): readonly SeenReport[] {
  return findSaid(window)
    .filter(({ isNew }) => isNew)
    .map(({ spoken, report }) => {
      const { agent, sessionId, contextId, projectId, at, cwd, evidence } = spoken;
      const [behind] = isMalformed(report) ? [] : findBehind(report, spoken, window.calls);
      return {
        agent,
        sessionId,
        contextId,
        at,
        projectId,
        reportId: report.id,
        form: report.form,
        ...(isMalformed(report) ? { malformed: report.malformed } : {}),
        ...dropAbsent({ failingCallId: behind?.call.callId }),
        ...evidence,
        ...dropAbsent({ cwd }),
      };
    });
}

const MAX_CALLS = 60;
const MAX_SPOKEN = 40;
const SAME_PROMPT_MS = 60_000;
/** Far more than are active at once; each may hold a megabyte of outputs. */
const MAX_WINDOWS = 100;

interface CallWindows {
  /** Adds calls and messages, and returns the windows of the contexts that changed. */
  add(calls: readonly LiveCall[], spoken?: readonly SessionMessage[]): readonly SessionWindow[];
  /** Removes a newly found secret from all windows, and returns the calls that contained it. */
  clean(clean: (text: string) => string): readonly LiveCall[];
}

type Kept = Pick<SessionWindow, 'calls' | 'spoken'>;

const NOTHING: Kept = { calls: [], spoken: [] };

/** Keeps the last calls and messages of every active context in memory, with text that is never stored. */
export function makeCallWindows(): CallWindows {
  const contexts = new Map<string, Kept>();
  return {
    add(calls, spoken = []) {
      const [added, said] = [Map.groupBy(calls, toContextKey), Map.groupBy(spoken, toContextKey)];
      return [...new Set([...added.keys(), ...said.keys()])].map((key) => {
        const window = extend(contexts.get(key) ?? NOTHING, added.get(key) ?? [], said.get(key) ?? []);
        // Moving a key to the end keeps the map in order of use.
        contexts.delete(key);
        contexts.set(key, { calls: window.calls.slice(-MAX_CALLS), spoken: window.spoken.slice(-MAX_SPOKEN) });
        dropOldest(contexts, MAX_WINDOWS);
        return window;
      });
    },
    clean(clean) {
      const changed: LiveCall[] = [];
      for (const [key, { calls, spoken }] of contexts) {
        const cleaned = calls.map((call) => cleanCall(call, clean));
        changed.push(...cleaned.filter((call, i) => call !== calls[i]));
        contexts.set(key, { calls: cleaned, spoken: spoken.map((one) => cleanSpoken(one, clean)) });
      }
      return changed;
    },
  };
}

function cleanSpoken(spoken: SessionMessage, clean: (text: string) => string): SessionMessage {
  const text = clean(spoken.text);
  return text === spoken.text ? spoken : { ...spoken, text };
}

function extend(known: Kept, calls: readonly LiveCall[], spoken: readonly SessionMessage[]): SessionWindow {
  const added = new Set(calls.map(({ callId }) => callId));
  const before = added.size === 0 ? known.calls : known.calls.filter(({ callId }) => !added.has(callId));
  const lastCallId = before.at(-1)?.callId;
  const said = spoken
    // Skip messages that came from the hook and again from the transcript.
    .filter((one) => !known.spoken.some((before) => isSame(before, one)))
    .map((one) => (lastCallId === undefined ? one : { afterCallId: lastCallId, ...one }));
  return {
    calls: [...before, ...calls],
    from: before.length,
    spoken: [...known.spoken, ...said],
    spokenFrom: known.spoken.length,
  };
}

/** A report whose line changed, because its file was rewritten, counts as a new message. */
function isSame(before: SessionMessage, one: SessionMessage): boolean {
  if (before.text !== one.text || before.kind !== one.kind) return false;
  // The user may say the same thing again. The hook and the transcript tell the time of one prompt a little differently.
  if (one.kind === 'prompted') return Math.abs(Date.parse(one.at) - Date.parse(before.at)) < SAME_PROMPT_MS;
  const [old, now] = [before.evidence, one.evidence];
  return old === undefined || now === undefined || old.line === now.line;
}

/** All calls of a digest, changed or filtered. */
export function mapCalls(
  { observed, hearsay, storedOnly, untracked }: DigestedCalls,
  map: (calls: readonly LiveCall[]) => readonly LiveCall[],
): DigestedCalls {
  return { observed: map(observed), hearsay: map(hearsay), storedOnly: map(storedOnly), untracked: map(untracked) };
}

/** Merges several digests, so that they are stored together. */
export function mergeDigests(digests: readonly Digest[]): Digest {
  return {
    sights: digests.flatMap((digest) => digest.sights),
    calls: {
      observed: digests.flatMap((digest) => digest.calls.observed),
      hearsay: digests.flatMap((digest) => digest.calls.hearsay),
      storedOnly: digests.flatMap((digest) => digest.calls.storedOnly),
      untracked: digests.flatMap((digest) => digest.calls.untracked),
    },
    findings: digests.flatMap((digest) => digest.findings),
    reports: digests.flatMap((digest) => digest.reports),
    ends: digests.flatMap((digest) => digest.ends),
    contextEnds: digests.flatMap((digest) => digest.contextEnds),
    places: digests.flatMap((digest) => digest.places),
    cures: digests.flatMap((digest) => digest.cures),
    repeatable: digests.flatMap((digest) => digest.repeatable),
  };
}
