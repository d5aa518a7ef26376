/**
 * Words of the user that teach something: a rule for good, a thing that the agent left out, or a correction of a command
 * that later calls follow. Only prompts of the main conversation count: in a sub-agent they are another agent's. The words
 * are read when they are said, with the calls before them; what they do not tell alone, the next calls may show. What comes
 * out waits for a person.
 */

import { hashText } from '../../../base/ids.ts';
import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { EXCERPT_CHARS } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import { endsWithPath, toPlainPath, toRelative } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import type { Detector, SessionMessage } from '../../detector.ts';
import { isSameRule, USER_RULE } from '../../lessons/same-rule.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';
import type { Around, Draft } from './draft.ts';
import { draftRule } from './draft-rule.ts';
import { draftShown } from './draft-shown.ts';
import { toKnown } from './named-things.ts';
import { toOwnSentences } from './own-sentences.ts';
import { type Message, type Rule, readMessage } from './read-words.ts';

const USER_WORDS = 'distill/user-correction@1';
/** Users speak of what they just saw. */
const MAX_BEFORE = 30;
const MAX_AFTER = 8;
const MAX_WORDS_CHARS = 160;
const MAX_RULES = 3;

export const userCorrection: Detector = {
  name: USER_WORDS,
  detect(window) {
    const prompts = window.spoken.filter(({ kind, contextId }) => kind === 'prompted' && contextId === '');
    const places = prompts.map(({ afterCallId }) => window.calls.findIndex(({ callId }) => callId === afterCallId));
    return prompts.flatMap((prompt, i) => {
      const at = places[i] ?? -1;
      const next = places.find((place, j) => j > i && place > at) ?? window.calls.length - 1;
      const later = window.calls.slice(at + 1, Math.min(at + MAX_AFTER, next) + 1);
      const seen = later.slice(0, Math.max(0, window.from - at - 1));
      const isSeen = window.spoken.indexOf(prompt) < window.spokenFrom;
      if (isSeen && seen.length === later.length) return [];
      const told = toTold(prompt, window.calls.slice(0, at + 1), window.calls.slice((places[i - 1] ?? -1) + 1, at + 1));
      // Found with an earlier window.
      if (isSeen && addShown(told, seen).length > 0) return [];
      return addShown(told, later).map(([rule, draft]) => toStated(rule, draft, prompt));
    });
  },
};

/** A draft with the words that it comes from. */
type Drafts = readonly (readonly [Pick<Rule, 'words' | 'marks' | 'when'>, Draft])[];

/** What the words teach with the calls before them. */
interface Told {
  readonly sentences: readonly string[];
  readonly message: Message;
  readonly around: Around;
  readonly drafts: Drafts;
}

/** The same prompt is in the next window again, with fewer calls before it. */
const toldBy = new WeakMap<SessionMessage, Told>();

function toTold(prompt: SessionMessage, calls: readonly LiveCall[], turn: readonly LiveCall[]): Told {
  const known = toldBy.get(prompt);
  if (known !== undefined) return known;
  const before = calls.slice(-MAX_BEFORE);
  const edited = listEdited(turn).length > 0 ? listEdited(turn) : listEdited(before);
  const words = edited.length === 0 ? [] : (prompt.text.match(/[\w@./+-]*\w/g) ?? []);
  const named = edited.filter((path) => words.some((word) => endsWithPath(path, word)));
  const around = { before, after: [], edited, meant: named.length > 0 ? named : edited, editedAfter: [] };
  const sentences = toOwnSentences(prompt.text);
  const message = readMessage(sentences, toKnown(before), isStop(before.at(-1)));
  const made = { sentences, message, around, drafts: toDrafts(message, around) };
  toldBy.set(prompt, made);
  return made;
}

/** The user took the call out of the agent's hand, and then spoke. */
function isStop(call: LiveCall | undefined): boolean {
  return call?.outcomeType === 'interrupt' || (call?.outcomeType === 'user-refusal' && call.message === undefined);
}

