/** `oncebitten patterns`: what keeps going wrong, over sessions and projects. */
import { PATTERN_KINDS, type PatternKind } from '../../../base/pattern.ts';
import type { RecurrenceFilter } from '../../../base/recurrence.ts';
import type { Settings } from '../../../base/settings.ts';
import type { Store } from '../../../base/store.ts';
import { isToolName, isTracked } from '../../../base/tool.ts';
import { findPatterns } from '../../../distill/patterns/find-patterns.ts';
import type { PatternKnowledge } from '../../../distill/patterns/pattern-context.ts';
import { checkAgentId } from '../check-agent-id.ts';
import type { CommandInput, Handler } from '../command.ts';
import { findProjects } from '../find-projects.ts';
import { readHome } from '../open-home.ts';
import { toPage } from '../page.ts';
import { toSince } from '../parse-span.ts';
import { type PatternReport, renderPatterns } from '../render-patterns.ts';
import { UsageError } from '../usage-error.ts';

const LISTED = 20;
/** Keeps memory bounded in the largest stores: under 300 MB when each of them is another message, far less otherwise. */
const MAX_CELLS = 20_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store, settings }) => {
    const kind = toKind(input.options.kind as string | undefined);
    const filter = await toFilter(input, store);
    const recurrence = await store.countRecurrence(filter);
    const all = findPatterns(recurrence, await readKnowledge(store, settings));
    const patterns = kind === undefined ? all : all.filter((pattern) => pattern.kind === kind);
    const report: PatternReport = {
      ...(filter.since === undefined ? {} : { since: filter.since }),
      failures: recurrence.cells.reduce((sum, { count }) => sum + count, 0),
      isCut: recurrence.isCut,
      ...toPage(patterns, input.options, LISTED),
    };
    const isNarrowed = [input.options.project, filter.agent, filter.since, kind].some((one) => one !== undefined);
    const any = isNarrowed && (report.failures > 0 || (await hasFailures(store)));
    return { json: report, text: renderPatterns(report, { byKind: kind !== undefined, any }, input.columns) };
  });

async function hasFailures(store: Store): Promise<boolean> {
  const { failures, masked } = await store.countAll();
  return failures + masked > 0;
}

async function readKnowledge(store: Store, { trackedTools }: Settings): Promise<PatternKnowledge> {
  const projects = await store.listProjectSummaries();
  return {
    now: new Date().toISOString(),
    lessons: await store.listLessons(),
    projects: new Map(
      projects.map(({ id, name, roots, joined }) => [
        id,
        { name, roots: [...roots, ...joined.flatMap((one) => one.roots)] },
      ]),
    ),
    isTracked: (tool) => isToolName(tool) && isTracked({ tool, outcome: 'success' }, trackedTools),
  };
}

function toKind(text: string | undefined): PatternKind | undefined {
  if (text === undefined) return undefined;
  const known = PATTERN_KINDS.find((kind) => kind === text);
  if (known !== undefined) return known;
  throw new UsageError({
    subject: `--kind ${text}`,
    reason: 'is no kind of pattern',
    next: `use one of: ${PATTERN_KINDS.join(', ')}`,
  });
}

async function toFilter({ options, cwd }: CommandInput, store: Store): Promise<RecurrenceFilter> {
  const agent = options.agent as string | undefined;
  const since = options.since as string | undefined;
  const project = options.project as string | true | undefined;
  if (agent !== undefined) checkAgentId(agent);
  return {
    ...(agent === undefined ? {} : { agent }),
    ...(since === undefined ? {} : { since: toSince(since, '--since', Date.now()) }),
    ...(project === undefined ? {} : { projectIds: (await findProjects(store, project, cwd)).ids }),
    limit: MAX_CELLS,
  };
}
