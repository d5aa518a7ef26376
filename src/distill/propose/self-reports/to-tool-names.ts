/** The tools that a report names, in whatever words, as our canonical ones. */
import { isToolName, type ToolName } from '../../../base/model/tool.ts';

const NAMES: Readonly<Record<string, ToolName>> = {
  bash: 'shell',
  exec: 'shell',
  exec_command: 'shell',
  run_shell_command: 'shell',
  shell_command: 'shell',
  local_shell: 'shell',
  terminal: 'shell',
  command: 'shell',
  powershell: 'shell',
  multiedit: 'edit',
  notebookedit: 'edit',
  apply_patch: 'edit',
  replace: 'edit',
  write_file: 'write',
  read_file: 'read',
  agent: 'task',
  webfetch: 'web',
  websearch: 'web',
};

/** Empty where none is named, or none that we know. */
export function toToolNames(named: readonly string[]): readonly ToolName[] {
  const words = named.flatMap((one) => one.split(/[\s,/|]+/));
  return [...new Set(words.flatMap((word) => findToolName(word) ?? []))];
}

function findToolName(word: string): ToolName | undefined {
  const name = word.toLowerCase().replace(/[^\w:*-]/g, '');
  if (Object.hasOwn(NAMES, name)) return NAMES[name];
  return isToolName(name) && name !== 'other' ? name : undefined;
}
