/**
 * The canary: a probe that is answered with its own token, so that `doctor` sees its very payload come back through
 * the installed hook, whether or not anything was learned yet, and by whom it was answered.
 */
import type { AgentEvent } from '../../base/event.ts';
import type { HookReply } from '../../base/reply.ts';

/** Who answered: the daemon, or the hook on its own. */
export type CanarySource = 'daemon' | 'hook';

const CANARY = /^oncebitten-canary ([a-z0-9]{8,64})$/;

export function toCanaryCommand(token: string): string {
  return `oncebitten-canary ${token}`;
}

export function renderCanary(token: string, source: CanarySource): string {
  return `oncebitten-canary ${token} from ${source}`;
}

/** Only for probes: an agent that runs such a command hears nothing of it. */
export function findCanary(event: AgentEvent, source: CanarySource): HookReply | undefined {
  const token = event.kind === 'call-started' ? CANARY.exec(event.input.command ?? '')?.[1] : undefined;
  return token === undefined ? undefined : { kind: 'note', to: 'call-started', context: renderCanary(token, source) };
}
