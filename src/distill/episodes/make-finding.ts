/**
 * A finding from what a detector saw: the two calls, the words, the triggers, and where it stands. Most detectors look at
 * pairs of a failed and a fixing call: `makePairDetector` makes them from a rule.
 */

import type { LiveCall } from '../../base/model/call.ts';
import type { EpisodeKind, Finding, Signal } from '../../base/model/finding.ts';
import { type Evidence, EXCERPT_CHARS, type TokenReplacement } from '../../base/model/lesson.ts';
import { dropAbsent } from '../../base/records.ts';
import { applyEdit, toReplacementEdit } from '../../base/shell/command-edit.ts';
import { toPlainSubCommand } from '../../base/shell/command-words.ts';
import { isSameSubCommand } from '../../base/shell/intent.ts';
import { isPlainWord } from '../../base/shell/object-kind.ts';
import { parseCall, parseCommand } from '../../base/shell/parse-command.ts';
import type { SimpleCommand } from '../../base/shell/simple-command.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { signCall, signCallLine, toFailedCall } from '../../base/text/signature.ts';
import type { Triggers } from '../../base/triggers/trigger.ts';
import type { Detector, SessionMessage } from '../detector.ts';
import type { LessonText } from '../text/edit-text.ts';
import { FIXED_BY } from '../text/retell-lesson.ts';
import { findCulprit } from './find-culprit.ts';
import { MAX_LINES, toOutputLines } from './output-lines.ts';

interface Seen {
  /** `distill/corrected-command@1`. */
  readonly detector: string;
  readonly kind: EpisodeKind;
  readonly failing: LiveCall;
  readonly fixing: LiveCall;
  readonly steps: number;
  readonly text: LessonText;
  readonly triggers: Triggers;
  readonly intentKey: string;
  readonly signals: readonly Signal[];
  readonly scope?: Finding['scope'] | undefined;
}

/** Undefined for a failure without a message. */
export function makeFinding({ failing, fixing, text: lessonText, scope, ...seen }: Seen): Finding | undefined {
  const said = failing.output ?? failing.message ?? '';
  const signature = failing.signature ?? signCall(toFailedCall(failing), said)?.signature;
  if (signature === undefined) return undefined;
  const { example = { mistake: lessonText.mistake, fix: lessonText.remediation }, ...text } = lessonText;
  const replacement = findReplacement(failing, fixing, seen.triggers);
  return {
    ...seen,
    ...(failing.outcomeType === 'timeout' ? { signals: [...new Set<Signal>([...seen.signals, 'hang'])] } : {}),
    ...dropAbsent({ scope }),
    agent: failing.agent,
    sessionId: failing.sessionId,
    projectId: failing.projectId,
    failingCallId: failing.callId,
    fixingCallId: fixing.callId,
    signature,
    ...text,
    ...(text.edit === undefined ? {} : { edit: { ...text.edit, narrowed: true } }),
    evidence: toEvidence(failing, fixing, `${example.mistake}${FIXED_BY}${example.fix}`),
    ...replacement,
    ...dropAbsent({ model: failing.model, agentVersion: failing.agentVersion }),
  };
}

function toEvidence(failing: LiveCall, fixing: LiveCall, excerpt: string): Evidence {
  const [from, to] = [failing.evidence, fixing.evidence];
  const place =
    from !== undefined && to !== undefined && from.file === to.file
      ? { file: from.file, lines: [Math.min(from.line, to.line), Math.max(from.line, to.line)] as const }
      : {};
  const { agent, sessionId } = failing;
  return { agent, sessionId, ...place, at: fixing.occurredAt, excerpt: toShortChars(excerpt, EXCERPT_CHARS) };
}

interface FoundReplacement {
  readonly replacement: TokenReplacement;
  readonly isSuggested?: true;
}

/**
 * The one word that made the difference, so that the fix is a pure replacement. Set if the two lines differ in one word
 * only, and the program rejects that word itself (unknown option, value not in its list). A missing branch, pod or file
 * does not count: the next name is another thing, not a correction.
 */
