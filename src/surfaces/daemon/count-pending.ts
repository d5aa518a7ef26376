/** How much somebody still has to do, and a way to wait until it is less. */
export interface Pending {
  add(count: number): void;
  remove(count: number): void;
  /** It is gone, or starts anew. */
  clear(): void;
  /** Resolves when half of the most is left; undefined when it is not more than the most. */
  findDelay(): Promise<void> | undefined;
}

export function countPending(most: number): Pending {
  let pending = 0;
  let waiting: (() => void)[] = [];
  const remove = (count: number): void => {
    pending = Math.max(0, pending - count);
    if (pending > most / 2) return;
    for (const goOn of waiting) goOn();
    waiting = [];
  };
  return {
    add: (count) => {
      pending += count;
    },
    remove,
    clear: () => remove(pending),
    findDelay: () => (pending > most ? new Promise((goOn) => waiting.push(goOn)) : undefined),
  };
}
