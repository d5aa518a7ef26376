/**
 * Our plugin in OpenCode's own process. Notes go with the result of a call: OpenCode lets a plugin change the output of a
 * call that worked, and, because no hook runs after one that failed, the messages of each request. The text for the start
 * of a session goes behind the system prompt of each request of that session. Every hook but the refusal of a call
 * catches its errors, because OpenCode would report them as the result of the call.
 */

import { keepNewest } from '../../base/bounded-memory.ts';
import type { AgentProgram, DaemonLine } from '../../base/contracts/agent-program.ts';
import { dropAbsent, isRecord, parseRecord } from '../../base/records.ts';
import { cutText } from '../calls.ts';
import { findText, findWire, toBlocksText, toWires, type Wire } from '../wire.ts';
import { facts } from './facts.ts';
import type { PluginOrder } from './hooks.ts';

export const opencodeProgram: AgentProgram = { facts, open };

/** Far more than a session has at once; bounds the memory of a process that runs for weeks. */
const MAX_KEPT = 500;

function open(input: unknown, line: DaemonLine): object {
  const directory = isRecord(input) ? findText(input, 'directory') : undefined;
  const tellUser = makeTeller(input);
  /** Session -> text at its start; call -> note for its result; call -> note for its error. */
  const openings = new Map<string, Promise<string>>();
  const notes = new Map<string, string>();
  const failures = new Map<string, Promise<string>>();
  const models = new Map<string, string>();
  const subagents = new Map<string, true>();

  const ask = async (eventName: string, { ...payload }: Wire): Promise<PluginOrder> => {
    const model = models.get(String(payload.sessionID));
    const reply = await line.ask(eventName, dropAbsent({ directory, model, ...payload }));
    const order: PluginOrder = parseRecord(reply) ?? {};
    if (order.notice !== undefined) tellUser(order.notice);
    return order;
  };
  const askNote = async (eventName: string, payload: Wire): Promise<string> =>
    (await ask(eventName, payload).catch(() => NOTHING)).note ?? '';

  const hearSession = (info: Wire): void => {
    const { id: sessionID, parentID, agent } = info;
    if (typeof sessionID !== 'string') return;
    if (parentID !== undefined) keepNewest(subagents, sessionID, true, MAX_KEPT);
    keepNewest(openings, sessionID, askNote('session-created', { sessionID, parentID, agent }), MAX_KEPT);
  };

  const hearCompaction = async (sessionID: string): Promise<void> => {
    const before = openings.get(sessionID);
    const asked = askNote('session-compacted', { sessionID });
    keepNewest(
      openings,
      sessionID,
      asked.then(async (text) => text || ((await before) ?? '')),
      MAX_KEPT,
    );
  };

  /** A failed call may be reported more than once. */
  const hearPart = ({ type, sessionID, callID, tool, ...part }: Wire): void => {
    const state = findWire(part, 'state');
    if (type !== 'tool' || state?.status !== 'error' || typeof callID !== 'string' || failures.has(callID)) return;
    const { status, input, error, time } = state;
    const metadata = { interrupted: findWire(state, 'metadata')?.interrupted };
    const asked = askNote('tool-failed', { sessionID, callID, tool, state: { status, input, error, time, metadata } });
    keepNewest(failures, callID, asked, MAX_KEPT);
  };

  const HEARERS: Readonly<Record<string, (properties: Wire) => void>> = {
    'session.created': (properties) => hearSession(findWire(properties, 'info') ?? {}),
    'session.compacted': ({ sessionID }) => void hearCompaction(String(sessionID)),
    'session.idle': ({ sessionID }) => void askNote('session-idle', { sessionID }),
    'message.part.updated': (properties) => hearPart(findWire(properties, 'part') ?? {}),
  };

  return {
    event: guard(async ({ event }: Wire) => {
      const { type, properties } = isRecord(event) ? event : {};
      // Every piece of an answer is an event: most are not ours.
      if (typeof type === 'string' && Object.hasOwn(HEARERS, type) && isRecord(properties)) HEARERS[type]?.(properties);
    }),
    'chat.message': guard(async ({ sessionID, model }: Wire, { parts }: Wire) => {
      const modelID = isRecord(model) ? findText(model, 'modelID') : undefined;
      if (modelID !== undefined) keepNewest(models, String(sessionID), modelID, MAX_KEPT);
      const text = toBlocksText(toWires(parts).filter(isTyped));
      // The task of a sub-agent is no prompt of the user's.
      if (!subagents.has(String(sessionID))) void askNote('chat-message', { sessionID, text });
    }),
    'tool.execute.before': async ({ tool, sessionID, callID }: Wire, output: Wire) => {
      const { args } = output;
      const order = await ask('tool-before', { tool, sessionID, callID, args }).catch(() => NOTHING);
      // OpenCode gives the reason to the model as the error of the call.
      if (order.refuse !== undefined) throw new Error(order.refuse);
      if (order.args === undefined || !isRecord(args)) return;
      // OpenCode runs the object that it gave, not one in its place.
      Object.assign(args, order.args);
      if (order.note !== undefined) keepNewest(notes, String(callID), order.note, MAX_KEPT);
    },
    'tool.execute.after': guard(async ({ tool, sessionID, callID, args }: Wire, output: Wire) => {
      const { exit, output: printed } = findWire(output, 'metadata') ?? {};
      const metadata = { exit, ...(typeof printed === 'string' && { output: cutText(printed) }) };
      const text = cutText(findText(output, 'output') ?? toBlocksText(output.content));
      const note = await askNote('tool-after', { tool, sessionID, callID, args, output: text, metadata });
      const earlier = notes.get(String(callID)) ?? '';
      notes.delete(String(callID));
      addNote(output, [earlier, note].filter((one) => one !== '').join('\n\n'));
    }),
    'experimental.chat.system.transform': guard(async ({ sessionID }: Wire, { system }: Wire) => {
      const text = await openings.get(String(sessionID));
      if (text && Array.isArray(system)) system.push(text);
    }),
    // At every request, because OpenCode keeps no change of these messages.
    'experimental.chat.messages.transform': guard(async (_input: Wire, { messages }: Wire) => {
      if (failures.size === 0) return;
      for (const part of toWires(messages).flatMap(({ parts }) => toWires(parts))) await addToFailure(part, failures);
    }),
  };
}

