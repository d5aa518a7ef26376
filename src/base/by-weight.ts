/** What weighs most first: priority, then confidence, then the name, so that the order is always the same. */
export interface Weighed {
  readonly slug: string;
  readonly priority: number;
  readonly confidence: number;
}

export function byWeight(a: Weighed, b: Weighed): number {
  return b.priority - a.priority || b.confidence - a.confidence || (a.slug < b.slug ? -1 : Number(a.slug > b.slug));
}
