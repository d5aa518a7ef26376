/** A path inside the directory of the call, seen from there: what another clone of the project has, too. */
import type { LiveCall } from '../../../base/model/call.ts';
import { toPlainPath } from '../../../base/text/paths.ts';

export function toProjectPath(path: string, { cwd }: Pick<LiveCall, 'cwd'>): string | undefined {
  if (/[$*`\s]/.test(path) || path === '') return undefined;
  const relative = cwd !== undefined && path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path;
  if (/^[/~]|^\.\.(?:\/|$)/.test(relative)) return undefined;
  return toPlainPath(relative) || undefined;
}