export function findReplacement(failing: LiveCall, fixing: LiveCall, triggers: Triggers): FoundReplacement | undefined {
  if (failing.outcome !== 'failure' || fixing.outcome !== 'success') return undefined;
  const [wrong, right] = [failing.command?.trim() ?? '', fixing.command?.trim() ?? ''];
  const [before, after] = [parseCommand(wrong, failing), parseCommand(right, fixing)];
  if (before.length !== after.length) return undefined;
  const found = before.map((command, i) => findSwap(command, after[i])).find((one) => one !== undefined);
  if (found === undefined || !isMeant(found, triggers)) return undefined;
  const output = failing.output ?? '';
  if (!isWrongInItself(found, before, output) || applyEdit(toReplacementEdit(found), wrong, true) !== right)
    return undefined;
  return { replacement: found, ...(isSuggested(found, output) ? { isSuggested: true } : {}) };
}

function isWrongInItself(found: TokenReplacement, commands: readonly SimpleCommand[], output: string): boolean {
  const culprit = findCulprit(commands, output);
  if (culprit === undefined || culprit.word !== found.from || culprit.absent === true) return false;
  if (culprit.role === 'value') return isListed(found.to, output);
  return culprit.role === 'option' || culprit.role === 'sub-command';
}

/** `Did you mean --name-only?`, `choose from 'json', 'yaml'`. A whole page of usage suggests nothing. */
const OFFERING =
  /did you mean|most similar|similar (?:command|option|flag|argument)|perhaps|instead|choose from|one of|possible values|available|valid (?:values|options|choices)|expected|was (?:replaced|renamed)|tip:/i;

function isSuggested(found: TokenReplacement, output: string): boolean {
  const lines = output.split('\n', MAX_LINES);
  return lines.some(
    (line, at) => isListed(found.to, line) && (OFFERING.test(line) || OFFERING.test(lines[at - 1] ?? '')),
  );
}

function isListed(word: string, text: string): boolean {
  return new RegExp(`(?:^|[\\s'"\`‘“(\\[{,:|])${toLiteral(word)}(?:[\\s'"\`’”)\\]},;:|?.]|$)`, 'm').test(text);
}

/** Behind a pipe or the like nobody knows whether the other word worked. */
function findSwap(wrong: SimpleCommand, right: SimpleCommand | undefined): TokenReplacement | undefined {
  if (right === undefined || right.hidden === true || !isSameSubCommand(wrong, right)) return undefined;
  const at = wrong.args.findIndex(({ text }, i) => text !== right.args[i]?.text);
  const [from = '', to = ''] = [wrong.args[at]?.text, right.args[at]?.text];
  const sub = toPlainSubCommand(wrong);
  if (!isPlainWord(from) || !isPlainWord(to)) return undefined;
  return { program: wrong.program, ...(sub.length === 0 ? {} : { sub }), from, to };
}

/** The lesson is about this very word: a number or a name that changed beside it corrects nothing. */
function isMeant({ program, from }: TokenReplacement, { programs = [] }: Triggers): boolean {
  return programs.some(
    ({ name, args }) => name === program && [...(args?.any ?? []), ...(args?.all ?? [])].includes(from),
  );
}

/** A failed call, and the calls around it. */
export interface FailureWindow {
  readonly calls: readonly LiveCall[];
  readonly index: number;
  readonly call: LiveCall;
  /** What the failed call ran. */
  readonly commands: readonly SimpleCommand[];
  /** What it said, without colours, a line each. */
  readonly toLines: () => readonly string[];
  /** What any call of the window ran. */
  readonly commandsOf: (index: number) => readonly SimpleCommand[];
  /** Did the user speak after the failure and before the call at this index? Then the user may have asked for it. */
  readonly isAsked: (index: number) => boolean;
}

export interface FoundFix {
  /** The index of the fixing call. */
  readonly index: number;
  readonly text: LessonText;
  readonly triggers: Triggers;
  /** Default: the program and sub-command of the first trigger. */
  readonly intentKey?: string;
  /** Why a person has to look at it first. */
  readonly caution?: string;
  /** Why no lesson comes of it. */
  readonly episodeOnly?: string;
  /** Index of a later call that confirms the fix. The finding is reported when that call has come. */
  readonly provenAt?: number;
  /** Added to the signals of the rule. */
  readonly signals?: readonly Signal[];
  /** What went wrong, where the call itself said nothing. */
  readonly said?: string;
}

