/**
 * A folder was moved or a remote renamed, and a person said which project it is now. What is stored keeps the id it was
 * told with; whoever asks for a project gets all its ids. So a join is undone by removing the alias.
 */
export interface ProjectAlias {
  readonly fromId: string;
  /** Never the `fromId` of another alias: one step leads to the end. */
  readonly intoId: string;
  readonly at: string;
}

/** The id that a project goes by. */
export type ToProjectId = (id: string) => string;

export function makeToProjectId(aliases: readonly ProjectAlias[]): ToProjectId {
  const into = new Map(aliases.map(({ fromId, intoId }) => [fromId, intoId]));
  return (id) => into.get(id) ?? id;
}

/** These ids and all others of the same projects, each once. */
export function toAllIds(aliases: readonly ProjectAlias[], ids: readonly string[]): readonly string[] {
  const toProjectId = makeToProjectId(aliases);
  const wanted = new Set(ids.map(toProjectId));
  const others = aliases.filter(({ intoId }) => wanted.has(intoId)).map(({ fromId }) => fromId);
  return [...new Set([...ids, ...wanted, ...others])];
}

/** What a join moves, or would. */
export interface JoinReport {
  readonly sessions: number;
  readonly calls: number;
  readonly lessons: number;
}
