/** `1 line`, `26,010 lines`. */
export function toCount(n: number, word: string): string {
  return `${toNumber(n)} ${word}${n === 1 ? '' : 's'}`;
}

export function toNumber(n: number): string {
  return String(n).replace(/\B(?=(\d{3})+$)/g, ',');
}
