/**
 * The text of a settings file, apart from its byte order mark, which the JSON parser does not know; and back to bytes.
 */
import { UserError } from '../../base/errors.ts';
import type { SettingsFile } from './read-settings-file.ts';

export interface SettingsText {
  readonly mark: '' | '\uFEFF';
  /** Never blank: no file and a blank file count as an empty object. */
  readonly text: string;
}

/** Fails on bytes that are not UTF-8: written back they would not be the same. */
export function getSettingsText({ name, found }: SettingsFile): SettingsText {
  const all = decode(name, found?.bytes);
  const mark = all.startsWith('\uFEFF') ? '\uFEFF' : '';
  const text = all.slice(mark.length);
  return { mark, text: text.trim() === '' ? '{}\n' : text };
}

export function toSettingsBytes({ mark, text }: SettingsText): Buffer {
  return Buffer.from(mark + text, 'utf8');
}

function decode(name: string, bytes: Buffer | undefined): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new UserError({
      subject: name,
      reason: 'is not UTF-8 text',
      next: 'Save it as UTF-8, then run the command again. Nothing was changed.',
      cause,
    });
  }
}
