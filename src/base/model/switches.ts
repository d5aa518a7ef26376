/**
 * The off switches (pauses, mutes, private folders) and the text format of their file. Paused: nothing is captured or
 * delivered; muted: calls are captured, lessons are not delivered. The daemon and the cold hook read this small,
 * usually absent file at every event, and a pause that has ended stays in it as a time span, so that a transcript read
 * later does not bring in calls from that time.
 */
import { isRecord } from '../records.ts';
import type { ToProjectId } from './project.ts';

const SWITCHES_VERSION = 1;

export interface Pause {
  readonly what: 'all' | 'project' | 'session';
  /** The id of the project or session. */
  readonly id?: string;
  /** The folder of a paused project. Everything below it is paused too, whatever project it belongs to. */
  readonly dir?: string;
  readonly from: string;
  /** Absent: until somebody ends it. */
  readonly until?: string;
}

export interface Mute {
  /** Absent: every lesson, and all other text of ours. */
  readonly lessonId?: string;
  /** Absent: in every session. */
  readonly sessionId?: string;
  readonly until?: string;
}

export interface Switches {
  /** The file cannot be parsed, so everything is switched off until a person repairs it. */
  readonly broken?: true;
  readonly pauses: readonly Pause[];
  readonly mutes: readonly Mute[];
}

/** The place and time of an event or a call. */
interface Place {
  readonly sessionId: string;
  readonly projectId: string;
  readonly cwd?: string | undefined;
  readonly at: string;
}

export const NO_SWITCHES: Switches = { pauses: [], mutes: [] };
export const BROKEN_SWITCHES: Switches = { broken: true, pauses: [], mutes: [] };

/** `toProjectId`: joined ids are one project, so a pause of one is a pause of all. */
export function isPaused(switches: Switches, place: Place, toProjectId?: ToProjectId): boolean {
  return switches.broken === true || findPause(switches, place, toProjectId) !== undefined;
}

/** The pause that covers this place and time. */
export function findPause(
  { pauses }: Switches,
  place: Place,
  toProjectId: ToProjectId = (id) => id,
): Pause | undefined {
  if (pauses.length === 0) return undefined;
  const atMs = Date.parse(place.at);
  return pauses.find((pause) => isWithin(pause, atMs) && isAbout(pause, place, toProjectId));
}

/** Without a lesson: is all our text muted? */
export function isMuted(
  { mutes }: Switches,
  about: { readonly lessonId?: string; readonly sessionId: string },
  nowMs: number,
): boolean {
  return mutes.some(
    ({ lessonId, sessionId, until }) =>
      (lessonId === undefined || lessonId === about.lessonId) &&
      (sessionId === undefined || sessionId === about.sessionId) &&
      !isPast(until, nowMs),
  );
}

export function isRunning(pause: Pause, nowMs: number): boolean {
  return !isPast(pause.until, nowMs);
}

/** Removes mutes that have ended. */
export function dropEndedMutes({ pauses, mutes }: Switches, nowMs: number): Switches {
  return { pauses, mutes: mutes.filter(({ until }) => !isPast(until, nowMs)) };
}

function isWithin({ from, until }: Pause, atMs: number): boolean {
  // An event without a valid time may belong to any span.
  if (Number.isNaN(atMs)) return true;
  // Both ends belong to it: a call in the millisecond in which a pause ended was made during the pause.
  return atMs >= Date.parse(from) && (until === undefined || atMs <= Date.parse(until));
}

function isAbout({ what, id = '', dir }: Pause, { sessionId, projectId, cwd }: Place, toProjectId: ToProjectId) {
  if (what === 'all') return true;
  if (what === 'session') return id === sessionId;
  if (toProjectId(id) === toProjectId(projectId)) return true;
  return dir !== undefined && cwd !== undefined && (cwd === dir || cwd.startsWith(`${dir}/`));
}

function isPast(until: string | undefined, nowMs: number): boolean {
  return until !== undefined && Date.parse(until) <= nowMs;
}

type Shape = Readonly<Record<string, unknown>>;

const PAUSE_KINDS = ['all', 'project', 'session'];

/** Parses the text of the switch file. Any deviation from the format that we write makes it broken. */
export function parseSwitches(text: string): Switches {
  try {
    const { type, version, pauses, mutes } = JSON.parse(text) as Shape;
    if (type !== 'switches' || version !== SWITCHES_VERSION) return BROKEN_SWITCHES;
    if (!isListOf(pauses, isPause) || !isListOf(mutes, isMute)) return BROKEN_SWITCHES;
    return { pauses, mutes };
  } catch {
    return BROKEN_SWITCHES;
  }
}

export function renderSwitches({ pauses, mutes }: Switches): string {
  const $schema = 'oncebitten/switches.schema.json';
  return `${JSON.stringify({ $schema, type: 'switches', version: SWITCHES_VERSION, pauses, mutes }, null, 2)}\n`;
}

function isListOf<T>(value: unknown, is: (one: unknown) => one is T): value is readonly T[] {
  return Array.isArray(value) && value.every(is);
}

function isPause(value: unknown): value is Pause {
  if (!isRecord(value) || !PAUSE_KINDS.includes(String(value.what))) return false;
  if (value.what !== 'all' && typeof value.id !== 'string') return false;
  return isText(value.dir) && isTime(value.from) && mayBeTime(value.until);
}

function isMute(value: unknown): value is Mute {
  return isRecord(value) && isText(value.lessonId) && isText(value.sessionId) && mayBeTime(value.until);
}

function isText(value: unknown): boolean {
  return value === undefined || typeof value === 'string';
}

function mayBeTime(value: unknown): boolean {
  return value === undefined || isTime(value);
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** Is the folder private, so that nothing is captured or delivered there? */
export function isPrivate(cwd: string | undefined, privateProjects: readonly string[]): boolean {
  return (
    cwd !== undefined &&
    privateProjects.some((dir) => cwd === dir || cwd.startsWith(dir.endsWith('/') ? dir : `${dir}/`))
  );
}
