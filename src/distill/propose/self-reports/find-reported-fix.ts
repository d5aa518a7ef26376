/** What helped, as the calls show it: the corrected command of the same intent, or the one that the report says helped. */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Signal } from '../../../base/model/finding.ts';
import { toOperands, toOptions, toProgramTrigger } from '../../../base/shell/command-words.ts';
import { isSameCommand, isSameSubCommand } from '../../../base/shell/intent.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isPreparing, isProbe } from '../../../base/shell/program-kinds.ts';
import { hasWord, isOption, type SimpleCommand } from '../../../base/shell/simple-command.ts';
import { isNamedIn } from '../../../base/text/is-named-in.ts';
import type { ProgramTrigger, Triggers } from '../../../base/triggers/trigger.ts';
import { findCulprit, isCulpritIn, toTriggers } from '../../episodes/find-culprit.ts';
import { isVerdict, isWorld } from '../../episodes/is-verdict.ts';
import { isStandIn, runsProgram } from '../../episodes/runs-program.ts';
import { isForcing } from '../../gate/risky-remedies/is-forcing.ts';
import { type LessonText, toEditText, toLessonText } from '../../text/edit-text.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { findLaterFix, SAFETY } from '../rejected-words/corrected-command.ts';
import { type Behind, isCommandOf } from './find-behind.ts';
import type { SelfReport } from './self-report.ts';
import { toNamedCommands } from './to-named-commands.ts';

export interface ReportedFix {
  readonly index: number;
  readonly call: LiveCall;
  readonly text: LessonText;
  readonly triggers: Triggers;
  readonly signals: readonly Signal[];
}

export function findReportedFix(
  report: SelfReport,
  behind: Behind,
  calls: readonly LiveCall[],
): ReportedFix | undefined {
  const output = behind.call.output ?? '';
  const isHung = behind.call.outcomeType === 'timeout';
  // Code was judged, or the world was in the way: no other command is the lesson, whatever the words say.
  if (!isHung && (isVerdict(output) || isWorld(output))) return undefined;
  return findCorrected(behind, calls) ?? findOther(report, behind, calls);
}

/** As the detector of corrected commands sees it: then both teach the same lesson. */
function findCorrected({ index, call, command }: Behind, calls: readonly LiveCall[]): ReportedFix | undefined {
  const commandsOf = (at: number): readonly SimpleCommand[] => toCommands(calls[at]);
  const culprit = findCulprit(commandsOf(index), call.output ?? '');
  if (culprit === undefined || culprit.command.program !== command.program) return undefined;
  const fix = isCulpritIn(culprit, culprit.command) ? findLaterFix(culprit, calls, index, commandsOf) : undefined;
  const fixing = fix === undefined ? undefined : calls[fix.index];
  if (fix === undefined || fixing === undefined) return undefined;
  const text = toLessonText(culprit, fix.command);
  if (text === undefined) return undefined;
  const signals = fix.confirmed ? (['fix-confirmed'] as const) : [];
  return { index: fix.index, call: fixing, text, triggers: toTriggers(culprit), signals };
}

function findOther(report: SelfReport, behind: Behind, calls: readonly LiveCall[]): ReportedFix | undefined {
  const said = toNamedCommands(report.fix).flat();
  for (let index = behind.index + 1; index < calls.length; index++) {
    const call = calls[index];
    if (call?.tool !== 'shell' || call.masked || !hasWorked(call)) continue;
    const commands = toCommands(call).filter((one) => !isProbe(one) && !isPreparing(one));
    // It works as it is: something else was missing.
    if (commands.some((one) => isSameCommand(one, behind.command))) return undefined;
    const command = commands.find((one) => isSameSubCommand(one, behind.command) || isSwap(one, behind.command, said));
    const args = command && separate(report, behind.command, command);
    if (command === undefined || args === undefined) continue;
    return {
      index,
      call,
      text: toText(report, behind, command),
      signals: ['fix-confirmed'],
      // Nothing but the report says that this is a lesson: then it also says when.
      triggers: {
        tools: ['shell'],
        programs: [{ ...toProgramTrigger(behind.command), ...args }],
        ...report.narrowing,
      },
    };
  }
  return undefined;
}

/** Another program for the same thing: the words say so, and it has the same words to do it with. */
function isSwap(one: SimpleCommand, failed: SimpleCommand, said: readonly SimpleCommand[]): boolean {
  const doesSame = runsProgram(one, failed.program) || isStandIn(one, failed);
  return doesSame && said.some((fix) => isCommandOf(fix, one));
}

/** The words of both commands that the report or the error names tell what the lesson is about. */
function toText(report: SelfReport, { call, command: failed }: Behind, fix: SimpleCommand): LessonText {
  const complaint = `\`${toShortCommand(failed, 60)}\` fails here`;
  const { output = '', message: said = '' } = call;
  const blamed = `${output}\n${report.mistake}\n${report.trigger}\n${report.fix}`;
  const words = [failed, fix].flatMap(({ args }) => args.map(({ value }) => value.split('=', 1)[0] ?? value));
  const points = { words: words.filter((word) => isNamedIn(blamed, word)), message: output };
  return toEditText({ complaint, failed, fixing: fix, said, tags: [`tool:${failed.program}`], points });
}

function toCommands(call: LiveCall | undefined): readonly SimpleCommand[] {
  return call === undefined ? [] : parseCall(call);
}

/**
 * What the command that failed has and the one that worked lacks, of the words that the report names if it names any, or
 * the other way round. Undefined when nothing tells the two apart, or what does is no lesson.
 */
function separate(report: SelfReport, failed: SimpleCommand, worked: SimpleCommand): Args | undefined {
  const added = toOptions(worked).filter((option) => !toOptions(failed).includes(option));
  if (added.some(isForcing)) return undefined;
  const named = [...toOptions(failed), ...toOperands(failed)].filter((word) => isNamedIn(report.trigger, word));
  if (!isSameSubCommand(failed, worked)) return toAll(named);
  const isGone = (word: string): boolean => !hasWord(worked, word);
  const gone = named.some(isGone) ? named.filter(isGone) : toOptions(failed).filter(isGone);
  // Without it the command does more than was meant: leaving it out is no fix.
  if (added.length === 0 && gone.some((word) => SAFETY.test(word))) return undefined;
  if (gone.length > 0) return toAll(gone);
  return added.length === 0 ? undefined : { args: { ...toAll(named.filter(isOption)).args, none: added } };
}

type Args = Pick<ProgramTrigger, 'args'>;

function toAll(words: readonly string[]): Args {
  return words.length === 0 ? {} : { args: { all: [...new Set(words)] } };
}
