/**
 * A failure with the same cause in two sessions, of which no call shows a fix: what the failing calls have in common, and
 * no call that worked has, is the trigger. What the working calls of other sessions do first is the fix. The cause decides
 * what is the same failure, so no message is named here.
 */

import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Finding } from '../../base/model/finding.ts';
import { toCommandName, toOptions, toPlainSubCommand } from '../../base/shell/command-words.ts';
import { findObjectKind, isPlainWord, maskObjects } from '../../base/shell/object-kind.ts';
import { parseCall } from '../../base/shell/parse-command.ts';
import { isPreparing, isProbe } from '../../base/shell/program-kinds.ts';
import { type SimpleCommand, toPositionals } from '../../base/shell/simple-command.ts';
import { toCategory } from '../../base/text/failure-category.ts';
import { isNamedIn } from '../../base/text/is-named-in.ts';
import { toLiteral } from '../../base/text/regex-literal.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { type ProgramTrigger, renderProgram, type Triggers } from '../../base/triggers/trigger.ts';
import { classifyFailure, isMistake } from '../episodes/classify-failure.ts';
import { findBlamed } from '../episodes/find-attempt.ts';
import { makeFinding } from '../episodes/make-finding.ts';
import { findSetUpHead, SET_UP, SETS_UP } from '../episodes/set-up.ts';
import type { PastCall } from '../gate/gate-finding.ts';
import { toMistake } from '../text/edit-text.ts';

export const RECURRENCE = 'distill/recurrence@1';
/** In so many sessions a feature that the error does not name is no chance any more. */
const SURE_SESSIONS = 3;
/** So many calls of the same command that worked, none of them with the feature. */
const SURE_CALLS = 5;
const MAX_FEATURES = 12;
const SAID_CHARS = 140;

type Holds = (triggers: Triggers, call: PastCall, isSure?: boolean) => boolean;

/** `failing`: a call that `mayRecur`. `past`: the calls of the project; the failing call may be one of them. */
export function proposeRecurrence(failing: LiveCall, past: readonly PastCall[], holds: Holds): Finding | undefined {
  const same = past.filter(
    ({ callId, outcome, signatureId }) =>
      callId !== failing.callId && outcome === 'failure' && signatureId === failing.signature?.id,
  );
  const sessions = new Set([failing.sessionId, ...same.map(({ sessionId }) => sessionId)]).size;
  if (sessions < 2) return undefined;
  const worked = past.filter((call) => hasWorked(call) && call.tool === failing.tool);
  const seen = { failing, same, worked, past, sessions, holds };
  return failing.tool === 'shell' ? proposeForCommand(seen) : proposeForTool(seen);
}

interface Seen {
  readonly failing: LiveCall;
  readonly same: readonly PastCall[];
  readonly worked: readonly PastCall[];
  /** All calls of the project, oldest first. */
  readonly past: readonly PastCall[];
  readonly sessions: number;
  readonly holds: Holds;
}

/** It is there, but no file. */
const IS_FOLDER = /\bis a directory\b/i;

/** The call was a mistake and says why. Only its whole output shows that. */
export function mayRecur(call: LiveCall): boolean {
  const { outcome, signature, message, masked } = call;
  if (outcome !== 'failure' || signature === undefined || masked === true || !message) return false;
  // A file that is not there may be there next time, and the words of the call were right.
  const isMissing = toCategory(signature) === 'missing_path' && !IS_FOLDER.test(message);
  if (call.tool === 'shell' && isMissing) return false;
  return isMistake(classifyFailure(call));
}

