/**
 * `oncebitten stats backtest`: replays past sessions, of several agents together and of each apart. With `--fix` the
 * user archives, edits or mutes the lessons with false alarms one at a time by a key, or copies the commands where
 * there is no terminal.
 */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Project } from '../../../base/model/session.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toDataHome } from '../../../loop/home/data-home.ts';
import { readAnswers } from '../../../loop/language-models/pack-files.ts';
import { readHistory } from '../../../loop/language-models/read-conversations.ts';
import { toSessionAnswers } from '../../../loop/language-models/replay-answers.ts';
import { makeProjectFinder } from '../../../loop/projects/find-project.ts';
import { type FullBacktest, type KnownFalseAlarms, runBacktest } from '../../../loop/replay/backtest.ts';
import type { ReplayStep } from '../../../loop/replay/read-sessions.ts';
import type { ScanFile } from '../../../loop/scan/scan-files.ts';
import type { ReplayedCall } from '../../../measure/judge-replay.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { toSince } from '../arguments/options.ts';
import { type FoundProjects, findProjects, toProjectLabels } from '../arguments/projects.ts';
import type { CommandInput, CommandResult, Handler, Terminal } from '../command.ts';
import { runArchive as archive } from '../lessons/change-lessons.ts';
import { run as edit } from '../lessons/edit.ts';
import { runMute as mute, runUnmute as unmute } from '../lessons/mute.ts';
import { countChoices, type Decision, decideByKeys, renderCard } from '../lessons/review.ts';
import { run as undo } from '../lessons/undo.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { toCount, toLine } from '../text.ts';
import { readKnownPast } from './past-sessions.ts';
import { renderBacktest } from './render-backtest.ts';

interface BacktestOptions {
  readonly since?: string;
  readonly project?: string | true;
  readonly verbose?: true;
  readonly fix?: true;
  readonly answers?: string;
}

export const run: Handler = async (input) => {
  const { since, verbose, fix } = input.options as BacktestOptions;
  toScanPlaces(input);
  const sinceAt = since === undefined ? undefined : toSince(since, '--since', Date.now());
  const report = await readHome(input, (open) => replayPast(input, open, sinceAt));
  const text = renderBacktest(report, {
    ...{ isVerbose: verbose === true, isFixing: fix === true, columns: input.columns },
    sample: report.history.source === 'places' ? findSample(input) : undefined,
  });
  if (fix !== true || report.calls === 0) return { json: report, text };
  return fixThem(input, report, text);
};

/** What `start` learns from on a machine without sessions. */
function findSample({ home }: CommandInput): string | undefined {
  const { dir, storeFile } = toDataHome(join(home.dir, 'sample'));
  return existsSync(storeFile) ? dir : undefined;
}

async function replayPast(input: CommandInput, open: OpenHome, since: string | undefined): Promise<FullBacktest> {
  const { store, settings } = open;
  const { steps, files, ...past } = await readKnownPast(input, open);
  const { answers: dir } = input.options as BacktestOptions;
  const answers = dir === undefined ? undefined : await readSessionAnswers(open, resolve(input.cwd, dir), files);
  const projects = listProjects(steps, await store.listProjects());
  const aliases = await store.listProjectAliases();
  const toProjectId = makeToProjectId(aliases);
  const { project: given } = input.options as BacktestOptions;
  const known = { listProjects: async () => projects, listProjectAliases: async () => aliases };
  const wanted = given === undefined || steps.length === 0 ? undefined : await findProjects(known, given, input.cwd);
  return runBacktest({
    ...{ steps, settings, isCounted: makeIsCounted(since, wanted), ...dropAbsent({ answers }) },
    history: {
      ...past,
      ...dropAbsent({ since, project: wanted?.name }),
    },
    labels: toProjectLabels(listCounted(steps, projects, toProjectId), aliases),
    stored: await store.listLessons(),
    toProjectId,
    onProgress: input.progress,
  });
}

/** The answers in a folder, with the calls of the replayed sessions behind their ids. */
async function readSessionAnswers(open: OpenHome, dir: string, files: readonly ScanFile[]) {
  const answers = readAnswers(dir);
  return toSessionAnswers(answers, await readHistory(open, files));
}

function makeIsCounted(since: string | undefined, wanted: FoundProjects | undefined): (call: ReplayedCall) => boolean {
  return ({ at, projectId }) =>
    (since === undefined || at >= since) && (wanted === undefined || wanted.ids.includes(projectId));
}

/** Those of the sessions themselves: nothing of a folder that was only named is in the store. */
function listProjects(steps: readonly ReplayStep[], known: readonly Project[]): readonly Project[] {
  const findProject = makeProjectFinder();
  const folders = new Set(steps.flatMap(({ event }) => (event.cwd === undefined ? [] : [event.cwd])));
  const ids = new Set(steps.flatMap(({ call }) => (call === undefined ? [] : [call.projectId])));
  const seen = [...folders].map(findProject).filter(({ id }) => ids.has(id));
  return [...new Map([...seen, ...known].map((project) => [project.id, project])).values()];
}

