/** `oncebitten explain`: the matcher's own answer for a call that nobody makes. */
import { resolve } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import type { EventOf } from '../../../base/event.ts';
import type { DeliveryMode } from '../../../base/lesson.ts';
import { isMuted, type Switches } from '../../../base/switches.ts';
import { identifyProject } from '../../../capture/identify-project.ts';
import { decideMode } from '../../../match/decide-mode.ts';
import { isQuiet } from '../../../match/is-quiet.ts';
import { isNear, judgeNear, type NearJudgement } from '../../../match/judge-near.ts';
import { type MatchCall, toMatchCall } from '../../../match/match-call.ts';
import { type Match, type Miss, SPOKEN_FOR } from '../../../match/match-lessons.ts';
import { readManifest } from '../../../match/read-manifest.ts';
import { findCorrected } from '../../hook/decide-call.ts';
import { openTalk } from '../../hook/open-talk.ts';
import { readSwitches } from '../../hook/read-switches.ts';
import type { Handler } from '../command.ts';
import { findTold, type Told } from '../find-told.ts';
import { getAdapter } from '../get-adapter.ts';
import { findPromoted, type PromotedHere } from '../promote/find-promoted.ts';
import { readSwitchState, renderSwitchState } from '../render-switches.ts';

export const run: Handler = async ({ home, options, cwd, env }) => {
  const given = options as Given;
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
  const at = new Date().toISOString();
  const origin = { agent: adapter.facts.id, sessionId: 'explain', contextId: '', at, source: 'hook' } as const;
  const event = { ...origin, kind: 'call-started', cwd: place, ...call, ...toSpeaker(given, cwd) } as const;
  const manifest = readManifest(home.manifestFile);
  const asked = { ...toMatchCall(event, identifyProject(place).id), ...openSaid(event, given) };
  const promoted = [...(await findPromoted({ home, env }, place)).values()].filter(({ lesson }) =>
    isNear(lesson.triggers, asked),
  );
  const judged = manifest === undefined ? NOTHING : tellPromoted(judgeNear(manifest, asked), promoted);
  const maxMode = manifest?.header.settings.delivery.maxMode ?? 'note';
  const switches = readSwitches(home.switchesFile);
  const circumstances = { at, maxMode, event, switches, modes: adapter.facts.modes };
  const spoken = judged.matches.map((match) => toSpoken(match, circumstances));
  const heard = judged.matches.filter((_, n) => isHeard(spoken[n]));
  const context = { switches, modes: adapter.facts.modes, claimsDir: home.claimsDir };
  const told = manifest && findTold(event, asked, heard, { ...context, manifest });
  const off = renderSwitchState(readSwitchState(home));
  const parts = [...render(spoken, told), ...renderMisses(judged.misses), ...renderPromoted(judged, promoted)];
  return {
    json: { ...toJson(spoken, judged.misses, told), promoted: promoted.map(toPromotedJson) },
    text: [...off, ...parts].join('\n'),
  };
};

interface Given {
  readonly tool?: string;
  readonly input?: string;
  readonly agent?: string;
  readonly cwd?: string;
  readonly said?: readonly string[];
  readonly transcript?: string;
  readonly subagent?: string;
}

function toSpeaker({ subagent, transcript }: Given, cwd: string) {
  return {
    ...(subagent === undefined ? {} : { subagentType: subagent }),
    ...(transcript === undefined ? {} : { transcriptPath: resolve(cwd, transcript) }),
  };
}

/** What is given here goes before what a transcript tells. */
function openSaid(event: EventOf<'call-started'>, { said }: Given): Pick<MatchCall, 'messages' | 'workflows'> {
  const talk = openTalk(event);
  return said === undefined ? talk : { ...talk, messages: () => said };
}

/** A match, and how it would reach the call. */
interface Spoken extends Match {
  readonly mode: DeliveryMode;
  /** It is followed, and so not said again until then. */
  readonly quietUntil?: string;
  /** A person switched it off. */
  readonly isMuted?: true;
}

/** As the hook sees it: neither followed for now nor switched off. */
function isHeard(spoken: Spoken | undefined): boolean {
  return spoken !== undefined && spoken.quietUntil === undefined && spoken.isMuted === undefined;
}

interface Circumstances {
  readonly at: string;
  readonly event: EventOf<'call-started'>;
  readonly maxMode: DeliveryMode;
  readonly modes: readonly DeliveryMode[];
  readonly switches: Switches;
}

function toSpoken(match: Match, { at, event, maxMode, modes, switches }: Circumstances): Spoken {
  const { quietUntil } = match.lesson;
  const canRewrite = findCorrected(event, match.lesson.replacement) !== undefined;
  const mode = decideMode(match.lesson, { maxMode, modes, canRewrite });
  const isSilent = quietUntil !== undefined && isQuiet(match, at, maxMode);
  const isOff = isMuted(switches, { lessonId: match.lesson.id, sessionId: event.sessionId }, Date.parse(at));
  return { ...match, mode, ...(isSilent ? { quietUntil } : {}), ...(isOff ? { isMuted: true } : {}) };
}

