/** "Use the edit tool, not sed": a shell command, and a tool of the agent that did the same to the same file. */

import type { LiveCall } from '../../../base/model/call.ts';
import type { ToolName } from '../../../base/model/tool.ts';
import { toOperands } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import type { ProgramTrigger } from '../../../base/triggers/trigger.ts';
import type { Correction } from './parse-corrections.ts';

const TOOLS: Readonly<Record<string, ToolName>> = {
  read: 'read',
  edit: 'edit',
  write: 'write',
  grep: 'grep',
  search: 'grep',
  glob: 'glob',
};

interface ToolSwap {
  readonly command: SimpleCommand;
  readonly trigger: ProgramTrigger;
  readonly instead: string;
}

export function findToolSwap(
  { wanted, unwanted }: Correction,
  commands: readonly SimpleCommand[],
  { tool, targetPath }: LiveCall,
): ToolSwap | undefined {
  const isAsked = wanted.some(
    ([name = '', what = '']) =>
      /^tools?$/i.test(what) && Object.hasOwn(TOOLS, name.toLowerCase()) && isTool(name, tool),
  );
  const command = commands.find(
    (one) => one.piped !== true && unwanted.some(([name]) => name === one.program) && namesFile(one, targetPath),
  );
  if (!isAsked || command === undefined) return undefined;
  return { command, trigger: { name: command.program }, instead: `the ${tool} tool` };
}

function isTool(name: string, tool: ToolName): boolean {
  return TOOLS[name.toLowerCase()] === tool;
}

/** A search has no file of its own. */
function namesFile(command: SimpleCommand, targetPath: string | undefined): boolean {
  return (
    targetPath === undefined || toOperands(command).some((word) => word.length > 2 && endsWithPath(targetPath, word))
  );
}
