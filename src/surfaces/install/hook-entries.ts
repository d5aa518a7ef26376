/**
 * Adds our hook entries to the text of a settings file, finds them, decides which need a change, and removes them. Each
 * change is one edit on a freshly parsed tree, until nothing is left to change: the files are small, and so no edit has
 * to know of the others.
 */

import type { Node } from 'jsonc-parser';
import type { AgentInstall, HookEvent } from '../../base/contracts/agent-install.ts';
import { UserError } from '../../base/errors.ts';
import {
  findMembers,
  insertItem,
  listProperties,
  parseJsonc,
  removeItem,
  replaceValue,
  toEnd,
} from '../../keep/settings/jsonc-text.ts';
import {
  COMMAND_KEYS,
  type HookHandler,
  isOurCommand,
  listHandlerKeys,
  toHookHandler,
  toHookItem,
} from './hook-command.ts';

interface HookAddition {
  readonly agent: AgentInstall;
  readonly hookFile: string;
  readonly settingsFile: string;
  /** Containers that stay when they become empty. */
  readonly theirs: ReadonlySet<string>;
}

interface AddedHooks {
  readonly text: string;
  readonly added: readonly string[];
  /** Events whose outdated entry was brought up to date or taken out. */
  readonly replaced: readonly string[];
}

export function addOurHooks(original: string, addition: HookAddition): AddedHooks {
  const { agent, hookFile, settingsFile, theirs } = addition;
  const { flat } = agent.hooks;
  const added: string[] = [];
  const replaced = new Set<string>();
  let text = original;
  for (;;) {
    const root = getSettingsRoot(text, settingsFile);
    checkHooksShape(
      root,
      agent.hooks.events.map((event) => event.name),
      settingsFile,
    );
    const { surplus, outdated, missing } = decideHookChanges(root, agent, hookFile);
    const last = surplus.at(-1);
    if (last !== undefined) {
      text = removeOurHandler(text, last, theirs);
      replaced.add(last.event);
    } else if (outdated[0] !== undefined) {
      text = updateHandler(text, outdated[0].node, outdated[0].wanted);
      replaced.add(outdated[0].event);
    } else if (flat !== undefined && findMembers(root, 'version').length === 0) {
      text = insertItem(text, root, { key: 'version', value: flat.version });
    } else if (missing[0] !== undefined) {
      text = appendHook(text, root, missing[0], toHookItem(agent, hookFile, missing[0]));
      added.push(missing[0].name);
    } else {
      return { text, added, replaced: [...replaced] };
    }
  }
}

function appendHook(text: string, root: Node, { name }: HookEvent, item: object): string {
  const [hooks] = findMembers(root, 'hooks');
  if (hooks === undefined) return insertItem(text, root, { key: 'hooks', value: { [name]: [item] } });
  const [groups] = findMembers(hooks, name);
  if (groups === undefined) return insertItem(text, hooks, { key: name, value: [item] });
  return insertItem(text, groups, { value: item });
}

/** One key that differs; the next turn sees to the next one. The user's own keys in the handler stay. */
function updateHandler(text: string, node: Node, wanted: HookHandler): string {
  for (const key of listHandlerKeys(wanted)) {
    const [member, second] = findMembers(node, key);
    const value = wanted[key];
    const stray = second ?? (value === undefined ? member : undefined);
    if (stray?.parent !== undefined) return removeItem(text, stray.parent);
    if (value === undefined || member?.value === value) continue;
    if (member === undefined) return insertItem(text, node, { key, value });
    return replaceValue(text, member, value);
  }
  return text;
}

interface RemovedHooks {
  readonly text: string;
  /** Names of events, in the order of the file. */
  readonly removed: readonly string[];
}

/**
 * Settings text in, settings text without our hooks out. With a handler go the group, the event's array and the `hooks`
 * object around it, as far as it was alone in them and they are not the user's.
 */
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

function removeOurHandler(text: string, handler: OurHandler, theirs: ReadonlySet<string>): string {
  return removeItem(text, toOutermost(text, handler, theirs));
}

