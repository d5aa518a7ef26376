/**
 * Settings text in, settings text without our hooks out. With a handler go the group, the event's array and the `hooks`
 * object around it, as far as it was alone in them and they are not the user's.
 */
import type { Node } from 'jsonc-parser';
import { findOurHandlers, type OurHandler } from './find-our-handlers.ts';
import { getSettingsRoot } from './get-settings-root.ts';
import { removeItem, toEnd } from './remove-item.ts';

export interface RemovedHooks {
  readonly text: string;
  /** Names of events, in the order of the file. */
  readonly removed: readonly string[];
}

export function removeOurHooks(original: string, settingsFile: string, theirs: ReadonlySet<string>): RemovedHooks {
  const removed = new Set<string>();
  let text = original;
  for (;;) {
    // The last one first: that is the way they came, so each removal undoes one addition.
    const last = findOurHandlers(getSettingsRoot(text, settingsFile)).at(-1);
    if (last === undefined) return { text, removed: [...removed].reverse() };
    text = removeOurHandler(text, last, theirs);
    removed.add(last.event);
  }
}

export function removeOurHandler(text: string, handler: OurHandler, theirs: ReadonlySet<string>): string {
  return removeItem(text, toOutermost(text, handler, theirs));
}

function toOutermost(text: string, { event, node }: OurHandler, theirs: ReadonlySet<string>): Node {
  const group = node.parent?.parent?.parent;
  if (group === undefined || node.parent?.children?.length !== 1) return node;
  const eventProperty = group.parent?.parent;
  if (eventProperty === undefined || theirs.has(`hooks.${event}`) || !isAlone(text, group)) return group;
  const hooksProperty = eventProperty.parent?.parent;
  if (hooksProperty === undefined || theirs.has('hooks') || !isAlone(text, eventProperty)) return eventProperty;
  return hooksProperty;
}

/** Nothing else between the brackets, not even a comment: that would be the user's. */
function isAlone(text: string, node: Node): boolean {
  const container = node.parent;
  if (container === undefined) return false;
  const before = text.slice(container.offset + 1, node.offset);
  const after = text.slice(toEnd(node), toEnd(container) - 1);
  return /^[\s,]*$/.test(before + after);
}
