/** Whether what an agent said may tell something to learn from: most of its words do not, and are not even cleaned. */

const TELLING =
  /#\/?lesson\b|\[\/?process[_ -]knowledge\]|\blessons? learned\b|\bfrom now on\b|\broot cause\b|\b(?:issue|problem|culprit|reason) (?:is|was)\b/i;

export function isTelling(said: string): boolean {
  return TELLING.test(said);
}
