/** Whether a payload is another agent's that runs Claude's hooks: never to be counted as Claude Code's. */

import type { Wire } from '../wire.ts';
import { facts } from './facts.ts';
import { toCallerId } from './to-caller-id.ts';

export function isForeignCaller(wire: Wire): boolean {
  return toCallerId(wire) !== facts.id;
}
