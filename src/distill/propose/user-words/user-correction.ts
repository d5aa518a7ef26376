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
import { isDoing } from '../../../base/shell/program-kinds.ts';
import { toPositionals } from '../../../base/shell/simple-command.ts';
import { endsWithPath, toBaseName } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import type { Detector, SessionMessage, SessionWindow } from '../../detector.ts';
import { makeFinding } from '../../episodes/make-finding.ts';
import { isSameRule, USER_RULE } from '../../lessons/same-rule.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';
import { toShortCommand } from '../../text/to-short-command.ts';
import type { Around, Draft } from './draft.ts';
import { draftRule } from './draft-rule.ts';
import { findLink, type Link } from './find-pair.ts';
import { type Known, type Thing, toCommand, toKnown, toName, toStem } from './named-things.ts';
import { toOwnSentences } from './own-sentences.ts';
import { type Message, type Rule, readMessage, TEACHING } from './read-words.ts';
import { toFolder, toKind } from './thing-triggers.ts';

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
  readonly message: Message;
  readonly around: Around;
  readonly drafts: Drafts;
}

/** The same prompt is in the next window again, with fewer calls before it. */
const told = new WeakMap<SessionMessage, Told>();

function toTold({ prompt, at, start }: Turn, { calls }: SessionWindow): Told {
  const known = told.get(prompt);
  if (known !== undefined) return known;
  const before = calls.slice(Math.max(0, at + 1 - MAX_BEFORE), at + 1);
  const turn = calls.slice(start + 1, at + 1);
  const edited = listEdited(turn).length > 0 ? listEdited(turn) : listEdited(before);
  const words = edited.length === 0 ? [] : (prompt.text.match(/[\w@./+-]*\w/g) ?? []);
  const named = edited.filter((path) => words.some((word) => endsWithPath(path, word)));
  const written = listEdited(turn.filter(({ tool }) => tool === 'write'));
  // Nobody writes the same new file again.
  const kinds = edited.map((path) => (written.includes(path) ? `${toFolder(path)}${toKind(path)}` : path));
  const around = { before, after: [], edited, written, meant: named.length > 0 ? named : kinds, editedAfter: [] };
  const sentences = toOwnSentences(prompt.text);
  const message = readMessage(sentences, toKnown(before));
  const made = { sentences, message, around, drafts: toDrafts(message, around) };
  told.set(prompt, made);
  return made;
}

function toDrafts(message: Message, around: Around): Drafts {
  const drafts: (readonly [Rule, Draft])[] = [];
  for (const rule of message.rules) {
    const draft = draftRule(rule, message, around);
    if (draft !== undefined && !drafts.some(([, one]) => isSameRule(one, draft))) drafts.push([rule, draft]);
  }
  return drafts.slice(0, MAX_RULES);
}

/** What the calls after the words show: the name of a program or a file, what was done otherwise, the corrected way. */
function findShown(turn: Turn, window: SessionWindow): readonly Finding[] {
  const { message } = toTold(turn, window);
  if (!message.isTeaching && !message.isBrief && message.named.length === 0) return [];
  const later = window.calls.slice(turn.at + 1, turn.end + 1);
  const pair = findPair(message, turn, window);
  if (pair !== undefined) return pair;
  const drafts = toShown(turn, window, later);
  const known = later.findIndex((call) => window.calls.indexOf(call) >= window.from);
  // It was told with an earlier window.
  if (drafts.length === 0 || (known > 0 && toShown(turn, window, later.slice(0, known)).length > 0)) return [];
  return drafts.map(([rule, draft]) => toStated(rule, draft, turn, window));
}

function toShown(turn: Turn, window: SessionWindow, later: readonly LiveCall[]): Drafts {
  const { sentences, around } = toTold(turn, window);
  const message = readMessage(sentences, toKnown(around.before, later, toShownWords(around, later)));
  return toDrafts(message, { ...around, after: later, editedAfter: listEdited(later) });
}

const MIN_WORD_CHARS = 4;

/** "The changelog", and then a file of that name was edited; "the stubs", and then a command with that word ran. */
function toShownWords({ before, edited }: Around, later: readonly LiveCall[]): Known['shown'] {
  const shown = new Map<string, Omit<Thing, 'at' | 'end'>>();
  const done = new Set(before.flatMap(parseCall).map(toName));
  const add = (words: readonly string[], thing: Omit<Thing, 'at' | 'end'>): void => {
    for (const word of words)
      if (word.length >= MIN_WORD_CHARS && !shown.has(toStem(word))) shown.set(toStem(word), thing);
  };
  for (const path of listEdited(later).filter((one) => !edited.includes(one)))
    add(
      toBaseName(path)
        .split(/[^\p{L}]+/u)
        .slice(0, -1),
      { kind: 'file', text: path },
    );
  for (const command of later
    .flatMap(parseCall)
    .filter((one) => one.program !== 'git' && isDoing(one) && !done.has(toName(one))))
    add(
      [...toPositionals(command), command.program].flatMap((word) => word.split(/[^\p{L}]+/u)),
      {
        kind: 'command',
        text: toName(command),
        command: toCommand(toName(command)) ?? command,
      },
    );
  return shown;
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

/** The rules, and what the whole message names. */
function listCorrections(
  { rules, named, isTeaching, isBrief, isRejected }: Message,
  isStopped: boolean,
): readonly Rule[] {
  const [first] = rules;
  const isSaid = rules.some(({ marks }) => TEACHING.some((role) => marks.has(role)));
  if (first === undefined || !((isTeaching && isSaid) || isRejected || isBrief || isStopped)) return [];
  const wanted = rules.flatMap((rule) => rule.wanted);
  const plain = named.filter(({ kind }) => kind !== 'deed');
  const others = named.filter((one) => !wanted.includes(one));
  return [
    ...rules,
    { ...first, wanted: named, unwanted: others },
    { ...first, wanted: named, unwanted: [] },
    // A word of the message that no table knows: `main`, not `master`.
    { ...first, wanted: plain, unwanted: plain },
  ];
}

function toCorrected(
  rule: Rule,
  { command, programs, instead }: Link,
  corrected: LiveCall,
  fixing: LiveCall,
  steps: number,
): readonly Finding[] {
  const words = toWords(rule.words);
  const found = makeFinding({
    detector: USER_WORDS,
    kind: 'corrected-by-user' as const,
    fixing,
    steps,
    intentKey: toCommandName(command),
    // What went wrong is what the user said, whatever the program printed.
    failing: { ...corrected, signature: toLineSignature(command.program, words) },
    text: {
      summary: `Use ${instead} instead of \`${toShortCommand(command, 60)}\``,
      mistake: `The user said of \`${toShortCommand(command, 200)}\`: "${words}"`,
      remediation: `Use ${instead}`,
      tags: [`tool:${command.program}`, USER_RULE],
    },
    triggers: { tools: ['shell'], programs },
    signals: toSignals(rule),
  });
  return found === undefined ? [] : [found];
}

function toSignals({ marks }: Rule): Finding['signals'] {
  return marks.has('firm') || marks.has('never') ? ['user-corrected', 'stated-lesson'] : ['user-corrected'];
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
    signals: toSignals(rule),
    ...dropAbsent({ model, agentVersion }),
  };
}
