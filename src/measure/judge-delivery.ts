/**
 * Judges a delivery by one later call. A note reaches the model with the result of its own call, and a paused call
 * never ran, so both are judged by later calls of the same intent in the same context; a rewritten call judges itself,
 * and a call that began before the note could be read says nothing. `base/model/delivery.ts` combines the judgements of
 * all calls into one verdict.
 */

import type { LiveCall } from '../base/model/call.ts';
import { toCureId } from '../base/model/cure.ts';
import type { AttemptVerdict, Delivery } from '../base/model/delivery.ts';
import type { Lesson } from '../base/model/lesson.ts';
import { isAboutAction } from '../base/model/lesson-trust.ts';
import type { CommandEdit, EditWord } from '../base/shell/command-edit.ts';
import { isSameIntent } from '../base/shell/intent.ts';
import type { SimpleCommand } from '../base/shell/simple-command.ts';
import type { ProgramTrigger, Triggers } from '../base/triggers/trigger.ts';
import { canBeFollowed, type FiredCall, hasLessonIntent, listRemedies } from './lesson-intent.ts';

/** The call on which the lesson fired. */
export type OwnCall = FiredCall & Partial<Timed> & Partial<Pick<LiveCall, 'outcome' | 'inputHash'>>;

type Timed = Pick<LiveCall, 'occurredAt' | 'durationMs' | 'durationSource' | 'source'>;

/**
 * Undefined if the call says nothing about the delivery. `holds`: does the lesson's trigger, or a less strict one, fire
 * on this call? `own`: the call that the lesson fired on; its end is when the note was read, and its intent counts if
 * the lesson names no program.
 */
export function judgeDelivery(
  delivery: Delivery,
  lesson: Lesson,
  call: LiveCall,
  holds: (lesson: Lesson, call: LiveCall) => boolean,
  own?: OwnCall,
): AttemptVerdict | undefined {
  // A lesson at the start of a session is about no call, so its delivery stays open until the session ends.
  if (delivery.kind === 'session-start') return undefined;
  if (!isJudging(delivery, call, own) || !hasEnded(call) || !canBeFollowed(lesson)) return undefined;
  const isHeld = makeOnce(() => holds(lesson, call));
  const isSame = call.outcome === 'failure' && call.signature?.id === lesson.signatureId;
  const isAction = isAboutAction(lesson);
  const isAgain = !isAction && isSame && isHeld();
  if (!isAgain && !hasLessonIntent({ lesson, call, own, holds: isHeld })) return undefined;
  // Later reports lack the content of a file, so without a failure signature nothing shows whether the lesson was
  // followed.
  if (lesson.triggers.content !== undefined && isAction) return undefined;
  // A report of the original call, from a source that does not know it was rewritten.
  if (call.callId === delivery.callId && isHeld()) return undefined;
  // A person's lesson has no failure; it is about an action, whether that works or not.
  if (isAction) return isHeld() ? 'ignored' : 'clean';
  // The same mistake again is not a failed remedy, however the program words it.
  if (call.outcome === 'failure' && isHeld()) return 'ignored';
  // If the call that the lesson warns against worked, that is evidence against the trigger, not against the agent.
  if (!isSame) return 'clean';
  // A different mistake of the same kind means that the remedy was not tried.
  return triesRemedy(lesson, call, (one) => holds(one, call)) ? 'failed_anyway' : 'ignored';
}

/**
 * Judges a cure by one later call of the intent of the call that failed. A call that fails as before with other words has
 * tried something; the same call again has not.
 */
export function judgeCure(delivery: Delivery, call: LiveCall, own: OwnCall | undefined): AttemptVerdict | undefined {
  if (!isJudging(delivery, call, own) || !hasEnded(call)) return undefined;
  const isAgain = call.outcome === 'failure' && toCureId(call.signature?.id ?? '') === delivery.lessonId;
  if (!isAgain) return own !== undefined && isSameIntent(own, call) ? 'clean' : undefined;
  return own?.inputHash !== undefined && own.inputHash === call.inputHash ? 'ignored' : 'failed_anyway';
}

function makeOnce(ask: () => boolean): () => boolean {
  let answer: boolean | undefined;
  return () => {
    answer ??= ask();
    return answer;
  };
}

