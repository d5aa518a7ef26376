/**
 * A path that two sessions looked for in vain: agents keep guessing it. Looking for another path each time is
 * exploration; the same path again is a mistake that a lesson prevents. No working call of any tool may have touched the
 * path in between. Where it was found, or what the error suggests instead, is the remedy.
 */

import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { ABSENT_PATH } from '../../../base/model/lesson-trust.ts';
import { isNamedIn } from '../../../base/text/is-named-in.ts';
import { endsWithPath, leadsTo, toBaseName, toPlainPath, toRelative } from '../../../base/text/paths.ts';
import { dropHidden, toRecordedView } from '../../../base/triggers/call-view.ts';
import { listReadPaths } from '../../../base/triggers/read-paths.ts';
import { makeFinding } from '../../episodes/make-finding.ts';
import { touchesPath } from '../../gate/contradicts.ts';
import type { PastCall } from '../../gate/gate-finding.ts';
import { toProjectPath } from './to-project-path.ts';

const NAME = 'distill/absent-path@1';
const TOOLS = ['read', 'grep', 'glob', 'shell'] as const;
const MIN_SESSIONS = 2;
/** Agents look whether a project has a `vendor` or a `Makefile`: a plain word is guessed more often by chance. */
const MIN_SESSIONS_OF_WORD = 3;
const MAX_STEPS = 8;

const NOT_THERE =
  /no such file|does not exist|\bENOENT\b|cannot find the (?:file|path)|(?:file|directory|path) not found|can't open/i;
const SUGGESTION = /did you mean:? ['"`]?([\w@./+-]*\w)/i;

/** A path that a call named, and that was not there. */
interface Sight {
  readonly call: PastCall;
  readonly word: string;
}

/** `past`: the calls of the project, oldest first; the failing call may be one of them. */
export function proposeAbsentPath(failing: LiveCall, past: readonly PastCall[]): Finding | undefined {
  const word = findMissing(failing);
  if (word === undefined) return undefined;
  const [best] = listCandidates(word, failing)
    .map((path) => ({ path, found: [...listSights(path, failing, past), { call: failing, word }] }))
    .filter(({ path, found }) => isProven(path, found))
    .sort((a, b) => countSessions(b.found) - countSessions(a.found));
  return best && toFinding(failing, best.path, best.found, past);
}

/** The other failures since the path, or something in it, was there. */
function listSights(path: string, { callId }: LiveCall, past: readonly PastCall[]): readonly Sight[] {
  const since = past.slice(past.findLastIndex((call) => touchesPath(path, call)) + 1);
  return since.flatMap((call) => {
    const word = call.callId === callId ? undefined : findMissing(call);
    return word !== undefined && leadsTo(word, path) ? [{ call, word }] : [];
  });
}

/** The path that the failed call names and that its error calls missing. */
export function findMissing(call: PastCall): string | undefined {
  const { tool, outcome, message = '' } = call;
  const isLooking = TOOLS.some((one) => one === tool) && outcome === 'failure' && NOT_THERE.test(message);
  if (!isLooking) return undefined;
  const words = listReadPaths(dropHidden(toRecordedView(call)));
  return tool === 'shell' ? words.find((word) => isNamedIn(message, word)) : words[0];
}

/** The path and the folders above it, seen from the root of the project and from the folder of the call: a worktree. */
function listCandidates(word: string, { cwd, projectRoot }: LiveCall): readonly string[] {
  const paths = [projectRoot, cwd].flatMap((root) =>
    root === undefined ? [] : (toProjectPath(word, { cwd: root }) ?? []),
  );
  return [...new Set(paths)].flatMap((path) => {
    const names = path.split('/');
    return names.map((_, i) => names.slice(0, i + 1).join('/'));
  });
}

/** Of a folder, that files in it are missing proves nothing: some call has to have looked for the folder itself. */
function isProven(path: string, found: readonly Sight[]): boolean {
  const min = /[./]/.test(path) ? MIN_SESSIONS : MIN_SESSIONS_OF_WORD;
  return countSessions(found) >= min && found.some(({ word }) => endsWithPath(word, path));
}

function countSessions(found: readonly Sight[]): number {
  return new Set(found.map(({ call }) => call.sessionId)).size;
}

function toFinding(
  failing: LiveCall,
  path: string,
  found: readonly Sight[],
  past: readonly PastCall[],
): Finding | undefined {
  const place = findPlace(path, found, past, failing.projectRoot ?? '');
  const gone = `\`${path}\` is not in this project`;
  return makeFinding({
    detector: NAME,
    kind: 'wrong-path',
    failing,
    fixing: failing,
    steps: 0,
    triggers: { tools: TOOLS, reads: [path] },
    intentKey: `no ${toBaseName(path)}`,
    text: {
      summary: place === undefined ? gone : `${gone}: use \`${place}\``,
      mistake: `\`${path}\` was looked for in ${countSessions(found)} sessions, and it is not in this project`,
      remediation: place === undefined ? 'Search for the name instead of guessing its folder' : `Use \`${place}\``,
      tags: [ABSENT_PATH],
    },
    signals: ['retry-loop'],
  });
}

/** What the errors suggest in its place, or what agents read next, if they all agree. */
function findPlace(path: string, found: readonly Sight[], past: readonly PastCall[], root: string): string | undefined {
  const places = found
    .filter(({ word }) => endsWithPath(word, path))
    .flatMap(({ call, word }) => findSuggested(path, call) ?? findNext(path, { call, word }, past, root) ?? []);
  return new Set(places).size === 1 ? places[0] : undefined;
}

function findSuggested(path: string, { message = '' }: PastCall): string | undefined {
  const said = SUGGESTION.exec(message)?.[1];
  return said === undefined || said.includes('/') ? said : path.slice(0, -toBaseName(path).length) + said;
}

/**
 * The same name, whatever its ending, that one of the next calls of the session read. Of names that the project has in
 * several folders, nobody knows which was meant.
 */
function findNext(path: string, { call, word }: Sight, past: readonly PastCall[], root: string): string | undefined {
  const above = toPlainPath(word).slice(0, -path.length - 1);
  const listAlike = (calls: readonly PastCall[]): readonly string[] =>
    calls
      .filter(hasWorked)
      .flatMap((one) => listReadPaths(dropHidden(toRecordedView(one))))
      .map((read) => toRelative(toRelative(toPlainPath(read), above), root))
      .filter((read) => !read.startsWith('/') && toStem(read) === toStem(path));
  const later = past.slice(past.findIndex(({ callId }) => callId === call.callId) + 1);
  const [next] = listAlike(later.filter(({ sessionId }) => sessionId === call.sessionId).slice(0, MAX_STEPS));
  return next !== undefined && new Set(listAlike(past)).size === 1 ? next : undefined;
}

function toStem(path: string): string {
  return toBaseName(path).replace(/(?<=.)\.[^.]*$/, '');
}
