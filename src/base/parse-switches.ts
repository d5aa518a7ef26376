/** The switch file's text to switches and back. What is not exactly as we write it is broken: see `switches.ts`. */
import { BROKEN_SWITCHES, type Mute, type Pause, SWITCHES_VERSION, type Switches } from './switches.ts';

type Shape = Readonly<Record<string, unknown>>;

const PAUSE_KINDS = ['all', 'project', 'session'];

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
  if (!isShape(value) || !PAUSE_KINDS.includes(String(value.what))) return false;
  if (value.what !== 'all' && typeof value.id !== 'string') return false;
  return isText(value.dir) && isTime(value.from) && mayBeTime(value.until);
}

function isMute(value: unknown): value is Mute {
  return isShape(value) && isText(value.lessonId) && isText(value.sessionId) && mayBeTime(value.until);
}

function isShape(value: unknown): value is Shape {
  return typeof value === 'object' && value !== null;
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
