/**
 * Commands that were left running, by the shell they run in. The end can come many scans later: what it needs of the
 * start goes into the reader's memo.
 */
import type { AgentEvent, EventOrigin, StartedCall } from '../../base/event.ts';
import type { CallResult } from '../../base/outcome.ts';
import { toElapsedMs } from '../../base/to-elapsed-ms.ts';
import { findText, toWires } from '../wire.ts';
import { toToolName } from './to-tool-name.ts';

export interface Shells {
  add(shellId: string, origin: EventOrigin, call: StartedCall): void;
  /** `told` is the record of the end; what it printed may still be told later. */
  end(shellId: string, result: CallResult, told: EventOrigin): readonly AgentEvent[];
  /** Nothing more is to come from it. */
  remove(shellId: string): void;
  /** For a reader that goes on from here; undefined when no shell is open. */
  readonly memo: readonly ShellMemo[] | undefined;
}

export interface ShellMemo {
  readonly shellId: string;
  readonly callId: string;
  readonly rawTool: string;
  readonly contextId: string;
  readonly at: string;
}

interface Shell extends ShellMemo {
  /** Unknown to a reader that did not see the start. */
  readonly begun?: { readonly origin: EventOrigin; readonly call: StartedCall };
}

const MAX_SHELLS = 20;

export function openShells(memo: unknown): Shells {
  const shells = new Map<string, Shell>(toMemos(memo).map((shell) => [shell.shellId, shell]));

  return {
    add(shellId, origin, call) {
      const { callId, rawTool } = call;
      shells.delete(shellId);
      const { contextId, at } = origin;
      shells.set(shellId, { shellId, callId, rawTool, contextId, at, begun: { origin, call } });
      if (shells.size > MAX_SHELLS) shells.delete(shells.keys().next().value ?? '');
    },
    end(shellId, result, told) {
      const shell = shells.get(shellId);
      if (shell === undefined) return [];
      const { callId, rawTool, contextId, at, begun } = shell;
      const origin = begun?.origin ?? { ...told, contextId, at };
      const call = begun?.call ?? { callId, tool: toToolName(rawTool), rawTool, input: { json: '' } };
      const pairedMs = toElapsedMs(at, told.at);
      const timed = { ...result, ...(pairedMs === undefined ? {} : { pairedMs }) };
      return [{ ...origin, kind: 'background-ended', ...call, result: timed }];
    },
    remove: (shellId) => void shells.delete(shellId),
    get memo() {
      return shells.size === 0 ? undefined : [...shells.values()].map(({ begun: _, ...memo }) => memo);
    },
  };
}

function toMemos(memo: unknown): readonly ShellMemo[] {
  return toWires(memo).flatMap((wire) => {
    const [shellId, callId, rawTool] = [findText(wire, 'shellId'), findText(wire, 'callId'), findText(wire, 'rawTool')];
    const at = findText(wire, 'at');
    if (shellId === undefined || callId === undefined || rawTool === undefined || at === undefined) return [];
    return [{ shellId, callId, rawTool, contextId: findText(wire, 'contextId') ?? '', at }];
  });
}
