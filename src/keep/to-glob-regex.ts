/**
 * A path glob as the source of a linear-time regular expression: `**`, `*`, `?`, `[…]`, `{a,b}`. By hand, because the
 * libraries emit look-aheads, which V8's linear engine refuses; a pattern from a lesson must never stall a call.
 * A glob without a leading `/` matches at any depth: paths in calls are absolute, globs are written for a repository, with
 * `./` in front or not. `~/` is the home folder of whoever compiles it.
 */
import { homedir } from 'node:os';

export function toGlobRegex(glob: string): string {
  const [, prefix = '', rest = ''] = /^((?:\.\/)*(?:~\/)?)(.*)$/s.exec(glob) ?? [];
  return `${toAnchor(prefix, rest)}${rest.replace(TOKEN, toRegex)}$`;
}

function toAnchor(prefix: string, rest: string): string {
  if (prefix.endsWith('~/')) return `^${homedir().replaceAll('\\', '/').replace(SPECIAL, '\\$&')}/`;
  return rest.startsWith('/') || rest.startsWith('**/') ? '^' : '^(?:.*/)?';
}

const SPECIAL = /[\\^$.|+()[\]{}*?]/g;
const TOKEN = /\*\*\/|\*\*|\*|\?|\[[^\]/]+\]|\{[^{}]*\}|[\\^$.|+()[\]{}]/g;

function toRegex(token: string): string {
  if (token === '**/') return '(?:.*/)?';
  if (token === '**') return '.*';
  if (token === '*') return '[^/]*';
  if (token === '?') return '[^/]';
  if (token.length > 1 && token.startsWith('[')) return token.replace('[!', '[^').replaceAll('\\', '\\\\');
  if (token.length > 1 && token.startsWith('{')) {
    const options = token.slice(1, -1).split(',');
    return `(?:${options.map((option) => option.replace(TOKEN, toRegex)).join('|')})`;
  }
  return `\\${token}`;
}
