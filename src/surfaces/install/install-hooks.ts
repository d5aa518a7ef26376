/**
 * Installs our hooks into an agent's settings file beside the entries that are there, and uninstalls them
 * (`install-record.ts`).
 */

import type { AgentInstall } from '../../base/contracts/agent-install.ts';
import { mayHaveOurCommand } from './hook-command.ts';
import {
  addOurHooks,
  findOurHandlers,
  findTheirContainers,
  getSettingsRoot,
  isEmptied,
  removeOurHooks,
} from './hook-entries.ts';
import {
  type Added,
  addEntries,
  findRecordFiles,
  planEntries,
  type RecordedFile,
  type Removed,
  readInstallRecord,
  removeEntries,
} from './install-record.ts';
import { changeProgram, removeProgram } from './program-file.ts';
import { getSettingsText, type SettingsFile, toSettingsBytes } from './user-file.ts';

export interface HookInstallation extends RecordedFile {
  readonly agent: AgentInstall;
  /** From `toHookFile`. */
  readonly hookFile: string;
}

export interface InstalledHooks extends Added {
  /** Names of events that had no entry of ours. */
  readonly added: readonly string[];
  /** Names of events whose entry was outdated. */
  readonly replaced: readonly string[];
}

export function installHooks(installation: HookInstallation): InstalledHooks {
  const { added: done, addition } = addEntries(installation, (file) => toAddition(installation, file));
  const { changed, ...files } = done;
  return { changed, added: addition.added, replaced: addition.replaced, ...files };
}

interface HookPlan extends Omit<InstalledHooks, 'backupFile'> {
  /** The settings file now; absent where there is none. */
  readonly before?: Buffer;
  /** The settings file as an installation would leave it. */
  readonly after: Buffer;
}

export function planHooks(installation: HookInstallation): HookPlan {
  const { before, addition } = planEntries(installation, (file) => toAddition(installation, file));
  const { isSame, added, replaced, bytes } = addition;
  const { settingsFile } = installation;
  return { changed: !isSame, added, replaced, settingsFile, after: bytes, ...(before && { before }) };
}

function toAddition(installation: HookInstallation, file: SettingsFile) {
  const { agent, settingsFile, record } = installation;
  const files = findRecordFiles(record, agent.facts.id, file.path, file.found?.bytes);
  if (agent.hooks.program !== undefined) {
    const isClean = file.found === undefined;
    const earlier = isClean ? undefined : readInstallRecord(files);
    const { original, text, added, replaced } = changeProgram(installation, agent.hooks.program, file);
    return {
      added,
      replaced,
      isSame: text === original,
      bytes: Buffer.from(text),
      files,
      earlier,
      isClean,
      theirs: [],
    };
  }
  const { mark, text: original } = getSettingsText(file);
  const root = getSettingsRoot(original, settingsFile);
  const isClean = findOurHandlers(root).length === 0;
  // A file without our entries begins anew, whatever we once did there.
  const earlier = isClean ? undefined : readInstallRecord(files);
  const theirs = new Set([...findTheirContainers(root), ...(earlier?.theirs ?? [])]);
  const { text, added, replaced } = addOurHooks(original, { ...installation, theirs });
  const bytes = toSettingsBytes({ mark, text });
  return { added, replaced, isSame: text === original, bytes, files, earlier, isClean, theirs };
}

type HookRemoval = Omit<HookInstallation, 'hookFile'>;

export interface UninstalledHooks extends Removed {
  /** Names of events that had an entry of ours. */
  readonly removed: readonly string[];
}

export function uninstallHooks(removal: HookRemoval): UninstalledHooks {
  const { removed, removal: done } = removeEntries(removal, (file) => toRemoval(removal, file));
  return { changed: removed.changed, removed: done.events, restored: removed.restored };
}

function toRemoval({ agent, settingsFile, record }: HookRemoval, file: SettingsFile) {
  const files = findRecordFiles(record, agent.facts.id, file.path, file.found?.bytes);
  const earlier = readInstallRecord(files);
  if (agent.hooks.program !== undefined) {
    const events = removeProgram(agent, file);
    return { isThere: events.length > 0, events, files, earlier };
  }
  // A file that names no hook of ours is not our business, even if it cannot be parsed.
  const isTheirs = file.found !== undefined && !mayHaveOurCommand(file.found.bytes);
  const { mark, text: current } = isTheirs ? { mark: '' as const, text: '{}' } : getSettingsText(file);
  const { text, removed: events } = removeOurHooks(current, settingsFile, new Set(earlier?.theirs));
  const toRest = () => ({ bytes: toSettingsBytes({ mark, text }), isEmpty: isEmptied(text, settingsFile) });
  return { isThere: events.length > 0, events, files, earlier, toRest };
}
