/** `oncebitten learn`: lets a language model propose lessons about failures, which pass the same gate as all others. */

import { resolve } from 'node:path';
import { PACK_KINDS, type PackKind } from '../../../base/model/pack.ts';
import { readPacks } from '../../../loop/models/learn-packs.ts';
import { readAnswers, writePacks } from '../../../loop/models/pack-files.ts';
import { takeAnswers } from '../../../loop/models/take-answers.ts';
import { listScanFiles } from '../../../loop/scan/scan-files.ts';
import { scanSessions } from '../../../loop/scan/scan-sessions.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { getChoice, toSince } from '../arguments/options.ts';
import { findProjects } from '../arguments/projects.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { type OpenHome, withHome } from '../open-home.ts';
import { makeScanProgress } from '../scan/scan-report.ts';
import { toCount } from '../text.ts';

interface LearnOptions {
  readonly export?: string;
  readonly answers?: string;
  readonly by?: string;
  readonly since?: string;
  readonly project?: string | true;
}

export const run: Handler = async (input) => {
  const options = input.options as LearnOptions;
  const { answers } = options;
  if (answers !== undefined) return withHome(input, (open) => importAnswers(input, open, resolve(input.cwd, answers)));
  return withHome(input, (open) => exportPacks(input, open, resolve(input.cwd, options.export ?? '.')));
};

async function importAnswers(input: CommandInput, open: OpenHome, dir: string): Promise<CommandResult> {
  const files = readAnswers(dir).map((file) => ({ ...file, provider: 'file' }));
  const onProgress = (done: number, all: number): void => input.progress(`Reading sessions ${done}/${all}`);
  const { outcomes, ...taken } = await takeAnswers({ ...open, onProgress }, files);
  const verbose = input.options.verbose === true;
  const lines = verbose ? outcomes.map(({ verdict, summary, reason }) => `${verdict}: ${summary} (${reason})`) : [];
  return { json: verbose ? { ...taken, outcomes } : taken, text: [JSON.stringify(taken), ...lines].join('\n') };
}

async function exportPacks(input: CommandInput, open: OpenHome, dir: string): Promise<CommandResult> {
  const packs = await listPacks(input, open);
  writePacks(dir, packs);
  const episodes = packs.reduce((sum, pack) => sum + pack.episodes, 0);
  const characters = packs.reduce((sum, pack) => sum + pack.text.length, 0);
  return {
    json: { packs: packs.length, episodes, characters },
    text: `${toCount(packs.length, 'pack')} with ${toCount(episodes, 'failure')} written to ${dir}`,
  };
}

async function listPacks(input: CommandInput, open: OpenHome) {
  const { by, since, project } = input.options as LearnOptions;
  const files = listScanFiles({ ...toScanPlaces(input), scanPaths: open.settings.scanPaths });
  await scanSessions({ ...open, files, onProgress: makeScanProgress(input.progress) });
  const wanted = project === undefined ? undefined : await findProjects(open.store, project, input.cwd);
  return readPacks(open, {
    files,
    by: by === undefined ? 'project' : (getChoice('--by', by, PACK_KINDS) as PackKind),
    since: since === undefined ? undefined : toSince(since, '--since', Date.now()),
    projectIds: wanted?.ids,
    onProgress: (done, all) => input.progress(`Reading sessions ${done}/${all}`),
  });
}
