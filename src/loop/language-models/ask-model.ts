/**
 * Asks a language model about packs, one after the other, and takes each answer through the gate. A pack is claimed in the
 * store before it is sent, so that no other process asks about it, and its cost is kept. An answer that does not follow the
 * schema is repaired once, by asking again with the errors.
 */

import type { LanguageModel, ModelAnswer, ModelFailure, ModelUsage } from '../../base/contracts/language-model.ts';
import type { Store } from '../../base/contracts/store.ts';
import { type AskedPack, listAsked } from '../../base/model/pack.ts';
import type { ModelSettings } from '../../base/model/settings.ts';
import { dropAbsent } from '../../base/records.ts';
import { parseAnswer, toAnswerJsonSchema } from '../../distill/packs/answer-schema.ts';
import { PROMPT } from '../../distill/packs/prompt.ts';
import { STALE_MS } from './learn-packs.ts';
import type { Pack } from './make-packs.ts';
import type { AnswerFile } from './pack-files.ts';
import {
  type AnswerParts,
  countOutcomes,
  type ProposalOutcome,
  type TakenAnswers,
  takeAnswers,
} from './take-answers.ts';

export interface AskReport extends Omit<TakenAnswers, 'answers'> {
  /** Packs that were sent. */
  readonly asked: number;
  readonly answers: number;
  readonly failed: readonly { readonly pack: string; readonly kind: ModelFailure; readonly reason: string }[];
  readonly tokens: number;
  /** Absent if the provider does not tell what it costs. */
  readonly usd?: number;
  /** Packs that the day's budget has no room for. */
  readonly overBudget: number;
}

interface AskParts extends AnswerParts {
  readonly model: LanguageModel;
  readonly now: () => number;
  /** Called before each question. */
  readonly onAsk?: (pack: Pack) => void;
  /** Ends the question that is under way. */
  readonly signal?: AbortSignal;
}

/** These failures would meet every other pack, too. */
const LASTING: ReadonlySet<ModelFailure> = new Set([
  ...(['not-configured', 'not-found', 'not-logged-in', 'refused', 'rate-limit', 'over-budget'] as const),
]);

export async function askAboutPacks(parts: AskParts, packs: readonly Pack[]): Promise<AskReport> {
  const failed: { pack: string; kind: ModelFailure; reason: string }[] = [];
  const outcomes: ProposalOutcome[] = [];
  const spent: Spent = { tokens: 0, usd: undefined };
  let [asked, answers, overBudget, doubted] = [0, 0, 0, 0];
  for (const [n, pack] of packs.entries()) {
    const budget = await readBudget(parts.store, parts.settings.models, parts.now());
    if (!fits(pack, budget)) {
      overBudget = packs.length - n;
      break;
    }
    const row = toAsked(pack, parts);
    if (!(await parts.store.claimPack(row, new Date(parts.now() - STALE_MS).toISOString()))) continue;
    parts.onAsk?.(pack);
    asked++;
    const answer = await askOnce(parts, pack, budget);
    addUsage(spent, toUsage(answer, pack));
    const used = { ...row, ...toUsage(answer, pack), ...dropAbsent({ model: answer.ok ? answer.model : undefined }) };
    if (!answer.ok) {
      await parts.store.savePack({ ...used, state: 'failed', reason: answer.reason });
      failed.push({ pack: pack.index.id, kind: answer.kind, reason: answer.reason });
      if (LASTING.has(answer.kind)) break;
      continue;
    }
    answers++;
    const given = { index: pack.index, text: answer.text, provider: parts.model.name };
    const taken = await takeAnswers(parts, [{ ...given, ...dropAbsent({ model: answer.model }) }]);
    outcomes.push(...taken.outcomes);
    doubted += taken.doubted;
    await parts.store.savePack(toAnswered(used, taken, parts.now()));
  }
  return {
    asked,
    answers,
    failed,
    overBudget,
    ...countOutcomes(outcomes),
    doubted,
    outcomes,
    tokens: spent.tokens,
    ...dropAbsent({ usd: spent.usd }),
  };
}

/** A pack as it is claimed. */
function toAsked({ index }: Pack, { model, now }: AskParts): AskedPack {
  const { id, promptVersion, projectId } = index;
  return {
    pack: id,
    promptVersion,
    projectId,
    provider: model.name,
    episodes: listAsked(index),
    state: 'asked',
    askedAt: new Date(now()).toISOString(),
  };
}

/** A pack with what became of its answer. */
export function toAnswered(row: AskedPack, { outcomes }: Pick<TakenAnswers, 'outcomes'>, nowMs: number): AskedPack {
  return {
    ...row,
    state: 'answered',
    answeredAt: new Date(nowMs).toISOString(),
    // The words of the model are in the lessons, or nowhere.
    outcomes: outcomes.map(({ verdict, reason, lessonId }) => ({ verdict, reason, ...dropAbsent({ lessonId }) })),
  };
}

async function askOnce({ model, settings, signal }: AskParts, pack: Pack, budget: Budget): Promise<ModelAnswer> {
  const deadlineMs = settings.models.deadlineSeconds * 1000;
  const limits = { deadlineMs, maxUsd: budget.usd, ...dropAbsent({ signal }) };
  const schema = toAnswerJsonSchema();
  const prompt = toPrompt(pack);
  const first = await model.ask({ prompt, schema }, limits);
  const errors = findErrors(first);
  if (errors.length === 0 || signal?.aborted) return first;
  const second = await model.ask({ prompt: toRepairPrompt(prompt, first, errors), schema }, limits);
  const usage = joinUsage(first.usage, second.usage);
  // The parts of the first answer that were right are better than none.
  const isWorse = findErrors(second).length > 0 && first.ok && parseAnswer(first.text) !== undefined;
  return { ...(isWorse ? first : second), ...dropAbsent({ usage }) };
}