function proposeForCommand(seen: Seen): Finding | undefined {
  const { failing, same, worked, sessions, holds } = seen;
  const failed = findBlamed(failing);
  if (failed === undefined || isProbe(failed) || isPreparing(failed)) return undefined;
  const others = same.map((call) => parseCall(call).find(({ program }) => program === failed.program));
  if (others.some((one) => one === undefined)) return undefined;
  const base = toBase(failed, others as readonly SimpleCommand[]);
  const setUp = proposeSetUp(seen, base, toMistake(failed, failing.message ?? ''));
  if (setUp !== undefined) return setUp;
  const features = listFeatures(failed, others as readonly SimpleCommand[], base);
  const isFalse = (triggers: Triggers): boolean => worked.some((call) => holds(triggers, call, true));
  const whole = toTriggers(base);
  const known = worked.filter((call) => holds(whole, call, true)).length;
  // A command that never worked may only have been tried too seldom.
  const wide = known === 0 && sessions >= SURE_SESSIONS ? [whole] : [];
  const candidates = [...wide, ...features.filter(isTold).map((word) => toTriggers(base, word))];
  const triggers = candidates.find((one) => !isFalse(one) && same.every((call) => holds(one, call)));
  return (
    triggers &&
    toFinding(seen, triggers, toMistake(failed, failing.message ?? ''), { intentKey: toCommandName(failed) })
  );

  function isTold(word: string): boolean {
    return isNamedIn(failing.message ?? '', word) || (sessions >= SURE_SESSIONS && known >= SURE_CALLS);
  }
}

/** So many working calls set the shell up alike. */
const MIN_ALIKE = 2;

/** The line sets the shell up first wherever the command works, and nowhere where it fails. */
function proposeSetUp(seen: Seen, base: ProgramTrigger, mistake: string): Finding | undefined {
  const { failing, same, worked, holds } = seen;
  const triggers: Triggers = { ...toTriggers(base), line: { unless: [SETS_UP] } };
  if (![failing, ...same].every((call) => holds(triggers, call))) return undefined;
  const ran = worked.filter((call) => holds(toTriggers({ name: base.name }), call, true));
  const heads = ran.flatMap((call) => {
    const head = findSetUpHead(toLine(call), base.name);
    return head === undefined ? [] : [{ head, call }];
  });
  const [most = []] = [...Map.groupBy(heads, ({ head }) => head).values()].sort((a, b) => b.length - a.length);
  const [fix] = most;
  // Where it mostly works without, the set-up is no precondition.
  if (fix === undefined || most.length < MIN_ALIKE || ran.length - heads.length > heads.length) return undefined;
  const finding = makeFinding({
    detector: RECURRENCE,
    kind: 'missing-precondition',
    failing,
    fixing: failing,
    steps: 0,
    triggers,
    intentKey: `${base.name} without its environment`,
    text: {
      summary: `${renderProgram(base)} fails where the line does not set the shell up first`,
      mistake,
      remediation: `Begin the line with \`${fix.head} && …\``,
      tags: [SET_UP, `tool:${base.name}`],
    },
    signals: ['retry-loop'],
  });
  return finding && { ...finding, fixingCallId: fix.call.callId };
}

/** The sub-command that all of them have. */
function toBase(failed: SimpleCommand, others: readonly SimpleCommand[]): ProgramTrigger {
  const all = others.map(toPlainSubCommand);
  const sub = toPlainSubCommand(failed).filter((word, i) => all.every((words) => words[i] === word));
  return { name: failed.program, ...(sub.length === 0 ? {} : { sub }) };
}

/** Options and words that all of them have. Names of that day are not among them: two sessions had the same. */
function listFeatures(
  failed: SimpleCommand,
  others: readonly SimpleCommand[],
  { sub = [] }: ProgramTrigger,
): readonly string[] {
  const isCommon = (word: string): boolean =>
    others.every((one) => toOptions(one).includes(word) || toPositionals(one).includes(word));
  const words = [...toOptions(failed), ...toPositionals(failed).slice(sub.length)];
  return [...new Set(words)]
    .filter((word) => isPlainWord(word) && isLasting(word) && isCommon(word))
    .slice(0, MAX_FEATURES);
}

function isLasting(word: string): boolean {
  const kind = findObjectKind({ value: word, text: word });
  return kind === undefined || kind === 'name' || kind === 'path';
}

/** The command line as far as it is known. */
function toLine({ command, inputSummary = '' }: PastCall): string {
  return command ?? inputSummary;
}

