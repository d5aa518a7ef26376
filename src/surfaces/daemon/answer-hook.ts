/**
 * Answers hook events in the daemon's main thread (`answerHook` of the loop): keeps the manifest, the settings and the
 * known failures in memory, writes the facts to the journal and hands the text on to the worker. For messages that
 * arrive together each file is checked once, because looking at a file costs more than most of the other work.
 */

import { readFileSync, statSync } from 'node:fs';
import { findReporter } from '../../agents/reporters.ts';
import { dropOldest } from '../../base/bounded-memory.ts';
import { toReason } from '../../base/errors.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import { isPaused } from '../../base/model/switches.ts';
import { toFacts } from '../../capture/journal/facts.ts';
import { makeSettingsFinder, type SettingsFinder } from '../../keep/settings/read-settings.ts';
import { answerHook, decideDaemonReply } from '../../loop/deliver.ts';
import {
  type Decision,
  type DecisionContext,
  type ReplyChannels,
  SILENCE,
  toDecisionFacts,
} from '../../loop/delivery/decision.ts';
import { decideCure, decideMemory, openLiveMemory, prepareCures } from '../../loop/delivery/known-failures.ts';
import { makeSessionMemory } from '../../loop/delivery/session-past.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import { makeAwayJudge } from '../../loop/privacy/away-judge.ts';
import { makeSwitchReader } from '../../loop/privacy/switches.ts';
import { makeProjectFinder, makeSessionProjects } from '../../loop/projects/find-project.ts';
import { type CuredFailures, openCuredFailures } from '../../match/cure-book.ts';
import {
  type Manifest,
  makeProjectResolver,
  openManifest,
  readManifest,
  resolveProjectId,
  withSettings,
} from '../../match/manifest.ts';
import { FLAGS, type Header } from '../hook/wire-protocol.ts';
import type { Keeper } from './open-keeper.ts';
import type { AnswerAll } from './serve-hooks.ts';

export interface HookAnswerer {
  answer(header: Header, payload: unknown): string;
  /** Answers messages that arrived together; each file is checked once for all of them. */
  answerAll: AnswerAll;
}

interface AnswererParts {
  readonly home: DataHome;
  readonly keeper: Pick<Keeper, 'append' | 'handOn' | 'together' | 'findDelay' | 'findKnowledge'>;
  readonly log: (line: string) => void;
  /** A finder that is also used between calls. */
  readonly findSettings?: SettingsFinder;
}

interface DaemonSituation extends Required<Pick<DecisionContext, 'projectId' | 'switches' | 'memory'>> {
  /** The folder of the project. */
  readonly root: string;
  readonly manifest: Manifest | undefined;
}

export function makeHookAnswerer({ home, keeper, log, ...given }: AnswererParts): HookAnswerer {
  const memory = makeSessionMemory();
  const cache = makeBatchCache();
  const findManifest = cache.cached(makeManifestFinder(home.manifestFile));
  const findSwitches = cache.cached(makeSwitchReader(home.switchesFile));
  const findSettings = given.findSettings ?? makeSettingsFinder(home.configFile, process.env);
  const findProject = makeProjectFinder();
  const findSessionProject = makeSessionProjects(findProject);
  // While the settings file cannot be read, the last compiled settings stay in effect.
  const findNow = cache.cached(findSettings);
  const findPrivate = () => (findNow() ?? findManifest()?.header.settings)?.privateProjects;
  const { isPrivateOrPaused } = makeAwayJudge(home.awayDir);
  const findFailures = makeFailureFinder(keeper.findKnowledge);
  const failed = openLiveMemory(keeper.findKnowledge);
  const untold = openRewriteNotes();
  return {
    answer: (header, payload) => cache.inBatch(() => answer(header, payload)),
    answerAll: (header, messages) => ({
      lines: keeper.together(() =>
        cache.inBatch(() => messages.map(({ event, payload }) => answer({ ...header, event }, payload))),
      ),
      delay: keeper.findDelay(),
    }),
  };

  function answer({ agent, event: eventName, flags, pid }: Header, payload: unknown): string {
    const startedAt = process.hrtime.bigint();
    const elapsedUs = () => Number((process.hrtime.bigint() - startedAt) / 1000n);
    const asked = { probe: flags.includes(FLAGS.probe), isQuiet: flags.includes(FLAGS.quiet) };
    const host = { name: 'daemon', home, findReporter, findSituation, decide, record } as const;
    return answerHook({ agent, eventName, payload, pid, ...asked, elapsedUs }, host);
  }

  function findSituation(event: AgentEvent, probe: boolean): DaemonSituation | undefined {
    const { id: projectId, root } = findSessionProject(event);
    // The folder of this event counts, wherever the session began.
    if (isOff(event, findProject(event.cwd ?? '').id, probe)) return undefined;
    return { projectId, root, memory, manifest: withSettings(findManifest(), findNow()), switches: findSwitches() };
  }

  function isOff(event: AgentEvent, projectId: string, probe: boolean): boolean {
    const privateFolders = findPrivate();
    if (privateFolders === undefined || findSettings.isPrivacyUnclear()) return true;
    const switches = findSwitches();
    // Evaluate this first, because it records where a session begins, even during a pause.
    return (
      isPrivateOrPaused(event, { privateFolders, switches }, { marks: !probe }) ||
      isPaused(switches, { ...event, projectId }, makeProjectResolver(findManifest()))
    );
  }

  function decide(event: AgentEvent, context: DecisionContext & DaemonSituation): Decision {
    try {
      const { root } = context;
      const here = resolveProjectId(context.manifest.header, context.projectId);
      if (!context.probe) failed.take(event, { projectId: here, root });
      return decideDaemonReply(event, context, {
        complete: (decision) => untold.complete(event, decision, context),
        knownFix() {
          const failures = findFailures();
          return failures && decideCure(event, { ...context, failures });
        },
        warning() {
          const [failures, calls] = [findFailures(), failed.find()];
          return calls && decideMemory(event, { ...context, failures, calls });
        },
      });
    } catch (error) {
      log(`reply: ${toReason(error)}`);
      return SILENCE;
    }
  }

  function record(event: AgentEvent, projectId: string, decision: Decision): void {
    const facts = [...toFacts(event, projectId), ...toDecisionFacts(event, decision)];
    try {
      keeper.append(facts);
    } catch (error) {
      log(`journal: ${String(error)}`);
    }
    keeper.handOn(event, facts);
  }
}

