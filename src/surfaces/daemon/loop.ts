/**
 * The product, in order: capture, keep, distill, compile, measure, promote. Everything that happened, live or long
 * ago, comes through here. Runs beside the agents, never in their way.
 */
import type { LiveCall } from '../../base/call.ts';
import type { AgentEvent } from '../../base/event.ts';
import type { Fact } from '../../base/fact.ts';
import type { Settings } from '../../base/settings.ts';
import type { Store } from '../../base/store.ts';
import { detectFindings } from '../../distill/detect-findings.ts';
import { makeCallWindows } from './call-windows.ts';
import { compileLessons } from './compile-lessons.ts';
import { keepDeliveries, keepFacts } from './keep-facts.ts';
import { keepSessions } from './keep-sessions.ts';
import { learnFinding } from './learn-finding.ts';
import { measureCalls, measureSessionEnd } from './measure-calls.ts';
import { toLiveCalls } from './to-live-calls.ts';

export interface Loop {
  /** Events with their text, and the facts that were written down for them. */
  takeEvents(events: readonly AgentEvent[], facts: readonly Fact[]): Promise<Taken>;
  /** Facts alone: what waited in the spool or in a dead daemon's journal. */
  takeFacts(facts: readonly Fact[]): Promise<void>;
}

export interface Taken {
  readonly calls: readonly LiveCall[];
  readonly findings: number;
}

export interface LoopParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
}

export function makeLoop(parts: LoopParts): Loop {
  const windows = makeCallWindows();
  return {
    async takeEvents(events, facts) {
      const { observed, hearsay } = toLiveCalls(events);
      await keepSessions(parts.store, events.map(toSight));
      await keepDeliveries(parts.store, facts);
      await parts.store.saveCalls(observed, 'observed');
      await parts.store.saveCalls(hearsay, 'hearsay');
      let changed = false;
      let findings = 0;
      for (const window of windows.add(observed)) {
        for (const finding of detectFindings(window)) {
          findings++;
          changed = (await learnFinding(parts.store, finding, window.calls)) || changed;
        }
      }
      changed = (await measureCalls(parts, observed)) || changed;
      for (const event of events) {
        if (event.kind === 'session-ended') await measureSessionEnd(parts.store, event);
      }
      if (changed) await compileLessons(parts);
      return { calls: observed, findings };
    },
    takeFacts: (facts) => keepFacts(parts.store, facts),
  };
}

function toSight(event: AgentEvent) {
  return event.kind === 'session-ended' ? { ...event, endReason: event.reason } : event;
}
