/** Whether a text holds a secret that its own form tells. Names like `password=` prove nothing: patterns have them. */
import { listSecretTokens } from './secret-tokens.ts';

export function holdsToken(text: string): boolean {
  return listSecretTokens().some(({ pattern }) => text.search(pattern) !== -1);
}
