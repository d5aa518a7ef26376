/** A brief as the text that opens a session, within a budget. What does not fit waits for the next session. */
import type { Brief, BriefFailure, OpenSession } from '../base/brief.ts';

export interface BriefText {
  readonly text: string;
  /** Ids of the stored calls that are in the text. */
  readonly failures: readonly string[];
  readonly dead: readonly OpenSession[];
}

const FAILURES_HEAD =
  'UNRESOLVED TOOL FAILURES of earlier sessions in this project. Tell the user about them; file an issue only when asked.';
const DEAD_HEAD = 'SESSIONS THAT DIED without ending. Their work may be half done. Tell the user.';

export function renderBrief(
  brief: Pick<Brief, 'failures'>,
  dead: readonly OpenSession[],
  budgetBytes: number,
): BriefText {
  const lines: string[] = [];
  let left = budgetBytes;
  const add = (line: string): boolean => {
    const bytes = Buffer.byteLength(line) + 1;
    if (bytes > left) return false;
    left -= bytes;
    lines.push(line);
    return true;
  };
  const addAll = <T>(head: string, items: readonly T[], render: (item: T) => string): readonly T[] => {
    const [first] = items;
    // A heading with nothing under it says nothing.
    if (first === undefined || Buffer.byteLength(head + render(first)) + 2 > left || !add(head)) return [];
    return items.filter((item) => add(render(item)));
  };
  const deadTold = addAll(DEAD_HEAD, dead, renderDead);
  const failuresTold = addAll(FAILURES_HEAD, brief.failures, renderFailure);
  return { text: lines.join('\n'), failures: failuresTold.flatMap((failure) => failure.ids), dead: deadTold };
}

function renderFailure({ ids, command, exitCode, stderr, branch, at }: BriefFailure): string {
  const facts = [
    exitCode === undefined ? '' : `exit ${exitCode}`,
    ids.length === 1 ? '' : `${ids.length} times`,
    branch === undefined ? '' : `on ${branch}`,
    at.slice(0, 16).replace('T', ' '),
  ].filter((fact) => fact !== '');
  const output = stderr.trim();
  return `- \`${toLine(command)}\` (${facts.join(', ')})${output === '' ? '' : `\n  ${output.replaceAll('\n', '\n  ')}`}`;
}

function renderDead({ agent, cwd, branch, lastSeenAt }: OpenSession): string {
  const place = `${cwd === undefined ? '' : ` in ${cwd}`}${branch === undefined ? '' : ` on ${branch}`}`;
  return `- ${agent}${place}, last heard of ${lastSeenAt.slice(0, 16).replace('T', ' ')}`;
}

function toLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ');
}
