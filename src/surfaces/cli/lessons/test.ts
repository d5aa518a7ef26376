/** `oncebitten lessons test`: one lesson on a call that is given, or on its examples and all calls that are stored. */

import { hasWorked } from '../../../base/model/event.ts';
import type { Lesson } from '../../../base/model/lesson.ts';
import { makeToProjectId } from '../../../base/model/project.ts';
import { renderTextRemoval, type TextRemoval } from '../../../base/storage/retention.ts';
import { type CallView, toCallView } from '../../../base/triggers/call-view.ts';
import { renderConditions, renderTriggers } from '../../../base/triggers/render-triggers.ts';
import { TRIGGER_PARTS } from '../../../base/triggers/trigger-parts.ts';
import { judgeTriggers } from '../../../keep/manifest/compiled-triggers.ts';
import { type AuditCall, isHit, toAuditCalls } from '../../../loop/checks/audit-lessons.ts';
import { type TestedLesson, testLesson } from '../../../loop/checks/test-lesson.ts';
import { findGivenCall, type GivenCall } from '../arguments/calls.ts';
import { getNamed } from '../arguments/lessons.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { renderTable, type TableRoom } from '../table.ts';
import { joinLines, toCount, toLine, toScreenMax } from '../text.ts';
import { findLastingSilence } from './lesson-details.ts';

/** Maximum number of stored calls, the newest ones. */
const MAX_PAST = 50_000;
const MAX_SHOWN = 20;

export const run: Handler = (input) =>
  readHome(input, async (open) => {
    const name = input.arguments[0] ?? '';
    const lesson = await getNamed(open.store, name);
    const given = findGivenCall(input, 'lessons test');
    return given === undefined ? testPast(lesson, open, input.columns) : testCall(lesson, toView(given, input), open);
  });

function toView({ adapter, call }: GivenCall, { cwd }: CommandInput): CallView {
  const origin = { agent: adapter.facts.id, sessionId: 'test', contextId: '', at: new Date().toISOString() };
  return toCallView({ ...origin, source: 'hook', kind: 'call-started', cwd, ...call }, '');
}

function testCall(lesson: Lesson, call: CallView, { settings }: OpenHome): CommandResult {
  const checked = judgeTriggers(lesson.triggers, call);
  const because = checked.holds ? {} : { because: checked.because };
  const silent = findLastingSilence(lesson, settings);
  const holds = silent === undefined ? 'It fires on this call.' : `It would fire on this call, but it is ${silent}.`;
  return {
    json: {
      ...{ slug: lesson.slug, speaks: checked.holds, ...because, status: lesson.status },
      ...(silent === undefined ? {} : { silent }),
    },
    text: checked.holds ? holds : `It does not fire on this call: ${checked.because}.`,
  };
}

async function testPast(
  lesson: Lesson,
  { store, settings }: OpenHome,
  columns: number | undefined,
): Promise<CommandResult> {
  const { scope } = lesson;
  const where = scope.kind === 'project' && scope.id !== undefined ? { projectId: scope.id } : {};
  const stored = await store.listCalls({ ...where, limit: MAX_PAST });
  const past = toAuditCalls(stored, stored.length < MAX_PAST);
  const toProjectId = makeToProjectId(await store.listProjectAliases());
  const tested = testLesson(lesson, past, await store.listFindings(), toProjectId);
  const texts = new Map(past.map(({ key }, i) => [key, stored[i]?.inputSummary ?? stored[i]?.targetPath ?? '']));
  const spoken = tested.spoken.map((call) => ({
    call: texts.get(call.key) ?? '',
    outcome: call.outcome,
    hit: isHit(lesson, call),
  }));
  const json = { slug: lesson.slug, ...tested, spoken };
  const removals = stored.flatMap(({ textRemoved }) => textRemoved ?? []);
  return {
    json,
    text: render(lesson, tested, { texts, columns, removals, silent: findLastingSilence(lesson, settings) }),
    failed: tested.faults.length > 0,
  };
}

interface View extends Pick<TableRoom, 'columns'> {
  /** What the calls were, by their keys. */
  readonly texts: ReadonlyMap<string, string>;
  /** Why calls have no text. */
  readonly removals: readonly TextRemoval[];
  /** Why the lesson does not fire on any call. */
  readonly silent: string | undefined;
}

function render(lesson: Lesson, tested: TestedLesson, { texts, columns, removals, silent }: View): string {
  const { mistakes, mistakesHit, fixes, fixesHit, pastCalls, fires, hits, falseAlarms, spoken, untold } = tested;
  const own =
    mistakes + fixes === 0
      ? 'no call that the lesson was learned from can be tested'
      : `fires on ${mistakesHit} of ${toCount(mistakes, 'failed call')} that it was learned from, and on ${fixesHit} of ${toCount(fixes, 'call')} that fixed them`;
  const hasMore = renderConditions(lesson.triggers) !== renderTriggers(lesson.triggers);
  const rows = spoken
    .slice(-toScreenMax(columns, MAX_SHOWN))
    .map((call) => [toKind(lesson, call), toLine(texts.get(call.key) ?? '')]);
  return joinLines([
    `${lesson.slug}  fires on ${renderTriggers(lesson.triggers)}${hasMore ? ` (all conditions: oncebitten lessons show ${lesson.slug})` : ''}`,
    silent !== undefined && `  silent      it is ${silent}`,
    `  examples    ${own}`,
    `  past calls  fires on ${fires} of ${toCount(pastCalls, 'call')} ${lesson.scope.kind === 'project' ? 'of its project' : 'of all projects'}: ${toCount(hits, 'hit')} (the call failed as the lesson says), ${toCount(falseAlarms, 'false alarm')}`,
    untold > 0 &&
      `  not known   ${toCount(untold, 'call')}, because the earlier calls of their sessions are not stored completely`,
    ...renderUnstored(tested),
    ...renderBlank(tested, removals),
    ...(rows.length === 0 ? [] : ['', renderTable(['RESULT', 'CALL'], rows, { columns })]),
    spoken.length > rows.length && `… and ${spoken.length - rows.length} earlier calls`,
    '',
    renderConclusion(tested),
  ]);
}

function renderUnstored({ unstored }: TestedLesson): readonly string[] {
  if (unstored.length === 0) return [];
  const parts = unstored.map((part) => TRIGGER_PARTS[part].unstored).join(' and ');
  return [
    `  not tested  past calls are stored without ${parts}; the lesson was tested on its own calls when it was learned`,
  ];
}

function renderBlank({ blank }: TestedLesson, removals: readonly TextRemoval[]): readonly string[] {
  if (blank === 0) return [];
  const why = [...new Set(removals.map(renderTextRemoval))];
  const because = why.length === 0 ? '' : `: ${why.join('; ')}`;
  return [`  not tested  ${toCount(blank, 'call')} without text${because}`];
}

function renderConclusion({ faults, hits, falseAlarms, untold, unstored, fires }: TestedLesson): string {
  if (faults.length > 0) return `Problems: ${faults.join('; ')}.`;
  if (falseAlarms > hits) return 'It fired more often in vain than not, but on too few calls to judge.';
  return (untold > 0 || unstored.length > 0) && fires === 0
    ? 'No stored call shows whether it is right.'
    : 'No problems found.';
}

function toKind(lesson: Lesson, call: AuditCall): string {
  if (isHit(lesson, call)) return 'hit';
  return hasWorked(call) ? 'call worked' : call.outcome;
}
