/**
 * `oncebitten sessions failures`: lists failures by signature or one by one. `start` and `stats` print the same
 * sentence about calls and failures.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { FailureCounts } from '../../../base/statistics/failure-ledger.ts';
import type { FailedCall, FailureFilter, FailureGroup } from '../../../base/statistics/failures.ts';
import { renderTextRemoval } from '../../../base/storage/retention.ts';
import { chooseCure, type KnownCure } from '../../../match/cure-book.ts';
import { toCallFilter } from '../arguments/call-filter.ts';
import { findSessionId, refuseUnknownSession } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { renderTable, type TableRoom } from '../table.ts';
import { renderNoneYet, toCount, toLine, toMinute, toNumber, toScreenMax, toTellingLength } from '../text.ts';

const LISTED = 20;
const ALL = 1_000_000;

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const filter = await toFilter(input, store);
    const isAny = (await store.listFailures({ limit: 1 })).length > 0;
    const none = isAny ? NONE_LIKE_IT : renderNoneYet('failures', (await store.countAll()).sessions);
    const { limit: _, unresolved, ...counted } = filter;
    const calls = unresolved === true ? undefined : await store.countFailures(counted);
    const view = { columns: input.columns, none, calls };
    if (input.options.each === true) {
      const each = toPage(await store.listFailedCalls(filter), input.options, LISTED);
      return { json: each, text: renderFailedCalls(each, view) };
    }
    const page = toPage(await store.listFailures(filter), input.options, LISTED);
    const groups = { ...page, items: await addCures(store, page.items) };
    return { json: groups, text: renderFailureGroups(groups, view) };
  });

/** A failure with the cure that agents found for it. */
interface CuredGroup extends FailureGroup {
  readonly cure?: Pick<KnownCure, 'text' | 'sessions' | 'lastAt'>;
}

async function addCures(store: Store, groups: readonly FailureGroup[]): Promise<readonly CuredGroup[]> {
  const cures = await store.listCures({ signatureIds: groups.flatMap(({ signature }) => signature ?? []) });
  const bySignature = Map.groupBy(cures, ({ signatureId }) => signatureId);
  return groups.map((group) => {
    const cure = chooseCure(bySignature.get(group.signature ?? '') ?? []);
    return cure === undefined
      ? group
      : { ...group, cure: { text: cure.text, sessions: cure.sessions, lastAt: cure.lastAt } };
  });
}

async function toFilter(input: CommandInput, store: Store): Promise<FailureFilter> {
  const given = input.options as Readonly<Record<string, string | undefined>>;
  return {
    ...(await toCallFilter(input, store)),
    ...(given.session === undefined ? {} : { sessionId: await getFailing(store, given.session, given.agent) }),
    ...(given.signature === undefined ? {} : { signature: given.signature }),
    ...(input.options.unresolved === true ? { unresolved: true } : {}),
    limit: ALL,
  };
}

/** A session may have calls and not be listed itself: its very id goes before others that begin so. */
async function getFailing(store: Store, text: string, agent: string | undefined): Promise<string> {
  const calls = await store.listCalls({ ...(agent === undefined ? {} : { agent }), sessionId: text, limit: 1 });
  const id = calls.length > 0 ? text : await findSessionId(store, text, agent);
  if (id === undefined) throw refuseUnknownSession(text, agent);
  return id;
}

interface FailuresView extends Pick<TableRoom, 'columns'> {
  /** What to say when no failure is listed. */
  readonly none: string;
  /** Absent where only unresolved failures were asked for. */
  readonly calls: FailureCounts | undefined;
}

/** Narrower than this, the minutes of a day would take the room of what matters. */
const WIDE = 100;
const SESSION_CHARS = 8;
const UNRESOLVED =
  'After these failures, no similar call worked in the project. A fix may still be known, for example another command.';
const KNOWN_FIX =
  'KNOWN FIX is what an agent changed before such a call worked; - means no such change, for example because code was the fix.';
const NONE_LIKE_IT = 'No failures match these filters. See all: oncebitten sessions failures';

