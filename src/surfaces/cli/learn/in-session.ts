/**
 * `oncebitten learn --next` and `--answer`: the user's running agent reads a pack and answers it, without another process
 * of the agent. The output of `--next` is for the agent, that of `--answer` for the agent to tell its user.
 */

import { readFileSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { toReason } from '../../../base/errors.ts';
import type { ProposalVerdict } from '../../../base/model/pack.ts';
import { PROMPT } from '../../../distill/packs/prompt.ts';
import { findDataDir } from '../../../loop/home/data-home.ts';
import { handOut, takeHanded } from '../../../loop/language-models/hand-out.ts';
import type { Pack } from '../../../loop/language-models/make-packs.ts';
import type { ProposalOutcome } from '../../../loop/language-models/take-answers.ts';
import type { CommandInput, CommandResult } from '../command.ts';
import { userError } from '../errors.ts';
import type { OpenHome } from '../open-home.ts';
import { quoteWord, toCount, toLine } from '../text.ts';

/** `packs`: those that may be handed out, the best one first. */
export async function handOutNext(
  input: CommandInput,
  { store }: OpenHome,
  packs: readonly Pack[],
): Promise<CommandResult> {
  const [pack] = packs;
  if (pack === undefined) return { json: { pack: null, left: 0 }, text: NO_PACK };
  await handOut(store, pack, Date.now());
  const { id } = pack.index;
  const left = packs.length - 1;
  const command = toAnswerCommand(input, id);
  return {
    json: { pack: id, prompt: PROMPT, text: pack.text, answer: command, left },
    text: [renderHandBack(id, command, left), PROMPT, pack.text].join('\n'),
    isDocument: true,
  };
}

const NO_PACK = 'There is no failed call left to ask a model about. Nothing is to be answered.';

/** In the folder where the agent works, because many agents may write nowhere else. */
const ANSWER_FILE = '.oncebitten-answer.json';

function toAnswerCommand({ home, env }: CommandInput, id: string): string {
  const place = home.dir === findDataDir(undefined, env) ? '' : ` --home ${quoteWord(home.dir)}`;
  return `oncebitten learn --answer ${ANSWER_FILE} --pack ${id}${place}`;
}

/**
 * Before the pack, so that no text in the pack can pass for it. A file, because agents refuse commands with an answer in
 * them: its quotes, braces and backticks look like an attack on the shell.
 */
function renderHandBack(id: string, command: string, left: number): string {
  return `Pack ${id}. Read the task and the pack below. Write your answer, one JSON object, to the file ${ANSWER_FILE} in the current folder, with
your tool for writing files. Then run this command, which takes the answer and removes the file:

${command}

${left === 0 ? 'This is the last pack.' : `After this pack, ${toCount(left, 'more pack')} can be answered.`}
`;
}

export async function takeAnswer(input: CommandInput, open: OpenHome, from: string): Promise<CommandResult> {
  const file = resolve(input.cwd, from);
  const text = from === '-' ? await input.readStdin() : readAnswer(file);
  const id = input.options.pack as string | undefined;
  const { pack, answers: _, ...taken } = await takeHanded(open, { id, text }, Date.now());
  if (basename(file) === ANSWER_FILE) rmSync(file);
  const { outcomes, doubted, drafts } = taken;
  const lines = [
    outcomes.length === 0 ? `The answer to ${pack} proposes nothing.` : `The answer to ${pack}:`,
    ...outcomes.map(renderOutcome),
    ...(doubted === 0 ? [] : [`${toCount(doubted, 'lesson')} now in review, because the answer doubts them`]),
    ...(drafts + doubted === 0 ? [] : ['To decide about drafts: oncebitten lessons review']),
  ];
  return { json: { pack, ...taken }, text: lines.join('\n') };
}

function readAnswer(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw userError(
      file,
      `cannot be read (${toReason(error)})`,
      'give the file of the answer, or - for standard input',
    );
  }
}

const MEANING: Readonly<Record<ProposalVerdict, string>> = {
  active: 'learned',
  draft: 'kept as a draft, which no agent is shown until you approve it',
  merged: 'known already, and counted as more evidence',
  dropped: 'not learned',
};

function renderOutcome({ verdict, summary, reason }: ProposalOutcome): string {
  const why = verdict === 'active' ? '' : ` (${toLine(reason)})`;
  return `  ${MEANING[verdict]}: ${toLine(summary)}${why}`;
}
