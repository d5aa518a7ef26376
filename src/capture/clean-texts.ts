/** What every text goes through before it is kept anywhere: our own rules, the window, the scanner. In this order. */
import { redact } from '../base/redact.ts';
import { cutWindow } from './cut-window.ts';
import type { SecretScan } from './scan-secrets.ts';

/** Each text as it may be kept. */
export async function cleanTexts(texts: ReadonlySet<string>, scan: SecretScan): Promise<ReadonlyMap<string, string>> {
  const all = [...texts];
  const scanned = await scan(all.map((text) => cutWindow(redact(dropNul(text)))));
  return new Map(all.map((text, i) => [text, scanned[i] ?? '']));
}

/** PostgreSQL takes no NUL in a text, and a secret must not hide behind one. */
function dropNul(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
