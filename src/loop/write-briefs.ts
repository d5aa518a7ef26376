/** Keeps the briefs of the projects where something happened up to date, for hooks to read. */
import { rmSync } from 'node:fs';
import { HISTORIES } from '../agents/histories.ts';
import type { Store } from '../base/contracts/store.ts';
import { toAllIds } from '../base/model/project.ts';
import { toBrief } from '../capture/brief.ts';
import { withTexts } from '../match/brief-texts.ts';
import { toBriefFile } from './delivery/decide-opening.ts';
import type { DataHome } from './home/data-home.ts';
import { writeOwnFile } from './home/write-file.ts';

const SENTENCES = HISTORIES.flatMap(({ refusals = [] }) => refusals);

/** Older failures have settled themselves or never will; a first scan of years of history must not flood a session. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

export async function writeBriefs(store: Store, home: DataHome, projectIds: Iterable<string>): Promise<void> {
  const since = new Date(Date.now() - MAX_AGE_MS).toISOString();
  for (const projectId of toAllIds(await store.listProjectAliases(), [...projectIds])) {
    const brief = toBrief(await store.readUnsettled(projectId, since), new Date().toISOString(), SENTENCES);
    const file = toBriefFile(home.briefsDir, projectId);
    if (brief.failures.length + brief.open.length === 0) rmSync(file, { force: true });
    else writeOwnFile(file, `${JSON.stringify(withTexts(brief))}\n`);
  }
}
