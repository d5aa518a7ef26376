/** A regular expression on a path as a glob that means the same, or nothing where no glob does. */
import { splitPattern } from './split-pattern.ts';

const TOKEN =
  /\.\*\??|\.\+\??|\[\^\\?\/\][*+]\??|\\[wd][*+]\??|\[[^\]]*\]|\((?:\?:)?[^()]*\)\??|\\?.\?|\\[\s\S]|[\s\S]/g;
const LITERAL = /^[\w @%=:,~/-]$/;
const GLOB_SIGNS = /[*?[\]{}\\]/;

/** One for each alternative; undefined where one of them has none. Look-aheads are taken out before. */
export function toPathGlobs(source: string): readonly string[] | undefined {
  const globs = splitPattern(source).map((pieces) => toPathGlob(pieces.map((piece) => piece.source).join('')));
  return globs.includes(undefined) ? undefined : globs.flatMap((glob) => glob ?? []);
}

/** A glob without a leading `/` is looked for at any depth. */
function toPathGlob(given: string): string | undefined {
  // The usual way to begin a whole name.
  const source = given.replace(/^\((?:\?:)?\^\|\\?\/\)/, '^');
  const isBegin = source.startsWith('^');
  const isEnd = /(?:^|[^\\])(?:\\\\)*\$$/.test(source);
  const inner = source.slice(isBegin ? 1 : 0, isEnd ? -1 : undefined);
  const glob = toGlob(inner);
  if (glob === undefined || glob === '' || /^\**$/.test(glob)) return undefined;
  const begin = isBegin || glob.startsWith('*') ? '' : '**';
  return `${begin}${glob}${isEnd || glob.endsWith('**') ? '' : '**'}`;
}

function toGlob(source: string): string | undefined {
  let glob = '';
  for (const [token] of source.matchAll(TOKEN)) {
    const part = toPart(token);
    if (part === undefined) return undefined;
    glob += part;
  }
  return glob;
}

function toPart(token: string): string | undefined {
  if (/^\.[*+]/.test(token)) return '**';
  if (token.startsWith('[^') && /[*+]\??$/.test(token)) return '*';
  if (/^\\[wd][*+]/.test(token)) return '*';
  if (token.length > 1 && token.startsWith('(')) return toOptions(token);
  if (token.length > 1 && token.endsWith('?') && !token.startsWith('[')) return toOptional(token.slice(0, -1));
  if (token.startsWith('[') && token.length > 2) return /[\\^]/.test(token) ? undefined : token;
  if (token === '.') return '?';
  if (token === '\\d') return '[0-9]';
  if (token === '\\/') return '/';
  if (token.startsWith('\\')) return toLiteral(token.slice(1));
  return LITERAL.test(token) ? token : undefined;
}

/** A sign that an escape stands for; letters behind a backslash mean something else. */
function toLiteral(sign: string): string | undefined {
  return sign === '' || /\w/.test(sign) || GLOB_SIGNS.test(sign) ? undefined : sign;
}

function toOptional(token: string): string | undefined {
  const one = toPart(token);
  return one === undefined || /[,{}]/.test(one) ? undefined : `{${one},}`;
}

function toOptions(token: string): string | undefined {
  const isOptional = token.endsWith('?');
  const inner = token.replace(/^\((?:\?:)?/, '').replace(/\)\??$/, '');
  if (inner.startsWith('?')) return undefined;
  const options = inner.split('|').map(toGlob);
  if (options.some((one) => one === undefined || /[,{}]/.test(one))) return undefined;
  return `{${[...options, ...(isOptional ? [''] : [])].join(',')}}`;
}
