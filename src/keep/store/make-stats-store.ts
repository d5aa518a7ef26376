/** What is counted of deliveries, and of what was said and missed beside them. */
import type { Store } from '../../base/store.ts';
import { countAdded, saveAdded } from './added-texts.ts';
import { countDeliveries } from './count-deliveries.ts';
import { countFeedback } from './count-feedback.ts';
import { countMissed } from './count-missed.ts';
import type { Engine } from './engine.ts';
import { listPlacedDeliveries } from './list-placed-deliveries.ts';
import { listRecurrences } from './list-recurrences.ts';
import { readLatency } from './read-latency.ts';

type StatsMethods =
  | 'listPlacedDeliveries'
  | 'countDeliveries'
  | 'readLatency'
  | 'countMissed'
  | 'countFeedback'
  | 'listRecurrences'
  | 'saveAdded'
  | 'countAdded';

export function makeStatsStore({ db }: Engine): Pick<Store, StatsMethods> {
  return {
    listPlacedDeliveries: (query) => listPlacedDeliveries(db, query),
    countDeliveries: (query, by) => countDeliveries(db, query, by),
    readLatency: (query) => readLatency(db, query),
    countMissed: (query) => countMissed(db, query),
    countFeedback: (query, except) => countFeedback(db, query, except),
    listRecurrences: (query) => listRecurrences(db, query),
    saveAdded: (texts) => saveAdded(db, texts),
    countAdded: (query) => countAdded(db, query),
  };
}
