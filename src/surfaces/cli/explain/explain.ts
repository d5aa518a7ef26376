/** `oncebitten explain`: asks the matcher about a made-up call. */

import { resolve } from 'node:path';
import type { EventOf } from '../../../base/model/event.ts';
import type { DeliveryMode } from '../../../base/model/lesson.ts';
import type { CompiledLesson } from '../../../base/model/manifest.ts';
import {
  findMomentSilence,
  findSilence,
  isUrgent,
  type MomentSilence,
  toFiring,
} from '../../../base/model/may-fire.ts';
import type { Promotion } from '../../../base/model/promotion.ts';
import type { Settings } from '../../../base/model/settings.ts';
import type { Switches } from '../../../base/model/switches.ts';
import { dropAbsent } from '../../../base/records.ts';
import { type CallView, toCallView } from '../../../base/triggers/call-view.ts';
import { renderCondition } from '../../../base/triggers/session-conditions.ts';
import { makeConversation } from '../../../loop/delivery/conversation.ts';
import { identifyProject } from '../../../loop/projects/find-project.ts';
import { type Match, type Score, scoreLesson } from '../../../match/match-lessons.ts';
import { isNear, judgeNear, type NearJudgement } from '../../../match/near-misses.ts';
import { decideMode, findCorrected, toCorrection } from '../../../match/reply-to-call.ts';
import { getAdapter } from '../arguments/agents.ts';
import { findGivenCall } from '../arguments/calls.ts';
import type { CommandInput, CommandResult, Handler } from '../command.ts';
import { usageError } from '../errors.ts';
import { renderSilence } from '../lessons/lesson-details.ts';
import { readSwitchState, renderSwitchState } from '../pause/switches.ts';
import { toScreenMax } from '../text.ts';
import { explainFailure, findFailedCall, toFailureEvent } from './explain-failure.ts';
import {
  findMemory,
  findOff,
  findShown,
  type Off,
  readKnown,
  readStored,
  type ShownReply,
  type Stored,
} from './hook-answer.ts';

export const run: Handler = async (input) => {
  const { home, cwd, env, columns } = input;
  const given = input.options as Given;
  if (given.call !== undefined) return explainStored(input, given.call);
  const asked = findGivenCall(input, 'explain');
  if (asked === undefined)
    throw usageError('explain', 'needs a call', `for example: oncebitten explain --command 'gh pr diff 7 --stat'`);
  const { adapter, call } = asked;
  const place = resolve(cwd, given.cwd ?? '.');
  const at = new Date().toISOString();
  const origin = {
    agent: adapter.facts.id,
    sessionId: given.session ?? 'explain',
    contextId: '',
    at,
    source: 'hook',
  } as const;
  const event = { ...origin, kind: 'call-started', cwd: place, ...call, ...toSpeaker(given, cwd) } as const;
  const { manifest, ...known } = readKnown(input);
  const { settings, switches } = known;
  const project = identifyProject(place);
  const { id: projectId } = project;
  const off = findOff(event, { ...known, projectId });
  if (given.failure !== undefined) {
    const result = { isError: true, text: given.failure };
    const failed = { ...origin, kind: 'call-ended', cwd: place, ...call, result } as const;
    return explainFailure({ input, adapter, event: failed, projectId, off });
  }
  const view = { ...toCallView(event, projectId), ...openSaid(event, given) };
  const stored = await readStored({ home, env }, view.projectId);
  const judged = manifest === undefined ? NOTHING : judgeNear(manifest, view);
  const context = { switches, modes: adapter.capabilities.beforeCall, claimsDir: home.claimsDir };
  const question = { event, call: view, settings, stored, ...context };
  // Without a manifest nothing fires, whatever the store contains.
  const silent = manifest === undefined ? [] : listSilent(judged, question);
  const firing = judged.matches.map((match) => toFiringMatch(match, question));
  const heard = judged.matches.filter((_, n) => firing[n]?.silence === undefined);
  const shown = off === undefined && manifest ? findShown(event, view, heard, { ...context, manifest }) : undefined;
  const isAsked = off === undefined && firing.length === 0 && manifest !== undefined;
  const memory = isAsked ? findMemory(event, project, stored.knowledge, { ...context, manifest }) : undefined;
  const crowded = new Set(shown?.crowded ?? (off === undefined ? heard.map(toSlug) : []));
  const answer = { firing, shown, memory, off, settings, crowded };
  const switched = [...renderSwitchState(readSwitchState(home)), ...(off === undefined ? [] : OFF[off])];
  const promoted = stored.lessons.filter(({ id, triggers }) => stored.files.has(id) && isNear(triggers, view));
  return {
    json: {
      ...toJson(answer, silent),
      promoted: promoted.map(({ id, slug }) => ({ id, slug, because: renderPromoted(stored.files.get(id) ?? []) })),
    },
    text: [...switched, ...render(answer, silent.length > 0), ...renderSilent(silent, columns)].join('\n'),
  };
};

