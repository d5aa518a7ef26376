/**
 * A tool of our MCP server: its name, description and input are data; its code is loaded when a client calls it. Most
 * tools run a command of the command line, so that a client gets the same answer as a person.
 */

import type { z } from 'zod';
import { UserError } from '../../base/errors.ts';
import type { DataHome } from '../../loop/home/data-home.ts';
import type { CommandInput, Handler } from '../cli/command.ts';

export interface McpTool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model: what the tool does, and when to use it. */
  readonly description: string;
  readonly input: Input;
  /** The tool changes nothing. */
  readonly isReadOnly: boolean;
  /** Resolves to the answer, at most some kilobytes of it. A `UserError` becomes the error that the client reads. */
  run(args: z.infer<Input>, context: McpContext): Promise<object>;
}

/** Lets the type of a row's input follow from its schema. */
export function makeTool<Input extends z.ZodObject>(tool: McpTool<Input>): McpTool {
  return tool as unknown as McpTool;
}

export interface McpContext {
  readonly home: DataHome;
  readonly env: NodeJS.ProcessEnv;
  /** The folder in which the client works; undefined if the server does not know it, as over HTTP. */
  readonly cwd: string | undefined;
  /** How the client named itself. Over HTTP it does so in another request. */
  readonly clientName?: string;
}

/** Over HTTP the server does not know the folder, so the client has to send it. */
export function getFolder({ cwd }: McpContext): string {
  if (cwd !== undefined) return cwd;
  throw new UserError({
    subject: 'the folder in which you work',
    reason: 'is not known to the server',
    next: 'send it as cwd, as a whole path',
  });
}

type Words = Partial<Pick<CommandInput, 'arguments' | 'options'>>;

/** What the command prints with `--json`. */
export async function runCommand<T>(run: Handler, context: McpContext, words: Words): Promise<T> {
  const { json } = await run(toCommandInput(context, words));
  return json as T;
}

/** A command without a terminal: it asks nothing and reads nothing. */
export function toCommandInput({ home, env, cwd }: McpContext, words: Words): CommandInput {
  return {
    ...{ home, env, cwd: cwd ?? home.dir, arguments: [], options: {}, ...words },
    readStdin: async () => '',
    readLines: async function* () {},
    progress: () => {},
  };
}
