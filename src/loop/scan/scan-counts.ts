/**
 * Counts the sessions, calls, failures and unreadable files of a scan, and defines the scan status that the daemon
 * reports.
 */

import type { Call } from '../../base/model/call.ts';
import { isHookRun } from '../../base/model/tool.ts';
import type { TranscriptRead } from '../../capture/transcripts/read-transcript.ts';
import type { Digest } from '../digest-events.ts';
import type { Taken } from '../learn.ts';
import type { ScanFile } from './scan-files.ts';

export interface ScanCounts {
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
  /** Failures masked by their command, not counted in `failures`. */
  readonly masked: number;
  readonly cancelled: number;
  readonly denied: number;
  readonly bytes: number;
  readonly findings: number;
  /** Counts per agent with files. */
  readonly agents: readonly AgentCounts[];
  /** Files that were deleted between listing and reading. */
  readonly vanished: number;
  /** Files that could not be read, with the reason. */
  readonly unreadable: readonly { readonly path: string; readonly reason: string }[];
  /** Lines that could not be used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
}

export interface AgentCounts {
  readonly agent: string;
  readonly files: number;
  /** Those that had changed. */
  readonly filesRead: number;
  readonly sessions: number;
  readonly calls: number;
  readonly failures: number;
}

export function countScan(files: readonly ScanFile[]) {
  const counts = { calls: 0, failures: 0, masked: 0, cancelled: 0, denied: 0, bytes: 0, findings: 0, vanished: 0 };
  const agents = countAgents(files);
  /** Calls by id, because the end of a background call comes later. */
  const ofFile = new Map<string, Pick<Call, 'agent' | 'outcome' | 'masked'>>();
  const unreadable: { path: string; reason: string }[] = [];
  const skipped: Record<string, number> = {};
  // Keep only the counted fields, because a session may have a hundred thousand calls.
  const noteCall = ({ agent, sessionId, callId, outcome, masked }: Call): void =>
    void ofFile.set(`${sessionId}\n${callId}`, { agent, outcome, masked });
  return {
    /** A part of the file that is being read. */
    note({ calls }: Digest): void {
      for (const call of calls.observed) noteCall(call);
      for (const call of calls.storedOnly) if (!isHookRun(call)) noteCall(call);
    },
    add({ findings }: Taken, { sights }: Digest): void {
      for (const { agent, sessionId } of sights) agents.get(agent).sessions.add(sessionId);
      // Several proposers may tell the same mistake.
      counts.findings += new Set(findings.map(({ finding }) => `${finding.sessionId} ${finding.failingCallId}`)).size;
    },
    /** The current file has ended; its calls are counted in their last state. */
    pass(): void {
      for (const { agent, outcome, masked } of ofFile.values()) {
        const isFailure = outcome === 'failure' && !masked;
        agents.add(agent, isFailure);
        counts.calls++;
        counts.failures += Number(isFailure);
        counts.masked += Number(outcome === 'failure' && !isFailure);
        counts.cancelled += Number(outcome === 'cancelled');
        counts.denied += Number(outcome === 'denied');
      }
      ofFile.clear();
    },
    finish(read: TranscriptRead): void {
      counts.bytes += read.bytesRead;
      agents.get(read.state.agent).filesRead++;
      for (const [reason, count] of read.skipped) skipped[reason] = (skipped[reason] ?? 0) + count;
    },
    vanish: (): void => void counts.vanished++,
    fail: (path: string, reason: string): void => void unreadable.push({ path, reason }),
    toCounts: (): ScanCounts => {
      const list = agents.toList();
      const sessions = list.reduce((sum, agent) => sum + agent.sessions, 0);
      return { sessions, ...counts, agents: list, skipped, unreadable };
    },
  };
}

function countAgents(files: readonly ScanFile[]) {
  const make = () => ({ files: 0, filesRead: 0, sessions: new Set<string>(), calls: 0, failures: 0 });
  const agents = new Map<string, ReturnType<typeof make>>();
  const get = (agent: string): ReturnType<typeof make> => {
    const found = agents.get(agent) ?? make();
    agents.set(agent, found);
    return found;
  };
  for (const { agent } of files) get(agent).files++;
  const toList = (): readonly AgentCounts[] =>
    [...agents].map(([agent, { sessions, ...counted }]) => ({ agent, ...counted, sessions: sessions.size }));
  const add = (agent: string, isFailure: boolean): void => {
    get(agent).calls++;
    get(agent).failures += Number(isFailure);
  };
  return { get, add, toList };
}

/** Progress over the changed files only, because unchanged files cost nothing. */
export interface ScanProgress {
  readonly files: number;
  readonly filesDone: number;
  readonly bytes: number;
  readonly bytesDone: number;
}

/** The daemon's own scans of session files. */
export interface ScanStatus {
  /** Files are being read now. */
  readonly isUnderWay: boolean;
  /** Of the scan of all session files that is under way. */
  readonly progress?: ScanProgress | undefined;
  /** The last complete scan of all session files. */
  readonly last?: LastScan;
  /** Calls from files that grew while the daemon ran, and when the last of them were found. */
  readonly grown: { readonly calls: number; readonly at?: string };
}

interface LastScan {
  readonly at: string;
  readonly seconds: number;
  readonly files: number;
  /** Those that had changed. */
  readonly filesRead: number;
  readonly calls: number;
  readonly unreadable: number;
}

export const NOTHING_SCANNED: ScanStatus = { isUnderWay: false, grown: { calls: 0 } };
