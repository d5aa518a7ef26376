/**
 * `oncebitten learn`: lets a language model propose lessons about failed calls. The packs can be shown (`--dry-run`), sent
 * to the model of the settings, written to files for any other model (`--export`, `--answers`), or handed to the running
 * agent (`--next`, `--answer`).
 */

import { resolve } from 'node:path';
import type { LanguageModel, ModelFailure } from '../../../base/contracts/language-model.ts';
import { PACK_KINDS } from '../../../base/model/pack.ts';
import { MODEL_PROVIDERS } from '../../../base/model/settings.ts';
import { PROMPT } from '../../../distill/packs/prompt.ts';
import {
  type AskReport,
  askAboutPacks,
  estimateTokens,
  listFitting,
  readBudget,
  takeAnswerFiles,
} from '../../../loop/language-models/ask-model.ts';
import { HANDED_CHARS } from '../../../loop/language-models/hand-out.ts';
import { readPacks } from '../../../loop/language-models/learn-packs.ts';
import type { Pack } from '../../../loop/language-models/make-packs.ts';
import { openModel } from '../../../loop/language-models/open-model.ts';
import { readAnswers, writePacks } from '../../../loop/language-models/pack-files.ts';
import type { TakenAnswers } from '../../../loop/language-models/take-answers.ts';
import { listScanFiles, type ScanFile } from '../../../loop/scan/scan-files.ts';
import { scanSessions } from '../../../loop/scan/scan-sessions.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import { findChoice, getChoice, saysYes, toSince } from '../arguments/options.ts';
import { findProjects } from '../arguments/projects.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { usageError, userError } from '../errors.ts';
import { type OpenHome, readHome, withHome } from '../open-home.ts';
import { toLimit } from '../paging.ts';
import { makeScanProgress } from '../scan/scan-report.ts';
import { toCount, toLine } from '../text.ts';
import { handOutNext, takeAnswer } from './in-session.ts';

interface LearnOptions {
  readonly dryRun?: true;
  readonly provider?: string;
  readonly export?: string;
  readonly answers?: string;
  readonly next?: true;
  readonly answer?: string;
  readonly pack?: string;
  readonly by?: string;
  readonly packs?: string;
  readonly since?: string;
  readonly project?: string | true;
  readonly verbose?: true;
  readonly yes?: true;
}

export const run: Handler = (input) => {
  const { export: to, answers: from, dryRun, by, next, answer, pack } = input.options as LearnOptions;
  const given = [to, from, dryRun, next, answer].filter((one) => one !== undefined);
  if (given.length > 1) throw usageError('learn', 'can do one thing at a time', GIVE_ONE);
  if (by !== undefined && to === undefined) throw usageError('--by', 'needs --export', 'add --export <dir>');
  if (pack !== undefined && answer === undefined)
    throw usageError('--pack', 'needs --answer', 'add --answer - to give the answer on standard input');
  if (answer !== undefined) return withHome(input, (open) => takeAnswer(input, open, answer));
  if (next === true)
    return withHome(input, async (open) => {
      await scanFirst(input, open);
      return handOutNext(input, open, await listHanded(input, open));
    });
  if (from !== undefined) return withHome(input, (open) => importAnswers(input, open, resolve(input.cwd, from)));
  if (dryRun === true) return readHome(input, async (open) => showPacks(await listPacks(input, open)));
  if (to !== undefined)
    return withHome(input, async (open) => {
      await scanFirst(input, open);
      return exportPacks(await listPacks(input, open), resolve(input.cwd, to));
    });
  return withHome(input, (open) => askModel(input, open));
};

const GIVE_ONE = 'give one of --dry-run, --export, --answers, --next and --answer';

function listFiles(input: CommandInput, { settings }: OpenHome): readonly ScanFile[] {
  return listScanFiles({ ...toScanPlaces(input), scanPaths: settings.scanPaths });
}

/** So that the gate can compare with all calls, and no model is asked about what calls have taught already. */
async function scanFirst(input: CommandInput, open: OpenHome): Promise<void> {
  const onProgress = makeScanProgress(input.progress);
  await scanSessions({ ...open, files: listFiles(input, open), onProgress });
}

/** The project of this folder first: the agent that answers works there. */
async function listHanded(input: CommandInput, open: OpenHome): Promise<readonly Pack[]> {
  const { models } = open.settings;
  const packCharacters = Math.min(models.packCharacters, HANDED_CHARS);
  const small = { ...open, settings: { ...open.settings, models: { ...models, packCharacters } } };
  const packs = await listPacks(input, small, true);
  const { ids } = await findProjects(open.store, true, input.cwd);
  const isHere = ({ index }: Pack): boolean => ids.includes(index.projectId);
  return [...packs.filter(isHere), ...packs.filter((pack) => !isHere(pack))];
}

