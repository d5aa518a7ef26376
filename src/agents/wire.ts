/**
 * Other people's JSON, narrowed by hand: a schema library would cost the hook its start. Nothing throws, whatever it is
 * given; what is not there is undefined.
 */

/** Any JSON object. */
export type Wire = Readonly<Record<string, unknown>>;

export function isWire(value: unknown): value is Wire {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string that says something. */
export function findText(wire: Wire, key: string): string | undefined {
  const value = wire[key];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

export function findNumber(wire: Wire, key: string): number | undefined {
  const value = wire[key];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

export function findWire(wire: Wire, key: string): Wire | undefined {
  const value = wire[key];
  return isWire(value) ? value : undefined;
}

/** The objects of a list; an empty list when there is none. */
export function toWires(value: unknown): readonly Wire[] {
  return Array.isArray(value) ? value.filter(isWire) : [];
}
