/** A setting as a person sees it: its value, its default, and where the value comes from. Never a password. */
import type { CheckedSettings, IgnoredSetting, SettingOrigin } from '../../keep/check-settings.ts';
import { findSettingValue, isPlainObject, type SettingKey } from '../../keep/setting-keys.ts';
import { toShownUrl } from '../../keep/store/store-url.ts';

export interface ShownSetting {
  readonly key: string;
  readonly value: unknown;
  readonly default: unknown;
  readonly origin: SettingOrigin & { readonly file?: string };
  /** Values that were given for it and have no effect, with the reason. */
  readonly ignored?: readonly IgnoredSetting[];
}

export function toShownSetting(
  { name, path, fallback }: SettingKey,
  { settings, origins, ignored: all }: CheckedSettings,
  file: string,
): ShownSetting {
  const origin = origins.get(name) ?? { kind: 'default' as const };
  const ignored = all.filter(({ key }) => key === name);
  return {
    key: name,
    value: withoutPassword(findSettingValue(settings, path)),
    default: fallback,
    origin: origin.kind === 'file' ? { ...origin, file } : origin,
    ...(ignored.length === 0 ? {} : { ignored }),
  };
}

/** `ONCEBITTEN_STORE_URL is ignored: only your own settings file may …` */
export function renderIgnored({ key, variable, line, reason }: IgnoredSetting): string {
  const place = variable ?? `${key} in line ${line} of the settings file`;
  return `${place} is ignored: ${reason}`;
}

/** Any text may be an address; only one with a password in it is changed. */
export function withoutPassword(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('://') ? toShownUrl(value) : value;
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutPassword(one)]));
}

/** Text as it is, everything else as JSON. */
export function renderValue(value: unknown): string {
  return typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
}

export function renderOrigin({ origin }: ShownSetting): string {
  if (origin.kind === 'file') return `line ${origin.line} of the file`;
  return origin.kind === 'environment' ? origin.variable : 'default';
}
