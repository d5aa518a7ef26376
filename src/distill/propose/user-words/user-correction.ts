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
import { toCommandName } from '../../../base/shell/command-words.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import type { Detector, SessionMessage, SessionWindow } from '../../detector.ts';
import { makeFinding } from '../../episodes/make-finding.ts';
import { isSameRule, USER_RULE } from '../../lessons/same-rule.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import { type Before, type Draft, draftRule } from './draft-rule.ts';
import { findLink, type Link } from './find-pair.ts';
import { type Known, toKnown } from './named-things.ts';
import { toOwnSentences } from './own-sentences.ts';
import { isRejecting, type Message, type Rule, readMessage } from './read-rules.ts';
import { showRule } from './show-rule.ts';
import { toFile, toKindPath } from './thing-triggers.ts';

const USER_WORDS = 'distill/user-correction@1';
/** Users speak of what they just saw. */
const MAX_BEFORE = 30;
const MAX_NEAR = 6;
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
      const turn = { prompt, at, start: places[i - 1] ?? -1, end: Math.min(at + MAX_AFTER, next) };
      const { drafts } = toTold(turn, window);
      if (drafts.length > 0) {
        const isNew = window.spoken.indexOf(prompt) >= window.spokenFrom;
        return isNew ? drafts.map(([rule, draft]) => toStated(rule, draft, turn, window)) : [];
      }
      return turn.end < window.from || turn.end <= at ? [] : findShown(turn, window);
    });
  },
};

/** A prompt, and where it stands among the calls. */
interface Turn {
  readonly prompt: SessionMessage;
  /** Index of the last call before it; -1 for none. */
  readonly at: number;
  /** The same for the prompt before it. */
  readonly start: number;
  /** Index of the last call that still answers it. */
  readonly end: number;
}

type Drafts = readonly (readonly [Rule, Draft])[];

interface Told {
  readonly sentences: readonly string[];
  readonly known: Known;
  readonly message: Message;
  readonly before: Before;
  readonly drafts: Drafts;
}

/** The same prompt is in the next window again, with fewer calls before it. */
const told = new WeakMap<SessionMessage, Told>();

function toTold({ prompt, at, start }: Turn, { calls }: SessionWindow): Told {
  const early = told.get(prompt);
  if (early !== undefined) return early;
  const all = calls.slice(Math.max(0, at + 1 - MAX_BEFORE), at + 1);
  const turn = listEdited(calls.slice(start + 1, at + 1));
  const edited = turn.length > 0 ? turn : listEdited(all);
  const named = edited.filter((path) => prompt.text.match(/[\w@./+-]*\w/g)?.some((word) => endsWithPath(path, word)));
  const written = listEdited(calls.slice(start + 1, at + 1).filter(({ tool }) => tool === 'write'));
  const before = {
    calls: all,
    edited,
    written,
    meant: named.length > 0 ? named : edited.map((path) => (written.includes(path) ? toKindPath(path) : path)),
  };
  const sentences = toOwnSentences(prompt.text);
  const known = toKnown(sentences.length === 0 ? [] : all);
  const message = readMessage(sentences, known);
  const made = { sentences, known, message, before, drafts: toDrafts(message.rules, before) };
  told.set(prompt, made);
  return made;
}

function toDrafts(rules: readonly Rule[], before: Before): Drafts {
  const drafts: (readonly [Rule, Draft])[] = [];
  for (const rule of rules)
    for (const draft of draftRule(rule, before)) {
      const same = drafts.findIndex(([, one]) => isSameRule(one, draft));
      if (same < 0) drafts.push([rule, draft]);
      // What is said for good tells more than what was left out.
      else if (drafts[same]?.[0].force === 'blame' && rule.force === 'standing') drafts[same] = [rule, draft];
    }
  return drafts.slice(0, MAX_RULES);
}

