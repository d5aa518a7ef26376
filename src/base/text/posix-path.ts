/** Resolves a path against a folder, as `resolve` of node:path does for POSIX paths: `base/` imports no node: module. */
export function toAbsolute(path: string, folder = '/'): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
