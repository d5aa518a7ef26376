/**
 * Codex runs a hook only if the user has trusted it in this form. Its `config.toml` has, for each hook, the hash of the
 * form that the user trusted: `[hooks.state."<file>:<event>:<group>:<handler>"]`. Seen in 0.166.0.
 */
import { createHash } from 'node:crypto';
import type { HookSkips, PlacedHandler, SkippedHooks } from '../../base/contracts/agent-install.ts';
import { dropAbsent } from '../../base/records.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';

const TRUST = 'start codex, type /hooks, and trust the hooks of Oncebitten';

export const codexSkips: HookSkips = {
  file: 'config.toml',
  // Only the user's file counts: a project cannot trust its own hooks.
  list(handlers, [content]) {
    const config = typeof content === 'string' ? content : '';
    if (HOOKS_OFF.test(config))
      return [
        {
          events: handlers.map(({ event }) => event),
          reason: 'are off: config.toml has "hooks = false" under [features]',
          next: 'remove that line from config.toml',
        },
      ];
    const states = handlers.map((handler) => ({ event: handler.event, state: findState(handler, config) }));
    const list = (wanted: TrustState, words: Omit<SkippedHooks, 'events'>): readonly SkippedHooks[] => {
      const events = states.filter(({ state }) => state === wanted).map(({ event }) => event);
      return events.length === 0 ? [] : [{ events, ...words }];
    };
    return [
      ...list('untrusted', { reason: 'are not trusted yet, so Codex skips them', next: TRUST }),
      ...list('changed', { reason: 'have changed since you trusted them, so Codex skips them', next: TRUST }),
      ...list('disabled', { reason: 'are disabled in Codex', next: 'start codex, type /hooks, and enable them' }),
    ];
  },
};

const HOOKS_OFF =
  /^\s*\[features\][^[]*?^\s*(?:codex_)?hooks\s*=\s*false\b|^\s*features\.(?:codex_)?hooks\s*=\s*false\b/m;

type TrustState = 'trusted' | 'untrusted' | 'changed' | 'disabled';

function findState(handler: PlacedHandler, config: string): TrustState {
  const body =
    handler.files.map((file) => findBody(toKey(handler, file), config)).find((one) => one !== undefined) ?? '';
  if (/\benabled"?\s*=\s*false\b/.test(body)) return 'disabled';
  const trusted = /\btrusted_hash"?\s*=\s*["']([^"']*)["']/.exec(body)?.[1];
  if (trusted === undefined) return 'untrusted';
  return trusted === toHash(handler) ? 'trusted' : 'changed';
}

function toKey({ event, group, index }: PlacedHandler, file: string): string {
  return `${file}:${toSnakeCase(event)}:${group}:${index}`;
}

/** Of the table of this key, or its inline form. */
function findBody(key: string, config: string): string | undefined {
  const quoted = `(?:${toLiteral(JSON.stringify(key))}|${toLiteral(`'${key}'`)})`;
  const table = new RegExp(`^\\s*\\[hooks\\.state\\.${quoted}\\]([^[]*)`, 'm').exec(config)?.[1];
  return table ?? new RegExp(`^\\s*(?:hooks\\.state\\.)?${quoted}\\s*=\\s*\\{([^}]*)\\}`, 'm').exec(config)?.[1];
}

/** Codex hashes the JSON of the hook with its keys in order, and its own defaults for those that are absent. */
function toHash({ event, matcher, handler }: PlacedHandler): string {
  const { async = false, command, statusMessage, timeout = 600, type } = handler;
  const hook = { async, command, ...dropAbsent({ statusMessage }), timeout, type };
  const identity = { event_name: toSnakeCase(event), hooks: [hook], ...dropAbsent({ matcher }) };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}

function toSnakeCase(event: string): string {
  return event.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();
}