/** A failed call that is stored. */
async function explainStored(input: CommandInput, id: string): Promise<CommandResult> {
  const call = await findFailedCall(input, id);
  const { projectId } = call;
  const event = toFailureEvent(call);
  const off = findOff({ ...event, kind: 'call-started' }, { ...readKnown(input), projectId });
  const failure = { signatureId: call.signature?.id ?? '', cause: call.message ?? '' };
  return explainFailure({ input, adapter: getAdapter(call.agent), event, projectId, off, failure });
}

/** What the lines about pauses and mutes do not say. */
const OFF: Readonly<Record<Off, readonly string[]>> = {
  disabled: [
    'DISABLED: ONCEBITTEN_DISABLED is 1 in this shell. Agents started from it are not captured and get no lessons.',
  ],
  private: [
    'PRIVATE: this folder is in the setting `privateProjects`. Nothing is captured and no lesson is shown here.',
  ],
  muted: [
    'MUTED: DISABLE_EXPERIENCE_INJECTION is 1 in this shell. Agents started from it get no lessons; their calls are still recorded.',
  ],
  paused: [],
};

interface Given {
  readonly cwd?: string;
  /** The id of a stored call, or the beginning of it. */
  readonly call?: string;
  /** The error of the call. */
  readonly failure?: string;
  /** The session that makes the call. */
  readonly session?: string;
  readonly said?: readonly string[];
  readonly transcript?: string;
  readonly subagent?: string;
}

function toSpeaker({ subagent, transcript }: Given, cwd: string) {
  return dropAbsent({
    subagentType: subagent,
    transcriptPath: transcript === undefined ? undefined : resolve(cwd, transcript),
  });
}

/** `--said` takes precedence over the transcript. */
function openSaid(event: EventOf<'call-started'>, { said }: Given): Pick<CallView, 'messages' | 'workflows'> {
  const talk = makeConversation(event);
  return said === undefined ? talk : { ...talk, messages: () => said };
}

/** What could be shown at the call, and what is. */
interface Answer {
  readonly firing: readonly FiringMatch[];
  readonly shown: ShownReply | undefined;
  /** The warning that the call failed before, which is shown where no lesson fires. */
  readonly memory: ShownReply | undefined;
  readonly off: Off | undefined;
  readonly settings: Settings;
  /** Slugs of those that have no room. */
  readonly crowded: ReadonlySet<string>;
}

/** A match, and how it would reach the call. */
interface FiringMatch extends Match {
  readonly mode: DeliveryMode;
  /** Why the hook does not show it although it matches. */
  readonly silence: MomentSilence | undefined;
  /** The command line of this call as the lesson would have it, where the hook adds it to the lesson. */
  readonly corrected?: string;
}

interface Question {
  readonly event: EventOf<'call-started'>;
  readonly call: CallView;
  readonly settings: Settings;
  readonly modes: readonly DeliveryMode[];
  readonly switches: Switches;
  readonly stored: Stored;
}

