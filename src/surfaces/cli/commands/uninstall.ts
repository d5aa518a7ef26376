/** `oncebitten uninstall`. */
import { homedir } from 'node:os';
import { findProject } from '../../install/find-project.ts';
import { findSettingsFile } from '../../install/find-settings-file.ts';
import { type UninstalledHooks, uninstallHooks } from '../../install/uninstall-hooks.ts';
import type { Handler } from '../command.ts';
import { getAdapter } from '../get-adapter.ts';

const RESTORED: Readonly<Record<UninstalledHooks['restored'], string>> = {
  bytes: 'is byte for byte as it was before',
  edited: 'keeps your changes; only our hooks are gone',
  deleted: 'was made by us and is gone',
  nothing: 'had none of our hooks',
};

export const run: Handler = async ({ home, arguments: [agent = ''], options, env, cwd }) => {
  const { facts } = getAdapter(agent);
  const project = findProject(options.project, cwd);
  const settingsFile = findSettingsFile({ facts, env, home: homedir(), project });
  const result = uninstallHooks({ facts, settingsFile, record: home.installDir });
  const text = `${settingsFile} ${RESTORED[result.restored]}.\nWhat was learned stays in ${home.dir}.`;
  return { json: { agent, scope: project === undefined ? 'user' : 'project', settingsFile, ...result }, text };
};
