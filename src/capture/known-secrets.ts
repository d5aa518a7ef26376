/**
 * Values that were secrets in one text and are so in all others. A mistyped option tells nothing of its value, the call that
 * corrects it does. In memory only, and not for ever.
 */
import { type HintSearch, makeHintSearch } from '../base/make-hint-search.ts';

export interface KnownSecrets {
  add(values: readonly string[]): void;
  /** Whether there is one that was not there when this was last asked. */
  isNew(): boolean;
  /** The text without any of them. */
  clean(text: string): string;
}

/** More than one session has; each costs every text a little. */
const MAX_VALUES = 64;
/** Up to so many a search for each is quicker than one for all. */
const FEW = 3;

export function makeKnownSecrets(): KnownSecrets {
  // In order of use: the oldest is forgotten.
  const known = new Set<string>();
  let search: HintSearch | undefined;
  let isAsked = true;

  const findIn = (text: string): Iterable<string> => {
    if (known.size <= FEW) return [...known].filter((value) => text.includes(value));
    search ??= makeHintSearch({ exact: known, anyCase: [] });
    return search(text);
  };

  return {
    add(values) {
      const fresh = values.filter((value) => !known.has(value));
      for (const value of values) {
        known.delete(value);
        known.add(value);
        if (known.size > MAX_VALUES) known.delete(known.values().next().value ?? '');
      }
      if (fresh.length === 0) return;
      search = undefined;
      isAsked = false;
    },
    isNew() {
      const isNew = !isAsked;
      isAsked = true;
      return isNew;
    },
    clean(text) {
      if (known.size === 0) return text;
      let clean = text;
      for (const value of findIn(text)) clean = replaceWhole(clean, value);
      return clean;
    },
  };
}

/** Not inside a longer word or number. */
function replaceWhole(text: string, value: string): string {
  const escaped = value.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
  return text.replace(new RegExp(`(?<![A-Za-z0-9])${escaped}(?![A-Za-z0-9])`, 'g'), '[redacted:credential]');
}