/**
 * The projects that have a row in the report, with those joined into them: a name that no other of them has needs no
 * folder before it.
 */
function listCounted(
  steps: readonly ReplayStep[],
  projects: readonly Project[],
  toProjectId: ToProjectId,
): readonly Project[] {
  const ids = new Set(steps.flatMap(({ call }) => (call === undefined ? [] : [toProjectId(call.projectId)])));
  return projects.filter(({ id }) => ids.has(toProjectId(id)));
}

/** With a terminal by keys; without one the commands are said. */
async function fixThem(input: CommandInput, report: FullBacktest, text: string): Promise<CommandResult> {
  const alarms = report.worstFalseAlarms;
  const { openTerminal, progress } = input;
  if (openTerminal === undefined || listFixable(alarms).length === 0)
    return { json: report, text: [text, ...renderFixes(alarms)].join('\n') };
  // The line of progress goes.
  progress('');
  let isShown = false;
  const open = () => {
    const terminal = openTerminal();
    if (!isShown) terminal.write(`${text}\n`);
    isShown = true;
    return terminal;
  };
  const fixed = await fixFalseAlarms(input, open, alarms);
  return { json: { ...report, fixed }, text: renderFixed(fixed) };
}

type Fix = 'archived' | 'edited' | 'muted';
type Fixed = Decision<Fix>;

/** Lessons that can still fire, each once, because two replayed lessons may be one in the store. */
function listFixable(alarms: readonly KnownFalseAlarms[]): readonly KnownFalseAlarms[] {
  const open = alarms.filter(({ stored }) => stored !== undefined && stored.status !== 'archived');
  return [...new Map(open.toReversed().map((one) => [one.stored?.slug, one])).values()].reverse();
}

function fixFalseAlarms(
  input: CommandInput,
  open: () => Terminal,
  alarms: readonly KnownFalseAlarms[],
): Promise<readonly Fixed[]> {
  const fixable = new Map(listFixable(alarms).map((one) => [one.stored?.slug ?? '', one]));
  const on = (slug: string, options: CommandInput['options'] = {}): CommandInput => ({
    ...{ ...input, arguments: [slug], options },
  });
  const reason = 'false alarms in a back-test';
  return decideByKeys<Fix>(open, {
    names: [...fixable.keys()],
    decisions: {
      a: {
        ...{ label: 'archive', help: 'archive: it no longer fires', verdict: 'archived' },
        act: (slug) => archive(on(slug, { reason })),
      },
      e: {
        ...{ label: 'edit', help: 'edit it: its trigger and its text (opens your editor)' },
        ...{ verdict: 'edited', needsTerminal: true, act: (slug) => edit(on(slug)) },
      },
      m: {
        ...{ label: 'mute', help: 'mute: silent until you unmute it; it keeps learning', verdict: 'muted' },
        act: (slug) => mute(on(slug)),
      },
      s: { label: 'skip', help: 'skip: it stays as it is          n or space: the same', verdict: 'skipped' },
    },
    renderCard: async (slug, columns) =>
      [...renderAlarms(fixable.get(slug), columns), await renderCard(input, slug, columns)].join('\n'),
    undo: (slug, verdict) => (verdict === 'muted' ? unmute(on(slug)) : undo(on(slug))),
  });
}

function renderAlarms(alarms: KnownFalseAlarms | undefined, columns: number): readonly string[] {
  if (alarms === undefined) return [];
  const { falseAlarms, deliveries, example } = alarms;
  const what = toLine(example.what, Math.max(20, columns - 20));
  return [`wrong ${falseAlarms} of ${deliveries} times, last at: ${what}`, ''];
}

/** The exact commands, for use without a terminal. */
export function renderFixes(alarms: readonly KnownFalseAlarms[]): readonly string[] {
  const fixable = listFixable(alarms);
  if (fixable.length === 0)
    return [
      '',
      alarms.length === 0 ? 'There is no false alarm to fix.' : 'None of these lessons is active in your store.',
    ];
  const commands = fixable.flatMap(({ stored, summary }) => [
    '',
    `  # ${toLine(summary)}`,
    ...['lessons archive', 'lessons edit', 'lessons mute'].map((command) => `  oncebitten ${command} ${stored?.slug}`),
  ]);
  return ['', 'For each lesson, one of these commands; or one key in a terminal:', ...commands];
}

function renderFixed(fixed: readonly Fixed[]): string {
  const counted = countChoices(fixed, ['archived', 'edited', 'muted', 'skipped']);
  if (counted === '') return 'Nothing was changed.';
  const isChanged = fixed.some(({ verdict }) => verdict !== 'skipped');
  const undo = isChanged ? ' Undo: oncebitten lessons undo <slug>, or oncebitten lessons unmute <slug>' : '';
  return `${counted} of ${toCount(fixed.length, 'lesson')}.${undo}`;
}
