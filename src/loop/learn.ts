/**
 * All events, live and past, enter learning here (`takeEvents`, `takeDigest`). The steps in order: remove what is private,
 * digest events into calls and findings, keep them, learn lessons from the findings, measure and promote, expire, compile
 * the manifest. No agent waits for it.
 */

import type { Store } from '../base/contracts/store.ts';
import type { LiveCall } from '../base/model/call.ts';
import { isOfFailure } from '../base/model/delivery.ts';
import type { AgentEvent } from '../base/model/event.ts';
import type { Fact } from '../base/model/fact.ts';
import type { Project } from '../base/model/session.ts';
import type { Settings } from '../base/model/settings.ts';
import { isTracked } from '../base/model/tool.ts';
import { makeSecretScan } from '../capture/secrets/scan-secrets.ts';
import { compileLessons } from './compile-lessons.ts';
import { type Digest, type Found, makeDigester } from './digest-events.ts';
import { keepDeliveries, keepFacts, keepSessions } from './keep-facts.ts';
import { findRecurrences } from './learning/find-recurrences.ts';
import { learnFindings } from './learning/learn-finding.ts';
import { loadDetectors } from './learning/load-detectors.ts';
import { makePastCalls } from './learning/past-calls.ts';
import { makeCallRememberer } from './learning/remember-calls.ts';
import { makeMissFinder } from './measuring/find-misses.ts';
import { measureCalls, measureEnd } from './measuring/measure-calls.ts';
import { makeRefuter } from './measuring/refute-lessons.ts';
import { filterDigest, filterFacts, makeCaptureFilter } from './privacy/capture-filter.ts';
import { makeProjectFinder } from './projects/find-project.ts';
import { keepKnownProjects } from './projects/gone-folders.ts';
import { joinMovedSessions, keepPlaces, readPlaces } from './projects/join-projects.ts';
import { makeStandingWatch } from './promoted-lessons.ts';
import { expireLessons } from './upkeep/expire-lessons.ts';

export interface Loop {
  /** Takes events with their text, and the facts recorded for them. */
  takeEvents(events: readonly AgentEvent[], facts: readonly Fact[]): Promise<Taken>;
  /** Filters a digest of a reader thread: only the parts that may be stored. */
  filterDigest(digest: Digest): Promise<Digest>;
  /** Takes a digest that was filtered already. */
  takeDigest(digest: Digest, facts?: readonly Fact[]): Promise<Taken>;
  /** Takes facts without text, from the spool or the journal of a dead daemon. */
  takeFacts(facts: readonly Fact[]): Promise<void>;
  /** Returns the projects with new events since the last call, and resets the list. */
  takeTouched(): readonly string[];
}

export interface Taken {
  /** Number of events that were accepted. */
  readonly events: number;
  readonly calls: readonly LiveCall[];
  readonly findings: readonly Found[];
  readonly reports: Digest['reports'];
}

export interface LoopParts {
  readonly store: Store;
  readonly settings: Settings;
  readonly manifestFile: string;
  readonly switchesFile: string;
  readonly awayDir?: string;
  readonly log?: (line: string) => void;
  /** The current time; a replay passes its own. */
  readonly now?: () => number;
  /** The current time if the clock is trusted. Without it, lessons are archived only at the end of their session. */
  readonly findTrustedNow?: () => number | undefined;
  /** Throttle: compile at most this often during a scan; the scanner compiles once more at its end. */
  readonly compileEveryMs?: number;
  /** Called when cures, or the measurements of their deliveries, may have changed. */
  readonly onCured?: () => void;
  /** The sessions were read before: learn from them again, but count them once. */
  readonly isAgain?: boolean;
}

