/**
 * The one place that every finding passes, whichever detector made it: what came from outside is kept as evidence, never as
 * an instruction, and what only a person may decide is held back. Guarding twice changes nothing more.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { Finding } from '../../base/model/finding.ts';
import { EXCERPT_CHARS, type LessonBody } from '../../base/model/lesson.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { isHarmfulAdvice } from '../episodes/is-harmful.ts';
import { FIXED_BY } from '../text/retell-lesson.ts';
import { blankTyped, isPrinted, joinTexts, type Sources, toSearchable } from './outside-text/find-quoted.ts';
import { type Guarded, guardWords, toWhole } from './outside-text/guard-words.ts';
import { toPlainLine } from './outside-text/to-plain-line.ts';
import { toSource } from './outside-text/to-source.ts';
import { type GuardWindow, toAllSources, toPrinted, toSources, toUserWords } from './outside-text/to-sources.ts';
import { findRisks, type Risk } from './risky-remedies/judge-remedy.ts';
import { listAdvice, listJudged } from './risky-remedies/list-advice.ts';

export function guardFinding(finding: Finding, window: GuardWindow): Finding {
  const sources = finding.trust === 'foreign' ? toAllSources(window) : toSources(window);
  const [summary, mistake, remediation] = [finding.summary, finding.mistake, finding.remediation].map((text) =>
    guardWords(text, sources),
  ) as [Guarded, Guarded, Guarded];
  const body = finding.body === undefined ? undefined : guardBody(finding.body, sources);
  const all = [summary, mistake, remediation, ...(body?.guarded ?? [])];
  // As it was found: what is masked in the words is still what was run.
  const advice = listAdvice(finding);
  const risks = listJudged(finding, [finding.evidence]).flatMap((text) => judgeRemedy(text, finding, window));
  const outside = [
    ...findOutside({ summary, remediation, all, body: body?.guarded ?? [] }, sources),
    ...(advice.some((text) => namesEchoedPlace(text, finding, window))
      ? ['its remedy leads to a place that an output named']
      : []),
  ];
  const forced = isForced(finding, window) ? ['its remedy switches a safeguard off'] : [];
  const reasons = [...outside, ...risks.map(({ reason }) => reason), ...forced];
  const isForeign = outside.length + forced.length > 0 || risks.some(isForeignRisk);
  return {
    ...finding,
    summary: isMostlyQuote(summary) ? summary.own : summary.text,
    // A call proves the mistake, so a short quote may stay. If only words tell of it, the quote is treated like other words.
    mistake: finding.steps === 0 && isMostlyQuote(mistake) ? mistake.own : mistake.text,
    remediation: dropPrintedCode(isQuote(remediation) ? remediation.own : remediation.text, sources),
    ...(body === undefined ? {} : { body: body.body }),
    tags: finding.tags.filter(isTag),
    intentKey: toWhole(guardWords(finding.intentKey, sources).text.slice(0, INTENT_CHARS)),
    evidence: guardEvidence(finding, sources),
    ...(reasons.length === 0 ? {} : { caution: toCaution(finding.caution, reasons) }),
    ...(isForeign ? { trust: 'foreign' } : {}),
  };
}

const INTENT_CHARS = 200;
/** More of a remedy than that are not words of ours. */
const MAX_QUOTED_WORDS = 5;

interface Outside {
  readonly summary: Guarded;
  readonly remediation: Guarded;
  readonly body: readonly Guarded[];
  readonly all: readonly Guarded[];
}

function findOutside({ summary, remediation, body, all }: Outside, sources: Sources): readonly string[] {
  const isPoisoned = all.some(({ poison }) => poison === 'attack' || poison === 'command');
  const isCopied = isQuote(remediation) || isMostlyQuote(summary) || body.some(isQuote);
  return [
    ...(isPoisoned ? ['an output tells its reader what to do'] : []),
    ...(isCopied || hasPrintedCode(remediation.text, sources) ? ['its words stand in an output only'] : []),
  ];
}

function isQuote({ quotedWords }: Guarded): boolean {
  return quotedWords > MAX_QUOTED_WORDS;
}