/** Failures as tables. The column MASKED is there only when a command hid a failure. */
function renderFailureGroups(page: Page<CuredGroup>, view: FailuresView): string {
  const groups = page.items;
  if (groups.length === 0) return view.none;
  const toWhen = (view.columns ?? WIDE) < WIDE ? toDay : toMinute;
  const hasMasked = groups.some(({ masked }) => masked > 0);
  const hasCures = groups.some(({ cure }) => cure !== undefined);
  const rows = groups.map((group) => [
    String(group.count),
    ...(hasMasked ? [group.masked === 0 ? '' : String(group.masked)] : []),
    String(group.sessions),
    toWhen(group.first),
    toWhen(group.last),
    group.isHook ? `${group.program} (hook)` : group.program,
    group.signature ?? '-',
    toLine(group.message ?? ''),
    ...(hasCures ? [toLine(group.cure?.text ?? '-')] : []),
  ]);
  const masked = hasMasked ? ['MASKED'] : [];
  const cures = hasCures ? ['KNOWN FIX'] : [];
  const head = [
    'FAILED',
    ...masked,
    'SESSIONS',
    'FIRST (UTC)',
    'LAST (UTC)',
    'PROGRAM',
    'SIGNATURE',
    'MESSAGE',
    ...cures,
  ];
  const room = { columns: view.columns, texts: hasCures ? [head.length - 2, head.length - 1] : [head.length - 1] };
  const next =
    'A signature is the id of one kind of failure. See its calls: oncebitten sessions failures --each --signature <signature>';
  return [
    ...renderCounts(view),
    renderTable(head, rows, room),
    ...renderRest(page),
    '',
    ...(hasCures ? [KNOWN_FIX] : []),
    next,
  ].join('\n');
}

function renderFailedCalls(page: Page<FailedCall>, view: FailuresView): string {
  const calls = page.items;
  if (calls.length === 0) return view.none;
  const hasMasked = calls.some(({ masked }) => masked);
  const ids = calls.map(({ sessionId }) => sessionId);
  const length = toScreenMax(view.columns, toTellingLength(ids, SESSION_CHARS));
  const rows = calls.map((call) => [
    toMinute(call.at),
    toLine(call.sessionId.slice(0, length)),
    call.exitCode === undefined ? '-' : String(call.exitCode),
    ...(hasMasked ? [call.masked ? 'masked' : ''] : []),
    call.branch ?? '-',
    toLine(call.command ?? call.program ?? call.tool),
    toLine(call.message ?? (call.textRemoved ? `(${renderTextRemoval(call.textRemoved)})` : '')),
  ]);
  const masked = hasMasked ? ['MASKED'] : [];
  const head = ['TIME (UTC)', 'SESSION', 'EXIT', ...masked, 'BRANCH', 'COMMAND', 'MESSAGE'];
  const room = { columns: view.columns, texts: [head.length - 2, head.length - 1] };
  const next = 'See the calls before and after one of them: oncebitten sessions show <session>';
  return [...renderCounts(view), renderTable(head, rows, room), ...renderRest(page), '', next].join('\n');
}

/** The same figures as `start` and `stats` print. */
function renderCounts({ calls }: FailuresView): readonly string[] {
  if (calls === undefined) return [UNRESOLVED, ''];
  const hidden =
    calls.masked === 0
      ? ''
      : ` ${toCount(calls.masked, 'more failure')} masked: the command hid the exit code, for example with \`|| true\`.`;
  const hooks = calls.hookFailures === 0 ? '' : ` ${toCount(calls.hookFailures, 'run')} of hooks failed.`;
  return [`${renderFailureCounts(calls)}${hidden}${hooks}`, ''];
}

function toDay(iso: string): string {
  return iso.slice(0, 10);
}

/** The sentence about calls and failures that `start`, `stats` and `sessions failures` print alike. */
export function renderFailureCounts({ sessions, calls, failures, repeats, avoidable }: FailureCounts): string {
  const past = `${toNumber(failures)} of ${toCount(calls, 'call')} in ${toCount(sessions, 'session')} failed.`;
  if (repeats === 0) return `${past} No failure repeated an earlier failure of the same project.`;
  const repeated = `${past} ${toCount(repeats, 'failure')} repeated an earlier failure of the same project`;
  if (avoidable === 0) return `${repeated}; no fix was known by then.`;
  const all = repeats === 1 ? 'it' : `all ${toNumber(repeats)}`;
  return `${repeated}; for ${avoidable === repeats ? all : `${toNumber(avoidable)} of them`}, the fix was already known.`;
}
