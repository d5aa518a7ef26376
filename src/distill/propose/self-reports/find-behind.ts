/** The failing call that stands behind a report: of the same tool, before the words, and the one that they speak of. */

import type { LiveCall } from '../../../base/model/call.ts';
import { toCommandName, toPlainSubCommand } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { isPreparing } from '../../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import type { SessionMessage } from '../../detector.ts';
import { isFailedCommand } from '../../episodes/make-finding.ts';
import type { SelfReport } from './self-report.ts';
import { toNamedCommands } from './to-named-commands.ts';
import { toToolNames } from './to-tool-names.ts';

export interface Behind {
  readonly index: number;
  readonly call: LiveCall;
  /** The one of its commands that the report is about. */
  readonly command: SimpleCommand;
}

/** Nearest first. */
export function findBehind(report: SelfReport, spoken: SessionMessage, calls: readonly LiveCall[]): readonly Behind[] {
  const last = calls.findIndex(({ callId }) => callId === spoken.afterCallId);
  const found: Behind[] = [];
  for (let index = last; index >= 0; index--) {
    const call = calls[index];
    if (call === undefined || !isFailedCommand(call) || !isOfTool(report, call)) continue;
    const command = parseCall(call).find((one) => isMeant(report, one));
    if (command !== undefined) found.push({ index, call, command });
  }
  return found;
}

function isOfTool({ tools }: SelfReport, { tool, rawTool }: LiveCall): boolean {
  if (tools.length === 0 || tools.some((name) => name.toLowerCase() === rawTool.toLowerCase())) return true;
  return toToolNames(tools).includes(tool);
}

/** By its trigger, where that is a command; else the mistake names it. */
function isMeant({ trigger, mistake }: SelfReport, command: SimpleCommand): boolean {
  if (command.program === '' || isPreparing(command)) return false;
  const named = toNamedCommands(trigger).flat();
  return named.length > 0 ? named.some((one) => isCommandOf(one, command)) : isNamedIn(mistake, command);
}

/** `gh pr` names `gh pr diff 7`, `gh issue` does not. */
export function isCommandOf(named: SimpleCommand, command: SimpleCommand): boolean {
  const sub = toPlainSubCommand(command);
  return named.program === command.program && toPlainSubCommand(named).every((word, i) => sub[i] === word);
}

function isNamedIn(words: string, command: SimpleCommand): boolean {
  const bare = ` ${words.replace(/[`"'(),:;]/g, ' ').replace(/\s+/g, ' ')} `;
  return command.program.length > 1 && bare.includes(` ${toCommandName(command)} `);
}
