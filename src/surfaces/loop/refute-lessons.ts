/** Measure -> promote: calls that worked although a lesson speaks against them, and what follows for the lesson. */
import type { LiveCall } from '../../base/call.ts';
import type { Lesson } from '../../base/lesson.ts';
import { parseCommand } from '../../base/parse-command.ts';
import type { Store } from '../../base/store.ts';
import { toPathRegexes } from '../../keep/to-path-regexes.ts';
import { checkTriggers } from '../../match/check-triggers.ts';
import { clearLesson, isRefutable, refuteLesson } from '../../promote/refute-lesson.ts';

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
    if (now !== stamp) lessons = (await store.listLessons({ status: 'active' })).filter(isRefutable);
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
    if ((isAgain && call.signature?.id !== lesson.signatureId) || !speaksAt(lesson, call)) return false;
    const { callId, occurredAt } = call;
    const decide = (one: Lesson): Lesson | undefined =>
      isAgain ? clearLesson(one, occurredAt) : refuteLesson(one, callId, occurredAt);
    // Nobody is locked out for what changes nothing.
    if (decide(lesson) === undefined) return false;
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

/** A call that we ourselves or the user held back says nothing. */
function isTelling({ outcome, masked }: LiveCall): boolean {
  return outcome === 'success' || (outcome === 'failure' && !masked);
}

function isHere({ scope }: Lesson, call: LiveCall): boolean {
  return scope.kind === 'user' || scope.id === call.projectId;
}

/** Most calls are of other programs, and parsing is what costs. */
function mayMatch({ triggers }: Lesson, { tool, command = '' }: LiveCall): boolean {
  if (triggers.tools !== undefined && !triggers.tools.includes(tool)) return false;
  // What a tool was given and what ran before is not told with a call.
  if (triggers.input !== undefined || triggers.session !== undefined) return false;
  return triggers.programs === undefined || triggers.programs.some(({ name }) => command.includes(name));
}

function speaksAt({ triggers }: Lesson, call: LiveCall): boolean {
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
