/**
 * Details of a lesson for the user: why it waits for review, its last back-test, the results of measurement, its full
 * text, its delivery mode, its time limits, its priority and an example. The list of reasons contains everything that
 * ever held the lesson back, and the user must be able to read the full text before approving it.
 */

import {
  DELIVERY_MODES,
  type DeliveryMode,
  HELD_BACK,
  type Lesson,
  type LessonChange,
  type Level,
  toLevel,
} from '../../../base/model/lesson.ts';
import { isUnconfirmed, toAdvising } from '../../../base/model/lesson-trust.ts';
import { findSilence, findStoredSilence, type Silence, toFiring, type Weight } from '../../../base/model/may-fire.ts';
import type { Settings } from '../../../base/model/settings.ts';
import { listWeighingLangs } from '../../../base/model/skill.ts';
import { dropEndedMutes, isMuted, type Switches } from '../../../base/model/switches.ts';
import { toWrittenView } from '../../../base/triggers/call-view.ts';
import { decideProvenMode } from '../../../keep/manifest/compile-manifest.ts';
import { judgeTriggers } from '../../../keep/manifest/compiled-triggers.ts';
import { toLessonParts } from '../../../keep/manifest/lesson-text.ts';
import { scoreLesson } from '../../../match/match-lessons.ts';
import { quoteWord, toMinute } from '../text.ts';

/** How `learn-finding.ts` begins what it says of a back-test. */
const LEARNED = /^(?:learned, \w+|seen again): /;

/** `history`: the oldest change first. */
export function listHeldReasons({ measure, validity }: Lesson, history: readonly LessonChange[]): readonly string[] {
  const reasons = history.map(({ reason }) => reason.replace(LEARNED, ''));
  const refuted = validity.refutedBy?.length ?? 0;
  return [
    ...new Set([
      ...reasons.flatMap(toCautions),
      ...(measure?.doubt === undefined ? [] : [measure.doubt]),
      ...(refuted === 0 ? [] : [`${refuted} ${refuted === 1 ? 'call' : 'calls'} that it fires on worked`]),
    ]),
  ];
}

/** What the back-test said last. */
export function findBackTest(history: readonly LessonChange[]): string | undefined {
  const last = history.findLast(
    ({ reason }) => LEARNED.test(reason) || /\d+ (?:hits?|past failures?)\b/.test(reason),
  )?.reason;
  if (last === undefined) return undefined;
  const reason = last.replace(LEARNED, '');
  // What held it back is said for itself.
  return reason.startsWith(HELD_BACK) ? reason.slice(reason.indexOf('; ') + 2) : reason;
}

/** `held back: one, another; 2 hits …`, or behind what else was done; `imported from a file; one; another`. */
function toCautions(reason: string): readonly string[] {
  if (reason.startsWith('imported from ')) return reason.split('; ').slice(1);
  const at = reason.indexOf(HELD_BACK);
  if (at < 0) return [];
  return (reason.slice(at + HELD_BACK.length).split('; ', 1)[0] ?? '').split(', ').filter((one) => one !== '');
}

/** Decisions from measuring, for a person: why a lesson pauses calls, a proposed check, a retest. */
export function listMeasured({ measure = {} }: Lesson): readonly (readonly [label: string, text: string])[] {
  const { raised, check, retest } = measure;
  return [
    ...(raised === undefined ? [] : [['raised', raised] as const]),
    ...(check === undefined ? [] : [['check', `proposed: ${check}`] as const]),
    ...(retest === undefined ? [] : [['retest', `withheld more often than usual: ${retest}`] as const]),
  ];
}

/** All further texts of a lesson as delivered, because a reviewer must have read them. */
export function listSaid(lesson: Lesson): readonly string[] {
  const shown = [lesson.summary, lesson.mistake, lesson.remediation].map(toPlain);
  const parts = toLessonParts(lesson).filter(({ text }) => !shown.includes(toPlain(text)));
  return parts.map(({ label, text }) => `${label}${text}`);
}

