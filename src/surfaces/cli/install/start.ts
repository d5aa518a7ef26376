/**
 * `oncebitten start`: learns from past sessions on a fresh machine, starts the daemon, and prints the lessons and the
 * next commands. It changes nothing outside the data directory. On a machine without sessions it learns from the
 * samples of the package, apart from the user's own data.
 */

import { homedir } from 'node:os';
import { join } from 'node:path';
import { INSTALLS } from '../../../agents/installs.ts';
import type { AgentFacts } from '../../../base/contracts/agent-facts.ts';
import type { Store, StoreCounts } from '../../../base/contracts/store.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import type { Project } from '../../../base/model/session.ts';
import { dropAbsent } from '../../../base/records.ts';
import type { FailureCounts } from '../../../base/statistics/failure-ledger.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { readSettings } from '../../../keep/settings/read-settings.ts';
import { toDataHome } from '../../../loop/home/data-home.ts';
import { findPackageRoot } from '../../../loop/home/program-files.ts';
import {
  type FailureList,
  isRepeatedFailure,
  type KnownFailure,
  listFailures,
} from '../../../loop/measuring/failure-list.ts';
import { listScanFiles } from '../../../loop/scan/scan-files.ts';
import { type ScanTotals, scanSessions } from '../../../loop/scan/scan-sessions.ts';
import { ensureDaemon } from '../../daemon/control-daemon.ts';
import { isAgentPresent } from '../../install/agent-place.ts';
import { listHooked } from '../../install/installed-hooks.ts';
import { readStarter } from '../../install/starter-pack.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findOffer, type LearnOffer, renderOffer } from '../learn/offer.ts';
import { toExampleCommand } from '../lessons/lesson-details.ts';
import { readHome, withHome } from '../open-home.ts';
import { type Page, toPage } from '../paging.ts';
import { makeScanProgress } from '../scan/scan-report.ts';
import { renderFailureCounts, renderFailureTitle, renderKnown, renderLeftOut } from '../sessions/failures.ts';
import { toCount } from '../text.ts';

export const run: Handler = async (input) => {
  const { scanPaths } = readSettings(input.home.configFile, input.env);
  const own = listScanFiles({ home: homedir(), env: input.env, scanPaths });
  // An agent removes old sessions; what was recorded of them is still the user's own.
  const sample = own.length === 0 && (await readHome(input, ({ store }) => isEmpty(store)));
  const home = sample ? toDataHome(join(input.home.dir, 'sample')) : input.home;
  const files = sample ? listSampleFiles(input) : own;
  const learned = await withHome({ ...input, home }, async (open) => {
    const scan = await scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) });
    const { store } = open;
    const lessons = await store.listLessons({ status: 'active' });
    const starter = (await readStarter(store)).filter(({ lesson, isAway }) => lesson === undefined || isAway).length;
    const counts = { ...(await store.countAll()), ...(await store.countFailures()) };
    const { kinds, leftOut } = await listFailures(store, {}, false);
    const repeated = { ...toPage(kinds.filter(isRepeatedFailure), {}, MAX_FAILURES), leftOut };
    const offer = sample ? undefined : await findOffer(input, open, files);
    const projects = await store.listProjects();
    return { scan, counts, repeated, lessons, starter, projects, ...dropAbsent({ offer }) };
  });
  input.progress('Starting the daemon …');
  const { daemon, started } = await ensureDaemon(input.home);
  const hooked = listHooked(input);
  const report: StartReport = {
    sample,
    files: files.length,
    home: input.home.dir,
    dataDir: home.dir,
    ...learned,
    hookedIn: hooked.map(({ place }) => place),
    connectable: listConnectable(input, hooked),
    daemon: { pid: daemon.pid, started },
  };
  return { json: report, text: renderStart(report) };
};

/** Those that are on this machine; the first that we know where none is. */
function listConnectable({ env }: CommandInput, hooked: ReturnType<typeof listHooked>): StartReport['connectable'] {
  const present = INSTALLS.filter((agent) => isAgentPresent({ agent, env, home: homedir() }));
  const wanted = present.length === 0 ? INSTALLS.slice(0, 1) : present;
  return wanted
    .filter(({ facts }) => hooked.every(({ agent }) => agent !== facts.id))
    .map(({ facts: { id, name } }) => ({ id, name }));
}

async function isEmpty(store: Store): Promise<boolean> {
  const { sessions, calls } = await store.countAll();
  return sessions + calls === 0;
}

function listSampleFiles({ env }: CommandInput) {
  return listScanFiles({ path: join(findPackageRoot(), 'samples', 'sessions'), home: homedir(), env });
}

/** What `start` found and did. */
export interface StartReport {
  /** Neither session files nor recorded calls are here: learned from the package's samples, kept apart from the user's own. */
  readonly sample: boolean;
  /** Session files that were found: the user's own, or the samples. */
  readonly files: number;
  /** The user's data directory, and the one that was learned into; they differ only for samples. */
  readonly home: string;
  readonly dataDir: string;
  readonly scan: ScanTotals;
  readonly counts: StoreCounts & FailureCounts;
  /** Failures that came back, the costliest first. */
  readonly repeated: Page<KnownFailure> & Pick<FailureList, 'leftOut'>;
  readonly lessons: readonly Lesson[];
  /** How many of the lessons that we bring are not there yet. */
  readonly starter: number;
  readonly projects: readonly Project[];
  /** What a model could be asked about. Absent if there is none to ask, or nothing. */
  readonly offer?: LearnOffer;
  /** Where agents already have our hooks: settings files, or "as a plugin". */
  readonly hookedIn: readonly string[];
  /** Agents on this machine that do not have our hooks yet. */
  readonly connectable: readonly Pick<AgentFacts, 'id' | 'name'>[];
  readonly daemon: { readonly pid: number; readonly started: boolean };
}

