import type { Journal } from '../../src/capture/journal/journal.ts';
import type { Keeper } from '../../src/surfaces/daemon/open-keeper.ts';

/** What an answerer needs of the daemon's keeper, with a journal and without a store. */
export const toKeeper = (journal: Pick<Journal, 'append'>, handOn: Keeper['handOn'] = () => {}) => ({
  append: journal.append,
  handOn,
  together: <T>(work: () => T): T => work(),
  findDelay: () => undefined,
  findKnowledge: () => undefined,
});
