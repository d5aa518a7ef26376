/**
 * How an agent got past a failed call of a tool that is not the shell: it read the file first, gave another parameter,
 * or looked at the same file with another tool. Which text stands in a file is known to no cure.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { CureKind } from '../../base/model/cure.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { CommandEdit } from '../../base/shell/command-edit.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isLooking } from '../../base/shell/program-kinds.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { isSamePath, toBaseName } from '../../base/text/paths.ts';
import { toShortCommand } from '../text/to-short-command.ts';
import { findChangedParameter, renderParameterFix } from './changed-parameter.ts';
import { classifyFailure } from './classify-failure.ts';
import { findEditRefusal } from './find-edit-refusal.ts';

export const TEXT_CHARS = 180;

/** A cure, as the calls show it. */
export interface Made {
  /** Index of the working call among the next ones. */
  readonly at: number;
  readonly kind: CureKind;
  readonly text: string;
  readonly edit?: CommandEdit;
  /** The line of the command that had to run first, or that worked in place of the failed one. */
  readonly line?: string;
  /** The command of a line that failed. */
  readonly failed?: SimpleCommand;
}

export type Told = Omit<Made, 'at'>;

/** `before`: the calls before the failing one. */
export function findToolCure(
  failing: LiveCall,
  next: readonly LiveCall[],
  before: readonly LiveCall[] = [],
): Made | undefined {
  if (classifyFailure(failing, next) === 'world') return undefined;
  if (failing.tool === 'edit' || failing.tool === 'write')
    return findReadFirst(failing, next, before) ?? findOtherInput(failing, next);
  const soon = next.slice(0, MAX_STEPS);
  return findOtherInput(failing, next) ?? findOtherView(failing, soon) ?? findFileInFolder(failing, soon);
}

/**
 * The file was changed once it had been read: by the very same call, or by any call where the tool refused the first one
 * because the file was unread. A file that the session knew was changed by somebody else since: that was no mistake.
 */
function findReadFirst(failing: LiveCall, next: readonly LiveCall[], before: readonly LiveCall[]): Made | undefined {
  const { targetPath, inputHash, tool } = failing;
  const refusal = findEditRefusal(failing)?.refusal;
  if (targetPath === undefined || (refusal !== undefined && refusal !== 'unread')) return undefined;
  const isOfFile = (call: LiveCall): boolean =>
    call.outcome === 'success' && call.targetPath !== undefined && isSamePath(call.targetPath, targetPath);
  const isAgain = ({ tool: other, inputHash: hash }: LiveCall): boolean =>
    refusal === undefined ? other === tool && hash === inputHash : other === 'edit' || other === 'write';
  if (refusal === undefined && before.some(isOfFile)) return undefined;
  // A file that was absent came into being in between.
  if (refusal === undefined && ABSENT.test(failing.output ?? '')) return undefined;
  const at = next.findIndex((call) => isOfFile(call) && isAgain(call));
  const read = next.slice(0, Math.max(at, 0)).find((call) => isOfFile(call) && call.tool === 'read');
  // The error says that the file was not read, but not that a search or the shell is no reading.
  if (read === undefined) return undefined;
  const text = `open it with ${read.rawTool}, and likewise every other file before you edit it: a search or \`cat\` does not count`;
  return { at, kind: 'read-first', text };
}

/** The same tool worked with one parameter more, less or changed. */
function findOtherInput(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const at = next.findIndex((call) => call.rawTool === failing.rawTool && hasWorked(call));
  const working = next[at];
  const changed = working && findChangedParameter(failing, working);
  return changed === undefined
    ? undefined
    : { at, kind: 'input', text: renderParameterFix(changed, failing.output ?? '') };
}

const LOOKING_TOOLS: readonly LiveCall['tool'][] = ['read', 'grep', 'glob'];
/** What is not there is looked for elsewhere, with whatever tool. */
const ABSENT = /no such file|not found|does not exist|cannot find|ENOENT|no matches/i;
const MAX_STEPS = 6;

/** One tool refused to show a file, another one showed it. */
function findOtherView(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const { targetPath, tool } = failing;
  if (!LOOKING_TOOLS.includes(tool) || targetPath === undefined || ABSENT.test(failing.output ?? '')) return undefined;
  for (const [at, call] of next.entries()) {
    if (!hasWorked(call) || call.tool === tool) continue;
    if (LOOKING_TOOLS.includes(call.tool) && call.targetPath !== undefined && isSamePath(call.targetPath, targetPath))
      return { at, kind: 'tool', text: `use ${call.rawTool} instead of ${failing.rawTool}` };
    const isOfFile = ({ args }: SimpleCommand): boolean =>
      args.some(({ value }) => toBaseName(value) === toBaseName(targetPath));
    const command = parseCall(call).find((one) => isLooking(one) && isOfFile(one));
    if (command !== undefined) return toInstead(failing, { at, call, command });
  }
  return undefined;
}

const IS_FOLDER = /\bEISDIR\b|\bis a (?:directory|folder)\b/i;

/** The tool took a file in the folder. The error does not say that the folder has to be listed another way. */
function findFileInFolder(failing: LiveCall, next: readonly LiveCall[]): Made | undefined {
  const { rawTool, targetPath, tool, message = '' } = failing;
  if (!LOOKING_TOOLS.includes(tool) || targetPath === undefined || !IS_FOLDER.test(message)) return undefined;
  const isIn = (call: LiveCall): boolean => call.targetPath?.startsWith(`${targetPath}/`) === true;
  const at = next.findIndex((call) => call.rawTool === rawTool && hasWorked(call) && isIn(call));
  return at < 0
    ? undefined
    : { at, kind: 'tool', text: `${rawTool} takes no folder: list the folder, then name a file in it` };
}

interface Instead {
  readonly at: number;
  readonly call: LiveCall;
  readonly command: SimpleCommand;
}

function toInstead({ rawTool }: LiveCall, { at, call, command }: Instead): Made {
  const text = `use \`${toShortCommand(command, TEXT_CHARS)}\` instead of ${rawTool}`;
  return { at, kind: 'tool', text, line: call.command ?? '' };
}
