/** What every text goes through before it is kept anywhere: our own rules, the window, the scanner. In this order. */
import { makeRedactor } from '../base/redact.ts';
import { cutWindow } from './cut-window.ts';
import { LINT_HINTS } from './lint-hints.ts';
import type { SecretScan } from './scan-secrets.ts';

/** Each text as it may be kept, in their order. */
export function cleanTexts(texts: readonly string[], scan: SecretScan): Promise<readonly string[]> {
  redactor ??= makeRedactor(Object.values(LINT_HINTS).flat());
  const redacted = texts.map(dropNul).map(redactor);
  return scan(
    redacted.map(({ text }) => cutWindow(text)),
    redacted.map(({ hints }) => hints),
  );
}

let redactor: ReturnType<typeof makeRedactor> | undefined;

/** PostgreSQL takes no NUL in a text, and a secret must not hide behind one. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
