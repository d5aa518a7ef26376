/** Deliveries as they are asked for in numbers: by `stats`, and by whoever looks for the one that a person means. */
import type { Delivery, StoredDelivery } from './delivery.ts';

export interface DeliveryQuery {
  readonly agent?: string;
  /** Any id of a joined project stands for all of them. */
  readonly projectIds?: readonly string[];
  readonly lessonId?: string;
  readonly sessionId?: string;
  /** The beginning of an id. */
  readonly idPrefix?: string;
  readonly arm?: Delivery['arm'];
  /** From this time on. */
  readonly since?: string;
}

/** With the project of its call, else of its session; a joined project is the one that it was joined into. */
export interface PlacedDelivery extends StoredDelivery {
  readonly projectId?: string;
}
