/** Changes every text in a value with one call, so that thousands of them are scanned together. */

export async function mapTexts<T>(
  value: T,
  change: (texts: readonly string[]) => Promise<readonly string[]>,
): Promise<T> {
  const texts: string[] = [];
  walk(value, (text) => {
    texts.push(text);
    return text;
  });
  const changed = await change(texts);
  let at = 0;
  return walk(value, () => changed[at++] ?? '') as T;
}

/** Keys stay; the order is the same every time. */
function walk(value: unknown, use: (text: string) => string): unknown {
  if (typeof value === 'string') return use(value);
  if (Array.isArray(value)) return value.map((one) => walk(one, use));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, walk(one, use)]));
}

/** One by one, where nothing has to be waited for. */
export function mapTextsNow<T>(value: T, change: (text: string) => string): T {
  return walk(value, change) as T;
}

export function listTexts(value: unknown): readonly string[] {
  const texts: string[] = [];
  walk(value, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}
