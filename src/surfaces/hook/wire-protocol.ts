/**
 * The protocol between the shim and the daemon, on one loopback connection:
 *
 *   shim    ASK version agent event flags pid \n   the first secret proves that the shim can read the 0600 door file
 *   daemon  ANSWER \n                              the second secret proves the daemon, because another program may have the port
 *   shim    payload, then a NUL byte
 *   daemon  a space for each part of an incomplete payload, then one line, empty for silence, and closes
 *
 * The line is the receipt: the event is on disk. If the connection ends without it, the daemon may have been killed, and
 * the shim runs hook.cjs; reporting an event twice changes nothing.
 *
 * A long-running program (a plugin inside an agent) keeps one connection: with the flag `stream` it sends any number of
 * messages, each the event's name, a newline, the payload and a NUL, and gets one line for each, in their order.
 *
 * The header goes with the first secret, because bash cannot switch Nagle's algorithm off: a second small write after
 * the answer would wait 40 ms for a delayed ACK. For the same reason the daemon takes the payload as complete as soon
 * as it is complete JSON, without the NUL, and sends a space for each part, because the space carries the ACK at once.
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

/** The agent name that the command line uses for its own requests. */
export const CONTROL_AGENT = 'oncebitten';

export interface Header {
  readonly agent: string;
  readonly event: string;
  readonly flags: readonly string[];
  /** The agent's process, if the agent reports it. */
  readonly pid?: number;
}

/** Undefined if the secret or the version is not ours. */
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
