/**
 * `oncebitten data forget`: previews the stored data of a project, a session or everything, asks, and removes it for
 * good. The daemon stores its pending events first, so that the preview is complete.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { UserError } from '../../../base/errors.ts';
import type { SessionKey } from '../../../base/model/session.ts';
import { dropAbsent } from '../../../base/records.ts';
import { type ForgetReport, type ForgetRequest, makeIsForgotten } from '../../../base/storage/forgotten.ts';
import { dropEvidence } from '../../../distill/lessons/drop-evidence.ts';
import { countSpooledFacts } from '../../../loop/privacy/forget-data.ts';
import { askDaemon } from '../../daemon/ask-daemon.ts';
import { findHere, findProjects } from '../arguments/projects.ts';
import { findSessionId } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { readHome } from '../open-home.ts';
import { changeSwitches } from '../pause/switches.ts';
import { joinLines, quoteWord, toCount } from '../text.ts';
import { type Removal, runRemoval } from './removal.ts';

export const run: Handler = async (input) => {
  // The daemon stores its pending events first, so that the counts are right.
  await askDaemon(input.home, 'flush');
  return runRemoval(input, {
    ...{ command: 'data forget', what: 'data', isMeant: () => true },
    look: async () => toRemoval(input, await getForgettable(input)),
  });
};

function toRemoval(input: CommandInput, { wish, name, preview }: Forgettable): Removal {
  const { facts, since } = preview;
  return {
    ...{ wish, since, refused: { forgotten: false } },
    preview: { json: toJson(preview, name, false), text: renderPreview(preview, name) },
    begin: () => forgetFolderNames(input, wish),
    end: (report) => ({
      json: toJson({ ...report, facts }, name, true),
      lines: renderForgotten(report, { wish, name, pause: toPauseHint(input, wish) }),
    }),
  };
}

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

type Forgettable = Wished & { readonly preview: Preview };

interface Wished {
  readonly wish: ForgetRequest;
  /** For messages. */
  readonly name: string;
}

/** A session may have data without being listed, so its exact id takes precedence over ids that begin with it. */
async function getForgettable(input: CommandInput): Promise<Forgettable> {
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

/** After the removal, only the folder of a project is known. */
function toPauseHint({ options, cwd }: CommandInput, wish: ForgetRequest): string {
  if (wish.kind === 'all') return 'oncebitten pause';
  if (wish.kind === 'session') return `oncebitten pause --session ${quoteWord(wish.id)}`;
  const { project } = options as { project?: string | true };
  if (project === true || project === undefined) return 'oncebitten pause --project';
  const isFolder = findHere(project, cwd) !== undefined;
  return `oncebitten pause --project ${isFolder ? quoteWord(project) : '<its folder>'}`;
}

/** A pause of the project stays in force by its id, but loses the name of its folder. */
function forgetFolderNames({ home }: CommandInput, wish: ForgetRequest): void {
  if (wish.kind !== 'project') return;
  changeSwitches(home, (switches) => ({
    ...switches,
    pauses: switches.pauses.map(({ dir, ...pause }) =>
      dir === undefined || !wish.ids.includes(pause.id ?? '') ? { ...pause, ...dropAbsent({ dir }) } : pause,
    ),
  }));
}

function toJson(report: ForgetReport & { facts: number; since?: string }, what: string, forgotten: boolean) {
  const { sessionKeys: _, projectIds: __, since: ___, ...removed } = report;
  return { forgotten, what, removed };
}

const NO_SCAN = 'No scan brings it back, not even `scan --again`.';

function renderPreview(report: Preview, name: string): string {
  const { lessonsChanged, facts } = report;
  return joinLines([
    `To be removed: ${name}`,
    `  ${renderCounts(report)}`,
    lessonsChanged > 0 &&
      `  ${toCount(lessonsChanged, 'lesson')} ${lessonsChanged === 1 ? 'has evidence from elsewhere, too: it stays and loses' : 'have evidence from elsewhere, too: they stay and lose'} only the evidence from here`,
    facts > 0 && `  ${toCount(facts, 'event')} not stored yet`,
    `  ${NO_SCAN}`,
    report.shared && '  The store is shared: this removes the data of EVERYONE who uses it.',
  ]);
}

interface Forgotten extends Wished {
  /** The command that stops capture of the same. */
  readonly pause: string;
}

function renderForgotten(report: ForgetReport, { wish, name, pause }: Forgotten): readonly string[] {
  const changed =
    report.lessonsChanged > 0 ? `; ${toCount(report.lessonsChanged, 'lesson')} lost part of the evidence` : '';
  return [
    `Forgotten: ${name}. Removed: ${renderCounts(report)}${changed}.`,
    `${NO_SCAN} The agents' own transcripts were not changed.`,
    `${wish.kind === 'all' ? 'Settings and hooks stay. ' : ''}New calls are captured again; to stop that: ${pause}`,
  ];
}

function renderCounts({ sessions, calls, lessons, deliveries }: ForgetReport): string {
  const shown = `${toCount(deliveries, 'record')} of shown lessons`;
  const counts = [toCount(sessions, 'session'), toCount(calls, 'call'), toCount(lessons, 'lesson'), shown];
  return `${counts.join(', ')}, and everything recorded about their failures`;
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

type CountedStore = Pick<Store, 'listSessions' | 'listCalls' | 'countHistory'>;

/** The time of the oldest data to be forgotten; undefined if the store does not know it. */
async function findBegin(
  store: CountedStore,
  wish: ForgetRequest,
  { sessionKeys }: Pick<ForgetReport, 'sessionKeys'>,
): Promise<string | undefined> {
  if (wish.kind === 'all' || wish.kind === 'lesson') return undefined;
  const times =
    wish.kind === 'project' ? await listOfProjects(store, wish.ids) : await listOfSessions(store, sessionKeys);
  return times.toSorted()[0];
}

async function listOfProjects(store: CountedStore, projectIds: readonly string[]): Promise<readonly string[]> {
  const cells = await store.countHistory({ projectIds });
  const sessions = await store.listSessions({ projectIds, limit: ALL });
  return [...cells.map(({ first }) => first), ...sessions.map(({ startedAt }) => startedAt)];
}

/** A transcript may tell of calls before the first that a hook saw. */
async function listOfSessions(store: CountedStore, keys: readonly SessionKey[]): Promise<readonly string[]> {
  const times: string[] = [];
  for (const key of keys) {
    const sessions = await store.listSessions({ ...key, limit: 1 });
    const [first] = await store.listCalls(key);
    times.push(...sessions.map(({ startedAt }) => startedAt), ...(first === undefined ? [] : [first.occurredAt]));
  }
  return times;
}