function toTriggers(base: ProgramTrigger, word?: string): Triggers {
  return { tools: ['shell'], programs: [word === undefined ? base : { ...base, args: { all: [word] } }] };
}

/** One parameter that all of them gave the same value. */
function proposeForTool(seen: Seen): Finding | undefined {
  const { failing, same, worked, sessions, holds } = seen;
  const given = Object.entries(failing.parameters ?? {}).filter(
    ([, value]) => value !== '' && value !== '…' && value.length <= MAX_VALUE && !/\n/.test(value),
  );
  const isTold = (value: string): boolean =>
    isNamedIn(failing.message ?? '', value) || (sessions >= SURE_SESSIONS && worked.length >= SURE_CALLS);
  for (const [name, value] of given.filter(([, one]) => isTold(one)).slice(0, MAX_FEATURES)) {
    const match = [`"${toLiteral(name)}" *: *"?${toLiteral(JSON.stringify(value).slice(1, -1))}"?[,}]`];
    const triggers: Triggers = { tools: [failing.tool], input: { match } };
    if (worked.some((call) => holds(triggers, call, true)) || !same.every((call) => holds(triggers, call))) continue;
    const said = toShortChars(maskObjects(failing.message ?? ''), SAID_CHARS);
    const instead = findInstead(seen, value);
    const parameter = `\`${name}: ${value}\``;
    return toFinding(seen, triggers, `\`${failing.rawTool}\` with ${parameter} failed: ${said}`, {
      intentKey: failing.rawTool,
      given: parameter,
      instead,
    });
  }
  return undefined;
}

const MAX_VALUE = 60;
const MAX_STEPS = 8;

/** The command that agents then ran in its place, in at least two sessions: the rejected value is one of its words. */
function findInstead({ same, past }: Seen, value: string): string | undefined {
  const commands = same.flatMap((failure) => {
    const next = past.slice(past.indexOf(failure) + 1).filter(({ sessionId }) => sessionId === failure.sessionId);
    const ran = next.slice(0, MAX_STEPS).filter((call) => call.tool === 'shell' && hasWorked(call));
    const words = ran.flatMap((call) => parseCall(call).map((one) => [one.program, ...toPositionals(one)]));
    const meant = words.find((one) => one.slice(1, MAX_WORDS).includes(value));
    return meant === undefined ? [] : [meant.slice(0, meant.indexOf(value) + 1).join(' ')];
  });
  const [most] = [...Map.groupBy(commands, (one) => one).values()].sort((a, b) => b.length - a.length);
  return most !== undefined && most.length > 1 ? most[0] : undefined;
}

/** The program and the words that say what it does. */
const MAX_WORDS = 4;

interface Told {
  readonly intentKey: string;
  /** The parameter of a tool that all of them gave. */
  readonly given?: string;
  /** The command that agents then ran in its place. */
  readonly instead?: string | undefined;
}

function toFinding(
  { failing }: Seen,
  triggers: Triggers,
  mistake: string,
  { intentKey, given, instead }: Told,
): Finding | undefined {
  return makeFinding({
    detector: RECURRENCE,
    failing,
    fixing: failing,
    steps: 0,
    triggers,
    intentKey,
    kind: failing.tool === 'shell' ? 'corrected-command' : 'wrong-tool-use',
    text: {
      summary: instead === undefined ? mistake : `${mistake}: use \`${instead}\` in the shell`,
      mistake,
      remediation:
        instead === undefined
          ? `${toBan(triggers, given)}: each such call has failed`
          : `Use \`${instead}\` in the shell`,
      tags: [`topic:recurrence`, ...(failing.tool === 'shell' ? [`tool:${triggers.programs?.[0]?.name}`] : [])],
    },
    signals: ['retry-loop'],
  });
}

function toBan({ programs: [program] = [] }: Triggers, given: string | undefined): string {
  const [word] = program?.args?.all ?? [];
  if (given !== undefined) return `Do not give it ${given}`;
  return word === undefined ? 'Do not run it like this' : `Do not run it with \`${word}\``;
}
