/** `oncebitten stats`: do the lessons help, and what do they cost. */

import type { Store } from '../../../base/contracts/store.ts';
import type { DeliveryQuery } from '../../../base/model/delivery.ts';
import { dropAbsent } from '../../../base/records.ts';
import { makeStatsReport, type StatsInput } from '../../../measure/make-stats-report.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import type { Handler } from '../command.ts';
import { listTakenBack } from '../lessons/feedback.ts';
import { readHome } from '../open-home.ts';
import { toLimit } from '../paging.ts';
import { toDeliveryQuery } from './deliveries.ts';
import { renderStats } from './render-stats.ts';

const DEFAULT_LIMIT = 10;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const limit = toLimit(input.options.limit as string | undefined, DEFAULT_LIMIT);
    const query = await toDeliveryQuery(input, store);
    const report = makeStatsReport(await readCounts(store, query));
    const { lessons, drafts, calls, deliveries } = await store.countAll();
    const isNarrowed = Object.keys(query).length > 0 && deliveries > 0;
    const isOfOne = query.lessonId !== undefined;
    return {
      json: report,
      text: renderStats(report, {
        limit,
        isNarrowed,
        isOfOne,
        columns: input.columns,
        store: { lessons, drafts, calls },
      }),
    };
  });

async function readCounts(store: Store, query: DeliveryQuery): Promise<StatsInput> {
  const latency = await store.readLatency(query);
  const { lessonId, agent, projectIds, sessionId, since } = query;
  const calls =
    lessonId === undefined
      ? await store.countFailures({
          ...dropAbsent({ agent, projectIds, sessionId, since }),
        })
      : undefined;
  const lessons = await store.listLessons();
  const labels = await readProjectLabels(store);
  return {
    ...dropAbsent({ since }),
    ...(calls === undefined ? {} : { calls, added: await store.countAdded(query) }),
    cells: {
      project: await store.countDeliveries(query, 'project'),
      agent: await store.countDeliveries(query, 'agent'),
      day: await store.countDeliveries(query, 'day'),
    },
    ...dropAbsent({ latency }),
    missed: await store.countMissed(query),
    feedback: await store.countFeedback(query, [...(await listTakenBack(store, await store.listFeedback()))]),
    recurrences: await store.listRecurrences(query),
    lessons: lessons.filter(({ status }) => status === 'active'),
    names: new Map([...labels, ...lessons.map(({ id, slug }) => [id, slug] as const)]),
  };
}
