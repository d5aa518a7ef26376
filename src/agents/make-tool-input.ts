/** A tool's input reduced to what lessons can speak about: of each tool only what it has. */
import type { ToolInput } from '../base/event.ts';
import type { ToolName } from '../base/tool.ts';

export interface InputParts {
  readonly command?: string | undefined;
  readonly path?: string | undefined;
  readonly content?: string | undefined;
}

export function makeToolInput(tool: ToolName, { command, path, content }: InputParts, json: string): ToolInput {
  const isWriting = tool === 'edit' || tool === 'write';
  return {
    ...(command !== undefined && tool === 'shell' ? { command } : {}),
    ...(path !== undefined && (isWriting || tool === 'read') ? { path } : {}),
    ...(content !== undefined && isWriting ? { content } : {}),
    json,
  };
}
