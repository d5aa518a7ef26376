/**
 * Fails where nothing shows that the agent is on this machine: settings for somebody who does not have it would only
 * leave a folder behind. Its home folder shows it, or its program on the PATH.
 */
import { existsSync } from 'node:fs';
import { UserError } from '../../base/errors.ts';
import { findProgram } from '../find-program.ts';
import { type SettingsPlace, toAgentHome } from './find-settings-file.ts';

export function checkAgentPresent(place: Omit<SettingsPlace, 'project'>): void {
  const { facts, env } = place;
  const folder = toAgentHome(place);
  if (existsSync(folder) || findProgram(facts.program.name, env.PATH) !== undefined) return;
  throw new UserError({
    subject: facts.name,
    reason: `does not seem to be installed: there is no ${folder} and no \`${facts.program.name}\` on the PATH`,
    next: `start ${facts.name} once, then run the command again; or prepare its settings anyway: oncebitten install ${facts.id} --force`,
  });
}
