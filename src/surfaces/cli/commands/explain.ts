/** `oncebitten explain`: the matcher's own answer for a call that nobody makes. */
import { resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { toMatchCall } from '../../../match/match-call.ts';
import { judgeCandidates, type Match, type NearMiss } from '../../../match/match-lessons.ts';
import { readManifest } from '../../../match/read-manifest.ts';
import type { Handler } from '../command.ts';
import { getAdapter } from '../get-adapter.ts';
import { readSwitchState, renderSwitchState } from '../render-switches.ts';

export const run: Handler = async ({ home, options, cwd }) => {
  const given = options as { tool?: string; input?: string; agent?: string; cwd?: string };
  if (given.tool === undefined || given.input === undefined) {
    throw new UserError({
      subject: 'explain',
      reason: 'needs a tool and its input',
      next: `for example: oncebitten explain --tool Bash --input '{"command":"gh pr diff 7 --stat"}'`,
    });
  }
  const adapter = getAdapter(given.agent ?? 'claude-code');
  const call = adapter.readCall(given.tool, parseInput(given.input), 'explain');
  const place = resolve(cwd, given.cwd ?? '.');
  const origin = { agent: adapter.facts.id, sessionId: 'explain', contextId: '', at: new Date().toISOString() };
  const event = { ...origin, source: 'hook', kind: 'call-started', cwd: place, ...call } as const;
  const manifest = readManifest(home.manifestFile);
  const judged =
    manifest === undefined ? NOTHING : judgeCandidates(manifest, toMatchCall(event, identifyProject(place).id));
  const off = renderSwitchState(readSwitchState(home));
  return { json: toJson(judged), text: [...off, render(judged)].join('\n') };
};

const NOTHING = { matches: [], misses: [] };

interface Judged {
  readonly matches: readonly Match[];
  readonly misses: readonly NearMiss[];
}

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const next = `quote it for the shell: --input '{"command":"…"}'`;
    throw new UserError({ subject: '--input', reason: 'is not JSON', next, cause });
  }
}

function toJson({ matches, misses }: Judged) {
  return {
    matches: matches.map(({ lesson, score }) => ({
      ...toHead(lesson),
      score: score.total,
      parts: score.parts,
      text: lesson.text,
    })),
    misses: misses.map(({ lesson, because }) => ({ ...toHead(lesson), because })),
  };
}

function toHead({ id, slug, summary, priority, confidence }: Match['lesson']) {
  return { id, slug, summary, priority, confidence };
}

function render({ matches, misses }: Judged): string {
  const spoken = matches.map(
    ({ lesson, score }) =>
      `  ${lesson.slug}  score ${score.total} = (tool ${score.parts.tool} + target ${score.parts.target} + keywords ${score.parts.keywords}) x ${score.parts.priority}\n    ${lesson.text.replaceAll('\n', '\n    ')}`,
  );
  const silent = misses.map(({ lesson, because }) => `  ${lesson.slug}: ${because}`);
  return [
    matches.length === 0 ? 'No lesson would speak at this call.' : 'These lessons would speak:',
    ...spoken,
    ...(silent.length === 0 ? [] : ['', 'These come near and stay silent:', ...silent]),
  ].join('\n');
}
