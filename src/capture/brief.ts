/**
 * Groups unresolved failures, repeated refusals and unended sessions into a brief. Failures with one signature are one
 * entry, oldest first; then come the gates (the user's hooks, permission rules) that refused the same intent at least
 * three times.
 */

import type { RefusalSentence } from '../base/contracts/agent-history.ts';
import type { GateRefusal, UnendedSession, UnresolvedFailure, Unsettled } from '../base/contracts/store.ts';
import { BRIEF_VERSION, type Brief, type BriefFailure, type OpenSession } from '../base/model/brief.ts';
import { INPUT_SUMMARY_CHARS, OUTPUT_SUMMARY_CHARS } from '../base/model/call.ts';
import { dropAbsent } from '../base/records.ts';
import { toShortChars } from '../base/text/short-text.ts';

/** `sentences`: the agents' wordings of a refusal by a gate. */
export function toBrief(
  { failures = [], refusals = [], open = [] }: Partial<Unsettled>,
  generatedAt: string,
  sentences: readonly RefusalSentence[] = [],
): Brief {
  const groups = Map.groupBy(failures, toGroup);
  return {
    type: 'brief',
    version: BRIEF_VERSION,
    generatedAt,
    failures: [...[...groups.values()].flatMap(toFailureEntry), ...groupRefusals(refusals, sentences)],
    open: open.flatMap(toOpen),
  };
}

/** Two hooks with the same message are still two hooks. */
function toGroup({ id, hook, command, signatureId }: UnresolvedFailure): string {
  return hook === undefined ? (signatureId ?? id) : `${hook} ${command} ${signatureId ?? ''}`;
}

/** The newest failure represents its group; the group takes the position of its oldest. */
function toFailureEntry(group: readonly UnresolvedFailure[]): readonly BriefFailure[] {
  const newest = group.at(-1);
  if (newest === undefined) return [];
  const { command, hook, exitCode, output, branch, at } = newest;
  return [
    {
      ids: group.map((failure) => failure.id),
      command: toShortChars(hook === undefined ? command : toHookCommand(command, hook), INPUT_SUMMARY_CHARS),
      ...dropAbsent({ hook, exitCode }),
      stderr: toShortChars(output, OUTPUT_SUMMARY_CHARS),
      ...dropAbsent({ branch }),
      at,
    },
  ];
}

/** The agent records `{"hook":…,"command":…}`, truncated like any long input. */
function toHookCommand(recorded: string, hook: string): string {
  const quoted = /"command":"((?:[^"\\]|\\.)*)/.exec(recorded)?.[1];
  return quoted === undefined ? hook : quoted.replaceAll(/\\(["\\/])/g, '$1');
}

function toOpen(session: UnendedSession): readonly OpenSession[] {
  const { agent, sessionId, pid, host, lastSeenAt, cwd, branch, lastCommand } = session;
  if (pid === undefined || host === undefined) return [];
  const place = dropAbsent({ cwd, branch });
  // Half a command is not shown.
  const last = toShortChars(lastCommand ?? '', INPUT_SUMMARY_CHARS - 1);
  return [{ agent, sessionId, pid, host, lastSeenAt, ...place, ...(last === '' ? {} : { lastCommand: last }) }];
}

/** One refusal is an answer that the agent has read. Three mean that the gate and the work are in conflict. */
const MIN_REFUSALS = 3;
/** One line of text. */
const MAX_REASON_CHARS = 200;

/**
 * The gates (the user's hooks, permission rules) that refused the same intent repeatedly. The sentences that agents
 * wrap around a refusal name the hook and its reason. One entry per gate and intent, oldest first. A line with several
 * intents counts for the one refused most often.
 */
export function groupRefusals(
  refusals: readonly GateRefusal[],
  sentences: readonly RefusalSentence[],
): readonly BriefFailure[] {
  const pairs = refusals.flatMap((refusal) => {
    const { name } = findGate(refusal, sentences);
    return refusal.intents.map((intent) => ({ refusal, key: JSON.stringify([name, intent]) }));
  });
  const groups = [...Map.groupBy(pairs, ({ key }) => key).values()];
  const taken = new Set<GateRefusal>();
  const entries: BriefFailure[] = [];
  for (const group of groups.toSorted((a, b) => b.length - a.length)) {
    const own = group.map(({ refusal }) => refusal).filter((refusal) => !taken.has(refusal));
    const newest = own.at(-1);
    if (newest === undefined || own.length < MIN_REFUSALS) continue;
    for (const refusal of own) taken.add(refusal);
    entries.push(toRefusalEntry(own, newest, findGate(newest, sentences)));
  }
  return entries.toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

function toRefusalEntry(
  group: readonly GateRefusal[],
  newest: GateRefusal,
  { name, reason }: { readonly name: string; readonly reason: string },
): BriefFailure {
  return {
    ids: group.map(({ id }) => id),
    command: toShortChars(newest.command, INPUT_SUMMARY_CHARS - 1),
    hook: name,
    isRefused: true,
    stderr: toShortChars(reason, MAX_REASON_CHARS),
    at: newest.at,
  };
}

function findGate(
  { by, output }: GateRefusal,
  sentences: readonly RefusalSentence[],
): { readonly name: string; readonly reason: string } {
  const text = output.trim();
  const sentence = sentences.find(({ before }) => before.test(text));
  const found = sentence?.before.exec(text);
  const { event, command } = found?.groups ?? {};
  const rest = text.slice(found?.[0].length ?? 0);
  const [line = ''] = (sentence?.after === undefined ? rest : rest.replace(sentence.after, '')).split('\n');
  return { name: by === 'rule' ? 'a permission rule' : toHookName(event, command), reason: line.trim() };
}

function toHookName(event: string | undefined, command: string | undefined): string {
  if (command !== undefined) return `hook \`${command}\`${event === undefined ? '' : ` (${event})`}`;
  return event === undefined ? 'a hook' : `a ${event} hook`;
}
