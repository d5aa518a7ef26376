/** The packs of a user's past sessions, after a scan has brought the store up to date. */

import type { LiveCall } from '../../base/model/call.ts';
import type { PackKind } from '../../base/model/pack.ts';
import { makeToProjectId } from '../../base/model/project.ts';
import { makeSecretScan } from '../../capture/secrets/scan-secrets.ts';
import { makePacks, type Pack } from './make-packs.ts';
import { type HistoryParts, readHistory, type SessionFile } from './read-conversations.ts';

interface PackWishes {
  readonly files: readonly SessionFile[];
  readonly by: PackKind;
  /** Only failures since this time. */
  readonly since?: string | undefined;
  /** Only these projects; joined projects have several ids. */
  readonly projectIds?: readonly string[] | undefined;
  readonly onProgress?: (done: number, all: number) => void;
}

export async function readPacks(parts: HistoryParts, wishes: PackWishes): Promise<readonly Pack[]> {
  const { store, log } = parts;
  const { files, by, since, projectIds, onProgress } = wishes;
  const conversations = await readHistory(parts, files, onProgress);
  const names = new Map((await store.listProjects()).map(({ id, name }) => [id, name]));
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const isWanted = ({ projectId, occurredAt }: LiveCall): boolean =>
    (projectIds === undefined || projectIds.includes(projectId)) && (since === undefined || occurredAt >= since);
  return makePacks({
    ...{ by, conversations, toProjectId, lessons: await store.listLessons() },
    toName: (projectId) => names.get(projectId) ?? projectId,
    isAsked: (call) => !isWanted(call),
    maxCharacters: 24_000,
    scan: makeSecretScan({ log }),
  });
}