function toDrafts(message: Message, around: Around): Drafts {
  const drafts: [Rule, Draft][] = [];
  for (const rule of message.rules) {
    const draft = draftRule(rule, message, around);
    if (draft === undefined) continue;
    const same = drafts.findIndex(([, one]) => isSameRule(one, draft));
    if (same < 0) drafts.push([rule, draft]);
    // "You forgot x. Whenever something in y changes, x has to change": the moment is named, not guessed.
    else if (rule.when.length > 0 && drafts[same]?.[0].when.length === 0) drafts[same] = [rule, draft];
  }
  return drafts.slice(0, MAX_RULES);
}

/** What the words do not teach alone, the calls after them may show: the name of a program, what was done otherwise. */
function addShown({ sentences, message, around, drafts }: Told, later: readonly LiveCall[]): Drafts {
  if (drafts.length > 0 || later.length === 0 || !(message.isTeaching || message.named.length > 0)) return drafts;
  const known = toKnown([...around.before, ...later]);
  const read = readMessage(sentences, known, isStop(around.before.at(-1)));
  const shown = { ...around, after: later, editedAfter: listEdited(later) };
  const made = toDrafts(read, shown);
  return made.length > 0 ? made : draftShown(sentences, shown, known);
}

function listEdited(calls: readonly LiveCall[]): readonly string[] {
  const edits = calls.filter((call) => (call.tool === 'edit' || call.tool === 'write') && hasWorked(call));
  return [...new Set(edits.flatMap(toPath))];
}

/** Seen from the root of the project, or its last names. */
function toPath({ targetPath, projectRoot = '', cwd = '' }: LiveCall): readonly string[] {
  if (targetPath === undefined) return [];
  const path = toRelative(toRelative(targetPath, projectRoot), cwd);
  return [path.startsWith('/') ? path.split('/').slice(-2).join('/') : toPlainPath(path)];
}

/** Links are about the case at hand. */
function toWords(said: string): string {
  return toShortChars(said.replaceAll(/https?:\/\/\S+/g, '…').replaceAll(/\s+/g, ' '), MAX_WORDS_CHARS);
}

function toStated(rule: Pick<Rule, 'words' | 'marks'>, draft: Draft, prompt: SessionMessage): Finding {
  const { agent, sessionId, projectId, evidence: place, model, agentVersion } = prompt;
  const words = toWords(rule.words);
  const { summary, remediation, triggers, type } = draft;
  const [program] = triggers.programs ?? [];
  const subject = program?.name ?? 'rule';
  // No call failed: the words stand in for it. Hooks and transcripts tell their time differently.
  const callId = `said-${hashText(`${sessionId}\n${rule.words}\n${prompt.afterCallId ?? ''}\n${triggers.tools?.join()}`)}`;
  const lines = place === undefined ? {} : { file: place.file, lines: [place.line, place.line] as const };
  return {
    detector: USER_WORDS,
    kind: 'corrected-by-user',
    agent,
    sessionId,
    projectId,
    type,
    steps: 0,
    failingCallId: callId,
    fixingCallId: callId,
    triggers,
    intentKey: [subject, ...(program?.sub ?? [])].join(' '),
    signature: toLineSignature(subject, summary),
    summary,
    remediation,
    mistake: `The user said: "${words}"`,
    tags: [...(program === undefined ? [] : [`tool:${program.name}`]), USER_RULE],
    evidence: {
      agent,
      sessionId,
      ...lines,
      at: prompt.at,
      excerpt: toShortChars(`${words}${FIXED_BY}${remediation}`, EXCERPT_CHARS),
    },
    signals:
      rule.marks.has('firm') || rule.marks.has('never') ? ['user-corrected', 'stated-lesson'] : ['user-corrected'],
    ...dropAbsent({ model, agentVersion }),
  };
}