/** What the calls after the words show: the name of a program, a file of the kind that was left out, the corrected way. */
function findShown(turn: Turn, window: SessionWindow): readonly Finding[] {
  const { sentences, known, before, ...told } = toTold(turn, window);
  if (sentences.length === 0) return [];
  const later = window.calls.slice(turn.at + 1, turn.end + 1);
  const isNew = (call: LiveCall): boolean => window.calls.indexOf(call) >= window.from;
  const message = hasNamesOf(toKnown(later), known, sentences.join('\n'))
    ? readMessage(sentences, toKnown([...before.calls, ...later]))
    : told.message;
  const { rules } = message;
  const isTelling = (call: LiveCall): boolean =>
    isNew(call) && parseCall(call).some(({ program }) => program.length > 2 && turn.prompt.text.includes(program));
  const drafts = later.some(isTelling) ? toDrafts(rules, before) : [];
  if (drafts.length > 0) return drafts.map(([rule, draft]) => toStated(rule, draft, turn, window));
  // "You forgot the changelog", and then a file of that name was edited.
  const blame = rules.find(({ force, wanted }) => force === 'blame' && wanted.length === 0);
  const words = blame?.words.toLowerCase().match(/[\p{L}]{4,}/gu) ?? [];
  const edited = later.find((call) =>
    listEdited([call]).some((path) => !before.edited.includes(path) && words.some((word) => isNamedBy(path, word))),
  );
  if (blame !== undefined && edited !== undefined && isNew(edited) && before.edited.length > 0) {
    const rule = { ...blame, wanted: listEdited([edited]).map(toFile) };
    return draftRule(rule, before).map((draft) => toStated(rule, draft, turn, window));
  }
  const pair = findPair(message, turn, window);
  if (pair !== undefined) return pair;
  const shown = showRule(message, before, { calls: later, edited: listEdited(later) });
  if (shown === undefined || !later.some(isNew)) return [];
  const whole = shown.done.length === 0 ? before : { ...before, meant: shown.done.map(({ text }) => text) };
  return draftRule(shown, whole).map((draft) => toStated(shown, draft, turn, window));
}

/** Do the words name anything that only these calls ran or touched? Else they read as they did before these calls. */
function hasNamesOf(later: Known, before: Known, text: string): boolean {
  const words = new Set(text.split(BLANK).flatMap((word) => [word, ...word.split(SIGN).flatMap(toBareWords)]));
  const hasOption = [...words].some((word) => word.startsWith('-'));
  for (const ran of later.programs) {
    if (before.programs.has(ran)) continue;
    const end = ran.indexOf(' ');
    const [program, arg] = end < 0 ? [ran] : [ran.slice(0, end), ran.slice(end + 1)];
    if (arg === undefined ? words.has(program) : words.has(arg) && (hasOption || words.has(program))) return true;
  }
  const paths = later.paths.filter((path) => !before.paths.includes(path));
  return [...words].some((word) => {
    if (!/[./]/.test(word)) return false;
    const bare = word.replace(/^@/, '').replace(/^\.\//, '');
    return paths.some((path) => `/${path}/`.includes(`/${bare}/`) || path.endsWith(bare.replace('*', '')));
  });
}

const BLANK = /[\s`"]+|(?<!\w)'|'(?!\w)/;
const SIGN = /[,;()[\]{}“”„«»、，。；：！？（）「」]+/;

function toBareWords(word: string): readonly string[] {
  return [word, word.replace(/[.:!?…'"]+$/, '')];
}

/** `tests` names `user.test.ts`, `changelog` names `CHANGELOG.md`. */
function isNamedBy(path: string, word: string): boolean {
  const stem = word.replace(/s$/, '');
  return path
    .toLowerCase()
    .split(/[^\p{L}]+/u)
    .some((part) => part.replace(/s$/, '') === stem);
}

function listEdited(calls: readonly LiveCall[]): readonly string[] {
  const edits = calls.filter((call) => (call.tool === 'edit' || call.tool === 'write') && hasWorked(call));
  return [...new Set(edits.flatMap(toPath))];
}

/** Seen from the root of the project, or its last names. */
function toPath({ targetPath, projectRoot, cwd }: LiveCall): readonly string[] {
  if (targetPath === undefined) return [];
  const root = [projectRoot, cwd].find((one) => one !== undefined && one !== '' && targetPath.startsWith(`${one}/`));
  if (root !== undefined) return [targetPath.slice(root.length + 1)];
  return [targetPath.startsWith('/') ? targetPath.split('/').slice(-2).join('/') : targetPath.replace(/^\.\//, '')];
}

/** The latest command that the words are about, and the first after them that does as they say. */
function findPair(message: Message, { at, end }: Turn, window: SessionWindow): readonly Finding[] | undefined {
  const last = window.calls[at];
  // The user took the call out of the agent's hand, and then spoke.
  const isStopped =
    last?.outcomeType === 'interrupt' || (last?.outcomeType === 'user-refusal' && last.message === undefined);
  for (const rule of listCorrections(message, isStopped))
    for (let i = at; i > Math.max(-1, at - MAX_NEAR); i--)
      for (let j = at + 1; j <= end; j++) {
        const [corrected, fixing] = [window.calls[i], window.calls[j]];
        const link = corrected && fixing && findLink(rule, corrected, fixing);
        // One that is not new was told with an earlier window.
        if (link !== undefined)
          return j < window.from ? [] : toCorrected(rule, link, corrected as LiveCall, fixing as LiveCall, j - i);
      }
  return undefined;
}

const CORRECTING = [
  'not',
  'never',
  'always',
  'instead-of',
  'standing',
  'ours',
  'must',
  'without',
  'allowed-behind',
  'hands-off',
] as const;

/** The rules that set something right, and what the whole message names, if it sets something right somewhere. */
function listCorrections({ rules, readings }: Message, isStopped: boolean): readonly Rule[] {
  const told = readings.filter(({ isVoid }) => !isVoid);
  const isUsing = ({ verbs, words }: Rule): boolean => verbs.has('use') && !/(?<!\p{L})if(?!\p{L})/iu.test(words);
  const sign =
    told.find(({ signs, isUnread }) => isUnread || CORRECTING.some((role) => signs.has(role))) ?? told.find(isUsing);
  const named = readings.flatMap((one) => one.named);
  const whole =
    sign === undefined
      ? []
      : [
          { ...sign, wanted: named, unwanted: named },
          ...(sign.verbs.has('use') || sign.isUnread ? [] : [{ ...sign, wanted: named, unwanted: [] }]),
        ];
  return [...rules.filter((rule) => isStopped || isRejecting(rule)), ...whole];
}

function toCorrected(
  rule: Rule,
  { command, trigger, instead }: Link,
  corrected: LiveCall,
  fixing: LiveCall,
  steps: number,
): readonly Finding[] {
  const words = toWords(rule.words);
  const found = makeFinding({
    ...{ detector: USER_WORDS, kind: 'corrected-by-user' as const, fixing, steps, intentKey: toCommandName(command) },
    // What went wrong is what the user said, whatever the program printed.
    failing: { ...corrected, signature: toLineSignature(command.program, words) },
    text: {
      summary: `The user corrected \`${toShortCommand(command, 60)}\`: "${words}"`,
      mistake: `\`${toShortCommand(command, 200)}\` was corrected by the user`,
      remediation: `Use ${instead} (the user said: "${words}")`,
      tags: [`tool:${command.program}`, USER_RULE],
    },
    triggers: { tools: ['shell'], programs: [trigger] },
    signals: toSignals(rule),
  });
  return found === undefined ? [] : [found];
}

