/** Paths in a text by their last two names, where the text is too long: what stands behind them says more than their beginning. */
export function shortenPaths(text: string, max: number): string {
  return text.length <= max ? text : text.replace(/(?:\/[\w.@+~-]+){3,}/g, toEnd);
}

function toEnd(path: string): string {
  return `…/${path.split('/').slice(-2).join('/')}`;
}
