/** Groups what is unresolved into a brief: failures of one signature are one entry, oldest first. */
import { BRIEF_VERSION, type Brief, type BriefFailure, type OpenSession } from '../base/brief.ts';
import { INPUT_SUMMARY_CHARS, OUTPUT_SUMMARY_CHARS } from '../base/call.ts';
import type { Session } from '../base/session.ts';
import type { UnresolvedFailure } from '../base/store.ts';

export function toBrief(failures: readonly UnresolvedFailure[], open: readonly Session[], generatedAt: string): Brief {
  const groups = Map.groupBy(failures, toGroup);
  return {
    type: 'brief',
    version: BRIEF_VERSION,
    generatedAt,
    failures: [...groups.values()].flatMap(toEntry),
    open: open.flatMap(toOpen),
  };
}

/** Two hooks that say the same are still two hooks. */
function toGroup({ id, hook, command, signatureId }: UnresolvedFailure): string {
  return hook === undefined ? (signatureId ?? id) : `${hook} ${command} ${signatureId ?? ''}`;
}

/** The newest of a group speaks for it; the group stands where its oldest stood. */
function toEntry(group: readonly UnresolvedFailure[]): readonly BriefFailure[] {
  const newest = group.at(-1);
  if (newest === undefined) return [];
  const { command, hook, exitCode, output, branch, at } = newest;
  return [
    {
      ids: group.map((failure) => failure.id),
      command: (hook === undefined ? command : toHookCommand(command, hook)).slice(0, INPUT_SUMMARY_CHARS),
      ...(hook === undefined ? {} : { hook }),
      ...(exitCode === undefined ? {} : { exitCode }),
      stderr: output.slice(0, OUTPUT_SUMMARY_CHARS),
      ...(branch === undefined ? {} : { branch }),
      at,
    },
  ];
}

/** Recorded as `{"hook":…,"command":…}` and cut off like any long input. */
function toHookCommand(recorded: string, hook: string): string {
  const quoted = /"command":"((?:[^"\\]|\\.)*)/.exec(recorded)?.[1];
  return quoted === undefined ? hook : quoted.replaceAll(/\\(["\\/])/g, '$1');
}

function toOpen({ agent, sessionId, pid, host, lastSeenAt, cwd, branch }: Session): readonly OpenSession[] {
  if (pid === undefined || host === undefined) return [];
  const place = { ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) };
  return [{ agent, sessionId, pid, host, lastSeenAt, ...place }];
}
