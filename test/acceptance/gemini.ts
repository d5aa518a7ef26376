/** Gemini CLI with our hooks. */
import type { Checks } from './checks.ts';
import { acceptHooks } from './hooked-client.ts';

export function accept(checks: Checks): Promise<void> {
  return acceptHooks({ name: 'gemini', settings: '.gemini/settings.json' }, checks);
}