function isJudging(delivery: Delivery, call: LiveCall, own: OwnCall | undefined): boolean {
  if (call.sessionId !== delivery.sessionId || call.contextId !== delivery.contextId) return false;
  if (call.callId === delivery.callId) return delivery.mode === 'rewrite';
  // A paused call ends at once, although no end is reported.
  if (delivery.mode === 'note' && call.parallelCallIds?.includes(delivery.callId)) return false;
  const deliveredMs = Date.parse(delivery.deliveredAt);
  if (Date.parse(call.occurredAt) < deliveredMs) return false;
  const { occurredAt = delivery.deliveredAt, ...rest } = own ?? {};
  return toStartMs(call) >= Math.max(toEndMs({ ...rest, occurredAt }), deliveredMs) - toSlackMs(call);
}

/** Hooks run in parallel to the agent and may arrive late; they show better than times which calls ran in parallel. */
const LATE_HOOK_MS = 250;

function toSlackMs({ source }: Timed): number {
  return source === 'transcript' ? 0 : LATE_HOOK_MS;
}

function toStartMs(call: Timed): number {
  return Date.parse(call.occurredAt) - (call.source === 'transcript' ? 0 : toKnownDurationMs(call));
}

/** For a stored call the source is unknown, so this is the earliest possible end. */
export function toEndMs(call: Timed): number {
  return Date.parse(call.occurredAt) + (call.source === 'transcript' ? toKnownDurationMs(call) : 0);
}

/** The time since the last call is not a duration. */
function toKnownDurationMs({ durationMs = 0, durationSource }: Timed): number {
  return durationSource === 'gap' ? 0 : durationMs;
}

function hasEnded(call: LiveCall): boolean {
  return call.outcome !== 'cancelled' && call.outcome !== 'denied';
}

type Holds = (lesson: Lesson) => boolean;

/**
 * Did the call try the remedy, if the trigger does not fire on it? It does if it contains a part of the remedy that the
 * mistake lacks. If the remedy only removes something, if the trigger is silent because of another action, or if the
 * remedy is unclear, the silent trigger is enough.
 */
function triesRemedy(lesson: Lesson, call: LiveCall, holds: Holds): boolean {
  if (holds({ ...lesson, triggers: dropConditions(lesson.triggers) })) return true;
  const news = listNews(lesson);
  if (news.length === 0) return true;
  const done = new Set(toParts(`${call.command ?? ''} ${call.targetPath ?? ''}`));
  return news.some((part) => done.has(part));
}

/** The triggers without conditions that silence them: earlier calls, the folder, other words. */
function dropConditions({ session: _, directory: __, programs, input, command, line, ...rest }: Triggers): Triggers {
  return {
    ...rest,
    ...(programs === undefined ? {} : { programs: programs.map(dropNone) }),
    ...(input?.match === undefined ? {} : { input: { match: input.match } }),
    ...(command?.match === undefined ? {} : { command: { match: command.match } }),
    ...(line?.match === undefined ? {} : { line: { match: line.match } }),
  };
}

function dropNone({ args, ...program }: ProgramTrigger): ProgramTrigger {
  if (args === undefined) return program;
  const { none: _, ...wanted } = args;
  return { ...program, args: wanted };
}

function listNews(lesson: Lesson): readonly string[] {
  if (lesson.replacement !== undefined) return [lesson.replacement.to];
  if (lesson.edit !== undefined) return listAdded(lesson.edit);
  const known = new Set(toParts(lesson.mistake));
  return listRemedies(lesson)
    .flatMap(toWords)
    .flatMap(toParts)
    .filter((part) => !known.has(part));
}

/** The words that the edit adds, without those it removes. */
function listAdded({ steps: first, others = [] }: CommandEdit): readonly string[] {
  const steps = [...first, ...others.flat()];
  const toLiteralWords = (words: readonly EditWord[]): readonly string[] =>
    words.flatMap((word) => toParts(typeof word === 'string' ? word : (word.prefix ?? '')));
  const gone = new Set(steps.flatMap((step) => ('from' in step ? toLiteralWords(step.from) : [])));
  const come = steps.flatMap((step) =>
    'from' in step
      ? toLiteralWords(step.to)
      : 'list' in step
        ? step.by
        : 'first' in step
          ? toLiteralWords(step.first)
          : 'make' in step
            ? step.make.flat().flatMap(([word]) => (typeof word === 'string' && !step.of.includes(word) ? [word] : []))
            : [],
  );
  return come.filter((part) => !gone.has(part) && part !== '--');
}

function toWords({ program, args }: SimpleCommand): readonly string[] {
  return [program, ...args.map(({ value }) => value)];
}

/** The words and the members of lists in them: `mergedAt` of `--json state,mergedAt`. */
function toParts(text: string): readonly string[] {
  return text.split(/[\s,;=`'"|&()]+/).filter((part) => part !== '');
}
