/** The session files that the project keeps of each agent, as a scan would find them. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HISTORIES } from '../../src/agents/histories.ts';
import type { AgentHistory, SessionFormat } from '../../src/base/contracts/agent-history.ts';
import { findFormat } from '../../src/capture/transcripts/session-files.ts';
import { CASES, readExported, writeDatabase, writeTree } from '../fixtures/opencode/write-sessions.ts';

export interface Fixture {
  readonly path: string;
  readonly format: SessionFormat;
}

const ROOT = fileURLToPath(new URL('../fixtures/', import.meta.url));
const FOLDERS: Readonly<Record<string, string>> = {
  'claude-code': 'claude-code/transcripts',
  codex: 'codex',
  opencode: 'opencode/exports',
  gemini: 'gemini',
  copilot: 'copilot',
};

/** `folder` is for those that are no files of the project: OpenCode's database and storage. */
export function listFixtures({ facts: { id: agent } }: AgentHistory, folder: string): readonly Fixture[] {
  const history = HISTORIES.find((one) => one.facts.id === agent);
  const under = FOLDERS[agent];
  if (history === undefined || under === undefined) throw new Error(`no fixtures of ${agent}`);
  const paths = readdirSync(join(ROOT, under), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  return [...paths.sort(), ...(agent === 'opencode' ? writeOpencode(folder) : [])].flatMap((path) => {
    const format = findFormat(history, path);
    return format === undefined ? [] : [{ path, format }];
  });
}

function writeOpencode(folder: string): readonly string[] {
  const sessions = CASES.map(readExported);
  const database = join(folder, 'opencode.db');
  writeDatabase(database, sessions);
  return [database, ...sessions.map((session) => writeTree(join(folder, 'storage'), session))];
}
