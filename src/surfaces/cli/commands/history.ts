/** `oncebitten history`: how much the agents did, how much of it failed, and what failed most. */
import { UserError } from '../../../base/errors.ts';
import type { HistoryFilter } from '../../../base/history.ts';
import type { Store } from '../../../base/store.ts';
import { groupHistory, HISTORY_GROUPS, type HistoryGrouping, sumHistory } from '../../../base/sum-history.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { readHome } from '../open-home.ts';
import { toSince, toTime } from '../parse-span.ts';
import { type HistoryReport, type ProjectWords, renderHistory } from '../render-history.ts';
import { toLimit } from '../to-limit.ts';
import { toProjectLabels } from '../to-project-labels.ts';
import { UsageError } from '../usage-error.ts';

const DEFAULT_LIMIT = 10;
/** Two lines each: so that a first look fits a screen. */
const DEFAULT_SIGNATURES = 5;
/** What a first look wants to know. */
const DEFAULT_GROUPS: readonly HistoryGrouping[] = ['agent', 'project'];

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const groupings = toGroupings(input.options.by as string | undefined);
    const given = input.options.limit as string | undefined;
    const limit = toLimit(given, DEFAULT_LIMIT);
    const filter = await toFilter(input, store);
    const cells = await store.countHistory(filter);
    if (cells.length === 0) await checkModel(store, filter);
    const projects = (await store.listProjectSummaries()).map(({ roots, ...one }) => ({ ...one, root: roots[0] }));
    const names = new Map(projects.map(({ id, name }) => [id, name || id]));
    const labels = toProjectLabels(projects);
    const isAny = cells.length > 0 || (await store.countAll()).calls > 0;
    const report: HistoryReport = {
      ...(filter.since === undefined ? {} : { since: filter.since }),
      ...(filter.until === undefined ? {} : { until: filter.until }),
      totals: { ...sumHistory(cells), silentSessions: await store.countSilentSessions(filter) },
      by: groupings.map((by) => {
        const groups = groupHistory(cells, by).map((group) => ({ ...group, ...toName(by, group.key, names, labels) }));
        return { by, total: groups.length, groups: groups.slice(0, limit) };
      }),
      signatures: await store.listTopSignatures({ ...filter, limit: toLimit(given, DEFAULT_SIGNATURES) }),
    };
    return { json: report, text: renderHistory(report, isAny, input.columns) };
  });

function toName(
  by: HistoryGrouping,
  key: string,
  names: ReadonlyMap<string, string>,
  labels: ReadonlyMap<string, string>,
): ProjectWords {
  return by === 'project' ? { name: names.get(key) ?? key, label: labels.get(key) ?? key } : {};
}

function toGroupings(by: string | undefined): readonly HistoryGrouping[] {
  if (by === undefined) return DEFAULT_GROUPS;
  const known = HISTORY_GROUPS.find((one) => one === by);
  if (known !== undefined) return [known];
  throw new UsageError({
    subject: `--by ${by}`,
    reason: 'is no way to group',
    next: `use one of: ${HISTORY_GROUPS.join(', ')}`,
  });
}

async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<HistoryFilter> {
  const given = options as Readonly<Record<string, string | undefined>>;
  const project = options.project as string | true | undefined;
  if (given.agent !== undefined) checkAgentId(given.agent);
  const nowMs = Date.now();
  const since = given.since === undefined ? undefined : toSince(given.since, '--since', nowMs);
  const until = given.until === undefined ? undefined : toEnd(given.until, nowMs);
  if (since !== undefined && until !== undefined && since >= until) {
    throw new UsageError({
      subject: `--since ${given.since} --until ${given.until}`,
      reason: 'is no span: it ends before it begins',
      next: 'give --since the earlier time',
    });
  }
  return {
    ...(project === undefined ? {} : { projectIds: (await findProjects(store, project, cwd)).ids }),
    ...(given.agent === undefined ? {} : { agent: given.agent }),
    ...(given.model === undefined ? {} : { model: given.model }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
  };
}

/** A day is meant with its evening. */
function toEnd(text: string, nowMs: number): string {
  const at = toTime(text, '--until', nowMs);
  return /^\d{4}-\d\d-\d\d$/.test(text) ? new Date(Date.parse(at) + 86_400_000).toISOString() : at;
}

/** Nothing to show may be a name that is spelled otherwise. */
async function checkModel(store: Store, { model }: HistoryFilter): Promise<void> {
  if (model === undefined) return;
  const cells = await store.countHistory({});
  const known = [...new Set(cells.map((cell) => cell.model).filter((name) => name !== undefined))].sort();
  if (known.length === 0 || known.includes(model)) return;
  throw new UserError({
    subject: `model ${model}`,
    reason: 'is not the model of any recorded call',
    next: `use one of: ${known.join(', ')}`,
  });
}
