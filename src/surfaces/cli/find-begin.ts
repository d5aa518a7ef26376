/** When the first of what is to be forgotten happened, as far as the store tells; undefined where it does not. */
import type { ForgetReport, ForgetWish, SessionKey } from '../../base/forgotten.ts';
import type { Store } from '../../base/store.ts';

const ALL = 1_000_000;

type Told = Pick<Store, 'listSessions' | 'listCalls' | 'countHistory'>;

export async function findBegin(
  store: Told,
  wish: ForgetWish,
  { sessionKeys }: Pick<ForgetReport, 'sessionKeys'>,
): Promise<string | undefined> {
  if (wish.kind === 'all' || wish.kind === 'lesson') return undefined;
  const times =
    wish.kind === 'project' ? await listOfProjects(store, wish.ids) : await listOfSessions(store, sessionKeys);
  return times.toSorted()[0];
}

async function listOfProjects(store: Told, projectIds: readonly string[]): Promise<readonly string[]> {
  const cells = await store.countHistory({ projectIds });
  const sessions = await store.listSessions({ projectIds, limit: ALL });
  return [...cells.map(({ first }) => first), ...sessions.map(({ startedAt }) => startedAt)];
}

/** A transcript may tell of calls before the first that a hook saw. */
async function listOfSessions(store: Told, keys: readonly SessionKey[]): Promise<readonly string[]> {
  const times: string[] = [];
  for (const key of keys) {
    const sessions = await store.listSessions({ ...key, limit: 1 });
    const [first] = await store.listCalls(key);
    times.push(...sessions.map(({ startedAt }) => startedAt), ...(first === undefined ? [] : [first.occurredAt]));
  }
  return times;
}
