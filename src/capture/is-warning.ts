/** Whether a successful call warned: only programs that speak for themselves, not those that show other texts. */
import type { EndedCall } from '../base/event.ts';
import { parseCommand } from '../base/parse-command.ts';
import { toPositionals } from '../base/program-words.ts';
import type { SimpleCommand } from '../base/simple-command.ts';

const WARNING = /\bwarning:|\bdeprecated\b|\[warn(?:ing)?\]|"warnings"\s*:\s*\[\s*[^\s\]]/i;

/** They print files, history and other people's words. `sub`: only these sub-commands do. */
const READERS: Readonly<Record<string, { readonly sub?: readonly string[] }>> = {
  ...Object.fromEntries(
    ['cat', 'bat', 'head', 'tail', 'less', 'sed', 'awk', 'cut', 'sort', 'uniq', 'wc', 'tr', 'jq', 'nl', 'column']
      .concat([
        'grep',
        'egrep',
        'fgrep',
        'zgrep',
        'rg',
        'ag',
        'find',
        'fd',
        'ls',
        'tree',
        'diff',
        'cmp',
        'xxd',
        'strings',
      ])
      .concat(['cd', 'pwd', 'echo', 'printf', 'true', 'test', '[', 'which', 'command', 'sleep', 'man', 'curl', 'wget'])
      .map((program) => [program, {}]),
  ),
  git: { sub: ['log', 'show', 'diff', 'blame', 'grep', 'ls-files', 'cat-file', 'status', 'branch', 'reflog', 'stash'] },
  gh: {},
};

export function isWarning({ tool, input, result }: EndedCall): boolean {
  if (tool !== 'shell' && !tool.startsWith('mcp:')) return false;
  if (!WARNING.test(result.text)) return false;
  return input.command === undefined || !parseCommand(input.command).every(isReader);
}

function isReader(command: SimpleCommand): boolean {
  const row = Object.hasOwn(READERS, command.program) ? READERS[command.program] : undefined;
  return row !== undefined && (row.sub === undefined || row.sub.includes(toPositionals(command)[0] ?? ''));
}
