/** The first thing a newcomer reads: what was found, what was learned, what to type next. */
import { toLevel } from '../../base/lesson.ts';
import { renderTriggers } from './render-triggers.ts';
import type { StartReport } from './start-report.ts';

const MAX_LESSONS = 8;

export function renderStart(report: StartReport, command: string): string {
  const { counts, scan, sample } = report;
  const where = sample
    ? 'the sample sessions that come with Oncebitten (there are no agent sessions on this machine yet)'
    : `the agent sessions on this machine (${toMegabytes(scan.bytes)} MB read in ${scan.seconds.toFixed(1)} s)`;
  return [
    `Oncebitten has read ${where}.`,
    '',
    `  ${count(counts.sessions, 'session')}, ${count(counts.calls, 'call')}, ${count(counts.failures, 'failure')}`,
    `  ${toNumber(counts.repeats)} of the failures repeated an earlier one of the same project`,
    `  ${count(counts.lessons, 'lesson')} learned${counts.drafts === 0 ? '' : `, ${count(counts.drafts, 'draft')} to review`}`,
    '',
    ...renderLessons(report),
    `The daemon is running (process ${report.daemon.pid}). Nothing outside ${toShortPath(report)} was changed.`,
    '',
    'What next',
    `  ${command} install claude-code${' '.repeat(Math.max(1, 34 - 'install claude-code'.length))}give Claude Code these lessons, before the act`,
    ...renderNext(report, command),
  ].join('\n');
}

function renderLessons({ lessons }: StartReport): readonly string[] {
  const shown = lessons
    .slice(0, MAX_LESSONS)
    .flatMap((lesson) => [
      `  ${toLevel(lesson.priority).padEnd(8)}  ${lesson.summary}`,
      `            speaks at ${renderTriggers(lesson.triggers)}; seen ${count(lesson.occurrences, 'time')}`,
    ]);
  const more = lessons.length > MAX_LESSONS ? [`  … and ${lessons.length - MAX_LESSONS} more`] : [];
  return lessons.length === 0 ? [] : [...shown, ...more, ''];
}

function renderNext({ sample, dataDir }: StartReport, command: string): readonly string[] {
  const home = sample ? ` --home ${dataDir}` : '';
  return [
    `  ${command} lessons list${home}`,
    `  ${command} explain${home} --tool Bash --input '{"command":"gh pr diff 12 --stat"}'`,
    `  ${command} doctor`,
  ];
}

function toShortPath({ sample, dataDir }: StartReport): string {
  return sample ? dataDir.replace(/\/sample$/, '') : dataDir;
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
