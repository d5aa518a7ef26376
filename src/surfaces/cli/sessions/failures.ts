/**
 * `oncebitten sessions failures`: lists failures by kind or one by one. `start` and `stats` print the same sentence
 * about calls and failures, and `start` the same words about each kind.
 */

import type { Store } from '../../../base/contracts/store.ts';
import type { ToolName } from '../../../base/model/tool.ts';
import { dropAbsent } from '../../../base/records.ts';
import { addSums, toMean } from '../../../base/statistics/estimates.ts';
import type { FailureCounts, FailureLedger } from '../../../base/statistics/failure-ledger.ts';
import type { FailedCall, FailureClass, FailureFilter } from '../../../base/statistics/failures.ts';
import { renderTextRemoval } from '../../../base/storage/retention.ts';
import {
  type FailureList,
  type KnownFailure,
  type LeftOut,
  listFailures,
} from '../../../loop/measuring/failure-list.ts';
import { toCallFilter } from '../arguments/options.ts';
import { readProjectLabels } from '../arguments/projects.ts';
import { findSessionId, refuseUnknownSession } from '../arguments/sessions.ts';
import type { CommandInput, Handler } from '../command.ts';
import { readHome } from '../open-home.ts';
import { type Page, renderRest, toPage } from '../paging.ts';
import { renderTable, type TableRoom } from '../table.ts';
import {
  joinLines,
  renderNoneYet,
  toCount,
  toLine,
  toMinute,
  toNumber,
  toScreenMax,
  toShortLine,
  toTellingLength,
} from '../text.ts';

const LISTED = 20;
const ALL = 1_000_000;
const NO_LIST: FailureList = { kinds: [], leftOut: {}, isCut: false };

export const run: Handler = (input) =>
  readHome(input, async ({ store }) => {
    const { signature, ...filter } = await toFilter(input, store);
    const isEach = input.options.each === true;
    // The list by kind also tells the other signatures of a kind.
    const list =
      isEach && signature === undefined
        ? NO_LIST
        : await listKinds(store, filter, signature, input.options.all === true);
    const named = signature === undefined ? {} : { signatures: list.kinds[0]?.signatureIds ?? [signature] };
    const { unresolved, ...counted } = { ...filter, ...named };
    const { sessions, failures, masked, hookFailures } = await store.countAll();
    const none = failures + masked + hookFailures > 0 ? NONE_LIKE_IT : renderNoneYet('failures', sessions);
    // Of the calls one by one, only the text tells the counts.
    const ledger = isEach && input.isJson === true ? undefined : await store.readFailureLedger(counted);
    const view = { columns: input.columns, none, calls: unresolved === true ? undefined : ledger?.counts };
    if (isEach) {
      const each = toPage(await store.listFailedCalls({ ...filter, ...named, limit: ALL }), input.options, LISTED);
      const labels = await readProjectLabels(store);
      const items = each.items.map((call) => ({ ...call, ...dropAbsent({ project: labels.get(call.projectId) }) }));
      return { json: { ...each, items }, text: renderFailedCalls(each, view) };
    }
    const page = { ...toPage(list.kinds, input.options, LISTED), leftOut: list.leftOut, isCut: list.isCut };
    const items = page.items.map((kind) => ({
      ...kind,
      ...dropAbsent({ attempts: findAttempts(kind, ledger?.fixes) }),
    }));
    return { json: { ...page, items }, text: renderFailureKinds(page, view) };
  });

/** How often an agent got past a failure of this kind, and in how many calls on average. Undefined if none did. */
function findAttempts({ signatureIds }: KnownFailure, fixes: FailureLedger['fixes'] = new Map()) {
  const some = signatureIds.flatMap((id) => fixes.get(id) ?? []);
  const solved = some.reduce((sum, fix) => sum + fix.solved, 0);
  const { mean } = toMean(addSums(some.map(({ calls }) => calls)));
  return solved === 0 || mean === undefined
    ? undefined
    : { begun: some.reduce((sum, fix) => sum + fix.begun, 0), solved, mean };
}

