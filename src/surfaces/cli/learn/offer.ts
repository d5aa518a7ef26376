/**
 * The offer to let the user's own agent propose lessons: what would be sent, to whom, and at what price. `start` and
 * `install` show it where an agent's program is found and no model is chosen. Nothing is sent without a yes.
 */

import { HEADLESS } from '../../../agents/headless.ts';
import type { AgentFacts } from '../../../base/contracts/agent-facts.ts';
import { estimateTokens, listFitting, readBudget } from '../../../loop/language-models/ask-model.ts';
import { readPacks } from '../../../loop/language-models/learn-packs.ts';
import type { ScanFile } from '../../../loop/scan/scan-files.ts';
import { saysYes } from '../arguments/options.ts';
import { findOnPath } from '../caller.ts';
import type { CommandInput } from '../command.ts';
import { runSet as setConfig } from '../config/change.ts';
import type { OpenHome } from '../open-home.ts';
import { toCount, toNumber } from '../text.ts';

export interface LearnOffer {
  readonly agent: Pick<AgentFacts, 'id' | 'name'>;
  /** Kinds of failed calls in the newest sessions that a model has not read. */
  readonly episodes: number;
  readonly packs: number;
  readonly tokens: number;
  /** At a usual price. */
  readonly usd: number;
}

/** So much of the newest sessions is read for an offer. */
const MAX_BYTES = 8 * 1024 * 1024;
/** US dollars for a million tokens: what the APIs of large models cost, roughly. */
const USUAL_PRICE = 5;

/** Undefined if a model is chosen, no agent's program is found, or nothing is to be asked. */
export async function findOffer(
  { env }: Pick<CommandInput, 'env'>,
  open: OpenHome,
  files: readonly ScanFile[],
): Promise<LearnOffer | undefined> {
  const agent = HEADLESS.find(({ program }) => findOnPath(program, env) !== undefined);
  if (agent === undefined || open.settings.models.provider !== 'none') return undefined;
  const budget = await readBudget(open.store, open.settings.models, Date.now());
  const packs = await readPacks(open, { files: listNewest(files), by: 'project' });
  const sent = listFitting(packs, budget);
  if (sent.length === 0) return undefined;
  const tokens = sent.reduce((sum, pack) => sum + estimateTokens(pack), 0);
  const { id, name } = agent.facts;
  const episodes = sent.reduce((sum, pack) => sum + pack.episodes, 0);
  return { agent: { id, name }, episodes, packs: sent.length, tokens, usd: (tokens * USUAL_PRICE) / 1_000_000 };
}

function listNewest(files: readonly ScanFile[]): readonly ScanFile[] {
  const newest: ScanFile[] = [];
  let bytes = 0;
  for (const file of files.toSorted((a, b) => b.mtimeMs - a.mtimeMs)) {
    bytes += file.size;
    if (newest.length > 0 && bytes > MAX_BYTES) break;
    newest.push(file);
  }
  return newest;
}

export function renderOffer({ agent, episodes, packs, tokens, usd }: LearnOffer): string {
  return `A language model can read ${toCount(episodes, 'kind')} of failed calls in your newest sessions and propose more lessons. That would send
${toCount(packs, 'pack')} of redacted text, about ${toNumber(tokens)} tokens, to the model of ${agent.name}, with your login there (about
${usd.toFixed(2)} USD where tokens are paid for). Nothing is sent without your yes. Read it first: oncebitten learn --dry-run`;
}

/** Asks whether a model may be asked after each session; `--yes` of a command never means this. */
export async function askForAuto(input: CommandInput, offer: LearnOffer): Promise<boolean> {
  const question = `May Oncebitten send such a pack to the model of ${offer.agent.name} after a session ends, within the daily limits of
the settings models.dailyTokens and models.dailyUsd?`;
  return saysYes(input, `${renderOffer(offer)}\n${question}`);
}

/** Writes the yes into the settings. */
export async function allowAuto(input: CommandInput, { agent }: LearnOffer): Promise<void> {
  for (const [key, value] of [
    ['models.provider', 'agent'],
    ['models.agent', agent.id],
    ['models.auto', 'true'],
  ] as const)
    await setConfig({ ...input, arguments: [key, value] });
}

export function renderAuto(isOn: boolean): string {
  return isOn
    ? 'After each session, one pack of failed calls goes to that model. To switch it off: oncebitten config set models.auto false'
    : 'To let it propose lessons once: oncebitten learn --provider agent';
}
