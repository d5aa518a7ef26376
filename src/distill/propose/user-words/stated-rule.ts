/**
 * What a user says without any call that has to show it: a rule for good, or a thing that the agent left out. Only prompts
 * of the main conversation count: in a sub-agent they are another agent's. What comes out waits for a person.
 */

import { hashText } from '../../../base/ids.ts';
import type { LiveCall } from '../../../base/model/call.ts';
import { hasWorked } from '../../../base/model/event.ts';
import type { Finding } from '../../../base/model/finding.ts';
import { EXCERPT_CHARS } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import { parseCall } from '../../../base/shell/parse-command.ts';
import { unwrapRunner } from '../../../base/shell/sub-commands.ts';
import { endsWithPath } from '../../../base/text/paths.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import { toWords } from '../../../base/triggers/session-conditions.ts';
import type { SessionWindow, Spoken } from '../../detector.ts';
import { isSameRule, USER_RULE } from '../../lessons/same-rule.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';
import { type Before, type Draft, draftRule, toFile } from './draft-rule.ts';
import type { Known } from './named-things.ts';
import { parseRules, type StatedRule } from './parse-rules.ts';
import { FILE_KINDS } from './rule-words.ts';

export const USER_WORDS = 'distill/user-correction@1';
/** Users speak of what they just saw. */
const MAX_BEFORE = 30;
const MAX_WORDS_CHARS = 160;
const MAX_RULES = 3;

/** A prompt, and where it stands among the calls. */
export interface Turn {
  readonly prompt: Spoken;
  /** Index of the last call before it; -1 for none. */
  readonly at: number;
  /** The same for the prompt before it. */
  readonly start: number;
}

interface Told {
  readonly rules: readonly StatedRule[];
  readonly before: Before;
  readonly drafts: readonly (readonly [StatedRule, Draft])[];
}

/** The same prompt is in the next window again, with fewer calls before it. */
const told = new WeakMap<Spoken, Told>();

function toTold({ prompt, at, start }: Turn, { calls }: SessionWindow): Told {
  const known = told.get(prompt);
  if (known !== undefined) return known;
  const all = calls.slice(Math.max(0, at + 1 - MAX_BEFORE), at + 1);
  const turn = listEdited(calls.slice(start + 1, at + 1));
  const edited = turn.length > 0 ? turn : listEdited(all);
  const named = edited.filter((path) => isWrittenIn(prompt.text, path));
  const before = { calls: all, edited, meant: named.length > 0 ? named : edited };
  const rules = parseRules(prompt.text, toKnown(all));
  const made = { rules, before, drafts: toDrafts(rules, before) };
  told.set(prompt, made);
  return made;
}

function isWrittenIn(text: string, path: string): boolean {
  return text.match(/[\w@./+-]*\w/g)?.some((word) => endsWithPath(path, word)) ?? false;
}

function toKnown(calls: readonly LiveCall[]): Known {
  const commands = calls.flatMap(parseCall);
  return {
    paths: calls.flatMap(({ targetPath }) => targetPath ?? []),
    programs: new Set(
      [...commands, ...commands.map(unwrapRunner)].flatMap((one) => [
        one.program,
        toWords(one).split(' ', 2).join(' '),
      ]),
    ),
  };
}

function toDrafts(rules: readonly StatedRule[], before: Before): Told['drafts'] {
  const drafts: (readonly [StatedRule, Draft])[] = [];
  for (const rule of rules) {
    const draft = draftRule(rule, before);
    if (draft === undefined) continue;
    const same = drafts.findIndex(([, one]) => isSameRule(one, draft));
    if (same < 0) drafts.push([rule, draft]);
    // What is said for good tells more than what was left out.
    else if (drafts[same]?.[0].frame === 'omission' && rule.frame === 'lasting') drafts[same] = [rule, draft];
  }
  return drafts.slice(0, MAX_RULES);
}

/** Undefined where the words state nothing by themselves. */
export function findStated(turn: Turn, window: SessionWindow, isNew: boolean): readonly Finding[] | undefined {
  const { drafts } = toTold(turn, window);
  if (drafts.length === 0) return undefined;
  return isNew ? drafts.map(([rule, draft]) => toFinding(rule, draft, turn, window)) : [];
}

/** What the calls after the words show: a file of the kind that was left out, or that a word is the name of a program. */
export function findShown(turn: Turn, window: SessionWindow, end: number): readonly Finding[] {
  const { rules, before } = toTold(turn, window);
  const later = window.calls.slice(turn.at + 1, end + 1);
  const isNew = (call: LiveCall): boolean => window.calls.indexOf(call) >= window.from;
  const running = later.filter((call) => isNew(call) && namesProgram(turn.prompt, call));
  const known = running.length === 0 ? [] : parseRules(turn.prompt.text, toKnown([...before.calls, ...running]));
  const drafts = toDrafts(known, before);
  if (drafts.length > 0) return drafts.map(([rule, draft]) => toFinding(rule, draft, turn, window));
  // "You forgot the changelog", and then a file of that name was edited.
  const rule = rules.find(({ frame, isNamed, isChange }) => frame === 'omission' && !isNamed && isChange);
  if (rule === undefined || before.edited.length === 0) return [];
  const words = rule.words.toLowerCase().match(/[\p{L}]{4,}/gu) ?? [];
  const edited = later.find((call) =>
    listEdited([call]).some((path) => !before.edited.includes(path) && words.some((word) => isNamedBy(path, word))),
  );
  if (edited === undefined || !isNew(edited)) return [];
  const named = { ...rule, wanted: listEdited([edited]).map(toFile) };
  const draft = draftRule(named, before);
  return draft === undefined ? [] : [toFinding(named, draft, turn, window)];
}

function namesProgram({ text }: Spoken, call: LiveCall): boolean {
  return parseCall(call).some(({ program }) => program.length > 2 && text.includes(program));
}

/** `tests` names `user.test.ts`, `changelog` names `CHANGELOG.md`. */
function isNamedBy(path: string, word: string): boolean {
  const parts = path.toLowerCase().split(/[^\p{L}]+/u);
  const stem = word.replace(/(?:es|s)$/, '');
  const kind = FILE_KINDS.find(([words]) => words.split(' ').includes(word))?.[1].split(' ') ?? [];
  return (
    stem.length > 2 &&
    parts.some((part) => part === word || part === stem || part === `${stem}s` || kind.includes(part))
  );
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

function toFinding(rule: StatedRule, draft: Draft, { prompt, at }: Turn, { calls }: SessionWindow): Finding {
  const { agent, sessionId, projectId, evidence: place, model, agentVersion } = prompt;
  const words = toShortChars(rule.words.replaceAll(/https?:\/\/\S+/g, '…').replaceAll(/\s+/g, ' '), MAX_WORDS_CHARS);
  const { summary, remediation, triggers, type } = draft;
  const [program] = triggers.programs ?? [];
  const subject = program?.name ?? 'rule';
  // No call failed: the words stand in for it. Hooks and transcripts tell their time differently.
  const callId = `said-${hashText(`${sessionId}\n${rule.words}\n${calls[at]?.callId ?? ''}`)}`;
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
    signals: rule.frame === 'lasting' ? ['user-corrected', 'stated-lesson'] : ['user-corrected'],
    ...dropAbsent({ model, agentVersion }),
  };
}
