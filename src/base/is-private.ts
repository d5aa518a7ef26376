/** M12: folders that are never captured and never spoken about. */
export function isPrivate(cwd: string | undefined, privateProjects: readonly string[]): boolean {
  return (
    cwd !== undefined &&
    privateProjects.some((dir) => cwd === dir || cwd.startsWith(dir.endsWith('/') ? dir : `${dir}/`))
  );
}