function toPlain(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** How a lesson is shown to the agent, and what keeps it from going further. */
export function renderReach(lesson: Lesson, maxMode: DeliveryMode): string {
  const reach = decideProvenMode(lesson);
  const isAllowed = DELIVERY_MODES.indexOf(reach) <= DELIVERY_MODES.indexOf(maxMode);
  if (isAllowed) return `${reach}${explain(lesson, reach)}`;
  const why =
    lesson.mode === reach
      ? `The lesson asks for the mode ${reach}`
      : `Past calls prove the lesson well enough to ${DOES[reach]}`;
  return `${maxMode}. ${why}, but the setting delivery.maxMode allows only ${maxMode}. Allow ${reach}: oncebitten config set delivery.maxMode ${reach}`;
}

const DOES: Readonly<Record<DeliveryMode, string>> = {
  note: 'add a note',
  pause: 'hold calls back once',
  rewrite: 'correct calls',
  block: 'block calls',
};

function explain(lesson: Lesson, reach: DeliveryMode): string {
  const { mode, modeBy, replacement } = lesson;
  if (mode === reach && modeBy !== undefined) return `, set by ${modeBy}`;
  if (mode === reach) return lesson.measure?.raised === undefined ? '' : `, because ${lesson.measure.raised}`;
  if (mode === 'rewrite' && replacement === undefined && reach === 'pause')
    return ', because past calls show no single word that corrects the call';
  const slug = quoteWord(lesson.slug);
  if (DELIVERY_MODES.indexOf(mode) < DELIVERY_MODES.indexOf(reach))
    return `, because past calls prove it; to change that: oncebitten lessons edit ${slug} --mode note`;
  if (lesson.status !== 'active') return `, and not ${mode}, because its status is ${lesson.status}`;
  if (isUnconfirmed(lesson))
    return `, and not ${mode}, because it came from outside and nobody here has approved it: oncebitten lessons approve ${slug}`;
  return `, and not ${mode}, because no person here has set that: oncebitten lessons edit ${slug} --mode ${mode}`;
}

interface SilenceDetails {
  readonly lesson: Pick<Lesson, 'priority' | 'confidence'> & {
    readonly validity?: Lesson['validity'];
    readonly quietUntil?: string;
  };
  readonly settings: Pick<Settings, 'minPriority' | 'minConfidence' | 'minScore'>;
  readonly weight?: Weight;
}

/** Why a lesson does not fire, for the user: what follows "it is". The text of a trigger comes from the matcher. */
export function renderSilence(silence: Silence, { lesson, settings, weight }: SilenceDetails): string {
  const { from = '', until = '' } = lesson.validity ?? {};
  const texts: Readonly<Record<Silence, string>> = {
    archived: 'archived',
    draft: 'a draft',
    'in review': 'waiting for review',
    'not valid yet': `not valid before ${toMinute(from)} UTC`,
    'no longer valid': `expired (valid until ${toMinute(until)} UTC)`,
    'low priority': `below minPriority (${lesson.priority}, minimum ${settings.minPriority})`,
    'low confidence': `below minConfidence (${lesson.confidence}, minimum ${settings.minConfidence})`,
    'another project': 'for another project',
    'another session': 'for another session',
    covered: 'covered by a more specific lesson or an instruction file',
    trigger: 'not about this call',
    'low score': `below minScore (${weight?.total}, minimum ${settings.minScore})`,
    paused: 'paused',
    muted: 'muted',
    quiet: `quiet until ${lesson.quietUntil}, because agents follow it`,
    withheld: 'withheld from this session, to measure its effect',
    'told before': 'already shown in this conversation',
  };
  return texts[silence];
}

/** Why the compiler leaves a lesson out of the manifest. Undefined when the lesson may fire. */
export function findLastingSilence(lesson: Lesson, settings: Settings): string | undefined {
  const silence = findStoredSilence(lesson, { settings, at: new Date().toISOString() });
  return silence && renderSilence(silence, { lesson, settings });
}

/**
 * For a user who writes or approves a lesson that will not fire on any call. Its score is taken at its best: in a project
 * of its language, before anything was measured.
 */
export function findWarning(lesson: Lesson, settings: Settings): string | undefined {
  const { triggers, priority } = toFiring(lesson);
  const langs = listWeighingLangs(lesson);
  const weight = scoreLesson({ triggers, priority, langs }, langs);
  const silence = findSilence(lesson, { at: new Date().toISOString(), settings, weight });
  if (silence === undefined) return undefined;
  const advice = silence === 'low score' ? '; name its tools, a program or a file, or raise its priority' : '';
  return `it does not fire now, because it is ${renderSilence(silence, { lesson, settings, weight })}${advice}`;
}

export interface ShownRank {
  readonly level: Level;
  /** As it counts now. */
  readonly priority: number;
  /** As its author stated it, where it counts less until a person here confirms the lesson. */
  readonly statedPriority?: number;
}

export function toShownRank(lesson: Lesson): ShownRank {
  const { priority } = toAdvising(lesson);
  const rank = { level: toLevel(priority), priority };
  return priority === lesson.priority ? rank : { ...rank, statedPriority: lesson.priority };
}

export function renderRank(lesson: Lesson): string {
  const { level, priority, statedPriority } = toShownRank(lesson);
  const later = statedPriority === undefined ? '' : `; ${statedPriority} once you approve it`;
  return `${level} (priority ${priority}${later}), confidence ${lesson.confidence}`;
}

/** An example command on which the lesson fires; undefined if its triggers do not show one. */
export function toExampleCommand({ triggers }: Pick<Lesson, 'triggers'>): string | undefined {
  const [program] = triggers.programs ?? [];
  if (program === undefined) return undefined;
  const { name, sub = [], args } = program;
  const command = [name, ...sub, ...(args?.all ?? []), ...(args?.any?.slice(0, 1) ?? [])].join(' ');
  return judgeTriggers(triggers, toWrittenView('shell', { command })).holds ? command : undefined;
}

/** A person keeps a lesson silent: everywhere, or in some sessions. */
export type Muted = 'everywhere' | 'in some sessions';

export function findMuted({ id }: Lesson, switches: Switches, nowMs: number): Muted | undefined {
  if (isMuted(switches, { lessonId: id, sessionId: '' }, nowMs)) return 'everywhere';
  const own = dropEndedMutes(switches, nowMs).mutes.some(({ lessonId }) => lessonId === id);
  return own ? 'in some sessions' : undefined;
}
