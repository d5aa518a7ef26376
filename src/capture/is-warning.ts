/** Whether a successful call warned: only programs that speak for themselves, not those that show other texts. */
import type { EndedCall } from '../base/event.ts';
import { parseCommand } from '../base/parse-command.ts';
import { isQuiet, isShowing } from './is-showing.ts';

/** Looked for first: every output goes through here, and this is more than twice as fast. */
const HINT = /warn|deprecated/i;
const WARNING = /\bwarning:|\bdeprecated\b|\[warn(?:ing)?\]|"warnings"\s*:\s*\[\s*[^\s\]]/i;

export function isWarning({ tool, input, result }: EndedCall): boolean {
  if (tool !== 'shell' && !tool.startsWith('mcp:')) return false;
  if (!HINT.test(result.text) || !WARNING.test(result.text)) return false;
  return (
    input.command === undefined ||
    !parseCommand(input.command).every((command) => isShowing(command) || isQuiet(command))
  );
}
