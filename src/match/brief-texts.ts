/**
 * Renders the entries of a brief. The daemon does this when it writes the brief, so that the hook that opens a session
 * only chooses the entries that have room.
 */
import {
  type Brief,
  type BriefFailure,
  type BriefKind,
  type OpenSession,
  toFailureKey,
  toSessionKey,
} from '../base/model/brief.ts';
import { hideRandom } from '../base/secrets/secret-values.ts';
import { toHarmless } from './harmless-text.ts';

const HEADS: Readonly<Record<BriefKind, string>> = {
  failures:
    'UNRESOLVED TOOL FAILURES of earlier sessions in this project. Tell the user about them; file an issue only when asked.',
  hooks:
    'HOOKS AND RULES OF THE USER that failed, or refused repeatedly, in this project. They are not your tools. Tell the user about them; do not work around a refusal.',
  dead: 'SESSIONS THAT DIED without ending. Their work may be half done. Tell the user.',
};

export function withTexts<B extends Pick<Brief, 'failures' | 'open'>>(brief: B): B & Required<Pick<Brief, 'texts'>> {
  const failures = brief.failures.map((one) => [toFailureKey(one), renderEntry(one)]);
  const open = brief.open.map((one) => [toSessionKey(one), renderDead(one)]);
  return {
    ...brief,
    texts: { ...HEADS, ...(Object.fromEntries([...failures, ...open]) as Readonly<Record<string, string>>) },
  };
}

function renderEntry(entry: BriefFailure): string {
  if (entry.isRefused === true) return renderRefusal(entry);
  return entry.hook === undefined ? renderFailure(entry) : renderHook(entry);
}

function renderFailure({ ids, command, exitCode, stderr, branch, at }: BriefFailure): string {
  const facts = [
    exitCode === undefined ? '' : `exit ${exitCode}`,
    ids.length === 1 ? '' : `${ids.length} times`,
    branch === undefined ? '' : `on ${toLine(branch)}`,
    toMinute(at),
  ].filter((fact) => fact !== '');
  const output = hideRandom(toHarmless(stderr)).trim();
  return `- \`${toLine(command)}\` (${facts.join(', ')})${output === '' ? '' : `\n  ${output.replaceAll('\n', '\n  ')}`}`;
}

function renderHook({ ids, command, hook = '', exitCode, stderr, at }: BriefFailure): string {
  const times = ids.length === 1 ? 'once' : `${ids.length} times`;
  const code = exitCode === undefined ? '' : ` with exit ${exitCode}`;
  const output = hideRandom(toLine(stderr)).trim();
  const last = `last ${toMinute(at)}`;
  return `- your hook \`${toLine(command)}\` (${toLine(hook)}) failed ${times}${code}, ${last}${output === '' ? '' : `: ${output}`}`;
}

function renderRefusal({ ids, command, hook = '', stderr, at }: BriefFailure): string {
  const what = command === '' ? '' : `: \`${toLine(command)}\``;
  const reason = hideRandom(toLine(stderr)).trim();
  const since = `last ${toMinute(at)}; no call like it has run since`;
  return `- ${toLine(hook)} refused ${ids.length} times${what}${reason === '' ? '' : `: ${reason}`} (${since})`;
}

function renderDead({ agent, cwd, branch, lastSeenAt, lastCommand }: OpenSession): string {
  const place = `${cwd === undefined ? '' : ` in ${toLine(cwd)}`}${branch === undefined ? '' : ` on branch ${toLine(branch)}`}`;
  const last = lastCommand === undefined ? '' : `; its last command was \`${toLine(lastCommand)}\``;
  return `- ${agent}${place}, last seen ${toMinute(lastSeenAt)}${last}`;
}

function toMinute(at: string): string {
  return at.slice(0, 16).replace('T', ' ');
}

function toLine(text: string): string {
  return toHarmless(text).replaceAll(/\s*\n\s*/g, ' ');
}
