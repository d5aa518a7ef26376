/**
 * Describes a call that is about to run, as triggers see it, and decides whether earlier calls of its session meet the
 * condition of a lesson (`triggers.session`). If the earlier calls are unknown, the lesson stays silent.
 */

import type { EventOf } from '../model/event.ts';
import type { ToolName } from '../model/tool.ts';
import { parseCommand } from '../shell/parse-command.ts';
import { type SimpleCommand, toPositionals } from '../shell/simple-command.ts';
import { OWN_PATH, type SessionCondition } from './trigger.ts';

export interface CallView {
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

export function toCallView(event: EventOf<'call-started'>, projectId: string): CallView {
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

/** Undefined when nobody can tell: the lesson then stays silent. */
export type AskPast = (asked: Asked) => boolean | undefined;

export interface Asked {
  /** As the lesson has it. */
  readonly condition: SessionCondition;
  /** For the call at hand. */
  readonly meant: SessionCondition;
}

/** What a call did that succeeded. */
export interface Done {
  readonly commands: readonly SimpleCommand[];
  /** Absolute. */
  readonly path?: string | undefined;
}

/** Undefined when the lesson asks for the file of a call that has none. */
export function toAsked(condition: SessionCondition, path: string | undefined): Asked | undefined {
  if ('ran' in condition || condition.read !== OWN_PATH) return { condition, meant: condition };
  return path === undefined ? undefined : { condition, meant: { read: path } };
}

/** What already happened in a session, and whether it is what a lesson asks for (`triggers.session`). */
export function isMet(meant: SessionCondition, { commands, path }: Done): boolean {
  if ('ran' in meant) return commands.some((command) => beginsWith(toWords(command), meant.ran));
  return path !== undefined && (path === meant.read || path.endsWith(`/${meant.read}`));
}

/** Program and words that are not options. */
export function toWords(command: SimpleCommand): string {
  return [command.program, ...toPositionals(command)].join(' ');
}

export function beginsWith(words: string, ran: string): boolean {
  return `${words} `.startsWith(`${ran} `);
}

export function renderCondition(condition: SessionCondition): string {
  return 'ran' in condition ? `ran ${condition.ran}` : `read ${condition.read}`;
}
