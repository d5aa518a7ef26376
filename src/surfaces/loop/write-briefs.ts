/** Keeps the briefs of the projects where something happened up to date, for hooks to read. */
import { rmSync } from 'node:fs';
import { toAllIds } from '../../base/project-alias.ts';
import type { Store } from '../../base/store.ts';
import { toBrief } from '../../capture/to-brief.ts';
import { withTexts } from '../../match/render-brief-texts.ts';
import type { DataHome } from '../data-home.ts';
import { toBriefFile } from '../hook/decide-opening.ts';
import { writeOwnFile } from '../write-own-file.ts';

/** Older failures have settled themselves or never will; a first scan of years of history must not flood a session. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

export async function writeBriefs(store: Store, home: DataHome, projectIds: Iterable<string>): Promise<void> {
  const since = new Date(Date.now() - MAX_AGE_MS).toISOString();
  for (const projectId of toAllIds(await store.listProjectAliases(), [...projectIds])) {
    const failures = await store.listUnresolved(projectId, since);
    const refusals = await store.listRefusals(projectId, since);
    const open = await store.listOpenSessions(projectId);
    const brief = toBrief({ failures, refusals, open }, new Date().toISOString());
    const file = toBriefFile(home.briefsDir, projectId);
    if (brief.failures.length + brief.open.length === 0) rmSync(file, { force: true });
    else writeOwnFile(file, `${JSON.stringify(withTexts(brief))}\n`);
  }
}
