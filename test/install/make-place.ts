/** A temporary home with a settings file in it, gone when the test ends. Never the real one. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DEFAULT_HOOK_FILE } from '../../src/surfaces/install/hook-command.ts';
import { installHooks, uninstallHooks } from '../../src/surfaces/install/install-hooks.ts';
import { readInstalledHooks } from '../../src/surfaces/install/installed-hooks.ts';
import { sampleAgent } from './sample-agent.ts';

export type Place = ReturnType<typeof makePlace>;

export function makePlace(test: { after(clean: () => void): void }, original?: string | Buffer) {
  const root = mkdtempSync(join(tmpdir(), 'oncebitten-install-'));
  test.after(() => rmSync(root, { recursive: true, force: true }));
  const settingsFile = join(root, '.claude', 'settings.json');
  const record = join(root, 'data', 'installed');
  const options = { agent: sampleAgent, settingsFile, hookFile: DEFAULT_HOOK_FILE, record };
  const place = {
    root,
    settingsFile,
    record,
    options,
    write(content: string | Buffer): void {
      mkdirSync(dirname(settingsFile), { recursive: true });
      writeFileSync(settingsFile, content);
    },
    read: (): string => readFileSync(settingsFile, 'utf8'),
    readBytes: (): Buffer => readFileSync(settingsFile),
    list: (): string[] => readdirSync(dirname(settingsFile)),
    install: (changes: Partial<typeof options> = {}) => installHooks({ ...options, ...changes }),
    uninstall: (changes: Partial<typeof options> = {}) => uninstallHooks({ ...options, ...changes }),
    ask: (changes: Partial<typeof options> = {}) => readInstalledHooks({ ...options, ...changes }),
  };
  if (original !== undefined) place.write(original);
  return place;
}
