/** Would a trigger have spoken at a call of the past? */
import { dropOldest } from '../../base/drop-oldest.ts';
import { parseCommand } from '../../base/parse-command.ts';
import type { SimpleCommand } from '../../base/simple-command.ts';
import type { Triggers } from '../../base/trigger.ts';
import type { PastCall } from '../../distill/lesson/gate-lesson.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { mayMean } from './may-mean.ts';

/** A trigger is tried on thousands of calls, and the next one on the same; many are made again and again. */
const parsed = new Map<string, readonly SimpleCommand[]>();
const MAX_PARSED = 5_000;

function parseOnce(command: string): readonly SimpleCommand[] {
  const known = parsed.get(command);
  if (known !== undefined) return known;
  const commands = parseCommand(command);
  parsed.set(command, commands);
  dropOldest(parsed, MAX_PARSED);
  return commands;
}

/** `isSure`: only commands whose exit code the line does not hide. */
export function holdsInPast(triggers: Triggers, command: string, past: PastCall, isSure = false): boolean {
  const { tool = 'shell', path, cwd, json } = past;
  // Most calls are of other programs, and parsing is what costs.
  if (!mayMean(triggers, command)) return false;
  const all = tool === 'shell' ? parseOnce(command) : [];
  const call = {
    tool,
    commands: isSure ? all.filter(({ hidden }) => hidden !== true) : all,
    ...(tool === 'shell' ? { line: command } : {}),
    ...(tool === 'shell' && json === undefined ? {} : { json: json ?? command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
    ...{ projectId: '', sessionId: '' },
  };
  return checkTriggers(triggers, toPathRegexes(triggers), call, { callOnly: true }).holds;
}
