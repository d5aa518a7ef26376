/**
 * What a person had removed, and how it is kept away. Only ids and a time are remembered, no text: whatever is told
 * later about it, by a transcript, a spool or another machine, and happened up to that time, is not taken.
 */
import { hashText } from '../ids.ts';
import type { Lesson } from '../model/lesson.ts';

export type ForgetRequest =
  /** Several ids: folders without a repository are projects of their own. */
  | { readonly kind: 'project'; readonly ids: readonly string[] }
  | { readonly kind: 'session'; readonly id: string }
  /** Lessons alone, with their history: the calls that taught them stay. */
  | { readonly kind: 'lesson'; readonly ids: readonly string[] }
  | { readonly kind: 'all' };

/** One thing that must not come back. */
export interface Forgotten {
  readonly kind: 'project' | 'session' | 'lesson' | 'all';
  /** Empty for `all`. */
  readonly id: string;
  /** What happened up to here is forgotten. */
  readonly at: string;
}

/** What was removed, or would be. */
export interface ForgetReport {
  readonly projects: number;
  readonly sessions: number;
  readonly calls: number;
  readonly signatures: number;
  readonly episodes: number;
  readonly deliveries: number;
  /** Lessons that are gone, and those that lost part of their evidence. */
  readonly lessons: number;
  readonly lessonsChanged: number;
  readonly transcripts: number;
  /** Whose claims and facts on disk have to go too. */
  readonly sessionKeys: readonly SessionKey[];
  readonly projectIds: readonly string[];
}

export interface SessionKey {
  readonly agent: string;
  readonly sessionId: string;
}

/** A lesson without this evidence; undefined when nothing of it would be left that does not come from it. */
export type DropEvidence = (
  lesson: Lesson,
  isForgotten: (evidence: Lesson['evidence'][number]) => boolean,
) => Lesson | undefined;

export interface DatedRecord {
  readonly sessionId: string;
  readonly projectId: string;
  readonly at: string;
}

export type IsForgotten = (told: DatedRecord) => boolean;

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

/** The name under which it is known how far a transcript was read, without its path. */
export function toNamelessPath(path: string): string {
  return `#${hashText(path)}`;
}

function isUpTo(atMs: number, untilMs: number | undefined): boolean {
  return untilMs !== undefined && (Number.isNaN(atMs) || atMs <= untilMs);
}