/** What a model is asked, word for word. */
function toPrompt({ text }: Pick<Pack, 'text'>): string {
  return `${PROMPT}\n${text}`;
}

function findErrors(answer: ModelAnswer): readonly string[] {
  if (!answer.ok) return answer.kind === 'garbage' ? [answer.reason] : [];
  return parseAnswer(answer.text)?.errors ?? ['the answer is no JSON object'];
}

const MAX_ERRORS = 20;
const MAX_SHOWN_CHARS = 20_000;

function toRepairPrompt(prompt: string, first: ModelAnswer, errors: readonly string[]): string {
  const given = first.ok ? `\n\nYour answer was:\n\n${first.text.slice(0, MAX_SHOWN_CHARS)}` : '';
  const faults = errors.slice(0, MAX_ERRORS).map((error) => `- ${error}`);
  return `${prompt}${given}\n\n# Your answer could not be used\n\n${faults.join('\n')}\n\nAnswer again with the whole JSON object, corrected.\n`;
}

interface Budget {
  /** What is left of the day. */
  readonly tokens: number;
  readonly usd: number;
}

const DAY_MS = 24 * 60 * 60_000;

/** What is left of the day's budget, after what was asked in the last 24 hours. */
export async function readBudget(
  store: Pick<Store, 'listPacks'>,
  { dailyTokens, dailyUsd }: Pick<ModelSettings, 'dailyTokens' | 'dailyUsd'>,
  nowMs: number,
): Promise<Budget> {
  const since = new Date(nowMs - DAY_MS).toISOString();
  const asked = (await store.listPacks({ since })).filter(({ provider }) => provider !== FILES);
  const tokens = asked.reduce((sum, { inputTokens = 0, outputTokens = 0 }) => sum + inputTokens + outputTokens, 0);
  const usd = asked.reduce((sum, one) => sum + (one.usd ?? 0), 0);
  return { tokens: Math.max(0, dailyTokens - tokens), usd: Math.max(0, dailyUsd - usd) };
}

function fits(pack: Pick<Pack, 'text'>, { tokens, usd }: Budget): boolean {
  return estimateTokens(pack) <= tokens && usd > 0;
}

/** The packs that the day's budget has room for, in their order. */
export function listFitting(packs: readonly Pack[], budget: Budget): readonly Pack[] {
  let left = budget.tokens;
  return packs.filter((pack) => {
    if (!fits(pack, { ...budget, tokens: left })) return false;
    left -= estimateTokens(pack);
    return true;
  });
}

/** Characters of a token, roughly, in English and in code. */
const TOKEN_CHARS = 4;
/** An answer with a few lessons. */
const ANSWER_TOKENS = 1_500;

export function estimateTokens(pack: Pick<Pack, 'text'>): number {
  return Math.ceil(toPrompt(pack).length / TOKEN_CHARS) + ANSWER_TOKENS;
}

/** As the provider tells, else as estimated. A failure before anything was sent costs nothing. */
function toUsage(answer: ModelAnswer, pack: Pack): ModelUsage {
  const { inputTokens, outputTokens, usd } = answer.usage ?? {};
  if (!answer.ok && answer.usage === undefined) return {};
  return {
    inputTokens: inputTokens ?? Math.ceil(toPrompt(pack).length / TOKEN_CHARS),
    outputTokens: outputTokens ?? (answer.ok ? Math.ceil(answer.text.length / TOKEN_CHARS) : 0),
    ...dropAbsent({ usd }),
  };
}

interface Spent {
  tokens: number;
  usd: number | undefined;
}

function addUsage(spent: Spent, { inputTokens = 0, outputTokens = 0, usd }: ModelUsage): void {
  spent.tokens += inputTokens + outputTokens;
  if (usd !== undefined) spent.usd = (spent.usd ?? 0) + usd;
}

function joinUsage(a: ModelUsage | undefined, b: ModelUsage | undefined): ModelUsage | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const add = (x: number | undefined, y: number | undefined): number | undefined =>
    x === undefined && y === undefined ? undefined : (x ?? 0) + (y ?? 0);
  return dropAbsent({
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    usd: add(a.usd, b.usd),
  });
}

/** Takes answers that somebody else wrote to files, and remembers that their packs were asked about. A broken file is none. */
export async function takeAnswerFiles(
  parts: AnswerParts,
  files: readonly AnswerFile[],
  nowMs: number,
): Promise<TakenAnswers> {
  const taken = await takeAnswers(
    parts,
    files.map((file) => ({ ...file, provider: FILES })),
  );
  const askedAt = new Date(nowMs).toISOString();
  for (const { index, text } of files) {
    if (parseAnswer(text) === undefined) continue;
    const { id, promptVersion, projectId } = index;
    const row: AskedPack = {
      pack: id,
      promptVersion,
      projectId,
      provider: FILES,
      episodes: listAsked(index),
      state: 'asked',
      askedAt,
    };
    const outcomes = taken.outcomes.filter(({ pack }) => pack === id);
    await parts.store.savePack(toAnswered(row, { outcomes }, nowMs));
  }
  return taken;
}

/** The provider of answers in files. */
const FILES = 'file';
