/**
 * Settings text in, settings text with our hooks out. One change at a time, each on a fresh tree, until nothing is left
 * to change: the files are small, and so no edit has to know of the others.
 */
import { applyEdits, type Node } from 'jsonc-parser';
import type { AgentFacts, HookEventFacts } from '../../base/agent-adapter.ts';
import { appendItem } from './append-item.ts';
import { decideHookChanges } from './decide-hook-changes.ts';
import { findMembers } from './find-members.ts';
import { checkHooksShape, getSettingsRoot } from './get-settings-root.ts';
import { removeItem } from './remove-item.ts';
import { removeOurHandler } from './remove-our-hooks.ts';
import { HANDLER_KEYS, type HookHandler, toHookHandler } from './to-hook-handler.ts';

export interface HookAddition {
  readonly facts: AgentFacts;
  readonly hookFile: string;
  readonly settingsFile: string;
  /** Containers that stay when they become empty. */
  readonly theirs: ReadonlySet<string>;
}

export interface AddedHooks {
  readonly text: string;
  readonly added: readonly string[];
  /** Events whose outdated entry was brought up to date or taken out. */
  readonly replaced: readonly string[];
}

export function addOurHooks(original: string, addition: HookAddition): AddedHooks {
  const { facts, hookFile, settingsFile, theirs } = addition;
  const added: string[] = [];
  const replaced = new Set<string>();
  let text = original;
  for (;;) {
    const root = getSettingsRoot(text, settingsFile);
    checkHooksShape(
      root,
      facts.hooks.events.map((event) => event.name),
      settingsFile,
    );
    const { surplus, outdated, missing } = decideHookChanges(root, facts, hookFile);
    const last = surplus.at(-1);
    if (last !== undefined) {
      text = removeOurHandler(text, last, theirs);
      replaced.add(last.event);
    } else if (outdated[0] !== undefined) {
      text = updateHandler(text, outdated[0].node, outdated[0].wanted);
      replaced.add(outdated[0].event);
    } else if (missing[0] !== undefined) {
      text = appendGroup(text, root, missing[0], toHookHandler(facts, hookFile, missing[0]));
      added.push(missing[0].name);
    } else {
      return { text, added, replaced: [...replaced] };
    }
  }
}

function appendGroup(text: string, root: Node, { name }: HookEventFacts, handler: HookHandler): string {
  const group = { hooks: [handler] };
  const [hooks] = findMembers(root, 'hooks');
  if (hooks === undefined) return appendItem(text, root, { key: 'hooks', value: { [name]: [group] } });
  const [groups] = findMembers(hooks, name);
  if (groups === undefined) return appendItem(text, hooks, { key: name, value: [group] });
  return appendItem(text, groups, { value: group });
}

/** One key that differs; the next turn sees to the next one. The user's own keys in the handler stay. */
function updateHandler(text: string, node: Node, wanted: HookHandler): string {
  for (const key of HANDLER_KEYS) {
    const [member, second] = findMembers(node, key);
    const value = wanted[key];
    const stray = second ?? (value === undefined ? member : undefined);
    if (stray?.parent !== undefined) return removeItem(text, stray.parent);
    if (value === undefined || member?.value === value) continue;
    if (member === undefined) return appendItem(text, node, { key, value });
    return applyEdits(text, [{ offset: member.offset, length: member.length, content: JSON.stringify(value) }]);
  }
  return text;
}
