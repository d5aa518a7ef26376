/**
 * What a call wanted, short enough to index: a shell command's program and sub-command, else the tool and its file. A later
 * success with the same key means that whatever failed before is settled.
 */
import { findMainCommand } from './find-main-command.ts';
import { hashText } from './hash.ts';
import { toPositionals } from './program-words.ts';
import type { ToolName } from './tool.ts';

const SUB_COMMAND = /^[a-z][a-z0-9:_-]{0,30}$/i;
const MAX_PROGRAM_CHARS = 60;

export function toIntentKey(call: {
  readonly tool: ToolName;
  readonly command?: string;
  readonly targetPath?: string;
}): string {
  if (call.tool !== 'shell')
    return call.targetPath === undefined ? call.tool : `${call.tool} ${hashText(call.targetPath)}`;
  const main = findMainCommand(call.command ?? '');
  if (main === undefined) return 'shell';
  const [first = ''] = toPositionals(main);
  return `shell ${main.program.slice(0, MAX_PROGRAM_CHARS)}${SUB_COMMAND.test(first) ? ` ${first}` : ''}`;
}
