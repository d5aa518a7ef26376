/** Tests one lesson on its own examples and on past calls: where it fires, and whether it was right. */

import { hasWorked } from '../../base/model/event.ts';
import type { ListedFinding } from '../../base/model/finding.ts';
import type { Lesson } from '../../base/model/lesson.ts';
import type { ToProjectId } from '../../base/model/project.ts';
import { toCallKey } from '../../base/model/session.ts';
import { toWrittenView } from '../../base/triggers/call-view.ts';
import type { ConditionQuestion } from '../../base/triggers/session-conditions.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import { listUnstored } from '../../base/triggers/trigger-parts.ts';
import { judgeTriggers } from '../../keep/manifest/compiled-triggers.ts';
import { type AuditCall, isHit, listFired, MIN_FALSE_ALARMS } from './audit-lessons.ts';

export interface TestedLesson {
  /** Its own examples whose text is still stored. */
  readonly mistakes: number;
  readonly mistakesHit: number;
  readonly fixes: number;
  readonly fixesHit: number;
  /** It fires on the command that it recommends. Absent if it recommends no command. */
  readonly speaksAtRemedy?: boolean;
  readonly pastCalls: number;
  readonly fires: number;
  readonly hits: number;
  readonly falseAlarms: number;
  /** Calls that are not counted, because whether it fires depends on earlier calls that are no longer known. */
  readonly untold: number;
  /** Calls that are not counted, because their text is no longer stored. */
  readonly blank: number;
  /** Parts of its triggers that stored calls lack. Then no past call is tested; the gate tested them during learning. */
  readonly unstored: readonly (keyof Triggers)[];
  readonly spoken: readonly AuditCall[];
  /** What is wrong with the lesson, in words. */
  readonly faults: readonly string[];
}

export function testLesson(
  lesson: Lesson,
  all: readonly AuditCall[],
  findings: readonly ListedFinding[],
  toProjectId: ToProjectId,
): TestedLesson {
  const unstored = listUnstored(lesson.triggers).map(({ name }) => name);
  const past = unstored.length > 0 ? [] : all.filter(({ isBlank }) => isBlank !== true);
  const spoken = listFired(lesson, past, toProjectId);
  const untold = listUnknown(lesson, past, spoken, toProjectId);
  const fired = new Set(spoken);
  const own = findings.filter(({ lessonId }) => lessonId === lesson.id);
  const known = past.filter((one) => !untold.has(one));
  const toKeys = (id: 'failingCallId' | 'fixingCallId') =>
    new Set(own.map((one) => toCallKey({ ...one, callId: one[id] })));
  const [failing, fixing] = [toKeys('failingCallId'), toKeys('fixingCallId')];
  const count = (calls: readonly AuditCall[], keys: ReadonlySet<string>): number =>
    calls.filter(({ key }) => keys.has(key)).length;
  const others = spoken.filter(({ key }) => !failing.has(key));
  const speaksAtRemedy = findRemedyFault(lesson);
  const counts = {
    // A cut command cannot prove that the lesson does not fire, so it is left out.
    mistakes: count(
      known.filter((one) => one.isCut !== true || fired.has(one)),
      failing,
    ),
    mistakesHit: count(spoken, failing),
    fixes: count(known, fixing),
    fixesHit: count(spoken, fixing),
    ...(speaksAtRemedy === undefined ? {} : { speaksAtRemedy }),
    pastCalls: known.length,
    fires: spoken.length,
    hits: spoken.filter((one) => isHit(lesson, one)).length,
    falseAlarms: others.filter(hasWorked).length,
    untold: untold.size,
    blank: all.filter(({ isBlank }) => isBlank === true).length,
    unstored,
  };
  return { ...counts, spoken, faults: listFaults(counts) };
}

/** Calls on which the lesson does not fire only because the earlier calls are unknown. */
function listUnknown(
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

/**
 * The remedy is certainly a command only if it runs the program that the lesson is about. A sentence with code in
 * backticks is none: a shell would run that code, also where the sentence advises against it.
 */
function findRemedyFault({ triggers, remediation }: Lesson): boolean | undefined {
  const { programs, session, directory } = triggers;
  if (programs === undefined || session !== undefined || directory !== undefined || remediation.includes('`'))
    return undefined;
  const view = toWrittenView('shell', { command: remediation });
  if (!view.commands.some(({ program }) => programs.some(({ name }) => name === program))) return undefined;
  return judgeTriggers(triggers, view, { callOnly: true }).holds;
}

function listFaults(known: Omit<TestedLesson, 'spoken' | 'faults'>): readonly string[] {
  const { mistakes, mistakesHit, fixesHit, speaksAtRemedy, hits, falseAlarms } = known;
  return [
    ...(mistakesHit < mistakes ? [`does not fire on ${mistakes - mistakesHit} of its own ${mistakes} mistakes`] : []),
    ...(fixesHit > 0 ? [`fires on ${fixesHit} of its own fixes`] : []),
    ...(speaksAtRemedy === true ? ['fires on its own advice'] : []),
    ...(falseAlarms >= MIN_FALSE_ALARMS && falseAlarms > hits ? ['more false alarms than hits'] : []),
  ];
}
