/** What a person typed for a setting, or put into its variable, as a value: JSON where it is JSON, else text. */
import { describeSetting } from './describe-setting.ts';

export function parseSetting(path: readonly string[], text: string): unknown {
  const value = parseJson(text);
  // A text that happens to be a number stays one: only quotes make JSON of it.
  if (describeSetting(path).kind === 'text' && typeof value !== 'string') return text;
  return value === undefined ? text : value;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