/** The matcher knows only that something else speaks for it. */
function tellPromoted({ matches, misses }: NearJudgement, promoted: readonly PromotedHere[]): NearJudgement {
  const reasons = new Map(promoted.map(({ lesson, because }) => [lesson.id, because]));
  const toTold = (miss: Miss): Miss => ({ ...miss, because: reasons.get(miss.lesson.id) ?? miss.because });
  return { matches, misses: misses.map((miss) => (miss.because === SPOKEN_FOR ? toTold(miss) : miss)) };
}

/** A promoted lesson of this project alone is not in the manifest. */
function renderPromoted({ matches, misses }: NearJudgement, promoted: readonly PromotedHere[]): readonly string[] {
  const told = new Set([...matches, ...misses].map(({ lesson }) => lesson.id));
  const more = promoted.filter(({ lesson }) => !told.has(lesson.id));
  if (more.length === 0) return [];
  return ['', 'Not said singly in this project:', ...more.map(({ lesson, because }) => `  ${lesson.slug}: ${because}`)];
}

function toPromotedJson({ lesson: { id, slug }, because }: PromotedHere) {
  return { id, slug, because };
}

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

function toJson(spoken: readonly Spoken[], misses: readonly Miss[], told: Told | undefined) {
  const left = misses.length - MAX_MISSES;
  return {
    matches: spoken.map(({ mode, quietUntil, isMuted: muted, ...match }) => {
      const skill = findTogether(match, told)?.skill;
      return {
        ...toHead(match),
        ...{ mode, text: match.lesson.text },
        ...(muted === undefined ? {} : { muted }),
        ...(quietUntil === undefined ? {} : { quietUntil }),
        ...(skill === undefined ? {} : { toldAs: skill }),
      };
    }),
    said: told ?? null,
    misses: misses.slice(0, MAX_MISSES).map((miss) => ({ ...toHead(miss), because: miss.because })),
    ...(left > 0 ? { missesLeftOut: left } : {}),
  };
}

function findTogether({ lesson }: Match, told: Told | undefined): Told['together'][number] | undefined {
  return told?.together.find(({ lessons }) => lessons.includes(lesson.slug));
}

function toHead({ lesson: { id, slug, summary, priority, confidence }, score }: Match) {
  return { id, slug, summary, priority, confidence, score: score.total, parts: score.parts };
}

function render(spoken: readonly Spoken[], told: Told | undefined): readonly string[] {
  if (spoken.length === 0) return ['No lesson would speak at this call.'];
  const room = told !== undefined && told.crowded.length > 0 ? ', as far as there is room at one call' : '';
  return [
    `These lessons would speak${room}:`,
    ...spoken.map((one) => renderSpoken(one, told)),
    ...renderTogether(told),
  ];
}

function renderSpoken(spoken: Spoken, told: Told | undefined): string {
  const { lesson, mode, score } = spoken;
  const { priority, measured, ...summands } = score.parts;
  const sum = Object.entries(summands).map(([name, value]) => `${name} ${value}`);
  const together = findTogether(spoken, told);
  const how = `as ${together === undefined ? `a ${mode}` : `part of the skill ${together.skill}`}`;
  return [
    `  ${lesson.slug}  ${how}${renderObstacle(spoken, told)}`,
    `score ${score.total} = (${sum.join(' + ')}) x priority ${priority} x measured ${measured}`,
    // Else it stands once more in what is said below.
    ...(together === undefined ? [lesson.text.replaceAll('\n', '\n    ')] : []),
  ].join('\n    ');
}

function renderObstacle({ lesson, quietUntil, isMuted: muted }: Spoken, told: Told | undefined): string {
  if (muted) return ', but it is muted';
  if (quietUntil !== undefined) return `, but quiet until ${quietUntil}: it was followed`;
  return told?.crowded.includes(lesson.slug) ? ', but there is no room for it at this call' : '';
}

/** Told as one, lessons read otherwise than one by one: with a head, and the tool's others in a line each. */
function renderTogether(told: Told | undefined): readonly string[] {
  if (told === undefined || told.together.length === 0) return [];
  return [
    '',
    ...told.together.map(({ skill, lessons }) => `Told together as skill ${skill}: ${lessons.join(', ')}`),
    'What is said at this call, all of it:',
    ...told.text.split('\n').map((line) => `  ${line}`),
  ];
}

/** By reason: most of those that are silent are so for the same few. */
function renderMisses(misses: readonly Miss[]): readonly string[] {
  if (misses.length === 0) return [];
  const reasons = [...Map.groupBy(misses, ({ because }) => because)];
  const left = reasons.length - MAX_REASONS;
  return [
    ...['', 'These come near and stay silent:'],
    ...reasons.slice(0, MAX_REASONS).map(([because, group]) => `  ${renderNames(group)}: ${because}`),
    ...(left > 0 ? [`  and more, for ${left} other reasons: see --json`] : []),
  ];
}

function renderNames(group: readonly Miss[]): string {
  const names = group.slice(0, MAX_NAMES).map(({ lesson }) => lesson.slug);
  const left = group.length - names.length;
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
