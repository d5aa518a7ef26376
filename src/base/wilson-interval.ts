/** How far a share that was counted may be from the true one: Wilson's 95 % interval, which is fair to small counts. */

const Z = 1.959964;

/** Undefined when nothing was counted. */
export function findWilsonInterval(part: number, whole: number): readonly [low: number, high: number] | undefined {
  if (whole <= 0) return undefined;
  const share = part / whole;
  const z2 = Z * Z;
  const middle = (share + z2 / (2 * whole)) / (1 + z2 / whole);
  const half = (Z / (1 + z2 / whole)) * Math.sqrt((share * (1 - share)) / whole + z2 / (4 * whole * whole));
  return [toRounded(Math.max(0, middle - half)), toRounded(Math.min(1, middle + half))];
}

function toRounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