function toSignals({ force }: Rule): Finding['signals'] {
  return force === 'standing' ? ['user-corrected', 'stated-lesson'] : ['user-corrected'];
}

/** Links are about the case at hand. */
function toWords(said: string): string {
  return toShortChars(said.replaceAll(/https?:\/\/\S+/g, '…').replaceAll(/\s+/g, ' '), MAX_WORDS_CHARS);
}

function toStated(rule: Rule, draft: Draft, { prompt, at }: Turn, { calls }: SessionWindow): Finding {
  const { agent, sessionId, projectId, evidence: place, model, agentVersion } = prompt;
  const words = toWords(rule.words);
  const { summary, remediation, triggers, type } = draft;
  const [program] = triggers.programs ?? [];
  const subject = program?.name ?? 'rule';
  // No call failed: the words stand in for it. Hooks and transcripts tell their time differently.
  const callId = `said-${hashText(`${sessionId}\n${rule.words}\n${calls[at]?.callId ?? ''}\n${triggers.tools?.join()}`)}`;
  const lines = place === undefined ? {} : { file: place.file, lines: [place.line, place.line] as const };
  return {
    ...{ detector: USER_WORDS, kind: 'corrected-by-user', agent, sessionId, projectId, type, steps: 0 },
    ...{ failingCallId: callId, fixingCallId: callId, triggers },
    intentKey: [subject, ...(program?.sub ?? [])].join(' '),
    signature: toLineSignature(subject, summary),
    ...{ summary, remediation, mistake: `The user said: "${words}"` },
    tags: [...(program === undefined ? [] : [`tool:${program.name}`]), USER_RULE],
    evidence: {
      ...{ agent, sessionId, ...lines, at: prompt.at },
      excerpt: toShortChars(`${words}${FIXED_BY}${remediation}`, EXCERPT_CHARS),
    },
    signals: toSignals(rule),
    ...dropAbsent({ model, agentVersion }),
  };
}
