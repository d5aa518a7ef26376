/**
 * Groups what is unresolved into a brief: failures of one signature are one entry, oldest first, then the gates that
 * refused again and again.
 */
import { BRIEF_VERSION, type Brief, type BriefFailure, type OpenSession } from '../base/brief.ts';
import { INPUT_SUMMARY_CHARS, OUTPUT_SUMMARY_CHARS } from '../base/call.ts';
import { toShortChars } from '../base/short-text.ts';
import type { GateRefusal, UnendedSession, UnresolvedFailure } from '../base/store.ts';
import { groupRefusals } from './group-refusals.ts';

export interface Unresolved {
  readonly failures?: readonly UnresolvedFailure[];
  readonly refusals?: readonly GateRefusal[];
  readonly open?: readonly UnendedSession[];
}

export function toBrief({ failures = [], refusals = [], open = [] }: Unresolved, generatedAt: string): Brief {
  const groups = Map.groupBy(failures, toGroup);
  return {
    type: 'brief',
    version: BRIEF_VERSION,
    generatedAt,
    failures: [...[...groups.values()].flatMap(toEntry), ...groupRefusals(refusals)],
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
      command: toShortChars(hook === undefined ? command : toHookCommand(command, hook), INPUT_SUMMARY_CHARS),
      ...(hook === undefined ? {} : { hook }),
      ...(exitCode === undefined ? {} : { exitCode }),
      stderr: toShortChars(output, OUTPUT_SUMMARY_CHARS),
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

function toOpen(session: UnendedSession): readonly OpenSession[] {
  const { agent, sessionId, pid, host, lastSeenAt, cwd, branch, lastCommand } = session;
  if (pid === undefined || host === undefined) return [];
  const place = { ...(cwd === undefined ? {} : { cwd }), ...(branch === undefined ? {} : { branch }) };
  // Half a command is no command.
  const last = toShortChars(lastCommand ?? '', INPUT_SUMMARY_CHARS - 1);
  return [{ agent, sessionId, pid, host, lastSeenAt, ...place, ...(last === '' ? {} : { lastCommand: last }) }];
}
