/** Makes the origin (place and time) of an event from a row of a session, without unknown fields. */
import type { EventOrigin } from '../base/model/event.ts';

type Known = Pick<EventOrigin, 'agent' | 'sessionId' | 'contextId' | 'at'> & { readonly line: number };
type Unsure = Pick<EventOrigin, 'cwd' | 'branch' | 'model' | 'agentVersion' | 'transcriptPath'>;
/** Only some agents record the repository. */
type Repository = { readonly [K in 'repository' | 'commit']?: string | undefined };
type OriginParts = Known & Repository & { readonly [K in keyof Unsure]-?: Unsure[K] | undefined };

/** Written field by field, because it runs for every row and a spread for each field takes ten times as long. */
export function makeOrigin(parts: OriginParts): EventOrigin {
  const { agent, sessionId, contextId, at, cwd, branch, model, agentVersion, transcriptPath, line } = parts;
  const { repository, commit } = parts;
  const origin: { -readonly [K in keyof EventOrigin]: EventOrigin[K] } = {
    agent,
    sessionId,
    contextId,
    at,
    source: 'transcript',
  };
  if (cwd !== undefined) origin.cwd = cwd;
  if (branch !== undefined) origin.branch = branch;
  if (repository !== undefined) origin.repository = repository;
  if (commit !== undefined) origin.commit = commit;
  if (model !== undefined) origin.model = model;
  if (agentVersion !== undefined) origin.agentVersion = agentVersion;
  if (transcriptPath !== undefined) origin.transcriptPath = transcriptPath;
  origin.line = line;
  return origin;
}
