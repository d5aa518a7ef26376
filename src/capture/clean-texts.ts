/**
 * What every text goes through before it is kept anywhere: our own rules, the values that they found in any of the texts,
 * the window, the scanner. In this order.
 */
import { makeRedactor } from '../base/redact.ts';
import { cutWindow } from './cut-window.ts';
import { type KnownSecrets, makeKnownSecrets } from './known-secrets.ts';
import { LINT_HINTS } from './lint-hints.ts';
import type { SecretScan } from './scan-secrets.ts';

/** Each text as it may be kept, in their order. `known`: what earlier texts told, and these add to. */
export function cleanTexts(
  texts: readonly string[],
  scan: SecretScan,
  known: KnownSecrets = makeKnownSecrets(),
): Promise<readonly string[]> {
  redactor ??= makeRedactor(Object.values(LINT_HINTS).flat());
  const redacted = texts.map(dropNul).map(redactor);
  for (const { values } of redacted) if (values.length > 0) known.add(values);
  return scan(
    redacted.map(({ text }) => cutWindow(known.clean(text))),
    redacted.map(({ hints }) => hints),
  );
}

let redactor: ReturnType<typeof makeRedactor> | undefined;

/** PostgreSQL takes no NUL in a text, and a secret must not hide behind one. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