const NOTHING: PluginOrder = {};

/** Text that the user typed. */
function isTyped({ type, synthetic, ignored }: Wire): boolean {
  return type === 'text' && synthetic !== true && ignored !== true;
}

/** The result of an MCP server's tool has blocks, any other a text. */
function addNote(output: Wire, note: string): void {
  if (note === '') return;
  if (Array.isArray(output.content)) output.content.push({ type: 'text', text: note });
  else if (typeof output.output === 'string') Object.assign(output, { output: `${output.output}\n\n${note}` });
}

async function addToFailure(part: Wire, failures: ReadonlyMap<string, Promise<string>>): Promise<void> {
  const state = findWire(part, 'state') ?? {};
  const note = state.status === 'error' ? await failures.get(String(part.callID)) : '';
  const error = findText(state, 'error') ?? '';
  if (note && !error.endsWith(note)) Object.assign(state, { error: `${error}\n\n${note}` });
}

type Hook = (input: Wire, output: Wire) => Promise<void>;

function guard(hook: Hook): Hook {
  return (input, output) => hook(input, output).catch(() => undefined);
}

/** Shows the user a message in OpenCode's interface, where there is one. */
function makeTeller(input: unknown): (message: string) => void {
  const tui = isRecord(input) && isRecord(input.client) ? findWire(input.client, 'tui') : undefined;
  return (message) => {
    try {
      const body = { title: 'Oncebitten', message, variant: 'info' };
      const { showToast } = tui ?? {};
      if (typeof showToast === 'function') void Promise.resolve(showToast.call(tui, { body })).catch(() => undefined);
    } catch {
      // There is no interface to show it in.
    }
  };
}
