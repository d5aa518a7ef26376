/**
 * Every text goes through here before it is kept anywhere: our own rules, the values that they found in any of the texts,
 * the window, the scanner, and at last the secrets that one text of a call told of the others.
 */
import { makeRedactor } from '../base/redact.ts';
import { cutWindow } from './cut-window.ts';
import { type KnownSecrets, makeCallCleaner, makeKnownSecrets } from './known-secrets.ts';
import { LINT_HINTS } from './lint-hints.ts';
import type { SecretScan } from './scan-secrets.ts';

/** Each text of one call or one lesson as it may be kept, in their order. `known`: what earlier texts told, and these add to. */
export async function cleanTexts(
  texts: readonly string[],
  scan: SecretScan,
  known: KnownSecrets = makeKnownSecrets(),
): Promise<readonly string[]> {
  const { clean, callValues } = await cleanEach(texts, scan, known);
  const values = new Set(callValues.flat());
  return values.size === 0 ? clean : clean.map(makeCallCleaner(values, clean));
}

export interface CleanTexts {
  readonly clean: readonly string[];
  /** Of each text, the secrets that have to go from the other texts of the same call. */
  readonly callValues: readonly (readonly string[])[];
}

/** The same for texts of many calls. */
export async function cleanEach(texts: readonly string[], scan: SecretScan, known: KnownSecrets): Promise<CleanTexts> {
  redactor ??= makeRedactor(Object.values(LINT_HINTS).flat());
  const redacted = texts.map(dropNul).map(redactor);
  for (const { values } of redacted) if (values.length > 0) known.add(values);
  const clean = await scan(
    redacted.map(({ text }) => cutWindow(known.clean(text))),
    redacted.map(({ hints }) => hints),
  );
  return { clean, callValues: redacted.map(({ callValues }) => callValues) };
}

let redactor: ReturnType<typeof makeRedactor> | undefined;

/** PostgreSQL takes no NUL in a text, and a secret must not hide behind one. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
