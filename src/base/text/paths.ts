/**
 * Compares and resolves paths by their text, as agents and programs write them: absolute, relative to some folder, with
 * leading `./` or trailing `/`. Nothing here reads the disk.
 */

/** `tsc` of `./node_modules/.bin/tsc`. */
export function toBaseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Without `./` before it and `/` behind it. */
export function toPlainPath(path: string): string {
  return path.replace(/^\.\//, '').replace(/\/+$/, '');
}

/** `src/api` of the Go pattern `./src/api/...`, and of a plain path. */
export function toPatternFolder(pattern: string): string {
  return toPlainPath(pattern).replace(/\/?\.\.\.$/, '');
}

/** Do both paths end with the same name, in whatever folder? */
export function isSameBaseName(a: string, b: string): boolean {
  return toBaseName(toPlainPath(a)) === toBaseName(toPlainPath(b));
}

/** Do both paths name the same file, if one of them may be relative to an inner folder? */
export function isSamePath(a: string, b: string): boolean {
  return endsWithPath(a, b) || endsWithPath(b, a);
}

/** Is `end` the whole path or its last names: `api/users.ts` of `/repo/src/api/users.ts`? */
export function endsWithPath(path: string, end: string): boolean {
  const [whole, last] = [toPlainPath(path), toPlainPath(end)];
  return whole === last || (last !== '' && whole.endsWith(`/${last}`));
}

/** Does the path lead to this part, from whatever folder, or through it: `/repo/src/api/users.ts` to `src/api`? */
export function leadsTo(path: string, part: string): boolean {
  return `/${toPlainPath(path)}/`.includes(`/${toPlainPath(part)}/`);
}

/** Is the path this folder or inside it? */
export function isInFolder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The path inside the folder; a path elsewhere stays as it is. */
export function toRelative(path: string, folder: string): string {
  return folder.length > 1 && isInFolder(path, folder) ? path.slice(folder.length + 1) : path;
}

/** Resolves a path against a folder like `resolve` of node:path, which `base/` must not import. */
export function toAbsolute(path: string, folder = '/'): string {
  const parts: string[] = [];
  for (const part of (path.startsWith('/') ? path : `${folder}/${path}`).split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return `/${parts.join('/')}`;
}
