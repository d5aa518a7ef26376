/** `oncebitten explain`: the matcher's own answer for a call that nobody makes. */
import { resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { judgeNear, type NearJudgement } from '../../../match/judge-near.ts';
import { toMatchCall } from '../../../match/match-call.ts';
import type { Match, Miss } from '../../../match/match-lessons.ts';
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
  const judged = manifest === undefined ? NOTHING : judgeNear(manifest, toMatchCall(event, identifyProject(place).id));
  const off = renderSwitchState(readSwitchState(home));
  return { json: toJson(judged), text: [...off, render(judged)].join('\n') };
};

const NOTHING: NearJudgement = { matches: [], misses: [] };
/** A store of years has thousands of lessons about one program. */
const MAX_MISSES = 200;
const MAX_REASONS = 20;
const MAX_NAMES = 5;

function parseInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const next = `quote it for the shell: --input '{"command":"…"}'`;
    throw new UserError({ subject: '--input', reason: 'is not JSON', next, cause });
  }
}

function toJson({ matches, misses }: NearJudgement) {
  const left = misses.length - MAX_MISSES;
  return {
    matches: matches.map((match) => ({ ...toHead(match), text: match.lesson.text })),
    misses: misses.slice(0, MAX_MISSES).map((miss) => ({ ...toHead(miss), because: miss.because })),
    ...(left > 0 ? { missesLeftOut: left } : {}),
  };
}

function toHead({ lesson: { id, slug, summary, priority, confidence }, score }: Match) {
  return { id, slug, summary, priority, confidence, score: score.total, parts: score.parts };
}

function render({ matches, misses }: NearJudgement): string {
  return [
    matches.length === 0 ? 'No lesson would speak at this call.' : 'These lessons would speak:',
    ...matches.map(renderMatch),
    ...(misses.length === 0 ? [] : ['', 'These come near and stay silent:', ...renderMisses(misses)]),
  ].join('\n');
}

function renderMatch({ lesson, score: { total, parts } }: Match): string {
  const { priority, measured, ...summands } = parts;
  const sum = Object.entries(summands).map(([name, value]) => `${name} ${value}`);
  const score = `score ${total} = (${sum.join(' + ')}) x priority ${priority} x measured ${measured}`;
  return `  ${lesson.slug}  ${score}\n    ${lesson.text.replaceAll('\n', '\n    ')}`;
}

/** By reason: most of those that are silent are so for the same few. */
function renderMisses(misses: readonly Miss[]): readonly string[] {
  const reasons = [...Map.groupBy(misses, ({ because }) => because)];
  const left = reasons.length - MAX_REASONS;
  return [
    ...reasons.slice(0, MAX_REASONS).map(([because, group]) => `  ${renderNames(group)}: ${because}`),
    ...(left > 0 ? [`  and more, for ${left} other reasons: see --json`] : []),
  ];
}

function renderNames(group: readonly Miss[]): string {
  const names = group.slice(0, MAX_NAMES).map(({ lesson }) => lesson.slug);
  const left = group.length - names.length;
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
