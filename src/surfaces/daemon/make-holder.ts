/** Questions whose answer does not change during a piece of work: looking at a file costs more than most of what is done. */
export interface Holder {
  /** The same question, asked once while work is going on, and each time when none is. */
  hold<T>(ask: () => T): () => T;
  during<T>(work: () => T): T;
}

export function makeHolder(): Holder {
  let piece: object | undefined;
  return {
    hold(ask) {
      let known: { readonly piece: object; readonly answer: ReturnType<typeof ask> } | undefined;
      return () => {
        if (piece === undefined) return ask();
        if (known?.piece !== piece) known = { piece, answer: ask() };
        return known.answer;
      };
    },
    during(work) {
      if (piece !== undefined) return work();
      piece = {};
      try {
        return work();
      } finally {
        piece = undefined;
      }
    },
  };
}
