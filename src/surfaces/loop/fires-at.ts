/** Would a lesson speak at a call that has happened? What was said, and to whom, is not told with it and counts as held. */
import type { LiveCall, StoredCall } from '../../base/call.ts';
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { type AskPast, isMet, toAbsolute } from '../../match/session-past.ts';

export function firesAt({ triggers }: Lesson, call: LiveCall, past?: AskPast): boolean {
  const { tool, command, targetPath: path, cwd, parameters, projectId, sessionId } = call;
  const matched = {
    ...{ tool, commands: tool === 'shell' ? parseCommand(command ?? '', call) : [], projectId, sessionId },
    ...(command === undefined ? {} : { line: command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(parameters === undefined ? {} : { json: JSON.stringify(parameters) }),
    ...(past === undefined ? {} : { past }),
  };
  return checkTriggers(triggers, toPathRegexes(triggers), matched, { callOnly: true }).holds;
}

/** What the calls of a session have done, for lessons that ask. */
export function toPast(calls: readonly StoredCall[], before: LiveCall): AskPast {
  const done = calls
    .filter(({ outcome, occurredAt }) => isDone(outcome) && occurredAt < before.occurredAt)
    .map(({ inputSummary = '', tool, rawTool, targetPath }) => ({
      commands: tool === 'shell' ? parseCommand(inputSummary, { rawTool }) : [],
      path: targetPath === undefined ? undefined : toAbsolute(targetPath, before.cwd),
    }));
  return ({ meant }) => done.some((one) => isMet(meant, one));
}

function isDone(outcome: StoredCall['outcome']): boolean {
  return outcome === 'success' || outcome === 'partial';
}
