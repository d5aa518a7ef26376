/**
 * Which of our hooks an agent's settings file has: what `doctor` says about it. Reads only.
 */
import type { AgentFacts } from '../../base/agent-adapter.ts';
import { decideHookChanges } from './decide-hook-changes.ts';
import { findOurHandlers } from './find-our-handlers.ts';
import { checkHooksShape, getSettingsRoot } from './get-settings-root.ts';
import { getSettingsText } from './get-settings-text.ts';
import { readSettingsFile } from './read-settings-file.ts';

/** Names of events. An installation changes something exactly when `missing` or `outdated` has any. */
export interface HookPresence {
  readonly present: readonly string[];
  readonly missing: readonly string[];
  /** Also events with an entry of ours too many, and events that we no longer ask for. */
  readonly outdated: readonly string[];
  /** Those that a matcher or a condition of the user's keeps from some calls. Absent where there is none. */
  readonly narrowed?: readonly string[];
}

export interface HookQuestion {
  readonly facts: AgentFacts;
  readonly settingsFile: string;
  readonly hookFile: string;
}

/** No file: everything is missing. Failure: the same errors that an installation would meet in the file. */
export function readInstalledHooks({ facts, settingsFile, hookFile }: HookQuestion): HookPresence {
  const { text } = getSettingsText(readSettingsFile(settingsFile));
  const root = getSettingsRoot(text, settingsFile);
  const names = facts.hooks.events.map((event) => event.name);
  checkHooksShape(root, names, settingsFile);
  const changes = decideHookChanges(root, facts, hookFile);
  const outdated = new Set([...changes.outdated, ...changes.surplus].map((handler) => handler.event));
  const narrowed = [...new Set(findOurHandlers(root).flatMap((one) => (one.isNarrowed ? [one.event] : [])))];
  return {
    present: changes.present.filter((name) => !outdated.has(name) && !narrowed.includes(name)),
    missing: changes.missing.map((event) => event.name),
    outdated: [...outdated],
    ...(narrowed.length === 0 ? {} : { narrowed }),
  };
}
