/** One lesson on its own examples and on a past: where it would have spoken, and whether it was right. */
import { hasWorked } from '../../base/model/event.ts';
import type { ListedFinding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { toWrittenView } from '../../base/triggers/call-view.ts';
import type { ConditionQuestion } from '../../base/triggers/session-conditions.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { listParts } from '../../base/triggers/trigger-parts.ts';
import { judgeTriggers } from '../../keep/manifest/compiled-triggers.ts';
import { type AuditCall, isHit, listFired, MIN_FALSE_ALARMS, toAuditKey } from './audit-lessons.ts';

export interface TestedLesson {
  /** Its own examples, as far as their text is still kept. */
  readonly mistakes: number;
  readonly mistakesHit: number;
  readonly fixes: number;
  readonly fixesHit: number;
  /** It speaks at what it tells to do. Absent where that is no command. */
  readonly speaksAtRemedy?: boolean;
  readonly pastCalls: number;
  readonly fires: number;
  readonly hits: number;
  readonly falseAlarms: number;
  /** Calls at which it speaks or not by what was done before, which nobody can tell any more: they count for nothing. */
  readonly untold: number;
  /** Calls whose text is not stored any more: no trigger can be tried on them, so they count for nothing. */
  readonly blank: number;
  /** Parts of its triggers that no stored call has: then no call is tried. The gate tried them when the lesson was learned. */
  readonly unstored: readonly (keyof Triggers)[];
  readonly spoken: readonly AuditCall[];
  /** In words, what is wrong with it. */
  readonly faults: readonly string[];
}

export function testLesson(
  lesson: Lesson,
  all: readonly AuditCall[],
  findings: readonly ListedFinding[],
  toProjectId: ToProjectId,
): TestedLesson {
  const unstored = listParts(lesson.triggers).flatMap(({ name, row }) => (row.unstored === undefined ? [] : [name]));
  const past = unstored.length > 0 ? [] : all.filter(({ isBlank }) => isBlank !== true);
  const spoken = listFired(lesson, past, toProjectId);
  const untold = listUntold(lesson, past, spoken, toProjectId);
  const fired = new Set(spoken);
  const own = findings.filter(({ lessonId }) => lessonId === lesson.id);
  const told = past.filter((one) => !untold.has(one));
  const toKeys = (id: 'failingCallId' | 'fixingCallId') =>
    new Set(own.map((one) => toAuditKey({ ...one, callId: one[id] })));
  const [failing, fixing] = [toKeys('failingCallId'), toKeys('fixingCallId')];
  const count = (calls: readonly AuditCall[], keys: ReadonlySet<string>): number =>
    calls.filter(({ key }) => keys.has(key)).length;
  const others = spoken.filter(({ key }) => !failing.has(key));
  const speaksAtRemedy = findRemedyFault(lesson);
  const counts = {
    // Of a cut command nobody can tell that the lesson is silent at it.
    mistakes: count(
      told.filter((one) => one.isCut !== true || fired.has(one)),
      failing,
    ),
    mistakesHit: count(spoken, failing),
    fixes: count(told, fixing),
    fixesHit: count(spoken, fixing),
    ...(speaksAtRemedy === undefined ? {} : { speaksAtRemedy }),
    pastCalls: told.length,
    fires: spoken.length,
    hits: spoken.filter((one) => isHit(lesson, one)).length,
    falseAlarms: others.filter(hasWorked).length,
    untold: untold.size,
    blank: all.filter(({ isBlank }) => isBlank === true).length,
    unstored,
  };
  return { ...counts, spoken, faults: listFaults(counts) };
}

/** Silent because nobody can tell what ran before, and not because it did. */
function listUntold(
  lesson: Lesson,
  past: readonly AuditCall[],
  spoken: readonly AuditCall[],
  toProjectId: ToProjectId,
): ReadonlySet<AuditCall> {
  if (lesson.triggers.session === undefined) return new Set();
  const asIfNothing = past.map((one) => ({
    ...one,
    call: { ...one.call, past: (asked: ConditionQuestion) => one.call.past?.(asked) ?? false },
  }));
  const might = new Set(listFired(lesson, asIfNothing, toProjectId).map(({ key }) => key));
  const does = new Set(spoken.map(({ key }) => key));
  return new Set(past.filter(({ key }) => might.has(key) && !does.has(key)));
}

/** Only where the remedy begins like what the lesson is about it is a command for certain. */
function findRemedyFault({ triggers, remediation }: Lesson): boolean | undefined {
  if (triggers.programs === undefined || triggers.session !== undefined || triggers.directory !== undefined)
    return undefined;
  const view = toWrittenView('shell', { command: remediation });
  if (!view.commands.some(({ program }) => triggers.programs?.some(({ name }) => name === program))) return undefined;
  return judgeTriggers(triggers, view, { callOnly: true }).holds;
}

function listFaults(told: Omit<TestedLesson, 'spoken' | 'faults'>): readonly string[] {
  const { mistakes, mistakesHit, fixesHit, speaksAtRemedy, hits, falseAlarms } = told;
  return [
    ...(mistakesHit < mistakes ? [`does not fire on ${mistakes - mistakesHit} of its own ${mistakes} mistakes`] : []),
    ...(fixesHit > 0 ? [`fires on ${fixesHit} of its own fixes`] : []),
    ...(speaksAtRemedy === true ? ['fires on its own advice'] : []),
    ...(falseAlarms >= MIN_FALSE_ALARMS && falseAlarms > hits ? ['more false alarms than hits'] : []),
  ];
}
