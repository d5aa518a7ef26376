/**
 * Packs for the user's running agent: one is handed out with the prompt, and its answer is taken later, by another process.
 * Between the two the store remembers what the ids of the pack stand for. An answer that cannot be used changes nothing, so
 * that the agent can hand in a better one.
 */

import type { Store } from '../../base/contracts/store.ts';
import { UserError } from '../../base/errors.ts';
import { type AskedPack, listAsked, type PackIndex } from '../../base/model/pack.ts';
import { parseAnswer } from '../../distill/packs/answer-schema.ts';
import { PROMPT } from '../../distill/packs/prompt.ts';
import { toAnswered } from './ask-model.ts';
import type { Pack } from './make-packs.ts';
import { type AnswerParts, type TakenAnswers, takeAnswers } from './take-answers.ts';

/** The provider of these answers. */
const SESSION = 'session';

/** Agents cut longer outputs of a command. */
const OUTPUT_CHARS = 28_000;

/** Room for a pack, beside the prompt and what the command says around it. */
export const HANDED_CHARS = OUTPUT_CHARS - PROMPT.length - 1_000;

/** Remembers a pack until its answer comes. */
export async function handOut(store: Store, { index }: Pack, nowMs: number): Promise<void> {
  const { id, promptVersion, projectId } = index;
  await store.savePack({
    pack: id,
    promptVersion,
    projectId,
    provider: SESSION,
    episodes: listAsked(index),
    index,
    state: 'asked',
    askedAt: new Date(nowMs).toISOString(),
  });
}

/** `id`: the pack; undefined: the only one that waits. */
export async function takeHanded(
  parts: AnswerParts,
  { id, text }: { readonly id: string | undefined; readonly text: string },
  nowMs: number,
): Promise<TakenAnswers & { readonly pack: string }> {
  const { index, ...row } = await findHanded(parts.store, id);
  const errors = parseAnswer(text)?.errors;
  if (errors === undefined) throw refuse(row.pack, 'is not one JSON object', 'nothing was changed; hand it in again');
  // Asked again once, as every model. After that the right parts are better than none.
  if (errors.length > 0 && row.reason === undefined) {
    await parts.store.savePack({ ...row, index, reason: MALFORMED });
    const faults = errors.slice(0, MAX_ERRORS).join('; ');
    throw refuse(row.pack, `${MALFORMED}: ${faults}`, 'correct it and hand in the whole answer again');
  }
  const taken = await takeAnswers(parts, [{ index, text, provider: SESSION }]);
  const { reason: _, ...asked } = row;
  await parts.store.savePack(toAnswered(asked, taken, nowMs));
  return { ...taken, pack: row.pack };
}

const MALFORMED = 'does not follow the schema';
const MAX_ERRORS = 10;

function refuse(pack: string, reason: string, next: string): UserError {
  return new UserError({ subject: `the answer to ${pack}`, reason, next });
}

interface HandedPack extends AskedPack {
  readonly index: PackIndex;
}

async function findHanded(store: Store, id: string | undefined): Promise<HandedPack> {
  const packs = await store.listPacks();
  const waiting = packs.filter(isHanded);
  const [only, ...others] = id === undefined ? waiting : waiting.filter(({ pack }) => pack === id);
  if (only !== undefined && (id !== undefined || others.length === 0)) return only;
  const error = (subject: string, reason: string, next = ASK): UserError => new UserError({ subject, reason, next });
  if (id === undefined) {
    if (only === undefined) throw error('learn', 'no pack waits for an answer');
    const names = waiting.map(({ pack }) => pack).join(', ');
    throw error('learn', `${waiting.length} packs wait for an answer`, `say which one with --pack: ${names}`);
  }
  const known = packs.find(({ pack }) => pack === id);
  if (known === undefined) throw error(`pack ${id}`, 'is unknown');
  throw error(
    `pack ${id}`,
    known.state === 'answered' ? 'has been answered already' : 'was not handed out, or is forgotten',
  );
}

const ASK = 'ask for a pack: oncebitten learn --next';

function isHanded(row: AskedPack): row is HandedPack {
  return row.state === 'asked' && row.index !== undefined;
}
