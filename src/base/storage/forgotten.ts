/**
 * Records of what a person removed with `forget`, and the filter that keeps it away. Only ids and a time are stored, no
 * text. Later reports (by a transcript, a spool or another machine) of anything up to that time are rejected.
 */
import { hashText } from '../ids.ts';
import type { Lesson } from '../model/lesson.ts';
import type { SessionKey } from '../model/session.ts';

export type ForgetRequest =
  /** Several ids, because folders without a repository are separate projects. */
  | { readonly kind: 'project'; readonly ids: readonly string[] }
  | { readonly kind: 'session'; readonly id: string }
  /** Only the lessons and their history; the calls that taught them stay. */
  | { readonly kind: 'lesson'; readonly ids: readonly string[] }
  | { readonly kind: 'all' };

/** One removed thing. */
export interface Forgotten {
  readonly kind: 'project' | 'session' | 'lesson' | 'all';
  /** Empty for `all`. */
  readonly id: string;
  /** Everything up to this time is forgotten. */
  readonly at: string;
}

/** The rows that were removed, or would be. */
export interface ForgetReport {
  readonly projects: number;
  readonly sessions: number;
  readonly calls: number;
  readonly signatures: number;
  readonly episodes: number;
  readonly deliveries: number;
  /** Lessons that were removed, and lessons that lost part of their evidence. */
  readonly lessons: number;
  readonly lessonsChanged: number;
  readonly transcripts: number;
  /** Sessions whose claims and facts on disk must be removed too. */
  readonly sessionKeys: readonly SessionKey[];
  readonly projectIds: readonly string[];
}

/** Returns the lesson without this evidence; undefined if nothing else supports it. */
export type DropEvidence = (
  lesson: Lesson,
  isForgotten: (evidence: Lesson['evidence'][number]) => boolean,
) => Lesson | undefined;

export interface DatedRecord {
  readonly sessionId: string;
  readonly projectId: string;
  readonly at: string;
}

export type IsForgotten = (record: DatedRecord) => boolean;

export function makeIsForgotten(list: readonly Forgotten[]): IsForgotten {
  if (list.length === 0) return () => false;
  const untilMs = new Map<string, number>();
  for (const { kind, id, at } of list) untilMs.set(`${kind} ${id}`, Date.parse(at));
  return ({ sessionId, projectId, at }) => {
    const atMs = Date.parse(at);
    const keys = ['all ', `session ${sessionId}`, `project ${projectId}`];
    return keys.some((key) => isUpTo(atMs, untilMs.get(key)));
  };
}

/** Names a transcript by a hash, so that its scan state can be kept without its path. */
export function toNamelessPath(path: string): string {
  return `#${hashText(path)}`;
}

function isUpTo(atMs: number, untilMs: number | undefined): boolean {
  return untilMs !== undefined && (Number.isNaN(atMs) || atMs <= untilMs);
}
