/**
 * One name for all the ways to write a remote: `git@host:a/b.git`, `ssh://git@host/a/b`, `https://user:pw@HOST/a/b/`
 * are `host/a/b`. Credentials never get into it. Only the host's case is folded: paths may differ by case.
 */
import { resolve } from 'node:path';

const URL_FORM = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/]*@)?([^/@]*)(\/.*)?$/i;
/** `user@host:path`; a single letter before the colon is a Windows drive. */
const SCP_FORM = /^(?:[^@/\\\s]+@)?([^@:/\\\s]{2,}):(?!\/\/)(.*)$/;
const DEFAULT_PORT = /:(?:22|80|443|9418)$/;

/** `root` is what a relative path is relative to. */
export function toRemoteName(remote: string, root: string): string {
  const url = remote.trim();
  const [, host, path] = URL_FORM.exec(url) ?? SCP_FORM.exec(url) ?? [];
  if (host === undefined) return toPathName(resolve(root, url));
  if (host === '') return toPathName(path ?? '');
  return `${host.toLowerCase().replace(DEFAULT_PORT, '')}/${toPathName(path ?? '').replace(/^\/+/, '')}`;
}

function toPathName(path: string): string {
  return path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
}
