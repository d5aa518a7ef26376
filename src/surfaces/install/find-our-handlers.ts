/**
 * Our handlers in a settings tree, in the order of the file, and the containers around them that are not ours alone.
 */
import type { Node } from 'jsonc-parser';
import { findMembers } from './find-members.ts';
import { isOurCommand } from './to-hook-command.ts';

export interface OurHandler {
  readonly event: string;
  /** The handler object: `{ "type": "command", … }`. */
  readonly node: Node;
  /** A matcher or a condition around it keeps it from some of the event's calls. The user's choice or mistake: it stays. */
  readonly isNarrowed: boolean;
}

export function findOurHandlers(root: Node): OurHandler[] {
  return findEvents(root).flatMap(({ event, value }) =>
    toItems(value).flatMap((group) =>
      toHandlers(group)
        .filter(isOurs)
        .map((node) => ({ event, node, isNarrowed: hasMatcher(group) || findMembers(node, 'if').length > 0 })),
    ),
  );
}

/** `hooks` and `hooks.<Event>` where they hold something else than our handlers, or are empty: the user made them. */
export function findTheirContainers(root: Node): string[] {
  const events = findEvents(root);
  const theirs = events.filter(({ value }) => !isOursAlone(value)).map(({ event }) => `hooks.${event}`);
  const isHooksTheirs = findMembers(root, 'hooks').length > 0 && (events.length === 0 || theirs.length > 0);
  return isHooksTheirs ? ['hooks', ...theirs] : theirs;
}

function findEvents(root: Node): { event: string; value: Node }[] {
  const properties = findMembers(root, 'hooks').flatMap((hooks) =>
    hooks.type === 'object' ? (hooks.children ?? []) : [],
  );
  return properties.flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [{ event: String(key.value), value }],
  );
}

function isOursAlone(eventValue: Node): boolean {
  const groups = toItems(eventValue).map(toHandlers);
  return groups.length > 0 && groups.every((handlers) => handlers.length > 0 && handlers.every(isOurs));
}

function toHandlers(group: Node): Node[] {
  return findMembers(group, 'hooks').flatMap(toItems);
}

function toItems(node: Node): Node[] {
  return node.type === 'array' ? (node.children ?? []) : [];
}

/** These are for everything, as none is. */
const ALL = new Set<unknown>(['', '*', '.*']);

function hasMatcher(group: Node): boolean {
  return findMembers(group, 'matcher').some(({ value }) => !ALL.has(value));
}

function isOurs(handler: Node): boolean {
  return findMembers(handler, 'command').some((command) => isOurCommand(command.value));
}
