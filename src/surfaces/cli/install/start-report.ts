/** The report of `start`, as data and as the one screen that a newcomer reads first. */

import { homedir } from 'node:os';
import type { AgentFacts } from '../../../base/contracts/agent-facts.ts';
import type { StoreCounts } from '../../../base/contracts/store.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import type { Project } from '../../../base/model/session.ts';
import type { FailureCounts } from '../../../base/statistics/failure-ledger.ts';
import { renderTriggers } from '../../../base/triggers/render-triggers.ts';
import type { FailureList, KnownFailure } from '../../../loop/measuring/failure-list.ts';
import type { Hindsight } from '../../../loop/measuring/hindsight.ts';
import type { ScanTotals } from '../../../loop/scan/scan-sessions.ts';
import type { LearnOffer } from '../learn/offer.ts';
import { toExampleCommand } from '../lessons/lesson-details.ts';
import type { Page } from '../paging.ts';
import { toSize } from '../scan/scan-report.ts';
import { renderFailureTitle, renderKnown, renderLeftOut } from '../sessions/failures.ts';
import { toCount, toLine, toNumber } from '../text.ts';

/** What `start` found and did. */
export interface StartReport {
  /** Neither session files nor recorded calls are here: learned from the package's samples, kept apart from the user's own. */
  readonly sample: boolean;
  /** Session files that were found: the user's own, or the samples. */
  readonly files: number;
  /** The user's data directory, and the one that was learned into; they differ only for samples. */
  readonly home: string;
  readonly dataDir: string;
  /** What this command has read. */
  readonly scan: ScanTotals;
  /** All session files, and how much of them has been read by now; the figures are about that part. */
  readonly history: {
    readonly files: number;
    readonly filesRead: number;
    readonly bytes: number;
    readonly bytesRead: number;
  };
  readonly counts: StoreCounts & FailureCounts;
  /** Failures that came back, the costliest first. */
  readonly repeated: Page<KnownFailure> & Pick<FailureList, 'leftOut'>;
  /** What the active lessons would have done on the calls that were read. */
  readonly hindsight: Hindsight;
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
  /** `scans`: it reads session files by itself. */
  readonly daemon: { readonly pid: number; readonly started: boolean; readonly scans: boolean };
}

export const MAX_FAILURES = 10;
const MAX_LESSONS = 5;

/** The first thing a newcomer reads: what the past shows, which lessons would have helped, what to do next. */
export function renderStart(report: StartReport): string {
  return [
    ...renderOpening(report),
    ...renderFigures(report),
    ...renderRead(report),
    '',
    ...renderRepeated(report),
    ...renderLessons(report),
    `The daemon (process ${report.daemon.pid}) now learns from new sessions in the background. Stop it: oncebitten daemon stop`,
    `Nothing outside ${toShort(report.home)} was changed.`,
    '',
    'What next',
    ...renderNext(report),
  ].join('\n');
}

function renderOpening({ sample, files }: StartReport): readonly string[] {
  if (files === 0)
    return ["Your agents' session files are no longer on this machine. Oncebitten still has its record of them.", ''];
  if (!sample) return [];
  return [
    'This machine has no agent sessions yet. This is what Oncebitten learns from its sample sessions',
    '(fictional: two projects, two weeks).',
    '',
  ];
}

function renderFigures({ counts, sample }: StartReport): readonly string[] {
  const { failures, calls, sessions, repeats, avoidable } = counts;
  const whose = sample ? 'The agents' : 'Your agents';
  if (failures === 0)
    return [`${whose} made ${toCount(calls, 'call')} in ${toCount(sessions, 'session')}. None failed.`];
  const past = `${whose} failed ${toNumber(failures)} of ${toCount(calls, 'call')}${renderDays(counts)} in ${toCount(sessions, 'session')}.`;
  if (repeats === 0) return [past, 'None of these failures had happened before in the same project.'];
  const of = `${toNumber(repeats)} of these failures had happened before in the same project`;
  if (avoidable === 0) return [past, `${of}. No agent had found a fix by then.`];
  const known = avoidable === repeats ? (repeats === 1 ? 'it' : `all ${toNumber(repeats)}`) : toNumber(avoidable);
  return [
    past,
    `${of}. For ${known}${avoidable === repeats ? '' : ` of these ${toNumber(repeats)} repeats`}, an agent had already found the fix.`,
  ];
}

const DAY_MS = 24 * 60 * 60_000;

/** From the first failed call to the last. */
function renderDays({ days }: FailureCounts): string {
  if (days.length === 0) return '';
  const [first = '', last = ''] = [days[0]?.day, days.at(-1)?.day];
  const count = Math.round((Date.parse(last) - Date.parse(first)) / DAY_MS) + 1;
  return count > 1 ? ` in ${toNumber(count)} days (${first} to ${last}),` : ` on ${first},`;
}

/** Says which part of the history the figures are about. */
function renderRead({ sample, history, scan, daemon }: StartReport): readonly string[] {
  const { bytes, bytesRead, files, filesRead } = history;
  if (sample || files === 0) return [];
  const bad = scan.unreadable.length === 0 ? '' : ` ${toCount(scan.unreadable.length, 'file')} could not be read.`;
  if (filesRead === files) return [`Read: all ${toCount(files, 'session file')}, ${toSize(bytes)}.${bad}`];
  const rest = daemon.scans
    ? 'The daemon reads the rest in the background; see how far it is: oncebitten daemon status'
    : 'Read the rest: oncebitten scan';
  return [`Read so far: the newest ${toSize(bytesRead)} of ${toSize(bytes)}.${bad} ${rest}`];
}

