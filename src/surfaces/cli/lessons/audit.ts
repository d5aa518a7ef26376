/**
 * `oncebitten lessons audit`: prints the junk report on the lessons of the store or of session files: dropped and
 * held-back candidates, duplicates, lessons that never fire again or fire too often, and path triggers that match no
 * file. Session files are replayed, and nothing from them is stored.
 */

import { makeToProjectId, type ToProjectId } from '../../../base/model/project.ts';
import { toCallKey } from '../../../base/model/session.ts';
import { toCallView } from '../../../base/triggers/call-view.ts';
import {
  type Audit,
  type AuditCall,
  type AuditedLesson,
  auditLessons,
  listUnmatchedPaths,
  toAuditCalls,
  type UnmatchedPath,
} from '../../../loop/checks/audit-lessons.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import type { ReplayStep } from '../../../loop/replay/read-sessions.ts';
import { replaySessions } from '../../../loop/replay/replay-sessions.ts';
import { toScanPlaces } from '../arguments/agents.ts';
import type { CommandInput, Handler } from '../command.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { readPast } from '../stats/past-sessions.ts';
import { renderTable } from '../table.ts';
import { joinLines, toScreenMax } from '../text.ts';

/** Maximum number of stored calls, the newest ones. */
const MAX_PAST = 50_000;

export const run: Handler = async (input) => {
  const { path } = toScanPlaces(input);
  const { audit, unmatchedPaths } = await readHome(input, async (open) => {
    const toProjectId = makeToProjectId(await open.store.listProjectAliases());
    return path === undefined
      ? {
          audit: await auditStore(open, toProjectId),
          unmatchedPaths: await listUnmatchedPaths(open.store, identifyProject(input.cwd)),
        }
      : { audit: await auditFiles(input, open, toProjectId), unmatchedPaths: [] };
  });
  return {
    json: { ...audit, unmatchedPaths },
    text: [renderAudit(audit, input.columns), ...renderUnmatched(unmatchedPaths, input.columns)].join('\n'),
  };
};

async function auditStore({ store }: OpenHome, toProjectId: ToProjectId): Promise<Audit> {
  const calls = await store.listCalls({ limit: MAX_PAST });
  const [findings, lessons] = [await store.listFindings(), await store.listLessons()];
  return auditLessons({ findings, lessons, past: toAuditCalls(calls, calls.length < MAX_PAST), toProjectId });
}

/** Nothing of the files is kept. */
async function auditFiles(input: CommandInput, open: OpenHome, toProjectId: ToProjectId): Promise<Audit> {
  const steps = await readPast(input, open);
  const { findings, lessons } = await replaySessions(steps, open.settings);
  return auditLessons({ findings, lessons, past: steps.flatMap(listAuditCalls), toProjectId });
}

function listAuditCalls({ asked, call }: ReplayStep): readonly AuditCall[] {
  if (asked === undefined || call === undefined) return [];
  const { outcome, signature, projectId } = call;
  return [{ key: toCallKey(call), call: toCallView(asked, projectId), outcome, signatureId: signature?.id }];
}

const MAX_ROWS = 20;

/** The junk report as text. */
export function renderAudit(audit: Audit, columns?: number): string {
  const max = toScreenMax(columns, MAX_ROWS);
  const { candidates, becameLessons, merged, dropped, active, drafts, archived, needReview, duplicates } = audit;
  const counts: readonly (readonly [string, number])[] = [
    ['mistakes found in past sessions', candidates],
    ['  became a lesson or a draft', becameLessons],
    ['  more evidence of a known lesson', merged],
    ['  dropped', dropped],
    ...listReasons(audit.droppedByReason),
    ...(audit.heldBack === 0 ? [] : [['  made a draft, so that you decide', audit.heldBack] as const]),
    ...listReasons(audit.heldBackByReason),
    ['active lessons (learned, written or imported)', active],
    ['drafts', drafts],
    ['archived lessons', archived],
    ['waiting for your review', needReview],
    ['groups of duplicates', duplicates.length],
    ['lessons that match no past call but their own', audit.neverFire.length],
    ['lessons that fire too often', audit.fireTooOften.length],
    ['past calls that lessons were tested on', audit.pastCalls],
  ];
  return joinLines([
    renderTable(
      ['ITEM', 'COUNT'],
      counts.map(([item, n]) => [item, `${n}`]),
      { columns, texts: [0] },
    ),
    needReview > 0 && '\nReview those that wait: oncebitten lessons review',
    ...duplicates.slice(0, max).map(({ slugs }) => `\nDuplicates: ${slugs.join(', ')}`),
    ...renderTooOften(audit.fireTooOften, max),
    ...renderUnused(audit.neverFire, max),
  ]);
}

function renderUnmatched(paths: readonly UnmatchedPath[], columns?: number): readonly string[] {
  if (paths.length === 0) return [];
  const rows = paths.slice(0, toScreenMax(columns, MAX_ROWS)).map(({ slug, path, root }) => [path, slug, root]);
  return [
    '',
    'Path triggers that match no file of the repository',
    renderTable(['PATH', 'LESSON', 'REPOSITORY'], rows),
  ];
}

function renderTooOften(lessons: readonly AuditedLesson[], max: number): readonly string[] {
  if (lessons.length === 0) return [];
  const rows = lessons
    .slice(0, max)
    .map(({ slug, status, fires, hits, successes }) => [`${fires}`, `${hits}`, `${successes}`, status, slug]);
  return [
    '',
    'Fire too often (a hit: the call failed as the lesson says; a false alarm: it worked). Narrow one: oncebitten lessons edit <lesson>',
    renderTable(['FIRES', 'HITS', 'FALSE ALARMS', 'STATUS', 'LESSON'], rows),
  ];
}

function renderUnused(lessons: readonly AuditedLesson[], max: number): readonly string[] {
  if (lessons.length === 0) return [];
  const rows = lessons.slice(0, max).map(({ slug, status }) => [status, slug]);
  return [
    '',
    'These lessons match no past call but their own (the calls that they were learned from). That is normal for a new lesson. Show one: oncebitten lessons show <lesson>',
    renderTable(['STATUS', 'LESSON'], rows),
  ];
}

function listReasons(byReason: Readonly<Record<string, number>>): readonly (readonly [string, number])[] {
  return Object.entries(byReason).map(([reason, n]) => [`    ${reason}`, n]);
}
