/** `oncebitten audit`: the junk report, of the store or of session files. */
import { identifyProject } from '../../../capture/identify-project.ts';
import { toMatchCall } from '../../../match/match-call.ts';
import { type Audit, type AuditCall, auditLessons, toAuditKey } from '../../replay/audit-lessons.ts';
import { listUnmatchedPaths } from '../../replay/list-unmatched-paths.ts';
import type { ReplayStep } from '../../replay/read-sessions.ts';
import { replaySessions } from '../../replay/replay-sessions.ts';
import { toAuditCalls } from '../../replay/to-audit-calls.ts';
import type { CommandInput, Handler } from '../command.ts';
import { type OpenHome, readHome } from '../open-home.ts';
import { readPast } from '../read-past.ts';
import { renderAudit, renderUnmatched } from '../render-audit.ts';
import { toScanPlaces } from '../to-scan-places.ts';

/** The newest so many calls of the store. */
const MAX_PAST = 50_000;

export const run: Handler = async (input) => {
  const { path } = toScanPlaces(input);
  const { audit, unmatchedPaths } = await readHome(input, async (open) =>
    path === undefined
      ? {
          audit: await auditStore(open),
          unmatchedPaths: await listUnmatchedPaths(open.store, identifyProject(input.cwd)),
        }
      : { audit: await auditFiles(input, open), unmatchedPaths: [] },
  );
  return {
    json: { ...audit, unmatchedPaths },
    text: [renderAudit(audit, input.columns), ...renderUnmatched(unmatchedPaths, input.columns)].join('\n'),
  };
};

async function auditStore({ store }: OpenHome): Promise<Audit> {
  const calls = await store.listCalls({ limit: MAX_PAST });
  const [findings, lessons] = [await store.listFindings(), await store.listLessons()];
  return auditLessons({ findings, lessons, past: toAuditCalls(calls, calls.length < MAX_PAST) });
}

/** Nothing of the files is kept. */
async function auditFiles(input: CommandInput, open: OpenHome): Promise<Audit> {
  const steps = await readPast(input, open);
  const { findings, lessons } = await replaySessions(steps, open.settings);
  return auditLessons({ findings, lessons, past: steps.flatMap(toTold) });
}

function toTold({ asked, call }: ReplayStep): readonly AuditCall[] {
  if (asked === undefined || call === undefined) return [];
  const { outcome, signature, projectId } = call;
  return [{ key: toAuditKey(call), call: toMatchCall(asked, projectId), outcome, signatureId: signature?.id }];
}
