/** `oncebitten compliance`: do agents write lessons down themselves, and which source of lessons to rest on. */
import type { KeptReport, ReportFilter } from '../../../base/kept-report.ts';
import { judgeCompliance } from '../../../measure/judge-compliance.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { toSince } from '../parse-span.ts';
import { renderCompliance } from '../render-compliance.ts';

/** Enough to see what goes wrong with them. */
const MAX_MALFORMED = 20;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const filter = toFilter(input);
    const report = judgeCompliance(await store.countReports(filter));
    const malformed = await store.listMalformedReports({ ...filter, limit: MAX_MALFORMED });
    const missed = await store.listUnreported({ ...filter, limit: MAX_MALFORMED });
    const json = { ...filter, ...report, malformed: malformed.map(toTold), missed };
    const { total } = judgeCompliance(Object.keys(filter).length === 0 ? [] : await store.countReports({}));
    const view = {
      isAsked: settings.selfReportProtocol,
      isAny: total.reports + total.malformed > 0,
      columns: input.columns,
    };
    return { json, text: renderCompliance(report, { malformed, missed }, view) };
  });

function toFilter({ options }: CommandInput): ReportFilter {
  const { agent, since } = options as Readonly<Record<string, string | undefined>>;
  if (agent !== undefined) checkAgentId(agent);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(since === undefined ? {} : { since: toSince(since, '--since', Date.now()) }),
  };
}

function toTold({ agent, sessionId, form, malformed, file, line, at }: KeptReport) {
  return { agent, sessionId, form, reason: malformed, file, line, at };
}
