/** Groups what is unresolved into a brief: failures of one signature are one entry, oldest first. */
import { BRIEF_VERSION, type Brief, type BriefFailure, type OpenSession } from '../base/brief.ts';
import { INPUT_SUMMARY_CHARS, OUTPUT_SUMMARY_CHARS } from '../base/call.ts';
import type { Session } from '../base/session.ts';
import type { UnresolvedFailure } from '../base/store.ts';

export function toBrief(failures: readonly UnresolvedFailure[], open: readonly Session[], generatedAt: string): Brief {
  const groups = Map.groupBy(failures, (failure) => failure.signatureId ?? failure.id);
  return {
    type: 'brief',
    version: BRIEF_VERSION,
    generatedAt,
    failures: [...groups.values()].flatMap(toEntry),
    open: open.flatMap(toOpen),
  };
}

/** The newest of a group speaks for it; the group stands where its oldest stood. */
function toEntry(group: readonly UnresolvedFailure[]): readonly BriefFailure[] {
  const newest = group.at(-1);
  if (newest === undefined) return [];
  const { command, exitCode, output, branch, at } = newest;
  return [
    {
      ids: group.map((failure) => failure.id),
      command: command.slice(0, INPUT_SUMMARY_CHARS),
      ...(exitCode === undefined ? {} : { exitCode }),
      stderr: output.slice(0, OUTPUT_SUMMARY_CHARS),
      ...(branch === undefined ? {} : { branch }),
      at,
    },
  ];
}

function toOpen({ agent, sessionId, pid, host, lastSeenAt, cwd, branch }: Session): readonly OpenSession[] {
  if (pid === undefined || host === undefined) return [];
  const place = { ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) };
  return [{ agent, sessionId, pid, host, lastSeenAt, ...place }];
}