async function listPacks(input: CommandInput, open: OpenHome, handedAgain = false): Promise<readonly Pack[]> {
  const { by, since, project } = input.options as LearnOptions;
  const files = listFiles(input, open);
  const sinceAt = since === undefined ? undefined : toSince(since, '--since', Date.now());
  const kind = by === undefined ? 'project' : getChoice('--by', by, PACK_KINDS);
  const max = toLimit((input.options as LearnOptions).packs, Number.POSITIVE_INFINITY, '--packs');
  const wanted = project === undefined ? undefined : await findProjects(open.store, project, input.cwd);
  const onProgress = (done: number, all: number): void => input.progress(`Reading sessions ${done}/${all}`);
  const { path, agent } = toScanPlaces(input);
  const stored = path === undefined ? { agents: agent === undefined ? undefined : [agent].flat() } : undefined;
  const packs = await readPacks(open, {
    files,
    stored,
    by: kind,
    since: sinceAt,
    projectIds: wanted?.ids,
    handedAgain,
    onProgress,
  });
  return packs.slice(0, max);
}

function exportPacks(packs: readonly Pack[], dir: string): CommandResult {
  writePacks(dir, packs);
  const counts = { packs: packs.length, episodes: countEpisodes(packs), characters: countCharacters(packs) };
  const text = [
    `Wrote ${toCount(packs.length, 'pack')} to ${dir}: ${packs.length === 1 ? 'a text' : 'texts'} for a language model, on ${renderKinds(packs)}.`,
    'Give prompt.md and one pack at a time to a model, and write its answer to <pack>.answer.json. Then:',
    `  oncebitten learn --answers ${dir}`,
  ];
  return { json: counts, text: packs.length === 0 ? NOTHING : text.join('\n') };
}

const NOTHING = 'There is no failed call to ask a model about.';

function showPacks(packs: readonly Pack[]): CommandResult {
  return {
    json: {
      prompt: PROMPT,
      packs: packs.map((pack) => ({ ...toFigures(pack), text: pack.text })),
      tokens: sum(packs.map(estimateTokens)),
    },
    text: packs.length === 0 ? NOTHING : [PROMPT, ...packs.map(({ text }) => text)].join('\n'),
    isDocument: true,
  };
}

function toFigures(pack: Pack) {
  const { index, episodes, text } = pack;
  return { pack: index.id, project: index.projectId, episodes, characters: text.length, tokens: estimateTokens(pack) };
}

async function importAnswers(input: CommandInput, open: OpenHome, dir: string): Promise<CommandResult> {
  const onProgress = (done: number, all: number): void => input.progress(`Reading sessions ${done}/${all}`);
  const { outcomes, ...taken } = await takeAnswerFiles({ ...open, onProgress }, readAnswers(dir), Date.now());
  const isVerbose = input.options.verbose === true;
  const text = [
    `${toCount(taken.answers, 'answer')} read from ${dir}`,
    ...renderTaken({ ...taken, outcomes }, isVerbose),
  ];
  return { json: { ...taken, ...(isVerbose ? { outcomes } : {}) }, text: text.join('\n') };
}

async function askModel(input: CommandInput, open: OpenHome): Promise<CommandResult> {
  const { provider, verbose } = input.options as LearnOptions;
  const chosen = findChoice('--provider', provider, MODEL_PROVIDERS);
  const settings = {
    ...open.settings,
    models: { ...open.settings.models, provider: chosen ?? open.settings.models.provider },
  };
  if (settings.models.provider === 'none') throw userError('learn', 'no language model is chosen', CHOOSE);
  await scanFirst(input, open);
  const packs = await listPacks(input, open);
  const budget = await readBudget(open.store, settings.models, Date.now());
  const sent = listFitting(packs, budget);
  const model = openModel(settings.models, input.env);
  if (sent.length === 0) {
    const text = packs.length === 0 ? NOTHING : `${renderPacks(packs)} wait. ${OVER_BUDGET}`;
    return { json: { ...NOTHING_ASKED, overBudget: packs.length }, text };
  }
  if (!(await mayAsk(input, model, sent, packs.length - sent.length))) {
    return { json: NOTHING_ASKED, text: 'Nothing was sent.' };
  }
  const onAsk = ({ index }: Pack): void => input.progress(`Asking ${model.name} about ${index.id} …`);
  const report = await askAboutPacks({ ...open, settings, model, now: Date.now, onAsk }, sent);
  const { outcomes, ...figures } = report;
  return {
    json: { ...figures, ...(verbose === true ? { outcomes } : {}) },
    text: [
      ...renderAsked(report, model),
      ...(report.answers === 0 ? renderNext(report) : renderTaken(report, verbose === true)),
    ].join('\n'),
    ...(report.asked > 0 && report.answers === 0 ? { failed: true } : {}),
  };
}

const CHOOSE =
  'to let your own coding agent answer, add `--provider agent` (for good: oncebitten config set models.provider agent); to use another model through files: oncebitten learn --export packs';
