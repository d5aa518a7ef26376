/** The Node that the command line and the daemon need: the first with a stable `node:sqlite`. */
const NEEDED = [22, 18] as const;

export const NEEDED_NODE = NEEDED.join('.');
/** The hook and the launchers run on any Node from this one on. */
export const OLDEST_NODE = '18';

export function isNodeNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1]);
}
