/** A brief as the text that opens a session, within a budget. What does not fit waits for the next session. */
import type { Brief, BriefFailure, OpenSession } from '../base/brief.ts';
import { makePage } from './make-page.ts';
import { toHarmless } from './to-harmless.ts';

export interface BriefText {
  readonly text: string;
  /** Ids of the stored calls that are in the text. */
  readonly failures: readonly string[];
  readonly dead: readonly OpenSession[];
}

const FAILURES_HEAD =
  'UNRESOLVED TOOL FAILURES of earlier sessions in this project. Tell the user about them; file an issue only when asked.';
const HOOKS_HEAD = 'HOOKS OF THE USER THAT FAILED in this project, not tools of yours. Tell the user about them.';
const DEAD_HEAD = 'SESSIONS THAT DIED without ending. Their work may be half done. Tell the user.';

export function renderBrief(
  brief: Pick<Brief, 'failures'>,
  dead: readonly OpenSession[],
  budgetBytes: number,
): BriefText {
  const page = makePage(budgetBytes);
  /** In order, up to the first that has no room: what is small must not go before what is older. */
  const addAll = <T>(head: string, items: readonly T[], render: (item: T) => string): readonly T[] => {
    const told: T[] = [];
    for (const item of items) {
      // A heading with nothing under it says nothing.
      const text = told.length === 0 ? `${head}\n${render(item)}` : render(item);
      if (Buffer.byteLength(text) > budgetBytes) continue;
      if (!page.add(text)) break;
      told.push(item);
    }
    return told;
  };
  const failuresTold = [
    ...addAll(FAILURES_HEAD, brief.failures.filter(isCall), renderFailure),
    ...addAll(HOOKS_HEAD, brief.failures.filter(isHook), renderHook),
  ];
  const deadTold = addAll(DEAD_HEAD, dead, renderDead);
  return { text: page.text(), failures: failuresTold.flatMap((failure) => failure.ids), dead: deadTold };
}

function isHook({ hook }: BriefFailure): boolean {
  return hook !== undefined;
}

function isCall(failure: BriefFailure): boolean {
  return !isHook(failure);
}

function renderFailure({ ids, command, exitCode, stderr, branch, at }: BriefFailure): string {
  const facts = [
    exitCode === undefined ? '' : `exit ${exitCode}`,
    ids.length === 1 ? '' : `${ids.length} times`,
    branch === undefined ? '' : `on ${toLine(branch)}`,
    toMinute(at),
  ].filter((fact) => fact !== '');
  const output = toHarmless(stderr).trim();
  return `- \`${toLine(command)}\` (${facts.join(', ')})${output === '' ? '' : `\n  ${output.replaceAll('\n', '\n  ')}`}`;
}

function renderHook({ ids, command, hook = '', exitCode, stderr, at }: BriefFailure): string {
  const times = ids.length === 1 ? 'once' : `${ids.length} times`;
  const code = exitCode === undefined ? '' : ` with exit ${exitCode}`;
  const output = toLine(stderr).trim();
  const last = `last ${toMinute(at)}`;
  return `- your hook \`${toLine(command)}\` (${toLine(hook)}) failed ${times}${code}, ${last}${output === '' ? '' : `: ${output}`}`;
}

function renderDead({ agent, cwd, branch, lastSeenAt }: OpenSession): string {
  const place = `${cwd === undefined ? '' : ` in ${toLine(cwd)}`}${branch === undefined ? '' : ` on ${toLine(branch)}`}`;
  return `- ${agent}${place}, last heard of ${toMinute(lastSeenAt)}`;
}

function toMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}

function toLine(text: string): string {
  return toHarmless(text).replaceAll(/\s*\n\s*/g, ' ');
}
