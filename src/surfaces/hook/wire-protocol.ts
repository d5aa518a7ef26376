import { hostname } from 'node:os';
import type { HookReply } from '../../base/contracts/agent-adapter.ts';
import type { AgentEvent } from '../../base/model/event.ts';

/**
 * What the shim and the daemon say to each other, on one loopback connection:
 *
 *   shim    ASK version agent event flags pid \n      the first secret proves the shim, who can read the 0600 door file
 *   daemon  ANSWER \n                              the second secret proves the daemon: the port may be somebody else's
 *   shim    payload, then a NUL byte
 *   daemon  a space for each part of a payload that is not whole yet, then one line, empty for silence, and closes
 *
 * The line says that the event is written down. A connection that ends without it says nothing: a daemon that is killed
 * closes as silently as one that is done. The shim then turns to hook.cjs; telling an event twice changes nothing.
 *
 * A program that stays (a plugin inside an agent) keeps one connection: with the flag `stream` it sends any number of
 * messages, each the event's name, a newline, the payload and a NUL, and gets one line for each, in their order.
 *
 * The header goes with the first secret, because bash cannot switch Nagle's algorithm off: a second small write after
 * the answer would wait 40 ms for a delayed ACK. For the same reason the daemon takes the payload as complete as soon
 * as it is whole JSON, and does not wait for the NUL, and sends a space for a part: it carries the ACK at once.
 */
export const PROTOCOL_VERSION = '1';
export const END_OF_PAYLOAD = 0;
export const GO_ON = ' ';

export const FLAGS = {
  /** Capture goes on, nothing is delivered. */
  quiet: 'quiet',
  /** A trial by `doctor` or a person: answered, and never captured, claimed or counted. */
  probe: 'probe',
  /** Many events on this connection. */
  stream: 'stream',
  none: '-',
} as const;

/** The agent name under which the command line speaks to the daemon. */
export const CONTROL_AGENT = 'oncebitten';

export interface Header {
  readonly agent: string;
  readonly event: string;
  readonly flags: readonly string[];
  /** The agent's process, where the agent tells. */
  readonly pid?: number;
}

/** Undefined when the secret or the version is not ours. */
export function parseHeader(line: string, ask: string): Header | undefined {
  const [secret, version, agent, event, flags, process] = line.split(' ');
  if (secret !== ask || version !== PROTOCOL_VERSION || agent === undefined || event === undefined) return undefined;
  const pid = toPid(process);
  return { agent, event, flags: (flags ?? FLAGS.none).split(','), ...(pid === undefined ? {} : { pid }) };
}

export function toPid(text: string | undefined): number | undefined {
  const pid = Number(text);
  return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
}

/** Asked once: the system is slow to tell it, and this is at every event. */
let host: string | undefined;

/** An event with the agent's process: only whoever runs the hook knows it, no payload tells. */
export function withProcess(event: AgentEvent, pid: number | undefined): AgentEvent {
  if (pid === undefined) return event;
  host ??= hostname();
  return { ...event, pid, host };
}

/** Who answered: the daemon, or the hook on its own. */
export type CanarySource = 'daemon' | 'hook';

const CANARY = /^oncebitten-canary ([a-z0-9]{8,64})$/;

/**
 * The canary: a probe that is answered with its own token, so that `doctor` sees its very payload come back through
 * the installed hook, whether or not anything was learned yet, and by whom it was answered.
 */
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