interface RewriteNotes {
  complete(event: AgentEvent, decision: Decision, channels: ReplyChannels): Decision;
}

const MAX_UNTOLD = 100;

/** The text about a rewritten call comes with the result of that call, if the agent reads no text before a call. */
function openRewriteNotes(): RewriteNotes {
  const untold = new Map<string, string>();
  const toKey = ({ agent, sessionId }: AgentEvent, command = ''): string => `${agent}\n${sessionId}\n${command}`;
  return {
    complete(event, decision, { modes }) {
      const { reply } = decision;
      if (reply?.kind === 'rewrite' && !modes.includes('note')) {
        untold.set(toKey(event, reply.command), reply.context);
        dropOldest(untold, MAX_UNTOLD);
      }
      if (event.kind !== 'call-returned' && event.kind !== 'call-ended') return decision;
      const key = toKey(event, event.input.command);
      const context = untold.get(key);
      untold.delete(key);
      return context === undefined || reply
        ? decision
        : { ...decision, reply: { kind: 'note', to: event.kind, context } };
    },
  };
}

/** Opens what the worker sent once, when it is first asked for. */
function makeFailureFinder(findKnowledge: Keeper['findKnowledge']): () => CuredFailures | undefined {
  let opened: { readonly from: Knowledge; readonly failures: CuredFailures } | undefined;
  let isPrepared = false;
  return () => {
    const from = findKnowledge();
    if (from === undefined) return undefined;
    if (!isPrepared && from.cures.length > 0) {
      isPrepared = true;
      setImmediate(prepareCures);
    }
    if (opened?.from !== from) opened = { from, failures: openCuredFailures(from.cures) };
    return opened.failures;
  };
}

/** Reads the manifest again after its file changed. A broken file is ignored and the last good manifest stays. */
function makeManifestFinder(file: string): () => Manifest | undefined {
  let stamp = '';
  let manifest: Manifest | undefined;
  return () => {
    try {
      const { ino, size, mtimeMs } = statSync(file);
      const now = `${ino} ${size} ${mtimeMs}`;
      if (now !== stamp) {
        stamp = now;
        manifest = openManifest(readFileSync(file)) ?? manifest ?? readManifest(file);
      }
    } catch {
      // There is no readable manifest; the loaded one stays.
    }
    return manifest;
  };
}

/** Caches answers for one batch of messages, because checking a file costs more than most of the work. */
interface BatchCache {
  /** Wraps a question: asked once in a batch, and every time outside of one. */
  cached<T>(ask: () => T): () => T;
  inBatch<T>(work: () => T): T;
}

export function makeBatchCache(): BatchCache {
  let batch: object | undefined;
  return {
    cached(ask) {
      let known: { readonly batch: object; readonly answer: ReturnType<typeof ask> } | undefined;
      return () => {
        if (batch === undefined) return ask();
        if (known?.batch !== batch) known = { batch, answer: ask() };
        return known.answer;
      };
    },
    inBatch(work) {
      if (batch !== undefined) return work();
      batch = {};
      try {
        return work();
      } finally {
        batch = undefined;
      }
    },
  };
}
