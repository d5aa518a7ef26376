/**
 * Collects evidence from events that projects are one: the remote of a folder that has none on disk, a worktree and its
 * repository, a commit that another folder may also have.
 */
import { statSync } from 'node:fs';
import type { LiveCall } from '../../base/model/call.ts';
import type { AgentEvent } from '../../base/model/event.ts';
import type { LinkProof } from '../../base/model/project.ts';
import type { Project } from '../../base/model/session.ts';
import { dropAbsent } from '../../base/records.ts';
import { listGitPlaces } from '../../capture/projects/git-places.ts';
import { identifyRemote } from '../../capture/projects/identify-project.ts';
import type { SessionSighting } from '../privacy/private-sessions.ts';
import type { FindProject, FindSessionProject } from './find-project.ts';

/** With its event, which decides whether the note may be stored. */
export type PlaceNote = SessionSighting & (LinkNote | CommitNote);

interface LinkNote {
  readonly from: Project;
  readonly into: Project;
  readonly proof: Exclude<LinkProof, 'person'>;
}

interface CommitNote {
  readonly project: Project;
  readonly commit: string;
  readonly isMade: boolean;
}

type NotePlaces = (events: readonly AgentEvent[], calls: readonly LiveCall[]) => readonly PlaceNote[];

/** Returns each note once, within the limits of its memory. */
export function makePlaceNotes(findProject: FindProject, findSessionProject: FindSessionProject): NotePlaces {
  const seen = new Set<string>();
  const isNew = (note: PlaceNote): boolean => {
    const key =
      'commit' in note ? `${note.project.id} ${note.commit} ${note.isMade}` : `${note.from.id} ${note.into.id}`;
    return !seen.has(key) && seen.add(key).has(key);
  };
  const link = (
    sight: SessionSighting,
    from: Project,
    into: Project,
    proof: LinkNote['proof'],
  ): readonly PlaceNote[] => (from.id === into.id ? [] : [{ ...sight, project: into, from, into, proof }]);
  const noteEvent = (event: AgentEvent): readonly PlaceNote[] => {
    const { repository, commit, cwd } = event;
    if (cwd === undefined || (repository === undefined && commit === undefined)) return [];
    const sight = toSighting(event);
    const project = findSessionProject(event);
    const here = findProject(project.root);
    const commits = commit === undefined ? [] : [{ ...sight, project, commit, isMade: false }];
    if (repository === undefined || here.id === project.id) return commits;
    if (here.basis !== 'remote') return [...commits, ...link(sight, here, project, 'remote')];
    // If the folder is older than the event, its remote was renamed since.
    return isOlder(here.root, event.at) ? [...commits, ...link(sight, project, here, 'folder')] : commits;
  };
  /** Clones made below a session's first folder, which are not part of its project. */
  const clones = new Set<string>();
  const findPlace = (sight: SessionSighting, folder: string): Project => {
    const clone = [...clones].find((root) => folder === root || folder.startsWith(`${root}/`));
    return clone === undefined ? findSessionProject({ ...sight, cwd: folder }) : findProject(clone);
  };
  const noteCall = (call: LiveCall): readonly PlaceNote[] => {
    const { agent, sessionId, evidence } = call;
    const sight = {
      agent,
      sessionId,
      at: call.occurredAt,
      cwd: call.cwd ?? '',
      ...dropAbsent({ transcriptPath: evidence?.file }),
    };
    return listGitPlaces(call).flatMap((place) => {
      if ('worktreeOf' in place) {
        const made = findProject(place.folder);
        return made.basis === 'path' ? link(sight, made, findPlace(sight, place.worktreeOf), 'worktree') : [];
      }
      if ('remote' in place && place.isClone === true) clones.add(place.folder);
      const project = findPlace(sight, place.folder);
      if ('commit' in place) return [{ ...sight, project, commit: place.commit, isMade: place.isMade }];
      return project.basis === 'remote'
        ? []
        : link(sight, project, identifyRemote(place.remote, project.root), 'remote');
    });
  };
  return (events, calls) => {
    const notes = [...events.flatMap(noteEvent), ...calls.flatMap(noteCall)].filter(isNew);
    if (seen.size > MAX_SEEN) seen.clear();
    if (clones.size > MAX_CLONES) clones.clear();
    return notes;
  };
}

const MAX_SEEN = 10_000;
const MAX_CLONES = 100;

/** True if the repository's folder was created before that time; false if the system does not record it. */
export function isOlder(root: string, at: string): boolean {
  const birthMs = statSync(root, { throwIfNoEntry: false })?.birthtimeMs ?? 0;
  return birthMs > 0 && birthMs <= Date.parse(at);
}

function toSighting({ agent, sessionId, at, cwd, transcriptPath }: AgentEvent): SessionSighting {
  return {
    agent,
    sessionId,
    at,
    ...dropAbsent({ cwd, transcriptPath }),
  };
}
