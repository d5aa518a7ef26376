/**
 * `oncebitten data forget`: previews the stored data of a project, a session or everything, asks, and removes it for
 * good. The daemon stores its pending events first, so that the preview is complete.
 */

import type { Store } from '../../../base/contracts/store.ts';
import { UserError } from '../../../base/errors.ts';
import { dropAbsent } from '../../../base/records.ts';
import {
  type ForgetReport,
  type ForgetRequest,
  makeIsForgotten,
  type SessionKey,
} from '../../../base/storage/forgotten.ts';
import { dropEvidence } from '../../../distill/lessons/drop-evidence.ts';
import { countSpooledFacts, forgetData } from '../../../loop/privacy/forget-data.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { withoutDaemon } from '../../daemon/control-daemon.ts';
import { isConfirmed } from '../arguments/options.ts';
import { findHere, findProjects } from '../arguments/projects.ts';
import { findSessionId } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { readHome, withHome } from '../open-home.ts';
import { changeSwitches } from '../pause/switches.ts';
import { quoteWord } from '../text.ts';
import {
  finishInterrupted,
  listHolding,
  renderForgotten,
  renderForgottenBackups,
  renderHolding,
  renderPreview,
  toFinished,
} from './removal.ts';

export const run: Handler = async (input) => {
  // What is on its way is brought in first, so that it is known and the counts are right.
  await askDaemon(input.home, 'flush');
  const finished = await finishInterrupted(input);
  const found = await getForgettable(input).catch((error: unknown) => {
    if (finished.length > 0 && error instanceof UserError) return undefined;
    throw error;
  });
  if (found === undefined) return toFinished(finished);
  const { wish, name, preview } = found;
  if (input.options.dryRun === true) return toResult(preview, name, renderPreview(preview, name));
  const confirmation = {
    question: `${renderPreview(preview, name)}\nThis cannot be undone. Type yes to remove it`,
    command: 'data forget',
    reason: 'removes data for good, and there is no terminal to ask for confirmation',
  };
  if (!(await isConfirmed(input, confirmation)))
    return { json: { forgotten: false }, text: 'Nothing was removed.', failed: true };
  forgetFolderNames(input, wish);
  input.progress('Removing …');
  const { done, trouble } = await withoutDaemon(input.home, () =>
    withHome(input, (open) =>
      forgetData({ ...open, home: input.home, progress: input.progress }, wish, new Date().toISOString()),
    ),
  );
  const note = trouble === undefined ? '' : `\nThe daemon did not start again: ${trouble}`;
  // They are the person's own, perhaps the only copy of something else: they are named, not removed.
  const backups = listHolding(input.home, preview.since);
  const text =
    [
      renderForgotten(done.report, { wish, name, pause: toPauseHint(input, wish) }),
      ...renderForgottenBackups(done.backups),
      ...renderHolding(backups),
    ].join('\n') + note;
  const automaticBackups = done.backups;
  const { json } = toResult({ ...done.report, facts: preview.facts }, name, text, true);
  return { json: { ...json, automaticBackups, backups }, text };
};

type Preview = ForgetReport & {
  readonly facts: number;
  readonly shared: boolean;
  /** When the data begins; absent if unknown. */
  readonly since?: string;
};

async function look(input: CommandInput, wish: ForgetRequest): Promise<Preview> {
  const at = new Date().toISOString();
  return readHome(input, async ({ store, settings }) => {
    const report = await store.forget(wish, { at, dryRun: true, dropEvidence });
    const ids = wish.kind === 'project' ? wish.ids : [wish.kind === 'session' ? wish.id : ''];
    const facts = countSpooledFacts(
      input.home.spoolDir,
      makeIsForgotten(ids.map((id) => ({ kind: wish.kind, id, at }))),
    );
    const since = await findBegin(store, wish, report);
    const shared = settings.store.url !== '' && wish.kind === 'all';
    return { ...report, facts, shared, ...dropAbsent({ since }) };
  });
}

interface Wished {
  readonly wish: ForgetRequest;
  /** For messages. */
  readonly name: string;
}

/** A session may have left something without being listed itself: its very id goes before others that begin so. */
async function getForgettable(input: CommandInput): Promise<Wished & { readonly preview: Preview }> {
  const exact = await toWish(input);
  const preview = await look(input, exact.wish);
  if (!isNothing(preview) || exact.wish.kind === 'all') return { ...exact, preview };
  const text = exact.wish.kind === 'session' ? exact.wish.id : '';
  const id = await readHome(input, ({ store }) => findSessionId(store, text));
  if (id === undefined || id === text) throw unknown(exact.name);
  const meant = toSessionWish(id);
  return { ...meant, preview: await look(input, meant.wish) };
}

function toSessionWish(id: string): Wished {
  return { wish: { kind: 'session', id }, name: `session ${id}` };
}

async function toWish(input: CommandInput): Promise<Wished> {
  const { project, session, all } = input.options as { project?: string | true; session?: string; all?: true };
  if ([project, session, all].filter((one) => one !== undefined).length !== 1) {
    throw usageError(
      'data forget',
      'needs exactly one of --project, --session and --all',
      'see what would be removed: oncebitten data forget --project . --dry-run',
    );
  }
  if (session !== undefined) return toSessionWish(session);
  if (project === undefined) return { wish: { kind: 'all' }, name: 'everything' };
  const { ids, name } = await readHome(input, ({ store }) => findProjects(store, project, input.cwd));
  return { wish: { kind: 'project', ids }, name: `project ${name}` };
}

/** By now nothing is known of a project but its folder. */
function toPauseHint({ options, cwd }: CommandInput, wish: ForgetRequest): string {
  if (wish.kind === 'all') return 'oncebitten pause';
  if (wish.kind === 'session') return `oncebitten pause --session ${quoteWord(wish.id)}`;
  const { project } = options as { project?: string | true };
  if (project === true || project === undefined) return 'oncebitten pause --project';
  const isFolder = findHere(project, cwd) !== undefined;
  return `oncebitten pause --project ${isFolder ? quoteWord(project) : '<its folder>'}`;
}

/** A pause of that project goes on, by its id; its folder is text. */
function forgetFolderNames({ home }: CommandInput, wish: ForgetRequest): void {
  if (wish.kind !== 'project') return;
  changeSwitches(home, (switches) => ({
    ...switches,
    pauses: switches.pauses.map(({ dir, ...pause }) =>
      dir === undefined || !wish.ids.includes(pause.id ?? '') ? { ...pause, ...dropAbsent({ dir }) } : pause,
    ),
  }));
}

function toResult(
  report: ForgetReport & { facts: number; since?: string },
  name: string,
  text: string,
  forgotten = false,
) {
  const { sessionKeys: _, projectIds: __, since: ___, ...removed } = report;
  return { json: { forgotten, what: name, removed }, text };
}

function isNothing({ projects, sessions, calls, deliveries, episodes, lessons, facts }: Preview): boolean {
  return projects + sessions + calls + deliveries + episodes + lessons + facts === 0;
}

function unknown(name: string): UserError {
  return userError(
    name,
    'is not known, so there is nothing to remove',
    'see the sessions: oncebitten sessions; the projects: oncebitten data projects list',
  );
}

const ALL = 1_000_000;

type Told = Pick<Store, 'listSessions' | 'listCalls' | 'countHistory'>;

/** The time of the oldest data to be forgotten; undefined if the store does not know it. */
async function findBegin(
  store: Told,
  wish: ForgetRequest,
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
