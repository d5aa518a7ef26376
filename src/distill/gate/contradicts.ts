/**
 * Calls that show a lesson wrong although it would not have fired on them: what it calls missing was read, written or
 * removed by whatever tool.
 */

import { hasWorked, type Outcome } from '../../base/model/event.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import { ABSENT_PATH } from '../../base/model/lesson-trust.ts';
import { toTypedProgram } from '../../base/shell/command-words.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isKnownAs } from '../../base/shell/programs/all-facts.ts';
import { type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { leadsTo } from '../../base/text/paths.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { type RecordedCall, toRecordedView } from '../../base/triggers/call-view.ts';
import { listReadPaths } from '../../base/triggers/read-paths.ts';

type About = Pick<Lesson, 'triggers' | 'tags'>;

/** The path that is not there, of a lesson that says so. */
export function findAbsentPath({ triggers, tags }: About): string | undefined {
  return tags.includes(ABSENT_PATH) ? triggers.reads?.[0] : undefined;
}

export function contradicts(about: About, call: Touching): boolean {
  const path = findAbsentPath(about);
  return path !== undefined && touchesPath(path, call);
}

type Touching = RecordedCall & { readonly outcome: Outcome };

const PAST = new Set(['log', 'diff', 'show', 'blame', 'status', 'grep', 'rev-list', 'ls-tree', 'cat-file', 'commit']);

/**
 * Whether a call that worked shows that a path, or something in it, is there, or made or removed it. A word that is only
 * searched for or printed shows nothing, and neither does the history of a file that may be gone.
 */
export function touchesPath(path: string, call: Touching): boolean {
  const { tool, targetPath, command = call.inputSummary } = call;
  if (!hasWorked(call)) return false;
  if (targetPath !== undefined) return leadsTo(targetPath, path);
  if (tool !== 'shell') return listReadPaths(toRecordedView(call)).some((word) => leadsTo(word, path));
  if (command === undefined || !command.includes(path)) return false;
  return parseCall(call).some((one) => (one.hidden !== true && names(one, path)) || writes(one, path));
}

function names(command: SimpleCommand, path: string): boolean {
  const words = toPositionals(command);
  const typed = toTypedProgram(command);
  if (typed.includes('/') && leadsTo(typed, path)) return true;
  if (isKnownAs(command.program, 'succeeds', 'locates') || (command.program === 'git' && PAST.has(words[0] ?? '')))
    return false;
  return (isKnownAs(command.program, 'searches', 'scripted') ? words.slice(1) : words).some((word) =>
    leadsTo(word, path),
  );
}

function writes({ text }: SimpleCommand, path: string): boolean {
  return new RegExp(`>\\s*["']?(?:\\S*/)?${toLiteral(path)}["']?(?:[\\s;/]|$)`).test(text);
}
