/**
 * The canary: a probe that is answered with its own token, so that `doctor` sees its own payload come back through the
 * installed hook, even before anything was learned, and knows who answered.
 */

import type { HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent } from '../../base/model/event.ts';

/** Who answered: the daemon, or the hook without a daemon. */
export type CanarySource = 'daemon' | 'hook';

const CANARY = /^oncebitten-canary ([a-z0-9]{8,64})$/;

export function toCanaryCommand(token: string): string {
  return `oncebitten-canary ${token}`;
}

export function renderCanary(token: string, source: CanarySource): string {
  return `oncebitten-canary ${token} from ${source}`;
}

/** Only for probes: an agent that runs this command gets no reply. */
export function findCanary(event: AgentEvent, source: CanarySource): HookReply | undefined {
  const { kind: to } = event;
  if (to !== 'call-started' && to !== 'call-returned' && to !== 'call-ended') return undefined;
  const token = CANARY.exec(event.input.command ?? '')?.[1];
  return token === undefined ? undefined : { kind: 'note', to, context: renderCanary(token, source) };
}