const OVER_BUDGET =
  "They do not fit into the day's budget; to raise it: oncebitten config set models.dailyTokens 200000 (and models.dailyUsd)";
const OTHER_MODEL = 'run oncebitten learn again, or choose another model: oncebitten config set models.model <name>';
const NOTHING_ASKED = { asked: 0, answers: 0, proposed: 0, active: 0, drafts: 0, merged: 0, dropped: [], failed: [] };

async function mayAsk(
  input: CommandInput,
  { name }: LanguageModel,
  packs: readonly Pack[],
  left: number,
): Promise<boolean> {
  if (input.options.yes === true) return true;
  const about = `${renderKinds(packs)} to ${name} (${toCount(packs.length, 'pack')} of text, about ${sum(packs.map(estimateTokens)).toLocaleString('en')} tokens)`;
  const rest = left === 0 ? '' : ` (${toCount(left, 'more pack')} must wait for another day's budget)`;
  if (input.ask === undefined)
    throw userError(
      'learn',
      `nothing was sent, because there is no terminal to ask for your yes; the command would send ${about}`,
      'read the text first: add --dry-run; then send it: add --yes',
    );
  return saysYes(input, `Send ${about}?${rest} To read the text first: oncebitten learn --dry-run.`);
}

function renderPacks(packs: readonly Pack[]): string {
  return `${toCount(packs.length, 'pack')} with ${renderKinds(packs)}`;
}

function renderKinds(packs: readonly Pack[]): string {
  const projects = new Set(packs.map(({ index }) => index.projectId)).size;
  const kinds = countEpisodes(packs);
  return `${toCount(kinds, 'kind')} of failed call${kinds === 1 ? '' : 's'} in ${toCount(projects, 'project')}`;
}

function renderAsked(
  { asked, tokens, usd, failed, overBudget }: AskReport,
  { name }: LanguageModel,
): readonly string[] {
  const price =
    usd === undefined ? (tokens === 0 ? '' : ', price not reported') : `, ${usd.toFixed(usd < 0.01 ? 4 : 2)} USD`;
  return [
    ...(name === 'none'
      ? []
      : [`Asked ${name} about ${toCount(asked, 'pack')}: ${tokens.toLocaleString('en')} tokens${price}`]),
    ...failed.map(({ pack, reason }) => `  ${pack} was not answered: ${toLine(reason)}`),
    ...(overBudget === 0 ? [] : [`  ${toCount(overBudget, 'pack')} not sent. ${OVER_BUDGET}`]),
  ];
}

/** Without any answer. */
function renderNext({ failed: [failure] }: AskReport): readonly string[] {
  if (failure === undefined) return [];
  return [
    'Nothing was learned, and nothing is lost: the same failures can be asked about again.',
    `Next: ${NEXT[failure.kind]}`,
  ];
}

const AGAIN = 'then run oncebitten learn again';
const NEXT: Readonly<Record<ModelFailure, string>> = {
  'not-configured': `choose a model: oncebitten config set models.model <name>, ${AGAIN}`,
  'not-found': 'install one of them, or let any model answer through files: oncebitten learn --export packs',
  'not-logged-in': `log in, or give the right key, ${AGAIN}`,
  'rate-limit': `wait, ${AGAIN}`,
  'over-budget': `raise the limit: oncebitten config set models.dailyUsd <amount>, ${AGAIN}`,
  'too-slow': `allow more time: oncebitten config set models.deadlineSeconds <seconds>, ${AGAIN}`,
  ...{ refused: OTHER_MODEL, garbage: OTHER_MODEL, failed: OTHER_MODEL },
};

function renderTaken(
  { proposed, active, drafts, merged, doubted, dropped, outcomes }: Omit<TakenAnswers, 'answers'>,
  isVerbose: boolean,
) {
  const parts = [
    `${active} active`,
    `${toCount(drafts, 'draft')}`,
    ...(merged === 0 ? [] : [`${merged} more evidence of known lessons`]),
    `${sum(dropped.map(({ count }) => count))} dropped`,
  ];
  return [
    `${toCount(proposed, 'proposal')}: ${parts.join(', ')}`,
    ...dropped.map(({ reason, count }) => `  dropped ${count}: ${reason}`),
    ...(doubted === 0 ? [] : [`${toCount(doubted, 'lesson')} now in review, because the model doubts them`]),
    ...(isVerbose
      ? outcomes.map(({ verdict, summary, reason }) => `  ${verdict}: ${toLine(summary)} (${reason})`)
      : []),
    ...(drafts + doubted === 0 ? [] : ['To decide about drafts: oncebitten lessons review']),
  ];
}

function countEpisodes(packs: readonly Pack[]): number {
  return sum(packs.map(({ episodes }) => episodes));
}

function countCharacters(packs: readonly Pack[]): number {
  return sum(packs.map(({ text }) => text.length));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
