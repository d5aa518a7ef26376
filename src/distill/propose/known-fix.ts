/**
 * A lesson for the next call that fails in the same way: how an agent got past the failure. No trigger has to tell the
 * mistake from the call alone, because the lesson is shown with the error. It stands last in the list of detectors: a
 * lesson that fires before the call is better.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { Finding } from '../../base/model/finding.ts';
import { toCommandName } from '../../base/shell/command-words.ts';
import { isAdvised } from '../../base/shell/is-advised.ts';
import { maskObjects } from '../../base/shell/object-kind.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { MASK } from '../../base/text/mask-word.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import type { Detector } from '../detector.ts';
import { type CuredCall, findCures } from '../episodes/find-cures.ts';
import { toProgramWord } from '../episodes/fix-in-text.ts';
import { isJudged } from '../episodes/is-verdict.ts';
import { makeFinding } from '../episodes/make-finding.ts';
import {
  addCommand,
  COMMAND_CHARS,
  FEW_WORDS,
  SUMMARY_CHARS,
  toMistake,
  toSaid,
  toSentence,
  toShortMessage,
} from '../text/edit-text.ts';
import { toEditedCommand, toLeadName, toShortCommand } from '../text/to-short-command.ts';

const NAME = 'distill/known-fix@1';
const SAID_CHARS = 140;
const FIX_CHARS = 120;

export const knownFix: Detector = {
  name: NAME,
  detect: (window) => findCures(window).flatMap((cured) => toFinding(cured) ?? []),
};

function toFinding({ cure, failing, fixing, failed, steps }: CuredCall): Finding | undefined {
  // The lesson would repeat the error.
  if (isAdvised(cure, { command: failing.command, output: failing.output ?? '' })) return undefined;
  // A check that another command mends says nothing about it.
  const isUnsaid = cure.kind === 'first' && isJudged(failing);
  const { tool, speaker, name, named, said } = toSpeaker(failing, failed);
  const how = cure.text;
  const mistake = named ? toMistake(named, said) : `${speaker} failed: ${toShortChars(maskObjects(said), SAID_CHARS)}`;
  // A folder is told; what is done there is the same.
  const edited = cure.kind !== 'folder' && cure.edit && failed && toEditedCommand(cure.edit, failed, COMMAND_CHARS);
  return makeFinding({
    detector: NAME,
    kind: 'known-fix',
    failing,
    fixing,
    steps,
    intentKey: `${name} fails`,
    text: {
      summary: toSummary({ tool, failed: named, speaker, said: isUnsaid ? '' : said, how }) ?? mistake,
      mistake,
      remediation: toSentence(addCommand(how, edited || undefined)),
      tags: [`tool:${tool}`, toFixTopic(cure.text)],
      ...(cure.edit === undefined ? {} : { edit: cure.edit }),
      example: { mistake, fix: toShortChars(fixing.command ?? fixing.rawTool, FIX_CHARS) || fixing.rawTool },
    },
    triggers: { tools: [failing.tool], failure: true },
    signals: ['error-fix-success'],
  });
}

interface Speaker {
  /** The program or the tool. */
  readonly tool: string;
  readonly speaker: string;
  readonly said: string;
  /** What the call is, in a few words. */
  readonly name: string;
  /** The command that failed, where it is known and made a difference. */
  readonly named?: SimpleCommand;
}

/** Who said that the call failed. What the shell itself says is the same lesson for all programs. */
function toSpeaker(failing: LiveCall, failed: SimpleCommand | undefined): Speaker {
  const { signature, message = '' } = failing;
  if (failing.tool === 'shell' && signature?.program === 'shell')
    return { tool: 'shell', speaker: 'The shell', name: 'the shell', said: signature.template.replaceAll(MASK, '…') };
  const said = toSaid(message);
  if (failed !== undefined)
    return { tool: failed.program, speaker: `\`${failed.program}\``, said, name: toCommandName(failed), named: failed };
  // A line that cannot be parsed still has a program.
  const tool = (failing.tool === 'shell' && toProgramWord(failing.command ?? '')) || failing.rawTool;
  return { tool, speaker: `\`${tool}\``, said, name: tool };
}

interface SummaryParts {
  readonly tool: string;
  readonly failed: SimpleCommand | undefined;
  /** Who says so, where the command that failed is unknown. */
  readonly speaker: string;
  readonly said: string;
  readonly how: string;
}

/** What failed, why and what to do, as far as there is room: the reason goes first, then the words of the command. */
function toSummary({ tool, failed, speaker, said, how }: SummaryParts): string | undefined {
  const whys = [toShortMessage(said, tool), toShortMessage(said, tool, FEW_WORDS)].filter((one) => one !== undefined);
  const commands =
    failed === undefined ? [] : [toShortCommand(failed, NAME_CHARS), toLeadName(failed), toCommandName(failed)];
  const names = failed === undefined ? [speaker] : commands.map((name) => `\`${name}\``);
  const render = (name: string, why?: string): string =>
    `${name} fails${why === undefined ? '' : ` with "${why}"`}: ${how}`;
  const told = whys.flatMap((why) =>
    names.map((name) => render(name, why)).filter((form) => countWords(form) >= 2 * countWords(why)),
  );
  return [...told, ...names.map((name) => render(name))].find((form) => form.length <= SUMMARY_CHARS);
}

const NAME_CHARS = 60;

function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
}

/** The fix of every project, or of the one whose path or file it names. */
export function toFixTopic(how: string): string {
  return /`[^`]*[/.][^`]*`/.test(how) ? 'topic:project-fix' : 'topic:known-fix';
}
