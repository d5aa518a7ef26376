/**
 * The product, in order: capture, keep, distill, measure and promote, compile. Everything that happened, live or long
 * ago, comes through here. Runs beside the agents, never in their way.
 */
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent } from '../../base/event.ts';
import type { Fact } from '../../base/fact.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { isTracked } from '../../base/tool.ts';
import { cleanEvents } from '../../capture/clean-events.ts';
import { makeCallFollower } from '../../capture/follow-calls.ts';
import { identifyProject } from '../../capture/identify-project.ts';
import { makeSecretScan } from '../../capture/scan-secrets.ts';
import { detectFindings } from '../../distill/detect-findings.ts';
import { makeCallWindows } from './call-windows.ts';
import { compileLessons } from './compile-lessons.ts';
import { keepFacts, keepTold } from './keep-facts.ts';
import { keepSessions } from './keep-sessions.ts';
import { learnFinding } from './learn-finding.ts';
import { filterFacts, makeCaptureFilter } from './make-capture-filter.ts';
import { measureCalls, measureSessionEnd } from './measure-calls.ts';
import { type ToldCalls, toLiveCalls } from './to-live-calls.ts';

export interface Loop {
  /** Events with their text, and the facts that were written down for them. */
  takeEvents(events: readonly AgentEvent[], facts: readonly Fact[]): Promise<Taken>;
  /** Facts alone: what waited in the spool or in a dead daemon's journal. */
  takeFacts(facts: readonly Fact[]): Promise<void>;
  /** The projects in which something happened since the last time this was asked. */
  takeTouched(): readonly string[];
}

export interface Taken {
  /** How many of the events were taken in at all. */
  readonly events: number;
  readonly calls: readonly LiveCall[];
  readonly findings: number;
}

export interface LoopParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly switchesFile: string;
  readonly log?: (line: string) => void;
}

export function makeLoop(parts: LoopParts): Loop {
  const { store } = parts;
  const openFilter = makeCaptureFilter(parts);
  const windows = makeCallWindows();
  const follower = makeCallFollower();
  const scan = makeSecretScan({ log: parts.log ?? (() => {}) });
  const touched = new Set<string>();
  const touch = (sights: readonly { readonly cwd?: string }[]): void => {
    for (const cwd of new Set(sights.map((sight) => sight.cwd))) touched.add(identifyProject(cwd ?? '').id);
  };

  const keep = async (
    events: readonly AgentEvent[],
    facts: readonly Fact[],
    { observed, hearsay, beside }: ToldCalls,
  ) => {
    await keepSessions(store, events.map(toSight));
    await keepTold(store, facts);
    await store.saveCalls([...observed, ...beside], 'observed');
    await store.saveCalls(hearsay, 'hearsay');
  };
  const distill = async (calls: readonly LiveCall[]) => {
    const learned = { findings: 0, lessons: 0 };
    for (const window of windows.add(calls)) {
      for (const finding of detectFindings(window)) {
        learned.findings++;
        if (await learnFinding(store, finding, window.calls)) learned.lessons++;
      }
    }
    return learned;
  };
  const measure = async (events: readonly AgentEvent[], calls: readonly LiveCall[]): Promise<boolean> => {
    const isMoved = await measureCalls(parts, calls);
    for (const event of events) if (event.kind === 'session-ended') await measureSessionEnd(store, event);
    return isMoved;
  };

  return {
    async takeEvents(told, facts) {
      const isOurs = await openFilter();
      const events = follower.follow(await cleanEvents(told.filter(isOurs), scan));
      touch(events);
      const calls = toTracked(toLiveCalls(events), parts.settings.trackedTools);
      await keep(events, filterFacts(facts, isOurs), calls);
      const { findings, lessons } = await distill(calls.observed);
      const isMoved = await measure(events, calls.observed);
      if (lessons > 0 || isMoved) await compileLessons(parts);
      return { events: events.length, calls: calls.observed, findings };
    },
    async takeFacts(told) {
      const facts = filterFacts(told, await openFilter()).filter(
        (fact) => fact.kind !== 'call' || isTracked(fact.call, parts.settings.trackedTools),
      );
      touch(facts);
      await keepFacts(store, facts);
    },
    takeTouched() {
      const ids = [...touched];
      touched.clear();
      return ids;
    },
  };
}

function toTracked({ observed, hearsay, beside }: ToldCalls, tracked: readonly string[]): ToldCalls {
  const isWanted = (call: LiveCall): boolean => isTracked(call, tracked);
  return { observed: observed.filter(isWanted), hearsay: hearsay.filter(isWanted), beside: beside.filter(isWanted) };
}

function toSight(event: AgentEvent) {
  return event.kind === 'session-ended' ? { ...event, endReason: event.reason } : event;
}
