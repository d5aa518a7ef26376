/** A call that is about to happen, as triggers see it. */
import type { EventOf } from '../base/event.ts';
import { parseCommand } from '../base/parse-command.ts';
import type { SimpleCommand } from '../base/simple-command.ts';
import type { ToolName } from '../base/tool.ts';
import type { AskPast } from './session-past.ts';

export interface MatchCall {
  readonly tool: ToolName;
  readonly commands: readonly SimpleCommand[];
  /** The command line as typed. */
  readonly line?: string;
  readonly cwd?: string;
  /** The tool's input as JSON. */
  readonly json?: string;
  /** What already happened in its session: nothing, where it is absent. */
  readonly past?: AskPast;
  readonly path?: string;
  readonly content?: string;
  readonly subagentType?: string;
  /** The agent that the main conversation was started as. */
  readonly startedAs?: string;
  /** What was said last; undefined when nobody can tell. Asked once everything else holds: the answer lies in a file. */
  readonly messages?: () => readonly string[] | undefined;
  /** The slash command or skill that the conversation follows, the same way; none is an empty list. */
  readonly workflows?: () => readonly string[] | undefined;
  readonly projectId: string;
  readonly sessionId: string;
}

export function toMatchCall(event: EventOf<'call-started'>, projectId: string): MatchCall {
  const { tool, rawTool, input, sessionId, subagentType, startedAs, cwd } = event;
  return {
    tool,
    commands: tool === 'shell' && input.command !== undefined ? parseCommand(input.command, { rawTool }) : [],
    ...(input.command === undefined ? {} : { line: input.command }),
    ...(cwd === undefined ? {} : { cwd }),
    json: input.more ?? input.json,
    ...(input.path === undefined ? {} : { path: input.path }),
    ...(input.content === undefined ? {} : { content: input.content }),
    ...(subagentType === undefined ? {} : { subagentType }),
    ...(startedAs === undefined ? {} : { startedAs }),
    projectId,
    sessionId,
  };
}