interface PairRule {
  readonly name: string;
  readonly kind: EpisodeKind;
  /** The fix is at most this many calls after the failure. */
  readonly maxSteps: number;
  /** The calls to look at. Default: failed shell commands. */
  readonly isCandidate?: (call: LiveCall) => boolean;
  readonly scope?: Finding['scope'];
  /** Signals of all its findings. Default: an error, a fix and a success. */
  readonly signals?: readonly Signal[];
  readonly findFix: (failure: FailureWindow) => FoundFix | undefined;
}

/** A detector that looks at one failed call at a time, and for the later call of the same context that fixed it. */
export function makePairDetector(rule: PairRule): Detector {
  const { name, maxSteps, isCandidate = isFailedCommand, findFix } = rule;
  return {
    name,
    detect({ calls, from, spoken }) {
      const commandsOf = (index: number): readonly SimpleCommand[] => toCommands(calls[index]);
      const found: (Finding | undefined)[] = [];
      // An earlier failure has no new fix. This is a loop because every detector runs it for every window.
      for (let index = Math.max(0, from - maxSteps); index < calls.length; index++) {
        const call = calls[index];
        if (call === undefined || !isCandidate(call)) continue;
        const toLines = (): readonly string[] => toShortLines(call);
        const isAsked = (at: number): boolean => calls.slice(index, at).some(makeIsAskedAfter(spoken));
        const fix = findFix({ calls, index, call, commands: commandsOf(index), toLines, commandsOf, isAsked });
        const fixing = fix === undefined ? undefined : calls[fix.index];
        if (fix === undefined || fixing === undefined || fix.index - index > maxSteps) continue;
        if ((fix.provenAt ?? fix.index) < from) continue;
        found.push(toFinding(rule, { call, fixing, steps: fix.index - index }, fix));
      }
      return found.filter((finding) => finding !== undefined);
    },
  };
}

/** Did the user speak right after the call? */
export function makeIsAskedAfter(spoken: readonly SessionMessage[]): (call: LiveCall) => boolean {
  const asked = new Set(spoken.flatMap(({ kind, afterCallId }) => (kind === 'prompted' ? (afterCallId ?? []) : [])));
  return ({ callId }) => asked.has(callId);
}

interface Pair {
  readonly call: LiveCall;
  readonly fixing: LiveCall;
  readonly steps: number;
}

function toFinding(rule: PairRule, { call, fixing, steps }: Pair, fix: FoundFix): Finding | undefined {
  const { name: detector, kind, scope, signals: always = ['error-fix-success'] } = rule;
  const { text, triggers, signals = [], said, caution, episodeOnly } = fix;
  const { name = '', sub = [] } = triggers.programs?.[0] ?? {};
  const { intentKey = [name, ...sub].join(' ') } = fix;
  const failing = said === undefined ? call : { ...call, signature: signCallLine(toFailedCall(call), said) };
  const finding = makeFinding({
    detector,
    kind,
    failing,
    fixing,
    steps,
    text,
    triggers,
    intentKey,
    scope,
    signals: [...new Set<Signal>([...always, ...signals])],
  });
  if (finding === undefined) return undefined;
  return {
    ...finding,
    ...dropAbsent({ caution, episodeOnly }),
  };
}

export function isFailedCommand({ tool, outcome, command, output }: LiveCall): boolean {
  return tool === 'shell' && outcome === 'failure' && command !== undefined && output !== undefined;
}

/** Every detector asks the same of the same calls, and the next window has most of them again. */
const parsed = new WeakMap<LiveCall, readonly SimpleCommand[]>();
const split = new WeakMap<LiveCall, readonly string[]>();

function toCommands(call: LiveCall | undefined): readonly SimpleCommand[] {
  if (call === undefined) return [];
  const before = parsed.get(call);
  if (before !== undefined) return before;
  const commands = parseCall(call);
  parsed.set(call, commands);
  return commands;
}

function toShortLines(call: LiveCall): readonly string[] {
  const before = split.get(call);
  if (before !== undefined) return before;
  const lines = toOutputLines(call.output ?? '');
  split.set(call, lines);
  return lines;
}