function isMostlyQuote(words: Guarded): boolean {
  return isQuote(words) && words.quotedWords * 2 > words.words;
}

/** Options, paths and the like that only an output names: nobody has run that remedy. */
function hasPrintedCode(remedy: string, sources: Sources): boolean {
  return dropPrintedCode(remedy, sources) !== remedy;
}

function dropPrintedCode(remedy: string, sources: Sources): string {
  return remedy.replace(CODE_WORD, (found) => {
    const word = found.replace(/[.:!?]+$/, '');
    return CODE.test(word) && isPrinted(toSearchable(word), sources) ? `…${found.slice(word.length)}` : found;
  });
}

const CODE_WORD = /[^\s`'"()[\]{},;…]+/g;
const CODE = /^--?[a-z][\w-]+|^[\w.~-]*\/[\w./-]{2,}$|^\w[\w-]*[=@]\S+$|^\w+\.(?:sh|py|js|ts|ps1|exe|rb|pl)$/i;

function isForeignRisk({ name }: Risk): boolean {
  return name !== 'destroys';
}

function toCaution(known: string | undefined, reasons: readonly string[]): string {
  return [...new Set([...(known === undefined ? [] : known.split(', ')), ...reasons])].join(', ');
}

/** Who may name a host: the call that failed, and the user. What the user said outright is theirs to say. */
function judgeRemedy(remedy: string, { failingCallId }: Finding, window: GuardWindow): readonly Risk[] {
  const failing = window.calls.find(({ callId }) => callId === failingCallId);
  const users = toUserWords(window);
  const own = blankTyped(toPlainLine(remedy), { printed: [], typed: joinTexts(users.map(toSource)) });
  return findRisks(own, { named: [failing?.command ?? '', ...users], cwd: failing?.cwd });
}

/** Does it tell what got the call past its failure by force? */
function isForced(finding: Finding, window: GuardWindow): boolean {
  const find = (id: string): string | undefined => window.calls.find(({ callId }) => callId === id)?.command;
  const [failing, fixing = ''] = [find(finding.failingCallId), find(finding.fixingCallId)];
  return failing !== undefined && isHarmfulAdvice(finding, [failing, fixing], toUserWords(window));
}

function guardBody(
  body: LessonBody,
  sources: Sources,
): { readonly body: LessonBody; readonly guarded: readonly Guarded[] } {
  const guarded: Guarded[] = [];
  const guard = (text: string): string => {
    const one = guardWords(text, sources);
    guarded.push(one);
    return dropPrintedCode(isQuote(one) ? one.own : one.text, sources);
  };
  const entries = Object.entries(body).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map(guard) : guard(`${value}`),
  ]);
  return { body: Object.fromEntries(entries) as LessonBody, guarded };
}

function guardEvidence({ evidence, steps }: Finding, sources: Sources): Finding['evidence'] {
  if (evidence.excerpt === undefined) return evidence;
  const parts = evidence.excerpt
    .split(FIXED_BY)
    .map((part) => guardWords(part, sources))
    .map((part) => (steps === 0 && isQuote(part) ? part.own : part.text));
  return { ...evidence, excerpt: toShortChars(parts.join(FIXED_BY), EXCERPT_CHARS) };
}

function isTag(tag: string): boolean {
  return tag.length <= 80 && !/\s|:\/\//.test(tag) && toPlainLine(tag) === tag;
}

const PLACE = /(?:^|[\s`'"=(:,])((?:~\/|\.\.\/|\/)[\w.@+-][\w.@+/-]*)/g;
/** Where programs are installed. */
const SYSTEM = /^\/(?:usr|bin|sbin|opt|lib|lib64|nix|snap|Applications|Library|System|dev\/null)(?:\/|$)/;
const TEMPORARY = /^(?:~|\/(?:tmp|var|dev|private|root|etc|run|mnt)\/)/;
/** `/home/u/app/web` and `/home/u/app/api` are of one project. */
const SHARED_PARTS = 4;

/** Whether a remedy leads to a place outside the project that an output had named: whoever wrote the output chose it. */
function namesEchoedPlace(
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