function toFiringMatch(match: Match, { event, settings, modes, switches }: Question): FiringMatch {
  const { lesson, score } = match;
  const { maxMode } = settings.delivery;
  const canRewrite = findCorrected(event, lesson.edit) !== undefined;
  const mode = decideMode(lesson, { maxMode, modes, canRewrite });
  const silence = findMomentSilence(lesson, { ...event, switches }, isUrgent(lesson, score, maxMode));
  const line = findCorrected(event, lesson.edit, false);
  return { ...match, mode, silence, ...(line === undefined || toCorrection(line) === '' ? {} : { corrected: line }) };
}

interface Silent {
  readonly lesson: Pick<CompiledLesson, 'id' | 'slug' | 'summary' | 'priority' | 'confidence'>;
  readonly score: Score;
  readonly because: string;
}

/** The lessons near the call that do not fire: those of the manifest, then those that the compiler left out of it. */
function listSilent(
  { matches, misses }: NearJudgement,
  { event: { at }, call, settings, stored }: Question,
): readonly Silent[] {
  const { lessons, files, toProjectId } = stored;
  const judged = new Set([...matches, ...misses].map(({ lesson }) => lesson.id));
  const leftOut = lessons
    .filter(({ id, triggers }) => !judged.has(id) && isNear(triggers, call))
    .map((lesson) => {
      const silence = findSilence(lesson, { at, settings, place: call, toProjectId }) ?? 'covered';
      return { lesson, score: scoreLesson(toFiring(lesson)), silence, because: undefined };
    });
  return [...misses, ...leftOut].map(({ lesson, score, silence, because }) => {
    const file = silence === 'covered' ? files.get(lesson.id) : undefined;
    const trigger = silence === 'trigger' ? because : undefined;
    const reason = trigger ?? renderSilence(silence, { lesson, settings, weight: score });
    return { lesson, score, because: file === undefined ? reason : renderPromoted(file) };
  });
}

function renderPromoted(promotions: readonly Promotion[]): string {
  return `promoted: it is written in ${promotions.map(({ file }) => file).join(', ')}`;
}

const NOTHING: NearJudgement = { matches: [], misses: [] };
/** A store of years has thousands of lessons about one program. */
const MAX_MISSES = 200;
const MAX_REASONS = 20;
const MAX_NAMES = 5;

function toJson({ firing, shown, memory, off, crowded }: Answer, silent: readonly Silent[]) {
  const left = silent.length - MAX_MISSES;
  return {
    off: off ?? null,
    matches: firing.map(({ mode, silence, corrected, ...match }) => {
      const skill = findTogether(match, shown)?.skill;
      return {
        ...toHead(match),
        ...{ mode, text: match.lesson.text },
        ...(corrected === undefined ? {} : { corrected }),
        ...(silence === 'muted' ? { muted: true } : {}),
        ...(silence === 'quiet' ? { quietUntil: match.lesson.quietUntil } : {}),
        ...(skill === undefined ? {} : { toldAs: skill }),
        ...(crowded.has(match.lesson.slug) ? { noRoom: true } : {}),
        ...(match.lesson.triggers.session === undefined ? {} : { unless: listUnless(match) }),
      };
    }),
    said: shown ?? memory ?? null,
    failedBefore: memory !== undefined,
    misses: silent.slice(0, MAX_MISSES).map((one) => ({ ...toHead(one), because: one.because })),
    ...(left > 0 ? { missesLeftOut: left } : {}),
  };
}

function findTogether({ lesson }: Match, shown: ShownReply | undefined): ShownReply['together'][number] | undefined {
  return shown?.together.find(({ lessons }) => lessons.includes(lesson.slug));
}

function toHead({ lesson: { id, slug, summary, priority, confidence }, score }: Pick<Silent, 'lesson' | 'score'>) {
  return { id, slug, summary, priority, confidence, score: score.total, parts: score.parts };
}

function render(answer: Answer, isAnyNear: boolean): readonly string[] {
  const { firing, shown, memory, off, crowded } = answer;
  if (firing.length === 0)
    return [
      isAnyNear ? 'No lesson fires on this call.' : 'No lesson fires on this call, and none is about a similar call.',
      ...(memory === undefined ? [] : renderMemory(memory)),
    ];
  const room = crowded.size > 0 ? ', as far as the budget of one call allows' : '';
  const why = off ?? (firing.every(({ silence }) => silence === 'muted') ? 'muted' : undefined);
  return [
    why === undefined
      ? `These lessons fire on this call${room}:`
      : `No lesson is shown, because ${WHY_NONE[why]}. Otherwise these would fire:`,
    ...firing.map((one) => renderFiring(one, answer)),
    ...renderTogether(shown),
  ];
}