/** The heart of the report: what the agents did wrong again and again, with or without a lesson. */
function renderRepeated(report: StartReport): readonly string[] {
  if (report.counts.failures === 0) return [];
  const { items, total, leftOut } = report.repeated;
  const command = `oncebitten sessions failures${toHomeOption(report)}`;
  const left = renderLeftOut(leftOut, `${command} --all`).map((line) => `  ${line}`);
  if (items.length === 0) return ['No failure was repeated in a later session.', ...left, ''];
  const more = total - items.length;
  return [
    'Repeated failures that cost you most',
    ...items.flatMap((kind, i) => [
      `  ${`${i + 1}.`.padStart(3)} ${renderFailureTitle(kind)}`,
      `      ${renderKnown(kind)}`,
    ]),
    ...(more > 0 ? [`  … and ${more} more: ${command}`] : []),
    ...left,
    '',
  ];
}

function renderLessons(report: StartReport): readonly string[] {
  const { counts, hindsight, lessons } = report;
  if (counts.lessons + counts.drafts === 0) return [];
  const drafts = counts.drafts === 0 ? '' : `, and ${toCount(counts.drafts, 'draft')} to review`;
  const helpful = hindsight.lessons.filter(({ warned }) => warned > 0);
  const rows =
    helpful.length > 0
      ? helpful.slice(0, MAX_LESSONS).map((one) => `  ${toLine(one.summary)}: ${renderHelp(one)}`)
      : lessons.slice(0, MAX_LESSONS).map((lesson) => renderLesson(lesson, report.projects));
  const more = Math.max(helpful.length, helpful.length > 0 ? 0 : lessons.length) - rows.length;
  return [
    `${toCount(counts.lessons, 'lesson')} learned${drafts}`,
    ...renderHindsight(hindsight, toHomeOption(report)),
    ...rows,
    ...(more > 0 ? [`  … and ${more} more: oncebitten lessons list${toHomeOption(report)}`] : []),
    '',
  ];
}

/** Honest about its bias: the lessons come from the calls that they are tried on. */
function renderHindsight(
  { calls, isCut, repeats, warned, fixed, falseAlarms }: Hindsight,
  home: string,
): readonly string[] {
  if (repeats === 0) return [];
  const alarms = falseAlarms === 0 ? 'without a false alarm' : `with ${toCount(falseAlarms, 'false alarm')}`;
  const of = warned === repeats && repeats > 1 ? 'all' : `${toNumber(warned)} of the`;
  const rest = repeats - warned - fixed;
  const nothing = rest === 0 ? '' : `; at the remaining ${toNumber(rest)}, nothing`;
  const known =
    fixed === 0
      ? ''
      : ` At ${toNumber(fixed)} ${warned === 0 ? `of these ${toNumber(repeats)}` : 'others'}, the agent would have read a known fix together with the error${nothing}.`;
  return [
    `  In hindsight, on ${isCut ? `the newest ${toCount(calls, 'call')} of these` : 'these same calls'}, they would have warned of ${of} ${toCount(repeats, 'repeated failure')}, ${alarms}.${known}`,
    `  The lessons were learned from these calls, so expect less of new calls. A stricter test: oncebitten stats backtest${home}`,
  ];
}

function renderHelp({ warned, falseAlarms }: Hindsight['lessons'][number]): string {
  const alarms = falseAlarms === 0 ? '' : `, ${toCount(falseAlarms, 'false alarm')}`;
  return `would have warned ${warned === 1 ? 'once' : `${toNumber(warned)} times`}${alarms}`;
}

function renderLesson(lesson: Lesson, projects: StartReport['projects']): string {
  return `  ${toLine(lesson.summary)}: fires on ${renderTriggers(lesson.triggers)} in ${toPlace(lesson, projects)}`;
}

function toPlace({ scope }: Lesson, projects: StartReport['projects']): string {
  if (scope.kind !== 'project') return 'every project';
  return projects.find((project) => project.id === scope.id)?.name ?? 'its project';
}

/** Offers in the order of what they give: more lessons, lessons at work, all of it on a page. */
function renderNext(report: StartReport): readonly string[] {
  const { sample, starter, connectable, offer } = report;
  const home = toHomeOption(report);
  const toReason = (name: string): string =>
    report.lessons.length === 0 || sample
      ? `connect ${name}, so that Oncebitten learns from your sessions`
      : `connect ${name}, so that it gets these lessons at the call that repeats the mistake`;
  const rows = [
    ...(offer === undefined ? [] : [[renderOffer(offer), 'oncebitten learn --provider agent']]),
    ...connectable.map(({ id, name }) => [toReason(name), `oncebitten install ${id}`]),
    [sample ? 'see the sample sessions in your browser' : 'see all of it in your browser', `oncebitten open${home}`],
    ...renderExplain(report).map((words) => ['see a lesson fire', `oncebitten explain${home} ${words}`]),
    ...(sample ? [['see it happen, with a scripted agent', 'oncebitten demo']] : []),
    ...(starter > 0 ? [[`see ${starter} ready-made lessons about common tools`, `oncebitten lessons starter`]] : []),
  ];
  return rows.flatMap(([why = '', line = '']) => [`  ${why}:`, `      ${line}`]);
}

/** Names the price, because nothing else here costs money. */
function renderOffer({ agent, episodes, tokens, usd }: LearnOffer): string {
  return `let the model of ${agent.name} read ${toCount(episodes, 'kind')} of failed calls and propose more lessons (sends about ${toNumber(tokens)} tokens of redacted text after your yes, with your login there: about ${usd.toFixed(2)} USD where tokens are paid for; to read it first: oncebitten learn --dry-run)`;
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

/** Samples are in a data directory of their own. */
function toHomeOption({ sample, dataDir }: StartReport): string {
  return sample ? ` --home ${toShort(dataDir)}` : '';
}

function toShort(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}
