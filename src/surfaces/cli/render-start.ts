/** The first thing a newcomer reads: what was found, what was learned, what to type next. */
import { homedir } from 'node:os';
import type { Lesson } from '../../base/lesson.ts';
import { renderFailureCounts } from './render-failure-counts.ts';
import { renderTriggers } from './render-triggers.ts';
import type { StartReport } from './start-report.ts';
import { toExampleCommand } from './to-example-command.ts';
import { toShownLevel } from './to-shown-level.ts';
import { wrapText } from './wrap-text.ts';

const MAX_LESSONS = 8;

export function renderStart(report: StartReport): string {
  const { counts } = report;
  return [
    ...renderOpening(report),
    '',
    ...wrapText(renderFailureCounts(counts), '  '),
    `  ${count(counts.lessons, 'lesson')} learned${counts.drafts === 0 ? '' : `, ${count(counts.drafts, 'draft')} to review`}`,
    '',
    ...renderLessons(report),
    `The daemon is running (process ${report.daemon.pid}). Nothing outside ${toShort(report.home)} was changed.`,
    '',
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
    'There are no agent sessions on this machine yet, so this is what Oncebitten learns from',
    'the sample sessions it brings (fictional: two projects, two weeks).',
  ];
}

function renderLessons({ lessons, projects }: StartReport): readonly string[] {
  if (lessons.length === 0) return [];
  const shown = lessons
    .slice(0, MAX_LESSONS)
    .flatMap((lesson) => [
      `  ${toShownLevel(lesson).padEnd(8)}  ${lesson.summary}`,
      `            fires on ${renderTriggers(lesson.triggers)} in ${toPlace(lesson, projects)}; seen ${toTimes(lesson)}`,
    ]);
  const more = lessons.length - MAX_LESSONS;
  return [...shown, ...(more > 0 ? [`  … and ${more} more`] : []), ''];
}

function renderNext(report: StartReport): readonly string[] {
  const { sample, dataDir, starter, hookedIn } = report;
  const home = sample ? ` --home ${toShort(dataDir)}` : '';
  const install =
    report.lessons.length === 0 || sample
      ? 'connect Claude Code, so that Oncebitten learns from your sessions'
      : 'connect Claude Code, so that it gets these lessons at the call that repeats the mistake';
  const rows = [
    ...renderExplain(report).map((words) => [`oncebitten explain${home} ${words}`, 'see a lesson fire']),
    [`oncebitten lessons list${home}`, 'list all lessons'],
    ...(starter > 0 ? [[`oncebitten lessons starter`, `see ${starter} ready-made lessons about common tools`]] : []),
    ...(hookedIn.length === 0 ? [[`oncebitten install claude-code`, install]] : []),
    [`oncebitten doctor`, 'check that lessons reach Claude Code'],
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

function toTimes({ occurrences, sessions }: Lesson): string {
  if (occurrences === 1) return 'once';
  return sessions === 1 ? `${occurrences} times` : `${occurrences} times in ${count(sessions, 'session')}`;
}

function toShort(path: string): string {
  const home = homedir();
  return path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path;
}

function count(n: number, thing: string): string {
  return `${toNumber(n)} ${thing}${n === 1 ? '' : 's'}`;
}

function toNumber(n: number): string {
  return n.toLocaleString('en-US');
}

function toMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
}
