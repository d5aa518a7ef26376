/** Every settings file of an agent that counts here: the user's, this project's two, the administrator's. */
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'jsonc-parser';
import type { AgentFacts } from '../../../base/agent-adapter.ts';
import { toAgentHome } from '../../install/find-settings-file.ts';
import type { CommandInput } from '../command.ts';

export type Asked = Pick<CommandInput, 'env' | 'cwd'>;

export interface AgentSettings {
  readonly file: string;
  readonly isManaged: boolean;
  readonly settings: Readonly<Record<string, unknown>>;
}

/** Without those that are not there or hold no object: what is wrong with them the hooks' own check says. */
export function readAgentSettings(facts: AgentFacts, { env, cwd }: Asked): readonly AgentSettings[] {
  const { settingsFile, ownSettingsFile, managedFiles } = facts.hooks;
  const managed = managedFiles[process.platform];
  const files = [
    join(toAgentHome({ facts, env, home: homedir() }), settingsFile),
    join(cwd, facts.home.folder, settingsFile),
    join(cwd, facts.home.folder, ownSettingsFile),
  ];
  return [
    ...[...new Set(files)].map((file) => ({ file, isManaged: false })),
    ...(managed === undefined ? [] : [{ file: managed, isManaged: true }]),
  ].flatMap(({ file, isManaged }) => {
    const settings = findSettings(file);
    return settings === undefined ? [] : [{ file, isManaged, settings }];
  });
}

function findSettings(file: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parse(readFileSync(file, 'utf8'), [], { allowTrailingComma: true });
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
