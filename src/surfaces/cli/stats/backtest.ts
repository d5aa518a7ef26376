/** `oncebitten stats backtest`: the past replayed, of several agents together and of each apart. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import type { Project } from '../../../base/model/session.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toDataHome } from '../../../loop/home/data-home.ts';
import { makeProjectFinder } from '../../../loop/projects/find-project.ts';
import type { FullBacktest } from '../../../loop/replay/backtest.ts';
import { runBacktest } from '../../../loop/replay/backtest.ts';
import type { ReplayStep } from '../../../loop/replay/read-sessions.ts';
import type { ReplayedCall } from '../../../measure/judge-replay.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { toSince } from '../arguments/options.ts';
import { type FoundProjects, findProjects, toProjectLabels } from '../arguments/projects.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { fixFalseAlarms, listFixable, renderFixed, renderFixes } from './false-alarms.ts';
import { readKnownPast } from './past-sessions.ts';
import { renderBacktest } from './render-backtest.ts';

interface BacktestOptions {
  readonly since?: string;
  readonly project?: string | true;
  readonly verbose?: true;
  readonly fix?: true;
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
  const { steps, ...past } = await readKnownPast(input, open);
  const projects = listProjects(steps, await store.listProjects());
  const aliases = await store.listProjectAliases();
  const toProjectId = makeToProjectId(aliases);
  const { project: given } = input.options as BacktestOptions;
  const known = { listProjects: async () => projects, listProjectAliases: async () => aliases };
  const wanted = given === undefined || steps.length === 0 ? undefined : await findProjects(known, given, input.cwd);
  return runBacktest({
    ...{ steps, settings, isCounted: makeIsCounted(since, wanted) },
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

/** The projects that have a row in the report, with those joined into them: a name that no other of them has needs no folder before it. */
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
  let isTold = false;
  const open = () => {
    const terminal = openTerminal();
    if (!isTold) terminal.write(`${text}\n`);
    isTold = true;
    return terminal;
  };
  const fixed = await fixFalseAlarms(input, open, alarms);
  return { json: { ...report, fixed }, text: renderFixed(fixed) };
}
