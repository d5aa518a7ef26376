/** The packs of a user's past sessions, after a scan has brought the store up to date. */

import type { Store } from '../../base/contracts/store.ts';
import type { LiveCall } from '../../base/model/call.ts';
import { type AskedPack, type PackedCall, type PackKind, PROMPT_VERSION } from '../../base/model/pack.ts';
import { makeToProjectId } from '../../base/model/project.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import { makePacks, type Pack } from './make-packs.ts';
import { type HistoryParts, readGone, readHistory, type SessionFile } from './read-conversations.ts';

interface PackWishes {
  readonly files: readonly SessionFile[];
  /** Also sessions that only the store has, of these agents or of all. */
  readonly stored?: { readonly agents?: readonly string[] | undefined } | undefined;
  readonly by: PackKind;
  /** Only failures since this time. */
  readonly since?: string | undefined;
  /** Only these projects; joined projects have several ids. */
  readonly projectIds?: readonly string[] | undefined;
  /** Packs that were handed to a running agent and are not answered may be handed out again. */
  readonly handedAgain?: boolean;
  readonly onProgress?: (done: number, all: number) => void;
}

/** Who was asked so long ago and gave no answer is dead. */
export const STALE_MS = 60 * 60_000;

export async function readPacks(parts: HistoryParts, wishes: PackWishes): Promise<readonly Pack[]> {
  const { store, settings, log } = parts;
  const { files, stored, by, since, projectIds, handedAgain = false, onProgress } = wishes;
  const read = await readHistory(parts, files, onProgress);
  const gone = stored === undefined ? [] : await readGone(parts, read, stored.agents);
  const conversations = [...read, ...gone];
  const names = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  // Packs of single sessions are for measuring: what was asked before does not matter there.
  const isAsked = by === 'session' ? () => false : await readAsked(store, handedAgain);
  const isWanted = ({ projectId, occurredAt }: LiveCall): boolean =>
    (projectIds === undefined || projectIds.includes(projectId)) && (since === undefined || occurredAt >= since);
  return makePacks({
    by,
    conversations,
    toProjectId,
    lessons: await store.listLessons(),
    toName: (projectId) => names.get(projectId) ?? projectId,
    isAsked: (call) => !isWanted(call) || isAsked(call),
    maxCharacters: settings.models.packCharacters,
    scan: makeSecretScan({ log }),
  });
}

/** Failures that a model was asked about with this version of the prompt, or is being asked about. */
async function readAsked(store: Store, handedAgain: boolean): Promise<(call: LiveCall) => boolean> {
  const packs = await store.listPacks({ promptVersion: PROMPT_VERSION });
  const staleBefore = new Date(Date.now() - STALE_MS).toISOString();
  const counts = ({ state, askedAt, index }: AskedPack): boolean =>
    state === 'answered' || (state === 'asked' && askedAt >= staleBefore && !(handedAgain && index !== undefined));
  const toKey = ({ agent, sessionId, callId }: Omit<PackedCall, 'file'>): string =>
    [agent, sessionId, callId].join('\n');
  const asked = new Set(packs.filter(counts).flatMap(({ episodes }) => episodes.map(toKey)));
  return (call) => asked.has(toKey(call));
}