/** A signature that a person names stands for its kind, of whatever class. */
async function listKinds(
  store: Store,
  filter: Omit<FailureFilter, 'limit'>,
  signature: string | undefined,
  all: boolean,
): Promise<FailureList> {
  const list = await listFailures(store, filter, all || signature !== undefined);
  if (signature === undefined) return list;
  return { ...list, kinds: list.kinds.filter(({ signatureIds }) => signatureIds.includes(signature)) };
}

async function toFilter(
  input: CommandInput,
  store: Store,
): Promise<Omit<FailureFilter, 'limit' | 'signatures'> & { readonly signature?: string }> {
  const given = input.options as Readonly<Record<string, string | undefined>>;
  return {
    ...(await toCallFilter(input, store)),
    ...(given.session === undefined ? {} : { sessionId: await getFailing(store, given.session, given.agent) }),
    ...dropAbsent({ signature: given.signature, category: given.category }),
    ...(input.options.unresolved === true ? { unresolved: true } : {}),
  };
}

/** A session may have calls without being listed, so its exact id takes precedence over ids that begin with it. */
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

const SESSION_CHARS = 8;
const UNRESOLVED =
  'After these failures, no similar call worked. If another command did the job, `oncebitten sessions failures` lists it under KNOWN FIX.';
const KNOWN_FIX = 'A known fix is what an agent changed before such a call worked.';
const SEE_CALLS =
  'A signature is the id of one kind of failure. See its calls: oncebitten sessions failures --each --signature <signature>';
const NONE_LIKE_IT = 'No failures match these filters. See all: oncebitten sessions failures';

type KindPage = Page<KnownFailure> & Pick<FailureList, 'leftOut' | 'isCut'>;

function renderFailureKinds(page: KindPage, view: FailuresView): string {
  const left = renderLeftOut(page.leftOut, '--all');
  if (page.items.length === 0 && left.length === 0) return view.none;
  const hasCures = page.items.some(({ cure }) => cure !== null);
  const cut = page.isCut ? ['Only the newest failures were searched; choose others with --since or --project.'] : [];
  const listed = page.items.length === 0 ? ['No failure is listed.'] : renderKinds(page.items, view.columns);
  return joinLines([
    ...renderCounts(view),
    ...listed,
    ...renderRest(page, left.length > 0),
    '',
    ...cut,
    ...left,
    hasCures && KNOWN_FIX,
    SEE_CALLS,
  ]);
}

/** Some lines each in a terminal, so that texts have room; one line each in a pipe. */
function renderKinds(kinds: readonly KnownFailure[], columns: number | undefined): readonly string[] {
  if (columns === undefined) return [renderKindTable(kinds)];
  return kinds.flatMap((kind) => [
    toShortLine(renderFailureTitle(kind), columns),
    `    ${renderKnown(kind)}`,
    `    ${kind.signature ?? 'no signature'}, last ${toMinute(kind.last)} UTC`,
  ]);
}

/** The column MASKED is there only when a command hid a failure. */
function renderKindTable(kinds: readonly KnownFailure[]): string {
  const hasMasked = kinds.some(({ masked }) => masked > 0);
  const rows = kinds.map((kind) => [
    String(kind.count),
    ...(hasMasked ? [kind.masked === 0 ? '' : String(kind.masked)] : []),
    String(kind.sessions),
    toMinute(kind.first),
    toMinute(kind.last),
    kind.isHook ? `${kind.program} (hook)` : kind.program,
    kind.signature ?? '-',
    toLine(kind.message ?? '-'),
    toLine(kind.cure?.text ?? '-'),
    renderLesson(kind) ?? '-',
  ]);
  const counts = ['FAILED', ...(hasMasked ? ['MASKED'] : []), 'SESSIONS', 'FIRST (UTC)', 'LAST (UTC)'];
  return renderTable([...counts, 'PROGRAM', 'SIGNATURE', 'MESSAGE', 'KNOWN FIX', 'LESSON'], rows);
}

