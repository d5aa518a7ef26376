/**
 * Files where a person pointed that are named like sessions and begin like those of no agent: a first line that is broken,
 * a format that changed, an empty file. They are told of, never guessed. With several agents only: one that was named
 * reads what it can.
 */
import { HISTORIES } from '../../agents/histories.ts';
import { findFormat } from '../../capture/find-format.ts';
import { findTranscripts } from '../../capture/find-transcripts.ts';
import type { ScanFile, ScanPlaces } from './list-scan-files.ts';

export type UnknownFile = Omit<ScanFile, 'agent'>;

/** `known`: those that an agent claims. */
export function listUnknownFiles(
  { path, agent, sinceMs = Number.NEGATIVE_INFINITY }: ScanPlaces,
  known: readonly ScanFile[],
): readonly UnknownFile[] {
  const agents = agent === undefined ? undefined : [agent].flat();
  if (path === undefined || agents?.length === 1) return [];
  const asked = HISTORIES.filter((one) => agents === undefined || agents.includes(one.agent));
  const isNamedSo = (file: string): boolean => asked.some((history) => findFormat(history, file) !== undefined);
  const isClosed = (folder: string): boolean =>
    asked.some(({ closed }) => closed?.test(folder.replaceAll('\\', '/')) ?? false);
  const claimed = new Set(known.map((file) => file.path));
  return findTranscripts(path, isNamedSo, isClosed).filter(
    (file) => !claimed.has(file.path) && file.mtimeMs >= sinceMs && isNamedSo(file.path),
  );
}
