/**
 * What learning from some findings shares: which are known is asked once, and those that no lesson comes of, which are
 * most, are saved together.
 */
import type { Episode, EpisodeStart } from '../../base/episode.ts';
import type { KeptFinding } from '../../base/kept-finding.ts';
import { makeToProjectId, type ToProjectId } from '../../base/project-alias.ts';
import type { Store } from '../../base/store.ts';

export interface Learning {
  readonly toProjectId: ToProjectId;
  /** It was learned from before. */
  isKnown(start: EpisodeStart): boolean;
  note(start: EpisodeStart): void;
  /** To be saved when the learning is over. */
  keep(finding: KeptFinding, episode: Episode | undefined): void;
  close(): Promise<void>;
}

/** `starts`: of all findings that will be learned from. */
export async function openLearning(store: Store, starts: readonly EpisodeStart[]): Promise<Learning> {
  const asked = await store.hasEpisodes(starts);
  const known = new Set(starts.filter((_, i) => asked[i]).map(toKey));
  const toProjectId = makeToProjectId(starts.length === 0 ? [] : await store.listProjectAliases());
  const findings: KeptFinding[] = [];
  const episodes: Episode[] = [];
  const note = (start: EpisodeStart): void => void known.add(toKey(start));
  return {
    toProjectId,
    isKnown: (start) => known.has(toKey(start)),
    note,
    keep(finding, episode) {
      findings.push(finding);
      if (episode === undefined) return;
      episodes.push(episode);
      note(episode);
    },
    close: () => store.saveFindings(findings, episodes),
  };
}

function toKey({ agent, sessionId, failingCallId, kind }: EpisodeStart): string {
  return [agent, sessionId, failingCallId, kind].join('\n');
}
