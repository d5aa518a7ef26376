/** The delivery that a person means by its id or the beginning of it, or an error that lists those it may be. */
import type { PlacedDelivery } from '../../base/delivery-query.ts';
import { UserError } from '../../base/errors.ts';
import type { Store } from '../../base/store.ts';
import { toLine, toMinute } from './to-line.ts';

const MAX_CANDIDATES = 8;

export async function getDelivery(store: Pick<Store, 'listPlacedDeliveries'>, text: string): Promise<PlacedDelivery> {
  const found = await store.listPlacedDeliveries({ idPrefix: text, limit: MAX_CANDIDATES + 1 });
  const only = found.length === 1 ? found[0] : found.find(({ id }) => id === text);
  if (only !== undefined) return only;
  const shown = found.slice(0, MAX_CANDIDATES).map(({ id, deliveredAt }) => `${id}  ${toMinute(deliveredAt)}`);
  const more = found.length > MAX_CANDIDATES ? '\n        …' : '';
  throw new UserError({
    subject: `delivery ${toLine(text, 80)}`,
    reason: found.length === 0 ? 'is not known' : 'is the beginning of several ids',
    next:
      found.length === 0
        ? 'see the latest: oncebitten deliveries'
        : `give more of it:\n        ${shown.join('\n        ')}${more}`,
  });
}
