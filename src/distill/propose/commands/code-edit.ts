/**
 * A check (test, linter, type checker, build) that was red until code was changed. What went wrong was the code: there is
 * no command to correct, but the episode is kept for what learns from checks. The first red one of a cycle tells it.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import { toCommandName } from '../../../base/shell/command-words.ts';
import { findCheck } from '../../../base/shell/intent.ts';
import type { CheckKind } from '../../../base/shell/programs/vocabulary.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { isJudged } from '../../episodes/is-verdict.ts';
import { type FailureWindow, makePairDetector } from '../../episodes/make-finding.ts';
import { toShortCommand } from '../../text/to-short-command.ts';

const MAX_STEPS = 50;

export const codeEdit = makePairDetector({
  name: 'distill/code-edit@1',
  kind: 'code-edit',
  maxSteps: MAX_STEPS,
  signals: [],
  isCandidate: (call) => call.tool === 'shell' && isJudged(call),
  findFix(failure) {
    const { calls, index, commandsOf } = failure;
    // The cheapest question first: most red checks of a session are asked about again and again.
    if (!calls.some((one, at) => at > index && isEdit(one))) return undefined;
    const check = findLineCheck(failure.commands);
    if (check === undefined || isRedBefore(failure, check)) return undefined;
    const green = calls.findIndex(
      (one, at) => at > index && hasWorked(one) && findLineCheck(commandsOf(at))?.kind === check.kind,
    );
    const edited = calls.slice(index + 1, Math.max(green, 0)).find(isEdit);
    if (green < 0 || edited === undefined) return undefined;
    const name = toCommandName(check.command);
    return {
      index: green,
      text: {
        summary: `\`${name}\` was red until code was changed`,
        mistake: `\`${toShortCommand(check.command, 200)}\` was red`,
        remediation: 'code was changed',
        tags: [`tool:${check.command.program}`, `topic:${check.kind}`],
      },
      triggers: { tools: ['edit', 'write'] },
      intentKey: name,
    };
  },
});

interface Check {
  readonly kind: CheckKind;
  readonly command: SimpleCommand;
}

/** Asked of every call before a red one, and again with the next window. */
const known = new WeakMap<readonly SimpleCommand[], { readonly check: Check | undefined }>();

function findLineCheck(commands: readonly SimpleCommand[]): Check | undefined {
  const before = known.get(commands);
  if (before !== undefined) return before.check;
  const check = lookForCheck(commands);
  known.set(commands, { check });
  return check;
}

function lookForCheck(commands: readonly SimpleCommand[]): Check | undefined {
  for (const run of commands) {
    const command = unwrapRunner(run);
    const kind = findCheck(command);
    if (kind !== undefined) return { kind, command };
  }
  return undefined;
}

/** An earlier run of the same kind was red, and none was green since: that one began it. */
function isRedBefore({ calls, index, commandsOf }: FailureWindow, { kind }: Check): boolean {
  for (let at = index - 1; at >= 0; at--) {
    const call = calls[at];
    if (call?.tool !== 'shell' || findLineCheck(commandsOf(at))?.kind !== kind) continue;
    if (hasWorked(call)) return false;
    if (isJudged(call)) return true;
  }
  return false;
}

function isEdit({ tool, outcome }: LiveCall): boolean {
  return (tool === 'edit' || tool === 'write') && outcome === 'success';
}
