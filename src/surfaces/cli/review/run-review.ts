/** What waits for a person, one lesson at a time, by keys. */
import type { Terminal } from '../command.ts';
import { type Decision, decideByKeys, type KeyedReview } from './decide-by-keys.ts';
import { type Card, renderCard } from './render-card.ts';

type Done = 'approved' | 'edited' | 'rejected';
export type Decided = Decision<Done>;

export interface ReviewActions {
  approve(slug: string): Promise<void>;
  reject(slug: string): Promise<void>;
  /** Takes back the last change of the lesson. */
  undo(slug: string): Promise<void>;
  /** False when nothing was changed. */
  edit(slug: string): Promise<boolean>;
  /** The lesson as it is now: an edit changes its card. */
  readCard(slug: string): Promise<Card>;
}

export function runReview(
  open: () => Terminal,
  slugs: readonly string[],
  actions: ReviewActions,
): Promise<readonly Decided[]> {
  return decideByKeys<Done>(open, {
    names: slugs,
    decisions: makeDecisions(actions),
    renderCard: async (slug, columns) => renderCard(await actions.readCard(slug), columns),
    undo: actions.undo,
  });
}

function makeDecisions({ approve, reject, edit }: ReviewActions): KeyedReview<Done>['decisions'] {
  const always = (act: (slug: string) => Promise<void>) => (slug: string) => act(slug).then(() => true);
  return {
    a: { label: 'approve', help: 'approve: it speaks from now on', verdict: 'approved', act: always(approve) },
    e: {
      ...{ label: 'edit', help: 'edit it first (opens your editor)', verdict: 'edited', act: edit },
      needsTerminal: true,
    },
    r: {
      ...{ label: 'reject', help: 'reject: it is archived, and not learned again' },
      ...{ verdict: 'rejected', act: always(reject) },
    },
    s: { label: 'skip', help: 'skip: it waits on                 n or space: the same', verdict: 'skipped' },
  };
}
