/**
 * Writes the briefs of the projects where something happened. Their entries are rendered here, so that the hook that
 * opens a session only chooses those that have room.
 */

import { rmSync } from 'node:fs';
import { HISTORIES } from '../agents/histories.ts';
import type { Store } from '../base/contracts/store.ts';
import {
  type Brief,
  type BriefFailure,
  type BriefKind,
  type OpenSession,
  toFailureKey,
  toSessionKey,
} from '../base/model/brief.ts';
import { toAllIds } from '../base/model/project.ts';
import { hideRandom } from '../base/secrets/secret-values.ts';
import { toHarmless } from '../base/text/harmless-text.ts';
import { toBrief } from '../capture/brief.ts';
import { toBriefFile } from './delivery/decide-opening.ts';
import type { DataHome } from './home/data-home.ts';
import { writeOwnFile } from './home/write-file.ts';

const SENTENCES = HISTORIES.flatMap(({ refusals = [] }) => refusals);

/** Older failures have settled themselves or never will; a first scan of years of history must not flood a session. */
const MAX_AGE_MS = 7 * 24 * 60 * 60_000;

export async function writeBriefs(store: Store, home: DataHome, projectIds: Iterable<string>): Promise<void> {
  const since = new Date(Date.now() - MAX_AGE_MS).toISOString();
  for (const projectId of toAllIds(await store.listProjectAliases(), [...projectIds])) {
    const brief = toBrief(await store.readUnsettled(projectId, since), new Date().toISOString(), SENTENCES);
    const file = toBriefFile(home.briefsDir, projectId);
    if (brief.failures.length + brief.open.length === 0) rmSync(file, { force: true });
    else writeOwnFile(file, `${JSON.stringify(withTexts(brief))}\n`);
  }
}

const HEADS: Readonly<Record<BriefKind, string>> = {
  failures:
    'UNRESOLVED TOOL FAILURES of earlier sessions in this project. Tell the user about them; file an issue only when asked.',
  hooks:
    'HOOKS AND PERMISSION RULES OF THE USER that failed or kept refusing calls here. The user owns them: report them, change nothing, and do not work around a refusal.',
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
    branch === undefined ? '' : `on branch ${toLine(branch)}`,
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
  return `- hook \`${toLine(command)}\` (${toLine(hook)}) failed ${times}${code}, ${last}${output === '' ? '' : `: ${output}`}`;
}

function renderRefusal({ ids, command, hook = '', stderr, at }: BriefFailure): string {
  const what = command === '' ? '' : ` calls like \`${toLine(command)}\``;
  const reason = hideRandom(toLine(stderr)).trim().replaceAll('"', "'");
  const why = reason === '' ? '' : `, with the reason: "${reason}"`;
  return `- ${toLine(hook)} refused${what} ${ids.length} times${why}. Last on ${toMinute(at)}; no such call has run since.`;
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
