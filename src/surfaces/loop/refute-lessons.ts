/** Measure -> promote: calls that worked although a lesson speaks against them, and what follows for the lesson. */
import type { LiveCall } from '../../base/call.ts';
import type { FailedCall } from '../../base/failure.ts';
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import type { Store } from '../../base/store.ts';
import { isToolName } from '../../base/tool.ts';
import { contradicts, findAbsentPath } from '../../distill/lesson/contradicts.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { clearLesson, isRefutable, refuteLesson } from '../../promote/refute-lesson.ts';
import { mayRun } from './may-run.ts';

const BY = 'promote/refute-lesson';

type Decide = (lesson: Lesson) => Lesson | undefined;

export interface Refuter {
  /** True when a lesson changed. */
  take(calls: readonly LiveCall[]): Promise<boolean>;
}

/** Remembers the lessons until one changes: this is asked at every call. */
export function makeRefuter(store: Store): Refuter {
  let stamp = '';
  let lessons: readonly Lesson[] = [];
  const refresh = async (): Promise<void> => {
    const now = await store.readLessonStamp();
    if (now !== stamp) lessons = (await store.listLessons()).filter(isRefutable);
    stamp = now;
  };
  /** As it is in the store by now. */
  const save = async (lesson: Lesson, decide: Decide, reason: string): Promise<Lesson | undefined> => {
    const [after] = await store.updateLessons([lesson.id], ([now]) => {
      const moved = now !== undefined && isRefutable(now) ? decide(now) : undefined;
      return moved === undefined ? [] : [{ lesson: moved, change: { by: BY, reason, at: moved.updatedAt } }];
    });
    if (after === undefined) return undefined;
    lessons = lessons.flatMap((one) => (one.id !== after.id ? [one] : isRefutable(after) ? [after] : []));
    stamp = await store.readLessonStamp();
    return after;
  };
  /** True when the lesson may no longer speak. */
  const hear = async (lesson: Lesson, call: LiveCall): Promise<boolean> => {
    const isAgain = call.outcome === 'failure';
    const isAbout = speaksAt(lesson, call) || (!isAgain && contradicts(lesson, toTouching(call)));
    if ((isAgain && call.signature?.id !== lesson.signatureId) || !isAbout) return false;
    const { callId, occurredAt: at } = call;
    // Nobody is locked out, and nothing read, for what changes nothing.
    if ((isAgain ? clearLesson(lesson, at) : refuteLesson(lesson, { callId, at })) === undefined) return false;
    const failedAt = isAgain ? undefined : await findFailure(store, lesson, at);
    const decide = (one: Lesson): Lesson | undefined =>
      isAgain ? clearLesson(one, at) : refuteLesson(one, { callId, at, failedAt });
    const after = await save(lesson, decide, isAgain ? 'the mistake was made again' : 'a call like it worked');
    return after !== undefined && after.status !== lesson.status;
  };
  return {
    async take(calls) {
      const telling = calls.filter(isTelling);
      if (telling.length === 0) return false;
      await refresh();
      let changed = false;
      for (const call of telling) {
        const meant = lessons.filter((lesson) => isHere(lesson, call) && mayMatch(lesson, call));
        for (const lesson of meant) changed = (await hear(lesson, call)) || changed;
      }
      return changed;
    },
  };
}

/** The newest of these that the lesson speaks at decides. */
const MAX_FAILURES = 20;

/** When the mistake was made since, as far as it is stored: calls are not told in the order in which they were made. */
async function findFailure(store: Store, lesson: Lesson, since: string): Promise<string | undefined> {
  const { signatureId: signature, scope } = lesson;
  if (signature === undefined) return undefined;
  const projectIds = scope.kind === 'project' && scope.id !== undefined ? { projectIds: [scope.id] } : {};
  const failed = await store.listFailedCalls({ signature, since, limit: MAX_FAILURES, ...projectIds });
  return failed.find((call) => !call.masked && speaksAt(lesson, toFailed(call)))?.at;
}

function toFailed({ tool, command, projectId, sessionId }: FailedCall): Spoken {
  const what = tool === 'shell' ? { command } : { targetPath: command };
  return { tool: isToolName(tool) ? tool : 'other', projectId, sessionId, outcome: 'failure', ...what };
}

/** A call that we ourselves or the user held back says nothing. */
function isTelling({ outcome, masked }: LiveCall): boolean {
  return outcome === 'success' || (outcome === 'failure' && !masked);
}

function isHere({ scope }: Lesson, call: LiveCall): boolean {
  return scope.kind === 'user' || scope.id === (scope.kind === 'session' ? call.sessionId : call.projectId);
}

function toTouching({ outcome, command, targetPath: path }: LiveCall): Parameters<typeof contradicts>[1] {
  return { outcome, command, path };
}

/** Most calls are of other programs, and parsing is what costs. */
function mayMatch(lesson: Lesson, { tool, command = '', targetPath = '' }: LiveCall): boolean {
  const { triggers } = lesson;
  const absent = findAbsentPath(lesson);
  // Whatever tool had to do with it.
  if (absent !== undefined) return command.includes(absent) || targetPath.endsWith(absent);
  if (triggers.tools !== undefined && !triggers.tools.includes(tool)) return false;
  // What a tool was given and what ran before is not told with a call.
  if (triggers.input !== undefined || triggers.session !== undefined) return false;
  return triggers.programs === undefined || triggers.programs.some(({ name }) => mayRun(command, name));
}

type Spoken = Pick<LiveCall, 'tool' | 'projectId' | 'sessionId' | 'outcome'> & {
  readonly [K in 'command' | 'targetPath' | 'cwd']?: string | undefined;
};

function speaksAt({ triggers }: Lesson, call: Spoken): boolean {
  const { tool, command, targetPath: path, cwd, projectId, sessionId, outcome } = call;
  const all = tool === 'shell' ? parseCommand(command ?? '') : [];
  // Of a command whose exit code is hidden nobody knows whether it worked.
  const commands = outcome === 'success' ? all.filter((one) => one.hidden !== true) : all;
  const matched = {
    ...{ tool, commands, projectId, sessionId },
    ...(command === undefined ? {} : { line: command }),
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
  };
  return checkTriggers(triggers, toPathRegexes(triggers), matched).holds;
}