const WHY_NONE: Readonly<Record<Off, string>> = {
  disabled: 'Oncebitten is disabled here',
  private: 'this folder is private',
  muted: 'the matching lessons are muted',
  paused: 'Oncebitten is paused here',
};

function renderMemory({ how, text }: ShownReply): readonly string[] {
  const what = how === 'refusal' ? 'The call is held back once, and the agent reads' : 'The agent reads';
  return [
    `It failed in an earlier session and has not worked since. ${what} this, once in a conversation:`,
    ...text.split('\n').map((line) => `  ${line}`),
  ];
}

const MODES: Readonly<Record<DeliveryMode, string>> = {
  note: 'note (text only)',
  pause: 'pause (refuses the call once)',
  rewrite: 'rewrite (corrects the call)',
  block: 'block (refuses the call)',
};

function renderFiring(firing: FiringMatch, answer: Answer): string {
  const { shown } = answer;
  const { lesson, mode, score } = firing;
  const together = findTogether(firing, shown);
  const how = together === undefined ? `as a ${MODES[mode]}` : `as part of the skill ${together.skill}`;
  return [
    `  ${lesson.slug}  ${how}${renderObstacle(firing, answer)}`,
    `score ${score.total}; a lesson needs at least ${answer.settings.minScore} (setting minScore)`,
    // Otherwise the text below contains it.
    ...(together === undefined ? [(lesson.text + toCorrection(firing.corrected)).replaceAll('\n', '\n    ')] : []),
  ].join('\n    ');
}

function renderObstacle(firing: FiringMatch, { crowded, settings }: Answer): string {
  const { silence, lesson } = firing;
  const unmute = silence === 'muted' ? `. Unmute it: oncebitten lessons unmute ${lesson.slug}` : '';
  if (silence !== undefined) return `, but it is ${renderSilence(silence, { lesson, settings })}${unmute}`;
  if (crowded.has(lesson.slug)) return ', but the budget of this call has no room for it';
  const unless = listUnless(firing);
  return unless.length === 0
    ? ''
    : `, but only in a session that Oncebitten has seen from its start and that has not: ${unless.join(', ')}`;
}

/** What must not have happened in the session. `explain` cannot know whether it has. */
function listUnless({ lesson }: Match): readonly string[] {
  return lesson.triggers.session?.unless.map(renderCondition) ?? [];
}

function toSlug({ lesson }: Match): string {
  return lesson.slug;
}

/** Lessons that are delivered together have a common head, and a line for each other lesson of the tool. */
function renderTogether(shown: ShownReply | undefined): readonly string[] {
  if (shown === undefined || shown.together.length === 0) return [];
  return [
    '',
    ...shown.together.map(({ skill, lessons }) => `Delivered together as skill ${skill}: ${lessons.join(', ')}`),
    'The whole text that the agent reads at this call:',
    ...shown.text.split('\n').map((line) => `  ${line}`),
  ];
}

/** Grouped by reason, because a few reasons silence most of these lessons. */
function renderSilent(silent: readonly Silent[], columns: number | undefined): readonly string[] {
  if (silent.length === 0) return [];
  const reasons = [...Map.groupBy(silent, ({ because }) => because)];
  const shown = reasons.slice(0, toScreenMax(columns, MAX_REASONS));
  const left = reasons.length - shown.length;
  return [
    ...['', 'These lessons almost match, but do not fire:'],
    ...shown.map(([because, group]) => `  ${renderNames(group, toScreenMax(columns, MAX_NAMES))}: ${because}`),
    ...(left > 0 ? [`  and more, for ${left} other reasons: see --json`] : []),
  ];
}

function renderNames(group: readonly Silent[], max: number): string {
  const names = group.slice(0, max).map(({ lesson }) => lesson.slug);
  const left = group.length - names.length;
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}