/** A shell names itself and the line that it was given before the message. */
const SHELL_PLACE = /^(?:\(eval\)|(?:\S*\/)?(?:ba|z|da|k)?sh):(?: ?(?:line )?\d+:)? /;

/** Our name for tools that have no name of ours. */
const UNNAMED_TOOL: ToolName = 'other';

/** The program and its message in one line. */
export function renderFailureTitle({
  program,
  message = 'no message',
  isHook,
}: Pick<KnownFailure, 'program' | 'message' | 'isHook'>): string {
  const line = toLine(message).replace(SHELL_PLACE, '');
  const isNamed = line.startsWith(`${program}: `) || program === UNNAMED_TOOL;
  const said = isNamed ? line : `${program}: ${line}`;
  return isHook ? `${said} (hook)` : said;
}

/** How often a kind of failure happened, its known fix and its lesson, as `start` and `sessions failures` say it. */
export function renderKnown(kind: KnownFailure): string {
  const { times, masked, sessions, cure } = kind;
  const often = times === 1 ? 'once' : `${toNumber(times)} times in ${toCount(sessions, 'session')}`;
  const lesson = renderLesson(kind);
  return [
    masked === 0 ? often : `${often} (${toNumber(masked)} masked)`,
    cure === null ? 'no known fix' : `known fix: ${toLine(cure.text)}`,
    lesson === undefined ? 'no lesson' : `lesson: ${lesson}`,
  ].join('; ');
}

export function renderLesson({ lesson }: Pick<KnownFailure, 'lesson'>): string | undefined {
  return lesson === null ? undefined : `${toLine(lesson.slug)}${lesson.status === 'draft' ? ' (draft)' : ''}`;
}

const CLASS_WORDS: Readonly<Record<FailureClass, readonly [one: string, many: string]>> = {
  command: ['wrong call', 'wrong calls'],
  harness: ['refused call', 'refused calls'],
  verdict: ['failed test, lint or build', 'failed tests, lints or builds'],
  world: ['network or lock failure', 'network or lock failures'],
  exploration: ['search that found nothing', 'searches that found nothing'],
  'edit-text': ['edit whose text was not found', 'edits whose text was not found'],
  status: ['exit code without a message', 'exit codes without a message'],
};

/** Says which failures a list leaves out, and the option or command that lists them. */
export function renderLeftOut(leftOut: LeftOut, how: string): readonly string[] {
  const parts = Object.entries(leftOut)
    .filter(([, count]) => count > 0)
    .toSorted(([, a], [, b]) => b - a)
    .map(([of, count]) => `${toNumber(count)} ${CLASS_WORDS[of as FailureClass][count === 1 ? 0 : 1]}`);
  if (parts.length === 0) return [];
  return [`Left out, because another call is usually not the fix: ${parts.join(', ')}. List them, too: ${how}`];
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

/** The sentence about calls and failures that `start`, `stats` and `sessions failures` print alike. */
export function renderFailureCounts({ sessions, calls, failures, repeats, avoidable }: FailureCounts): string {
  const past = `${toNumber(failures)} of ${toCount(calls, 'call')} in ${toCount(sessions, 'session')} failed.`;
  if (repeats === 0) return `${past} No failure repeated an earlier failure of the same project.`;
  const repeated = `${past} ${toCount(repeats, 'failure')} repeated an earlier failure of the same project`;
  if (avoidable === 0) return `${repeated}; no agent had found a fix by then.`;
  const all = repeats === 1 ? 'it' : `all ${toNumber(repeats)}`;
  return `${repeated}, and for ${avoidable === repeats ? all : `${toNumber(avoidable)} of them`} an agent had already found the fix.`;
}
