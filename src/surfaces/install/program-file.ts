/**
 * The file of a program that an agent loads instead of running commands. It is ours as a whole: it is written, compared
 * and removed as one text. A file of the same name that is not ours stays as it is, and the installation fails.
 */

import type { AgentInstall, HookProgram } from '../../base/contracts/agent-install.ts';
import { UserError } from '../../base/errors.ts';
import type { SettingsFile } from './user-file.ts';

interface ProgramChange {
  /** The text before; empty if there was no file. */
  readonly original: string;
  readonly text: string;
  readonly added: readonly string[];
  readonly replaced: readonly string[];
}

interface ProgramPlace {
  readonly agent: AgentInstall;
  readonly hookFile: string;
}

export function changeProgram(
  { agent, hookFile }: ProgramPlace,
  program: HookProgram,
  file: SettingsFile,
): ProgramChange {
  const original = file.found?.bytes.toString('utf8') ?? '';
  const text = renderProgram(program, hookFile);
  const names = agent.hooks.events.map(({ name }) => name);
  if (file.found === undefined) return { original, text, added: names, replaced: [] };
  if (!isOurProgram(original))
    throw new UserError({
      subject: file.name,
      reason: 'is not a file of Oncebitten',
      next: 'Move it away, then run the command again. Nothing was changed.',
    });
  return { original, text, added: [], replaced: text === original ? [] : names };
}

/** The events of our program, which goes as a whole; none if the file is not ours. */
export function removeProgram({ hooks }: AgentInstall, { found }: SettingsFile): readonly string[] {
  const isOurs = found !== undefined && isOurProgram(found.bytes.toString('utf8'));
  return isOurs ? hooks.events.map(({ name }) => name) : [];
}

export function renderProgram(program: HookProgram, hookFile: string): string {
  return `${NOTICE}\n${program.render(hookFile)}`;
}

/** The first words of the file. */
const NOTICE = '// Oncebitten wrote this file, and `oncebitten uninstall` removes it.';

function isOurProgram(text: string): boolean {
  return text.startsWith(NOTICE);
}