function toOutermost(text: string, { event, node, isFlat }: OurHandler, theirs: ReadonlySet<string>): Node {
  const group = isFlat ? node : node.parent?.parent?.parent;
  if (group === undefined || (!isFlat && node.parent?.children?.length !== 1)) return node;
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

interface HookChanges {
  /** Names of events whose handler is as it should be. */
  readonly present: readonly string[];
  readonly missing: readonly HookEvent[];
  readonly outdated: readonly (OurHandler & { readonly wanted: HookHandler })[];
  /** Second handlers for an event, and handlers for events that are no longer asked for. */
  readonly surplus: readonly OurHandler[];
}

/**
 * What is to be done so that a settings tree has exactly one current handler of ours for each event. Both the
 * installation and the doctor ask here, so that what one calls present the other would not change.
 */
export function decideHookChanges(root: Node, agent: AgentInstall, hookFile: string): HookChanges {
  const handlers = findOurHandlers(root);
  const rows = agent.hooks.events.map((event) => ({
    event,
    first: handlers.find((handler) => handler.event === event.name),
    wanted: toHookHandler(agent, hookFile, event),
  }));
  return {
    present: rows.filter((row) => row.first && isCurrent(row.first.node, row.wanted)).map((row) => row.event.name),
    missing: rows.filter((row) => row.first === undefined).map((row) => row.event),
    outdated: rows.flatMap(({ first, wanted }) =>
      first === undefined || isCurrent(first.node, wanted) ? [] : [{ ...first, wanted }],
    ),
    surplus: handlers.filter((handler) => !rows.some((row) => row.first === handler)),
  };
}

/** Keys that the user added do not make a handler outdated. */
function isCurrent(node: Node, wanted: HookHandler): boolean {
  return listHandlerKeys(wanted).every((key) => {
    const values = findMembers(node, key).map((member) => member.value);
    return wanted[key] === undefined ? values.length === 0 : values.length === 1 && values[0] === wanted[key];
  });
}

interface OurHandler {
  readonly event: string;
  /** The handler object: `{ "type": "command", … }`. */
  readonly node: Node;
  /** It is an item of the event's list, not of a group in it. */
  readonly isFlat: boolean;
  /** A matcher or a condition around it keeps it from some of the event's calls. The user's choice or mistake: it stays. */
  readonly isNarrowed: boolean;
}

/**
 * Our handlers in a settings tree, in the order of the file, and the containers around them that are not ours alone.
 */
export function findOurHandlers(root: Node): OurHandler[] {
  return findEvents(root).flatMap(({ event, value }) =>
    toItems(value).flatMap((item) =>
      toHandlers(item)
        .filter(isOurs)
        .map((node) => ({
          ...{ event, node, isFlat: node === item },
          isNarrowed: hasMatcher(item) || findMembers(node, 'if').length > 0,
        })),
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
  return findMembers(root, 'hooks')
    .flatMap(listProperties)
    .map(({ name, value }) => ({ event: name, value }));
}

function isOursAlone(eventValue: Node): boolean {
  const groups = toItems(eventValue).map(toHandlers);
  return groups.length > 0 && groups.every((handlers) => handlers.length > 0 && handlers.every(isOurs));
}

/** Of a group, or the item itself in a file without groups. */
function toHandlers(item: Node): Node[] {
  return isOurs(item) ? [item] : findMembers(item, 'hooks').flatMap(toItems);
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
  return COMMAND_KEYS.flatMap((key) => findMembers(handler, key)).some((command) => isOurCommand(command.value));
}

/** Is nothing left that a person or an agent would miss? */
export function isEmptied(text: string, settingsFile: string): boolean {
  return (
    listProperties(getSettingsRoot(text, settingsFile)).every(({ name }) => name === 'version') &&
    !HAS_COMMENT.test(text)
  );
}

const HAS_COMMENT = /\/[/*]/;

/**
 * The tree of a settings text (JSON with comments and trailing commas), or an error that tells the user which line to
 * mend. The tree has offsets, so that edits leave every other byte alone.
 */
export function getSettingsRoot(text: string, settingsFile: string): Node {
  const {
    root,
    faults: [fault],
  } = parseJsonc(text);
  if (fault !== undefined)
    throw toShapeError(settingsFile, `is not valid JSON at line ${fault.line} (${fault.reason})`);
  if (root?.type !== 'object') throw toShapeError(settingsFile, 'does not contain a JSON object');
  return root;
}

/** Fails where our entries would have no place: what is there was meant for something, so it is not replaced. */
export function checkHooksShape(root: Node, eventNames: readonly string[], settingsFile: string): void {
  const hooks = findMembers(root, 'hooks');
  if (hooks.length > 1) throw toShapeError(settingsFile, 'has "hooks" twice');
  if (hooks[0] === undefined) return;
  if (hooks[0].type !== 'object') throw toShapeError(settingsFile, '"hooks" is not an object');
  for (const name of eventNames) {
    const values = findMembers(hooks[0], name);
    if (values.length > 1) throw toShapeError(settingsFile, `has "hooks.${name}" twice`);
    if (values[0] !== undefined && values[0].type !== 'array') {
      throw toShapeError(settingsFile, `"hooks.${name}" is not an array`);
    }
  }
}

function toShapeError(subject: string, reason: string): UserError {
  return new UserError({ subject, reason, next: 'Correct the file, then run the command again. Nothing was changed.' });
}