export function makeLoop(parts: LoopParts): Loop {
  const { store, log = () => {} } = parts;
  const readRules = makeCaptureFilter(parts);
  const digestEvents = makeDigester({
    trackedTools: () => parts.settings.trackedTools,
    detection: () => parts.settings.detection,
    scan: makeSecretScan({ log }),
    detectors: loadDetectors(parts.settings, log),
  });
  const findProject = makeProjectFinder();
  const past = makePastCalls(store);
  const refuter = makeRefuter(store);
  const standing = makeStandingWatch(store);
  const misses = makeMissFinder(parts);
  const remembered = makeCallRememberer(store);
  const touched = new Set<string>();
  /** True while a new project, known from facts alone, has no languages in the manifest yet, even if compiling failed once. */
  let isUnread = false;
  let compiledMs = Number.NEGATIVE_INFINITY;

  return {
    async takeEvents(events, facts) {
      const mayStore = await readRules(events);
      return takeDigest(await digestEvents(events.filter(mayStore)), filterFacts(facts, mayStore));
    },
    filterDigest: async (digest) => filterDigest(digest, await readRules(digest.sights)),
    takeDigest,
    async takeFacts(all) {
      const facts = filterFacts(all, await readRules(all)).filter(
        (fact) => fact.kind !== 'call' || isTracked(fact.call, parts.settings.trackedTools),
      );
      touch(facts);
      isUnread = (await keepFacts(store, facts, findProject)) || isUnread;
      if (isUnread) await compile();
      isUnread = false;
    },
    takeTouched() {
      const ids = [...touched];
      touched.clear();
      return ids;
    },
  };

  /** The steps in order. Steps that change lessons return true, and then the manifest is compiled again. */
  async function takeDigest(raw: Digest, facts: readonly Fact[] = []): Promise<Taken> {
    const digest = await keepKnownProjects(store, raw);
    const { sights, calls, reports } = digest;
    touch(sights);
    const isNew = await keep(digest, facts);
    past.add(calls.observed);
    const findings = [...digest.findings, ...(await findRecurrences(past, digest, parts.settings.detectorsOff))];
    const isLearned = await learn(findings);
    const isMeasured = await measure(digest);
    const isRefuted = await refuter.take(calls.observed);
    const isExpired = await expire(digest);
    const isElsewhere = await standing.take(sights);
    if (isNew || isLearned || isMeasured || isRefuted || isExpired || isElsewhere) await compile();
    return { events: sights.length, calls: calls.observed, findings, reports };
  }

  /** Notes the projects with new events. */
  function touch(sights: readonly { readonly cwd?: string; readonly project?: Project }[]): void {
    for (const cwd of new Set(sights.map((sight) => sight.cwd))) touched.add(findProject(cwd ?? '').id);
    for (const { project } of sights) if (project !== undefined) touched.add(project.id);
  }

  async function keep({ sights, calls, reports, places, cures }: Digest, facts: readonly Fact[]): Promise<boolean> {
    const placed = parts.isAgain === true ? await readPlaces(store, sights) : new Map();
    const isSeen = await keepSessions(store, sights, findProject);
    await keepDeliveries(store, facts, findProject);
    await store.saveCalls([...calls.observed, ...calls.storedOnly], 'observed');
    await store.saveCalls(calls.hearsay, 'hearsay');
    await store.saveReports(reports);
    await store.saveCures(cures);
    const isRemembered = await remembered.take([...calls.observed, ...calls.untracked]);
    const isFixShown = facts.some((fact) => fact.kind === 'delivered' && isOfFailure(fact.delivery));
    if (cures.length > 0 || isRemembered || isFixShown) parts.onCured?.();
    // Join projects before learning, because two folders of one repository are one project.
    const isJoined = await keepPlaces(store, places, parts.settings.scoring);
    return (await joinMovedSessions(store, placed, parts.settings.scoring)) || isJoined || isSeen;
  }

  function learn(findings: readonly Found[]): Promise<boolean> {
    return learnFindings({ store, past, weights: parts.settings.scoring, isAgain: parts.isAgain === true }, findings);
  }

  async function measure({ calls, ends, contextEnds }: Digest): Promise<boolean> {
    const isMoved = await measureCalls(parts, calls.observed);
    const isBroken = await misses.take(calls.observed);
    let isEnded = false;
    for (const end of [...contextEnds, ...ends]) isEnded = (await measureEnd(parts, end)) || isEnded;
    if (isMoved || isEnded) parts.onCured?.();
    return isMoved || isBroken || isEnded;
  }

  async function expire({ ends }: Digest): Promise<boolean> {
    if (ends.length === 0) return false;
    const nowMs = (parts.findTrustedNow ?? parts.now)?.();
    return (await expireLessons(store, { nowMs, ended: ends })).changed;
  }

  async function compile(): Promise<void> {
    if (performance.now() - compiledMs < (parts.compileEveryMs ?? 0)) return;
    await compileLessons(parts);
    compiledMs = performance.now();
  }
}
