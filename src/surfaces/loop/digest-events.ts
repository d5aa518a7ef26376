/**
 * Capture and distill, without the store: events become clean calls, and detectors look at them. It needs nothing but the
 * events, so that a scan can do it in several threads.
 */
import type { LiveCall } from '../../base/call.ts';
import type { Detector } from '../../base/detector.ts';
import type { AgentEvent, EventOf } from '../../base/event.ts';
import type { Finding } from '../../base/finding.ts';
import type { Project } from '../../base/session.ts';
import { isTracked } from '../../base/tool.ts';
import { cleanEvents } from '../../capture/clean-events.ts';
import { findFirstFolder } from '../../capture/find-first-folder.ts';
import { makeCallFollower } from '../../capture/follow-calls.ts';
import { makeKnownSecrets } from '../../capture/known-secrets.ts';
import type { SecretScan } from '../../capture/scan-secrets.ts';
import { trimEvents } from '../../capture/trim-events.ts';
import { detectFindings } from '../../distill/detect-findings.ts';
import { isTelling } from '../../distill/words/is-telling.ts';
import { makeCallWindows } from './call-windows.ts';
import type { Sight } from './keep-sessions.ts';
import type { Sighted } from './make-away-judge.ts';
import { type FindProject, makeProjectFinder } from './make-project-finder.ts';
import { type FindSessionProject, makeSessionProjects } from './make-session-projects.ts';
import { makeShownTexts } from './make-shown-texts.ts';
import { makeSiblings } from './make-siblings.ts';
import { makePlaceNotes, type PlaceNote } from './note-places.ts';
import { type SeenReport, toKeptReports } from './to-kept-reports.ts';
import { type ToldCalls, toLiveCalls } from './to-live-calls.ts';
import { toSpoken } from './to-spoken.ts';

export interface Digest {
  /** What the events say of their sessions; of a run of them that says the same, its first and its last. */
  readonly sights: readonly (Sight & Sighted)[];
  readonly calls: ToldCalls;
  readonly findings: readonly Found[];
  readonly reports: readonly SeenReport[];
  readonly ends: readonly EventOf<'session-ended'>[];
  readonly contextEnds: readonly EventOf<'subagent-ended'>[];
  readonly places: readonly PlaceNote[];
}

export interface Found {
  readonly finding: Finding;
  /** The calls around it, with their whole text. */
  readonly window: readonly LiveCall[];
}

export interface DigesterParts {
  /** Asked each time: settings change. */
  readonly trackedTools: () => readonly string[];
  readonly scan: SecretScan;
  /** Ours where it says nothing. */
  readonly detectors?: Promise<readonly Detector[]>;
  /** What others have found out already; its own where it says nothing. */
  readonly findProject?: FindProject;
}

export type Digester = (events: readonly AgentEvent[]) => Promise<Digest>;

/** Remembers the last calls of every context: give it the events of a session in their order. */
export function makeDigester(parts: DigesterParts): Digester {
  const { trackedTools, scan, detectors } = parts;
  const windows = makeCallWindows();
  const follower = makeCallFollower();
  const secrets = makeKnownSecrets();
  const shown = makeShownTexts();
  const siblings = makeSiblings();
  const findFolderProject = parts.findProject ?? makeProjectFinder();
  const findProject = makeSessionProjects(findFolderProject, findFirstFolder);
  const notePlaces = makePlaceNotes(findFolderProject, findProject);
  return async (told) => {
    shown.note(told);
    const events = follower.follow(await cleanEvents(trimEvents(told.filter(isUsed)), scan, secrets));
    // A session's first folder is often told before its first call.
    for (const event of events) findProject(event);
    const all = siblings.mark(events, toLiveCalls(events, findProject));
    // The call that corrects another may tell that it held a secret: it is told again, without.
    const again = secrets.isNew() ? windows.clean(secrets.clean) : [];
    const calls = toTracked({ ...all, beside: [...again, ...all.beside] }, trackedTools());
    // Also what a page or a sub-agent told: its words are not the agent's own.
    const seen = listSeen(all, [...trackedTools(), 'mcp:*', 'web', 'task']);
    const grown = windows.add(seen, toSpoken(events, seen, findProject));
    const known = await detectors;
    const findings = grown.flatMap((window) =>
      detectFindings(window, known, () => shown.list(window)).map((finding) => ({ finding, window: window.calls })),
    );
    return {
      sights: toSights(events, findProject),
      calls,
      findings,
      reports: grown.flatMap((window) => toKeptReports(window)),
      ends: events.filter((event) => event.kind === 'session-ended'),
      contextEnds: events.filter((event) => event.kind === 'subagent-ended'),
      places: notePlaces(events, all.observed),
    };
  };
}

/** In their order, with what the user refused: a hook hears of that only from the batch, and it counts at once. */
function listSeen({ observed, hearsay }: ToldCalls, tracked: readonly string[]): readonly LiveCall[] {
  const seen = observed.filter((call) => isTracked(call, tracked));
  const refused = hearsay.filter(({ outcome }) => outcome === 'denied').map(asSeen);
  if (refused.length === 0) return seen;
  return [...seen, ...refused].sort((a, b) => (a.occurredAt < b.occurredAt ? -1 : Number(a.occurredAt > b.occurredAt)));
}

/** The batch tells the refusal in the user's own words: for learning that is as good as having seen it. */
function asSeen(call: LiveCall): LiveCall {
  return { ...call, outcomeType: call.outcomeType.replace(/^told-/, '') };
}

/** What nobody reads need not be cleaned. */
function isUsed(event: AgentEvent): boolean {
  return event.kind !== 'said' || isTelling(event.text);
}

function toTracked({ observed, hearsay, beside }: ToldCalls, tracked: readonly string[]): ToldCalls {
  const isWanted = (call: LiveCall): boolean => isTracked(call, tracked);
  return { observed: observed.filter(isWanted), hearsay: hearsay.filter(isWanted), beside: beside.filter(isWanted) };
}

const SAME = ['agent', 'sessionId', 'cwd', 'branch', 'model', 'agentVersion', 'source', 'pid', 'host'] as const;

function toSights(events: readonly AgentEvent[], findProject: FindSessionProject): Digest['sights'] {
  const sights: (Sight & Sighted)[] = [];
  let run = 0;
  for (const event of events) {
    const last = sights.at(-1);
    const isSame = last !== undefined && event.kind !== 'session-started' && event.kind !== 'session-ended';
    run = isSame && SAME.every((field) => last[field] === event[field]) ? run + 1 : 0;
    // In the middle of a run: the one before was not its end.
    if (run > 1) sights.pop();
    sights.push(toSight(event, findProject(event)));
  }
  return sights;
}

function toSight(event: AgentEvent, project: Project): Sight & Sighted {
  const { agent, sessionId, at, cwd, branch, model, agentVersion, source, pid, host, transcriptPath, kind } = event;
  return {
    ...{ agent, sessionId, at, source, kind, project },
    ...(cwd === undefined ? {} : { cwd }),
    ...(branch === undefined ? {} : { branch }),
    ...(model === undefined ? {} : { model }),
    ...(agentVersion === undefined ? {} : { agentVersion }),
    ...(pid === undefined ? {} : { pid }),
    ...(host === undefined ? {} : { host }),
    ...(transcriptPath === undefined ? {} : { transcriptPath }),
    ...(event.kind === 'session-started' ? { start: event.start } : {}),
    ...(event.kind === 'session-ended' ? { endReason: event.reason } : {}),
  };
}
