/**
 * Normalizes the URL of a git remote to one name: `git@host:a/b.git`, `ssh://git@host:2222/a/b` and
 * `https://user:pw@HOST/a/b/` are all `host/a/b`. The name never contains credentials. The path is lower-cased only for
 * hosts that ignore its case.
 */

import { toAbsolute } from './paths.ts';

const URL_FORM = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/]*@)?(\[[^\]/@]*\](?::\d*)?|[^/@]*)(\/.*)?$/i;
/** `user@host:path`, `[user@host:port]:path`. A single letter before the colon is a Windows drive. */
const SCP_FORM = /^(?:[^@/\\\s[\]]+@)?(?:\[(?:[^@\]]+@)?([^\]@]+)\]|([^@:/\\\s[\]]{2,})):(?!\/\/)(.*)$/;
const PORT = /(?<=[^:]):\d*$/;
const WEB_PORT = /:(?:80|443|9418)?$/;

/** Hosts with another name over SSH, and the prefixes that they add to a path. */
const SAME_PLACE: readonly (readonly [RegExp, string])[] = [
  [/^ssh\.github\.com\//, 'github.com/'],
  [/^altssh\.(gitlab\.com|bitbucket\.org)\//, '$1/'],
  [/^ssh\.dev\.azure\.com\/v3\//, 'dev.azure.com/'],
  [/^(dev\.azure\.com\/.+)\/_git\//, '$1/'],
];

const CASELESS = /^(?:github\.com|gitlab\.com|bitbucket\.org|dev\.azure\.com)\//;

/** `root`: the folder that a relative path starts from. */
export function toRemoteName(remote: string, root: string): string {
  const { host, path } = parseRemote(remote);
  if (host === '') return toPathName(toAbsolute(path, root));
  const name = `${host}/${toPathName(path).replace(/^\/+/, '')}`;
  const same = SAME_PLACE.reduce((text, [form, other]) => text.replace(form, other), name);
  return CASELESS.test(same) ? same.toLowerCase() : same;
}

/** A URL, a host, or a path that depends on nothing but the folder. */
const TOLD_FORM = /^(?:[a-z][a-z0-9+.-]*:\/\/|[^/\s]+:|\.{0,2}\/)/i;

/** The name of a remote in a transcript. Undefined for text that names no repository, such as a placeholder. */
export function parseRemoteName(given: string, root: string): string | undefined {
  const text = given.trim();
  if (!TOLD_FORM.test(text) || /\s/.test(text)) return undefined;
  const name = toRemoteName(text, root);
  const [host, ...path] = name.split('/');
  const isNamed = path.length > 0 && path.every((part) => /[^.]/.test(part));
  return isNamed && (host === '' || /^[\w.:[\]-]+$/.test(host ?? '')) ? name : undefined;
}

/** The folder of a remote on this machine; undefined for one that is elsewhere. */
export function findLocalRemote(remote: string, root: string): string | undefined {
  const { host, path } = parseRemote(remote);
  return host === '' && path !== '' ? toAbsolute(path, root) : undefined;
}

/** The host is empty for a path on this machine. */
function parseRemote(remote: string): { readonly host: string; readonly path: string } {
  const text = remote.trim();
  const [, scheme, urlHost, urlPath = ''] = URL_FORM.exec(text) ?? [];
  if (scheme !== undefined && urlHost !== undefined) return { host: toHost(urlHost, scheme), path: urlPath };
  const [, bracketed, plain, scpPath = ''] = SCP_FORM.exec(text) ?? [];
  const scpHost = bracketed === undefined ? plain : toBracketless(bracketed);
  return scpHost === undefined ? { host: '', path: text } : { host: toHost(scpHost, 'ssh'), path: scpPath };
}

/** The SSH port does not identify a repository, but an HTTP port may distinguish two servers. */
function toHost(host: string, scheme: string): string {
  const isSsh = scheme.toLowerCase().includes('ssh');
  return host.toLowerCase().replace(isSsh ? PORT : WEB_PORT, '');
}

/** Removes the brackets of an SCP form; `[::1]` keeps them, as in a URL. */
function toBracketless(host: string): string {
  return host.split(':').length > 2 ? `[${host}]` : host;
}

function toPathName(path: string): string {
  return path
    .replace(/\/+$/, '')
    .replace(/\.git$/, '')
    .replace(/\/+$/, '');
}
