/**
 * Cleans every text before it is stored: applies our own rules, removes values that they found in any of the texts,
 * cuts to a window, runs the scanner, and last removes the secrets that one text of a call revealed from its other
 * texts. The window keeps both ends and drops every word that the cut goes through, because the rules do not recognize
 * half a secret.
 */

import { hash } from 'node:crypto';
import { makeRedactor } from '../../base/secrets/redaction.ts';
import { type KnownSecrets, makeCallCleaner, makeKnownSecrets } from './known-secrets.ts';
import { LINT_HINTS, type SecretScan } from './scan-secrets.ts';

/** Returns the texts of one call or lesson, cleaned, in order. */
export async function cleanTexts(texts: readonly string[], scan: SecretScan): Promise<readonly string[]> {
  const { clean, callValues } = await cleanEach(texts, scan, makeKnownSecrets());
  const values = new Set(callValues.flat());
  return values.size === 0 ? clean : clean.map(makeCallCleaner(values, clean));
}

interface CleanTexts {
  readonly clean: readonly string[];
  /** For each text, the secrets to remove from the other texts of the same call. */
  readonly callValues: readonly (readonly string[])[];
}

/** The same for texts of many calls. `known`: earlier secrets; new ones are added. */
export async function cleanEach(texts: readonly string[], scan: SecretScan, known: KnownSecrets): Promise<CleanTexts> {
  const redacted = texts.map(redactText);
  for (const { values } of redacted) if (values.length > 0) known.add(values);
  const clean = await scan(
    redacted.map(({ text }) => cutWindow(known.clean(text))),
    redacted.map(({ hints }) => hints),
  );
  return { clean, callValues: redacted.map(({ callValues }) => callValues) };
}

/** By our own rules, without the scanner: fast, and not enough for a text that is stored. */
export function redactText(text: string): ReturnType<ReturnType<typeof makeRedactor>> {
  redactor ??= makeRedactor(Object.values(LINT_HINTS).flat());
  return redactor(dropNul(text));
}

let redactor: ReturnType<typeof makeRedactor> | undefined;

/** PostgreSQL rejects NUL in a text, and a secret must not hide behind one. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}

/** At each end. */
export const WINDOW_CHARS = 8 * 1024;

/**
 * Cuts a text for the scanner and the store: whole, or its two ends. The middle is dropped, with every word that the
 * cut goes through, because half a secret is not recognized. The mark contains a hash, so that texts with the same ends
 * differ.
 */
export function cutWindow(text: string, chars: number = WINDOW_CHARS): string {
  if (text.length <= 2 * chars) return text;
  const head = toWordStart(text, chars);
  const tail = toWordEnd(text, text.length - chars);
  const dropped = text.slice(head, tail);
  const mark = hash('sha256', dropped).slice(0, 16);
  return `${text.slice(0, head)}[…${dropped.length} ${mark}]${text.slice(tail)}`;
}

const SPACE = /\s/;

function toWordStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && !SPACE.test(text.charAt(at - 1))) at--;
  return at;
}

function toWordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !SPACE.test(text.charAt(at))) at++;
  return at;
}
