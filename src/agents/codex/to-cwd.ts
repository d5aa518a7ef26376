/** The folder of a call, from the ways in which Codex names folders. */
const ABSOLUTE = /^(?:[/\\]|[A-Za-z]:[/\\])/;

/** `workdir` of a command may be relative to the folder of the turn. */
export function toCwd(workdir: string | undefined, turnCwd: string | undefined): string | undefined {
  if (workdir === undefined || workdir === '.') return turnCwd;
  if (workdir.startsWith('file://')) return toFilePath(workdir) ?? turnCwd;
  if (ABSOLUTE.test(workdir)) return workdir;
  return turnCwd === undefined ? undefined : `${turnCwd}/${workdir}`;
}

function toFilePath(url: string): string | undefined {
  try {
    const path = decodeURIComponent(url.slice('file://'.length));
    return /^\/[A-Za-z]:/.test(path) ? path.slice(1) : path;
  } catch {
    return undefined;
  }
}
