/**
 * Makes the parts of the text that opens a session, within a byte budget: the most important CRITICAL lessons that
 * apply here, and the brief about unresolved failures and dead sessions. A part without room is left out whole;
 * failures and dead sessions that are left out wait for the next session.
 */

import {
  type Brief,
  type BriefFailure,
  type BriefKind,
  type OpenSession,
  toFailureKey,
  toSessionKey,
} from '../base/model/brief.ts';
import { byWeight } from '../base/model/lesson.ts';
import { type CompiledLesson, toCriticalKey } from '../base/model/manifest.ts';
import { findMomentSilence, findPlaceSilence } from '../base/model/may-fire.ts';
import type { Switches } from '../base/model/switches.ts';
import { type Manifest, resolveProjectId } from './manifest.ts';

const MAX_CRITICAL = 5;

interface Opening {
  readonly projectId: string;
  readonly sessionId: string;
  readonly at: string;
  readonly switches: Switches;
}

export function listCritical(manifest: Manifest, { projectId, ...moment }: Opening): readonly CompiledLesson[] {
  const here = resolveProjectId(manifest.header, projectId);
  const place = { projectId: here, sessionId: moment.sessionId };
  const firing = manifest
    .find([toCriticalKey(here), toCriticalKey('')])
    // No lesson counts as urgent here, because it fires again at the call, where it matters.
    .filter((lesson) => (findPlaceSilence(lesson, place) ?? findMomentSilence(lesson, moment, false)) === undefined);
  // Not `toSorted`, which Node 18 lacks; the list is our own.
  return firing.sort(byWeight).slice(0, MAX_CRITICAL);
}

export interface BriefText {
  readonly text: string;
  /** Ids of the stored calls that are in the text. */
  readonly failures: readonly string[];
  readonly dead: readonly OpenSession[];
}

/** Renders a brief within a budget. Entries without room wait for the next session. */
export function renderBrief(
  brief: Pick<Brief, 'failures' | 'texts'>,
  dead: readonly OpenSession[],
  budgetBytes: number,
): BriefText {
  const page = makePage(budgetBytes);
  /** Adds items in order up to the first without room, so that a small item does not overtake an older one. */
  const addAll = <T>(kind: BriefKind, items: readonly T[], toKey: (item: T) => string): readonly T[] => {
    const added: T[] = [];
    for (const item of items) {
      const entry = brief.texts?.[toKey(item)];
      // The brief was written by an earlier version; the daemon will rewrite it.
      if (entry === undefined) continue;
      // The first entry carries the heading, so that no heading stands alone.
      const text = added.length === 0 ? `${brief.texts?.[kind]}\n${entry}` : entry;
      if (Buffer.byteLength(text) > budgetBytes) continue;
      if (!page.add(text)) break;
      added.push(item);
    }
    return added;
  };
  const addedFailures = [
    ...addAll('failures', brief.failures.filter(isCall), toFailureKey),
    ...addAll('hooks', brief.failures.filter(isHook), toFailureKey),
  ];
  const addedDead = addAll('dead', dead, toSessionKey);
  return { text: page.text(), failures: addedFailures.flatMap((failure) => failure.ids), dead: addedDead };
}

function isHook({ hook }: BriefFailure): boolean {
  return hook !== undefined;
}

function isCall(failure: BriefFailure): boolean {
  return !isHook(failure);
}

/** A text made of parts that never exceeds a number of bytes. A part without room is left out whole. */
export interface Page {
  /** The bytes left for the next part. */
  room(): number;
  /** False if the part has no room; true for an empty part, which adds nothing. */
  add(part: string): boolean;
  text(): string;
}

export function makePage(budgetBytes: number): Page {
  const parts: string[] = [];
  let left = budgetBytes;
  const room = (): number => Math.max(0, left - (parts.length === 0 ? 0 : 1));
  return {
    room,
    add: (part) => {
      if (part === '') return true;
      const bytes = Buffer.byteLength(part);
      if (bytes > room()) return false;
      left = room() - bytes;
      parts.push(part);
      return true;
    },
    text: () => parts.join('\n'),
  };
}
