/** Whether a remedy leads to a place outside the project that an output had named: whoever wrote the output chose it. */
import type { LiveCall } from '../../../base/model/call.ts';
import { toSource } from './to-source.ts';
import { type GuardWindow, toPrinted, toUserWords } from './to-sources.ts';

const PLACE = /(?:^|[\s`'"=(:,])((?:~\/|\.\.\/|\/)[\w.@+-][\w.@+/-]*)/g;
/** Where programs are installed. */
const SYSTEM = /^\/(?:usr|bin|sbin|opt|lib|lib64|nix|snap|Applications|Library|System|dev\/null)(?:\/|$)/;
const TEMPORARY = /^(?:~|\/(?:tmp|var|dev|private|root|etc|run|mnt)\/)/;
/** `/home/u/app/web` and `/home/u/app/api` are of one project. */
const SHARED_PARTS = 4;

export function namesEchoedPlace(
  remedy: string,
  { failingCallId, fixingCallId }: { readonly failingCallId: string; readonly fixingCallId: string },
  window: GuardWindow,
): boolean {
  const cwds = window.calls.flatMap(({ cwd }) => cwd ?? []);
  const places = [...remedy.matchAll(PLACE)].map(([, place = '']) => place).filter((one) => isOutside(one, cwds));
  if (places.length === 0) return false;
  const at = window.calls.findIndex(({ callId }) => callId === fixingCallId);
  const before = at < 0 ? window.calls : window.calls.slice(0, at);
  const failing = before.find(({ callId }) => callId === failingCallId)?.command ?? '';
  const asked = [failing, ...toUserWords(window)].map(toSource);
  return places.map(toSource).some((place) => !holds(asked, place) && isFirstPrinted(place, before));
}

function isFirstPrinted(place: string, calls: readonly LiveCall[]): boolean {
  for (const call of calls) {
    if (toSource(call.command ?? call.targetPath ?? '').includes(place)) return false;
    if (holds(toPrinted(call), place)) return true;
  }
  return false;
}

function holds(texts: readonly string[], wanted: string): boolean {
  return texts.some((text) => text.includes(wanted));
}

function isOutside(place: string, cwds: readonly string[]): boolean {
  if (SYSTEM.test(place)) return false;
  const isUnder = (folder: string): boolean => place === folder || place.startsWith(`${folder.replace(/\/$/, '')}/`);
  if (cwds.some((cwd) => cwd.length > 1 && (isUnder(cwd) || isUnder(toShared(cwd))))) return false;
  // Nobody knows where the project lies.
  return cwds.length > 0 || TEMPORARY.test(place) || place.startsWith('..');
}

function toShared(cwd: string): string {
  const parts = cwd.split('/');
  return parts.length >= SHARED_PARTS ? parts.slice(0, SHARED_PARTS).join('/') : cwd;
}
