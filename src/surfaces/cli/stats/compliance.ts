/**
 * `oncebitten stats compliance`: reports how often agents write lessons down themselves, and whether these reports or
 * the detectors are the main source of lessons.
 */

import type { KeptReport, ReportFilter, UnreportedFailure } from '../../../base/model/finding.ts';
import {
  type Compliance,
  type ComplianceReport,
  judgeCompliance,
  type Tier,
} from '../../../measure/judge-compliance.ts';
import { toCallFilter } from '../arguments/options.ts';
import type { Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { renderTable, type TableRoom } from '../table.ts';
import { joinLines, toCount, toLine, toMinute, toScreenMax } from '../text.ts';

/** Enough to see what goes wrong with them. */
const MAX_MALFORMED = 20;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const filter: ReportFilter = await toCallFilter(input, store);
    const report = judgeCompliance(await store.countReports(filter));
    const malformed = await store.listMalformedReports({ ...filter, limit: MAX_MALFORMED });
    const missed = await store.listUnreported({ ...filter, limit: MAX_MALFORMED });
    const json = { ...filter, ...report, malformed: malformed.map(toMalformed), missed };
    const { total } = judgeCompliance(Object.keys(filter).length === 0 ? [] : await store.countReports({}));
    const view = {
      isAsked: settings.selfReportProtocol,
      isAny: total.reports + total.malformed > 0,
      columns: input.columns,
    };
    return { json, text: renderCompliance(report, { malformed, missed }, view) };
  });

function toMalformed({ agent, sessionId, form, malformed, file, line, at }: KeptReport) {
  return { agent, sessionId, form, reason: malformed, file, line, at };
}

const MAX_MISSED = 5;

const MEANING: Readonly<Record<Tier, string>> = {
  tags: 'the reports of agents are the main source of lessons (over 70 %)',
  heuristics: 'failed calls are the main source of lessons (reports under 40 %)',
  both: 'reports and failed calls are both needed (40 to 70 %)',
};

const SOURCES: Readonly<Record<Tier, string>> = { tags: 'reports', heuristics: 'failed calls', both: 'both' };

interface ComplianceView extends Pick<TableRoom, 'columns'> {
  /** Sessions are asked for reports. */
  readonly isAsked: boolean;
  /** There are others than those that were asked for. */
  readonly isAny: boolean;
}

/** The newest of each. */
interface ComplianceLists {
  readonly malformed: readonly KeptReport[];
  readonly missed: readonly UnreportedFailure[];
}

const HEAD = ['AGENT', 'MODEL', 'REQUEST', 'CONTEXT', 'REPORTED', 'UNREPORTED', 'UNREADABLE', 'SHARE', 'MAIN SOURCE'];

/** The compliance report for a person. */
function renderCompliance(
  { total, groups }: ComplianceReport,
  { malformed, missed }: ComplianceLists,
  view: ComplianceView,
): string {
  if (total.reports + total.malformed === 0) return renderNone(total, view);
  const rows = groups.map((group) => [
    group.agent,
    toLine(group.model ?? '(not known)', toScreenMax(view.columns, 40)),
    group.protocol === undefined ? '-' : `v${group.protocol}`,
    group.isSubagent ? 'sub-agents' : 'main',
    String(group.reports),
    String(group.unreported),
    String(group.malformed),
    toShare(group),
    group.primary === undefined ? '-' : SOURCES[group.primary],
  ]);
  return joinLines([
    renderTable(HEAD, rows, { columns: view.columns, texts: [1] }),
    '',
    total.primary !== undefined && `Together ${toShare(total)}: ${MEANING[total.primary]}.`,
    ...renderMalformed(malformed, view),
    ...renderMissed(missed, view),
  ]);
}

function renderNone({ unreported }: Compliance, { isAsked, isAny }: ComplianceView): string {
  const seen = unreported === 0 ? '' : ` Oncebitten learned from ${toCount(unreported, 'failure')} on its own.`;
  if (isAny) return `No reports match these filters.${seen} See all: oncebitten stats compliance`;
  const next = isAsked
    ? 'Oncebitten asks each agent for reports when a session starts (setting selfReportProtocol). Read past sessions, too: oncebitten scan'
    : 'Oncebitten does not ask for reports. Change that: oncebitten config set selfReportProtocol true';
  return `No agent has reported a mistake of its own yet.${seen}\n${next}`;
}

function renderMalformed(malformed: readonly KeptReport[], { columns }: ComplianceView): readonly string[] {
  if (malformed.length === 0) return [];
  const lines = malformed.map(({ file, line, sessionId, at, form, malformed: reason = '' }) => {
    const place = file === undefined ? `session ${sessionId}` : `${file}:${line ?? 1}`;
    return `  ${toLine(place)}  ${toMinute(at)}  ${form}: ${toLine(reason, toScreenMax(columns, 120))}`;
  });
  return ['', 'Reports that could not be read, newest first:', ...lines];
}

function renderMissed(missed: readonly UnreportedFailure[], { columns }: ComplianceView): readonly string[] {
  if (missed.length === 0) return [];
  const shown = missed.slice(0, toScreenMax(columns, MAX_MISSED));
  const lines = shown.map(({ sessionId, contextId, at, command = '(text removed)' }) => {
    const who = contextId === '' ? '' : ' sub-agent';
    return `  ${toMinute(at)}  session ${toLine(sessionId, toScreenMax(columns, 13))}${who}: ${toLine(command, toScreenMax(columns, 100))}`;
  });
  return ['', 'Failures that Oncebitten learned from and no agent reported, newest first:', ...lines];
}

function toShare({ share }: Compliance): string {
  return share === undefined ? '-' : `${Math.round(share * 100)} %`;
}
