/**
 * What learning from some findings shares: which are known is asked once, and those that no lesson comes of, which are
 * most, are saved together.
 */
import type { Episode, EpisodeStart } from '../../base/episode.ts';
import type { KeptFinding, PastFinding } from '../../base/kept-finding.ts';
import { type AreDifferent, makeAreDifferent, makeToProjectId, type ToProjectId } from '../../base/project-alias.ts';
import type { Store } from '../../base/store.ts';

export interface Learning {
  readonly toProjectId: ToProjectId;
  readonly areDifferent: AreDifferent;
  /** It was learned from before. */
  isKnown(start: EpisodeStart): boolean;
  /** What came of its failing call before; nothing unless everything is learned from again. */
  listPast(start: EpisodeStart): readonly PastFinding[];
  /** It was learned from since this began. */
  isDone(start: EpisodeStart): boolean;
  note(start: EpisodeStart): void;
  /** To be saved when the learning is over. */
  keep(finding: KeptFinding, episode: Episode | undefined): void;
  close(): Promise<void>;
}

/** `starts`: of all findings that will be learned from. `isAgain`: also from those that were learned from before. */
export async function openLearning(store: Store, starts: readonly EpisodeStart[], isAgain = false): Promise<Learning> {
  const asked = await store.hasEpisodes(starts);
  const known = new Set(starts.filter((_, i) => asked[i]).map(toKey));
  const aliases = starts.length === 0 ? [] : await store.listProjectAliases();
  const areDifferent = await readAreDifferent(store);
  const past = Map.groupBy(isAgain ? await store.listPastFindings(starts) : [], toCallKey);
  const findings: KeptFinding[] = [];
  const episodes: Episode[] = [];
  const done = new Set<string>();
  const note = (start: EpisodeStart): void => {
    known.add(toKey(start));
    done.add(toKey(start));
  };
  return {
    toProjectId: makeToProjectId(aliases),
    areDifferent,
    isKnown: (start) => known.has(toKey(start)),
    listPast: (start) => past.get(toCallKey(start)) ?? [],
    isDone: (start) => done.has(toKey(start)),
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

/** Which projects are proven to be different repositories, as far as the store knows now. */
export async function readAreDifferent(
  store: Pick<Store, 'listProjects' | 'listProjectRoots' | 'listProjectAliases'>,
): Promise<AreDifferent> {
  return makeAreDifferent(await store.listProjects(), await store.listProjectRoots(), await store.listProjectAliases());
}

function toCallKey({ agent, sessionId, failingCallId }: Omit<EpisodeStart, 'kind'>): string {
  return [agent, sessionId, failingCallId].join('\n');
}

function toKey({ agent, sessionId, failingCallId, kind }: EpisodeStart): string {
  return [agent, sessionId, failingCallId, kind].join('\n');
}
