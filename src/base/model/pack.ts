/**
 * A pack: failures of one project, written down so that a language model can propose lessons about them. The text of a
 * pack is never stored; its index says which call each id of the text stands for.
 */

import type { SessionKey } from './session.ts';

/** In the first line of every prompt of ours. Readers of past sessions skip a session that begins with it. */
export const PACK_MARKER = 'oncebitten-pack';

/** The version of the prompt. An episode is asked about once for each version. */
export const PROMPT_VERSION = 1;

/** `project`: all sessions of a project together. `session`: each session apart, so that nothing later is in its pack. */
export const PACK_KINDS = ['project', 'session'] as const;
export type PackKind = (typeof PACK_KINDS)[number];

export interface PackIndex {
  /** The name of the pack, which is also the name of its files. */
  readonly id: string;
  readonly promptVersion: number;
  readonly by: PackKind;
  readonly projectId: string;
  /** The time of the last call in the pack. */
  readonly until: string;
  /** The calls behind the ids: `e1` is a failure, once for each time that it happened; `e1.2` is the second call after it. */
  readonly calls: Readonly<Record<string, readonly PackedCall[]>>;
  /** Lesson ids behind `k1`, `k2` … */
  readonly lessons: Readonly<Record<string, string>>;
}

export interface PackedCall extends SessionKey {
  readonly callId: string;
  /** The transcript; absent if only the store has the call. */
  readonly file?: string;
}

/** `asked`: a process waits for the answer, or died. */
const PACK_STATES = ['asked', 'answered', 'failed'] as const;
type PackState = (typeof PACK_STATES)[number];

/** One pack that a model was asked about, without its text: what it cost, and what the gate made of the answer. */
export interface AskedPack {
  /** The name of the pack. */
  readonly pack: string;
  readonly promptVersion: number;
  readonly projectId: string;
  /** `agent:<id>`, `anthropic`, `openai`, `file` or `session`. */
  readonly provider: string;
  readonly model?: string;
  /** The failures in it, each asked about once. */
  readonly episodes: readonly Omit<PackedCall, 'file'>[];
  readonly state: PackState;
  /** Why it failed. */
  readonly reason?: string;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly usd?: number;
  readonly askedAt: string;
  readonly answeredAt?: string;
  /** What became of its proposals. */
  readonly outcomes?: readonly PackOutcome[];
  /** What its ids stand for, while a running agent is expected to answer it. */
  readonly index?: PackIndex;
}

export interface PackOutcome {
  readonly verdict: ProposalVerdict;
  /** In our own words. */
  readonly reason: string;
  readonly lessonId?: string;
}

/** `merged`: more evidence of a known lesson. */
export type ProposalVerdict = 'active' | 'draft' | 'merged' | 'dropped';

export interface AskedPackFilter {
  /** Asked since this time. */
  readonly since?: string;
  readonly promptVersion?: number;
}

/** One failure of a pack, which a model is asked about once for each version of the prompt. */
export function listAsked({ calls }: Pick<PackIndex, 'calls'>): readonly PackedCall[] {
  return Object.entries(calls).flatMap(([id, packed]) => (id.includes('.') ? [] : packed));
}
