/** A settings file with every key as a comment, its help above it: what a person uncomments counts. */
import { DEFAULT_SETTINGS } from '../base/settings.ts';
import { describeSetting } from './describe-setting.ts';
import { isPlainObject } from './setting-keys.ts';

const HEAD = [
  '// Settings of Oncebitten. Every key is here as a comment with its default: take the slashes away to change it.',
  '// Changes count at once. What is in force and where it comes from: oncebitten config list',
];

export function renderSettingsFile(schema: string): string {
  const lines = [`  "$schema": ${JSON.stringify(schema)},`, ...renderSettingLines(DEFAULT_SETTINGS, [], '  ')];
  return `${[...HEAD, '{', ...lines, '}'].join('\n')}\n`;
}

/** A group is there and empty, so that one line of it can be uncommented on its own. */
export function renderSettingLines(defaults: object, path: readonly string[], indent: string): readonly string[] {
  return Object.entries(defaults).flatMap(([key, value]) => {
    const here = [...path, key];
    const name = JSON.stringify(key);
    if (isPlainObject(value)) {
      return ['', `${indent}${name}: {`, ...renderSettingLines(value, here, `${indent}  `), `${indent}},`];
    }
    const { help, type } = describeSetting(here);
    const shown = Array.isArray(value)
      ? `[${value.map((one) => JSON.stringify(one)).join(', ')}]`
      : JSON.stringify(value);
    return [...(path.length === 0 ? [''] : []), `${indent}// ${help} (${type})`, `${indent}// ${name}: ${shown},`];
  });
}
