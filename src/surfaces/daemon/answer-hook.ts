/**
 * Answers one hook event in the daemon's main thread: writes the facts to the journal, matches in memory, replies, and
 * hands the text on to the worker. For messages that arrive together each file is checked once, because looking at a
 * file costs more than most of the other work.
 */

import { readFileSync, statSync } from 'node:fs';
import { findCaller } from '../../agents/hooks.ts';
import { dropOldest } from '../../base/bounded-memory.ts';
import { toReason } from '../../base/errors.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { Knowledge } from '../../base/model/knowledge.ts';
import { isPaused } from '../../base/model/switches.ts';
import { toFacts } from '../../capture/journal/facts.ts';
import { makeSettingsFinder, type SettingsFinder } from '../../keep/settings/read-settings.ts';
import { decideReply } from '../../loop/deliver.ts';
import { completeEvent } from '../../loop/delivery/complete-event.ts';
import {
  type Decision,
  type DecisionContext,
  type ReplyChannels,
  toDecisionFacts,
  toReplyChannels,
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
import { FLAGS, findCanary, type Header, withProcess } from '../hook/wire-protocol.ts';
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

const SILENT: Decision = { deliveries: [] };

interface AnswerContext extends DecisionContext {
  /** The folder of the project. */
  readonly root: string;
}

export function makeHookAnswerer({ home, keeper, log, ...given }: AnswererParts): HookAnswerer {
  const { claimsDir, pastDir, briefsDir, troubleFile } = home;
  const memory = makeSessionMemory();
  const holder = makeHolder();
  const findManifest = holder.hold(makeManifestFinder(home.manifestFile));
  const findSwitches = holder.hold(makeSwitchReader(home.switchesFile));
  const findSettings = given.findSettings ?? makeSettingsFinder(home.configFile, process.env);
  const findProject = makeProjectFinder();
  const findSessionProject = makeSessionProjects(findProject);
  // While the settings file cannot be read, the last compiled settings stay in effect.
  const findNow = holder.hold(findSettings);
  const findPrivate = () => (findNow() ?? findManifest()?.header.settings)?.privateProjects;
  const { isAway } = makeAwayJudge(home.awayDir);
  const findFailures = makeFailureFinder(keeper.findKnowledge);
  const failed = openLiveMemory(keeper.findKnowledge);
  const untold = openRewriteNotes();
  return {
    answer: (header, payload) => holder.during(() => answer(header, payload)),
    answerAll: (header, messages) => ({
      lines: keeper.together(() =>
        holder.during(() => messages.map(({ event, payload }) => answer({ ...header, event }, payload))),
      ),
      delay: keeper.findDelay(),
    }),
  };

  function answer({ agent, event: eventName, flags, pid }: Header, payload: unknown): string {
    const startedAt = process.hrtime.bigint();
    const caller = findCaller(agent, payload);
    const read = caller?.readHook(eventName, payload, new Date().toISOString());
    const event = read && withProcess(completeEvent(read, caller?.ending), pid);
    if (caller === undefined || event === undefined) return caller?.silence ?? '';
    const probe = flags.includes(FLAGS.probe);
    const canary = probe ? findCanary(event, 'daemon') : undefined;
    if (canary !== undefined) return caller.writeHook(canary);
    const { id: projectId, root } = findSessionProject(event);
    // The folder of this event counts, wherever the session began.
    if (isOff(event, findProject(event.cwd ?? '').id, probe)) return caller.silence;
    const manifest = withSettings(findManifest(), findNow());
    const switches = findSwitches();
    const elapsedUs = () => Number((process.hrtime.bigint() - startedAt) / 1000n);
    const spoken =
      manifest === undefined || flags.includes(FLAGS.quiet)
        ? SILENT
        : decide(event, {
            ...{ manifest, claimsDir, pastDir, memory, briefsDir, troubleFile },
            ...{ projectId, switches, ...toReplyChannels(caller.capabilities), probe, elapsedUs },
            root,
          });
    if (!probe) record(event, projectId, spoken);
    return spoken.reply === undefined ? caller.silence : caller.writeHook(spoken.reply);
  }

  /** True if the event is paused or private, or if that is unknown: it is not captured and gets no lesson. */
  function isOff(event: AgentEvent, projectId: string, probe: boolean): boolean {
    const privateFolders = findPrivate();
    if (privateFolders === undefined || findSettings.isPrivacyUnclear()) return true;
    const switches = findSwitches();
    // Evaluate this first, because it records where a session begins, even during a pause.
    return (
      isAway(event, { privateFolders, switches }, { marks: !probe }) ||
      isPaused(switches, { ...event, projectId }, makeProjectResolver(findManifest()))
    );
  }

  /** If the decision fails, the event is still recorded. */
  function decide(event: AgentEvent, { root, ...context }: AnswerContext): Decision {
    try {
      const decision = untold.complete(event, decideReply(event, context), context);
      const here = resolveProjectId(context.manifest.header, context.projectId);
      if (!context.probe) failed.take(event, { projectId: here, root });
      // Where a lesson fires, even one that is not shown now, it is about the same mistake.
      if ('callId' in event && !isSilent(decision)) return decision;
      const [failures, calls] = [findFailures(), failed.find()];
      const cure = failures ? decideCure(event, { ...context, failures }) : undefined;
      return cure ?? (calls && decideMemory(event, { ...context, root, failures, calls })) ?? decision;
    } catch (error) {
      log(`reply: ${toReason(error)}`);
      return SILENT;
    }
  }

  function isSilent({ deliveries, unsaid = [] }: Decision): boolean {
    return deliveries.length + unsaid.length === 0;
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

/** Caches answers during one piece of work, because checking a file costs more than most of the work. */
interface Holder {
  /** Wraps a question: asked once during work, and every time otherwise. */
  hold<T>(ask: () => T): () => T;
  during<T>(work: () => T): T;
}

export function makeHolder(): Holder {
  let piece: object | undefined;
  return {
    hold(ask) {
      let known: { readonly piece: object; readonly answer: ReturnType<typeof ask> } | undefined;
      return () => {
        if (piece === undefined) return ask();
        if (known?.piece !== piece) known = { piece, answer: ask() };
        return known.answer;
      };
    },
    during(work) {
      if (piece !== undefined) return work();
      piece = {};
      try {
        return work();
      } finally {
        piece = undefined;
      }
    },
  };
}
