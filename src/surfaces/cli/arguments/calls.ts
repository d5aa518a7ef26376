/** Reads the call that the user describes with `--command`, or with `--tool` and `--input` in the words of an agent. */

import type { AgentAdapter } from '../../../base/contracts/agent-adapter.ts';
import type { CommandInput } from '../command.ts';
import { usageError } from '../errors.ts';
import { getAdapter } from './agents.ts';

export interface GivenCall {
  readonly adapter: AgentAdapter;
  readonly call: ReturnType<AgentAdapter['readCall']>;
}

/** Undefined without any of these options. `subject`: the command that takes them. */
export function findGivenCall({ options }: CommandInput, subject: string): GivenCall | undefined {
  const { command, tool, input, agent } = options as Readonly<Record<string, string | undefined>>;
  if (command === undefined && tool === undefined && input === undefined) return undefined;
  const adapter = getAdapter(agent);
  if (command === undefined) {
    if (tool === undefined || input === undefined)
      throw usageError(
        subject,
        'needs a tool and its input',
        `for example: --tool Edit --input '{"file_path":"a.ts"}', or --command 'git status'`,
      );
    return { adapter, call: adapter.readCall(tool, parseInput(input), subject) };
  }
  if (tool !== undefined || input !== undefined)
    throw usageError(subject, 'got both --command and --tool', 'give --command, or --tool with --input');
  // Every agent has a shell, whatever its tool is called.
  const json = JSON.stringify({ command });
  return { adapter, call: { callId: subject, tool: 'shell', rawTool: 'Bash', input: { command, json } } };
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw usageError('--input', 'is not JSON', `quote it for the shell: --input '{"command":"…"}'`, cause);
  }
}
