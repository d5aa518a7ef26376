/**
 * A call as triggers see it. Every call has one view, whether a hook announces it, it ran in the past, or somebody only
 * wrote it down. So a trigger means the same in a live match, in a back-test and in a replay, and a PowerShell call is
 * parsed as PowerShell in all of them.
 */

import type { Call, LiveCall } from '../model/call.ts';
import type { EventOf, ToolInput } from '../model/event.ts';
import type { ToolName } from '../model/tool.ts';
import { parseJson } from '../records.ts';
import { ANY_SHELL, parseCall, parseCommand } from '../shell/parse-command.ts';
import type { SimpleCommand } from '../shell/simple-command.ts';
import type { AskSession } from './session-conditions.ts';

export interface CallView {
  readonly tool: ToolName;
  /** The simple commands of a shell call; empty for other tools. */
  readonly commands: readonly SimpleCommand[];
  /** The command line as typed. */
  readonly line?: string | undefined;
  readonly cwd?: string | undefined;
  /** The tool's input as JSON. */
  readonly json?: string | undefined;
  /** Answers whether the session met a condition before. Absent: the session made no call before. */
  readonly past?: AskSession | undefined;
  readonly path?: string | undefined;
  readonly content?: string | undefined;
  readonly subagentType?: string | undefined;
  /** The agent that the main conversation was started as. */
  readonly startedAs?: string | undefined;
  /** The last messages; undefined if they are unknown. Read after all other parts hold, because they are in a file. */
  readonly messages?: () => readonly string[] | undefined;
  /** The slash commands or skills that the conversation follows, in the same way; an empty list if it follows none. */
  readonly workflows?: () => readonly string[] | undefined;
  readonly projectId: string;
  readonly sessionId: string;
}

/** The view of a call that an agent is about to make. */
export function toCallView(event: EventOf<'call-started'>, projectId: string): CallView {
  const { tool, rawTool, input, sessionId, subagentType, startedAs, cwd } = event;
  const { command: line, path, content } = input;
  return {
    tool,
    commands: parseCall({ tool, rawTool, command: line }),
    line,
    cwd,
    json: input.more ?? input.json,
    path,
    content,
    subagentType,
    startedAs,
    projectId,
    sessionId,
  };
}

/** A call that ran: in memory with its whole command, or from the store with the beginning of its input. */
export type RecordedCall = Pick<Call, 'tool' | 'rawTool'> & {
  readonly [K in
    | keyof Pick<Call, 'inputSummary' | 'targetPath' | 'projectId' | 'sessionId'>
    | keyof Pick<LiveCall, 'command' | 'cwd' | 'parameters'>]?: LiveCall[K] | undefined;
};

/** The view of a call that ran. `past`: what its session had done before, if the caller knows it. */
export function toRecordedView(call: RecordedCall, past?: AskSession): CallView {
  const { tool, inputSummary, targetPath: path, cwd, parameters, projectId = '', sessionId = '' } = call;
  const isShell = tool === 'shell';
  // The summary of another tool's input is its path or the beginning of its JSON.
  const json = parameters === undefined ? (isShell ? undefined : inputSummary) : toInputJson(parameters);
  const line = isShell ? (call.command ?? inputSummary) : undefined;
  return { tool, commands: parseCall(call), line, cwd, json, past, path, projectId, sessionId };
}

/** The JSON of a tool's input from its parameters, which are kept as text: numbers, lists and the like have no quotes. */
export function toInputJson(parameters: Readonly<Record<string, string>>): string {
  const parts = Object.entries(parameters).map(([name, value]) => {
    const isText = !NO_TEXT.test(value) || parseJson(value) === undefined;
    return `${JSON.stringify(name)}:${isText ? JSON.stringify(value) : value}`;
  });
  return `{${parts.join(',')}}`;
}

const NO_TEXT = /^(?:[[{].*[\]}]|-?\d[\d.e+-]*|true|false|null)$/s;

/** The view of a call that nobody made: an example, or a command line in a lesson. Its text shows its shell. */
export function toWrittenView(tool: ToolName, input: Partial<ToolInput>): CallView {
  const { command: line, path, content, json } = input;
  const commands = line === undefined ? [] : parseCommand(line, ANY_SHELL);
  return { tool, commands, line, path, content, json, projectId: '', sessionId: '' };
}

/**
 * The view without commands that can fail unnoticed (before a pipe, `||` or a later command). For a call that succeeded:
 * the exit code does not prove that these commands worked.
 */
export function dropHidden(view: CallView): CallView {
  return { ...view, commands: view.commands.filter(({ hidden }) => hidden !== true) };
}
