/**
 * What is to be done so that a settings tree has exactly one current handler of ours for each event. Both the
 * installation and the doctor ask here, so that what one calls present the other would not change.
 */
import type { Node } from 'jsonc-parser';
import type { AgentFacts, HookEventFacts } from '../../base/agent-adapter.ts';
import { findMembers } from './find-members.ts';
import { findOurHandlers, type OurHandler } from './find-our-handlers.ts';
import { HANDLER_KEYS, type HookHandler, toHookHandler } from './to-hook-handler.ts';

export interface HookChanges {
  /** Names of events whose handler is as it should be. */
  readonly present: readonly string[];
  readonly missing: readonly HookEventFacts[];
  readonly outdated: readonly (OurHandler & { readonly wanted: HookHandler })[];
  /** Second handlers for an event, and handlers for events that are no longer asked for. */
  readonly surplus: readonly OurHandler[];
}

export function decideHookChanges(root: Node, facts: AgentFacts, hookFile: string): HookChanges {
  const handlers = findOurHandlers(root);
  const rows = facts.hooks.events.map((event) => ({
    event,
    first: handlers.find((handler) => handler.event === event.name),
    wanted: toHookHandler(facts, hookFile, event),
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
  return HANDLER_KEYS.every((key) => {
    const values = findMembers(node, key).map((member) => member.value);
    return wanted[key] === undefined ? values.length === 0 : values.length === 1 && values[0] === wanted[key];
  });
}