const [MAX_FAILURES, MAX_LESSONS] = [5, 5];

/** The first thing a newcomer reads: what was found, what was learned, what to type next. */
export function renderStart(report: StartReport): string {
  const { counts } = report;
  return [
    ...renderOpening(report),
    '',
    `  ${renderFailureCounts(counts)}`,
    `  ${toCount(counts.lessons, 'lesson')} learned${counts.drafts === 0 ? '' : `, ${toCount(counts.drafts, 'draft')} to review`}`,
    '',
    ...renderRepeated(report),
    ...renderLessons(report),
    `The daemon (process ${report.daemon.pid}) now learns from new sessions in the background. Stop it: oncebitten daemon stop`,
    `Nothing outside ${toShort(report.home)} was changed.`,
    '',
    ...(report.offer === undefined ? [] : [renderOffer(report.offer), '']),
    'What next',
    ...renderNext(report),
  ].join('\n');
}

function renderOpening({ sample, files, scan }: StartReport): readonly string[] {
  if (files === 0)
    return ["Your agents' session files are no longer on this machine. Oncebitten still has its record of them:"];
  if (!sample)
    return [
      `Oncebitten has read your agents' past sessions (${toMegabytes(scan.bytes)} MB new, ${scan.seconds.toFixed(1)} s).`,
    ];
  return [
    'This machine has no agent sessions yet. This is what Oncebitten learns from its sample sessions',
    '(fictional: two projects, two weeks).',
  ];
}

/** The heart of the report: what the agents did wrong again and again, and what helps. */
function renderRepeated({ repeated, counts, sample, dataDir }: StartReport): readonly string[] {
  if (counts.failures === 0) return [];
  const { items, total, leftOut } = repeated;
  const command = `oncebitten sessions failures${sample ? ` --home ${toShort(dataDir)}` : ''}`;
  const left = renderLeftOut(leftOut, `${command} --all`).map((line) => `  ${line}`);
  if (items.length === 0) return ['No failure was repeated in a later session.', ...left, ''];
  const more = total - items.length;
  return [
    'Failures that later sessions repeated',
    ...items.flatMap((kind) => [`  ${renderFailureTitle(kind)}`, `      ${renderKnown(kind)}`]),
    ...(more > 0 ? [`  … and ${more} more: ${command}`] : []),
    ...left,
    '',
  ];
}

/** The lessons that the list of repeated failures does not name. */
function renderLessons({ lessons, repeated, projects }: StartReport): readonly string[] {
  const named = new Set(repeated.items.map(({ lesson }) => lesson?.id));
  const others = lessons.filter(({ id }) => !named.has(id));
  if (others.length === 0) return [];
  const shown = others
    .slice(0, MAX_LESSONS)
    .flatMap((lesson) => [
      `  ${lesson.summary}`,
      `      fires on ${renderTriggers(lesson.triggers)} in ${toPlace(lesson, projects)}; ${renderOrigin(lesson)}`,
    ]);
  const more = others.length - MAX_LESSONS;
  const title = named.size === 0 ? 'Lessons' : 'Other lessons';
  return [title, ...shown, ...(more > 0 ? [`  … and ${more} more`] : []), ''];
}

function renderNext(report: StartReport): readonly string[] {
  const { sample, dataDir, starter, connectable, offer } = report;
  const home = sample ? ` --home ${toShort(dataDir)}` : '';
  const toReason = (name: string): string =>
    report.lessons.length === 0 || sample
      ? `connect ${name}, so that Oncebitten learns from your sessions`
      : `connect ${name}, so that it gets these lessons at the call that repeats the mistake`;
  const rows = [
    ...renderExplain(report).map((words) => [`oncebitten explain${home} ${words}`, 'see a lesson fire']),
    [`oncebitten lessons list${home}`, 'list all lessons'],
    ...(starter > 0 ? [[`oncebitten lessons starter`, `see ${starter} ready-made lessons about common tools`]] : []),
    ...(offer === undefined
      ? []
      : [[`oncebitten learn --provider agent`, `let the model of ${offer.agent.name} propose more lessons`]]),
    ...connectable.map(({ id, name }) => [`oncebitten install ${id}`, toReason(name)]),
    [`oncebitten doctor`, 'check that lessons reach your agents'],
  ];
  return rows.flatMap(([line = '', why = '']) => [`  ${why}:`, `      ${line}`]);
}

/** The first lesson that a command can be given for, in a folder where it fires. */
function renderExplain({ lessons, projects }: StartReport): readonly string[] {
  for (const lesson of lessons) {
    const example = toExampleCommand(lesson);
    if (example === undefined || example.includes("'")) continue;
    const root = projects.find((project) => project.id === lesson.scope.id)?.root;
    const cwd = lesson.scope.kind === 'project' && root !== undefined ? `--cwd ${root} ` : '';
    return [`${cwd}--tool Bash --input '${JSON.stringify({ command: example })}'`];
  }
  return [];
}

function toPlace({ scope }: Lesson, projects: StartReport['projects']): string {
  if (scope.kind !== 'project') return 'every project';
  return projects.find((project) => project.id === scope.id)?.name ?? 'its project';
}

function renderOrigin({ occurrences, sessions }: Lesson): string {
  if (occurrences === 0) return 'no session has made this mistake yet';
  if (occurrences === 1) return 'seen once';
  return `seen ${occurrences} times${sessions === 1 ? '' : ` in ${toCount(sessions, 'session')}`}`;
}

function toShort(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
