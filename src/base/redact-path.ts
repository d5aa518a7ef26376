/**
 * A folder's path as it may be written down at once. It runs in the hook, where every rule costs: only the forms of
 * tokens, because nobody names a folder `password=…`, and only for a name that is long enough for one.
 */
import type { SecretRule } from './secret-rule.ts';
import { listSecretTokens, makeDiscordToken } from './secret-tokens.ts';

const LONG_NAME = /(?=[^/\\]{0,80}\d)[^/\\]{11,}|[^/\\]{16,}/;

let tokens: readonly SecretRule[] | undefined;

export function redactPath(path: string): string {
  if (!LONG_NAME.test(path)) return path;
  tokens ??= [...listSecretTokens(), makeDiscordToken()];
  return tokens
    .filter(({ hints }) => hints.some((hint) => path.includes(hint)))
    .reduce((text, { kind, pattern }) => text.replace(pattern, `[redacted:${kind}]`), path);
}
