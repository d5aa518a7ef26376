/**
 * Turns the answer of a model into findings for the gate. An answer is data from outside: a part that names an id which the
 * pack does not have, or whose trigger misses its own failures or fires on its own fixes, is dropped with the reason.
 */

import { hashText } from '../../base/ids.ts';
import type { LiveCall } from '../../base/model/call.ts';
import { hasWorked } from '../../base/model/event.ts';
import type { Finding } from '../../base/model/finding.ts';
import type { Lesson, ModelOrigin } from '../../base/model/lesson.ts';
import { maskObjects } from '../../base/shell/object-kind.ts';
import { toShortChars } from '../../base/text/short-text.ts';
import { toLineSignature } from '../../base/text/signature.ts';
import { hasTarget, type ProgramTrigger, type Triggers } from '../../base/triggers/trigger.ts';
import { makeFinding } from '../episodes/make-finding.ts';
import type { PastCall } from '../gate/gate-finding.ts';
import { guardFinding } from '../gate/guard-finding.ts';
import { guardProposal } from '../gate/guard-proposal.ts';
import { isRepositoryCause } from '../gate/is-repository-cause.ts';
import type { AnsweredLesson, AnswerTrigger, ParsedAnswer } from './answer-schema.ts';
import { mayTeach } from './choose-episodes.ts';
import type { Conversation } from './conversation.ts';

/** Call that an id of the pack stands for. */
export interface PlacedCall {
  readonly call: LiveCall;
  readonly conversation: Conversation;
}

export interface AnsweredPack {
  /** Undefined for an id that the pack does not have. A call that cannot be read again is left out. */
  readonly find: (id: string) => readonly PlacedCall[] | undefined;
  /** The lesson behind `k1`: undefined for an id that the pack does not have, `gone` for one that was removed since. */
  readonly findLesson: (id: string) => Lesson | 'gone' | undefined;
  readonly origin: ModelOrigin;
}

export interface ProposalRules {
  readonly holds: (triggers: Triggers, call: PastCall) => boolean;
  readonly isLinear: (regex: string) => boolean;
  /** Has a call of the user run this program? */
  readonly hasRun: (program: string) => boolean;
}

export interface Proposal {
  /** The words of the model, for who looks at what became of them. */
  readonly summary: string;
  /** One for each failure that shows it. */
  readonly findings: readonly ProposedFinding[];
}

export interface ProposedFinding {
  readonly finding: Finding;
  readonly conversation: Conversation;
}

export interface DroppedProposal {
  readonly summary: string;
  readonly reason: string;
}

interface Proposals {
  readonly proposals: readonly Proposal[];
  readonly dropped: readonly DroppedProposal[];
}

export function proposeLessons(answer: ParsedAnswer, pack: AnsweredPack, rules: ProposalRules): Proposals {
  const proposals: Proposal[] = [];
  const dropped: DroppedProposal[] = [];
  const take = (summary: string, made: readonly ProposedFinding[] | string): void => {
    if (typeof made === 'string') dropped.push({ summary, reason: made });
    else proposals.push({ summary, findings: made });
  };
  for (const one of answer.add) take(one.summary, propose(one, pack, rules));
  for (const { lesson: id, evidence } of answer.evidence) {
    const lesson = pack.findLesson(id);
    if (lesson === undefined || lesson === 'gone') take(id, lesson === undefined ? UNKNOWN_ID : GONE_LESSON);
    else take(lesson.summary, addEvidence(lesson, evidence, pack, rules));
  }
  return { proposals, dropped };
}

export const UNKNOWN_ID = 'names an id that the pack does not have';
export const GONE_LESSON = 'the lesson that it names is gone';
const NO_FAILURE = 'its evidence is no mistake of a call';
const NO_MESSAGE = 'its failures say nothing that they could be known by';
const GONE = 'its calls can no longer be read';

/** The findings, or why there are none. */
function propose(
  answered: AnsweredLesson,
  pack: AnsweredPack,
  rules: ProposalRules,
): readonly ProposedFinding[] | string {
  const evidence = findCalls(answered.evidence, pack);
  const fixes = findCalls(answered.fixes, pack);
  if (typeof evidence === 'string') return evidence;
  if (typeof fixes === 'string') return fixes;
  const said = answered.evidence.length > 0 && answered.evidence.every((id) => WORDS_ID.test(id.trim()));
  const failures = said ? evidence : evidence.filter(isFailure);
  if (failures.length === 0) return evidence.length === 0 ? GONE : NO_FAILURE;
  const worked = fixes.filter(({ call }) => hasWorked(call));
  const triggers = toTriggers(answered.trigger, failures[0]?.call, rules);
  if (typeof triggers === 'string') return triggers;
  if (said) return proposeSaid(answered, triggers, failures, pack).map(makeGuard(rules));
  const isCaught = ({ call }: PlacedCall): boolean => triggers.failure === true || rules.holds(triggers, call);
  const own = failures.filter(isCaught);
  if (own.length === 0) return 'its trigger does not fire on its own mistake';
  // The same call is right once something else ran.
  const isRepeated = triggers.failure === true || triggers.session !== undefined;
  if (!isRepeated && worked.some(isCaught)) return 'its trigger fires on its own fix';
  const guard = makeGuard(rules);
  const findings = own.flatMap((failure) => toFinding(answered, triggers, failure, worked, pack) ?? []).map(guard);
  return findings.length === 0 ? NO_MESSAGE : findings;
}

/** An id of something that the user said. */
const WORDS_ID = /^u\d+$/;

/** What the user explained: no failure shows it, and a person confirms it. */
function proposeSaid(
  answered: AnsweredLesson,
  triggers: Triggers,
  placed: readonly PlacedCall[],
  pack: AnsweredPack,
): readonly ProposedFinding[] {
  return placed.slice(0, 1).flatMap(({ call, conversation }) => {
    const signature = toLineSignature('user', answered.mistake);
    const made = toFinding(answered, triggers, { call: { ...call, signature }, conversation }, [], pack);
    if (made === undefined) return [];
    // The call before the words need not be the one that they are about.
    const failingCallId = `said-${hashText(`${call.callId}\n${answered.summary}`)}`;
    const finding = { ...made.finding, kind: 'corrected-by-user' as const, trust: 'stated' as const };
    return [{ finding: { ...finding, failingCallId, fixingCallId: failingCallId }, conversation }];
  });
}

/** A call that was a mistake. Verdicts on code, searches and the network are none. */
function isFailure({ call, conversation }: PlacedCall): boolean {
  return mayTeach(conversation, call);
}

function findCalls(ids: readonly string[], { find }: AnsweredPack): readonly PlacedCall[] | string {
  const found = ids.map((id) => find(id.trim()));
  return found.includes(undefined) ? UNKNOWN_ID : found.flatMap((calls) => calls ?? []);
}

/** The author of what a model proposes. */
export const READER = 'model/reader@1';
const SAID_CHARS = 140;
const FIX_CHARS = 120;

function toFinding(
  { summary, mistake, advice, type, trigger }: AnsweredLesson,
  triggers: Triggers,
  { call: failing, conversation }: PlacedCall,
  fixes: readonly PlacedCall[],
  { origin }: AnsweredPack,
): ProposedFinding | undefined {
  const fixing = fixes.find((one) => one.conversation === conversation && isAfter(one.call, failing))?.call ?? failing;
  const from = conversation.calls.indexOf(failing);
  const steps = Math.max(0, conversation.calls.indexOf(fixing) - from);
  const [program] = triggers.programs ?? [];
  const name = program === undefined ? failing.rawTool : [program.name, ...(program.sub ?? [])].join(' ');
  const made = makeFinding({
    detector: READER,
    kind: 'proposed',
    failing,
    fixing,
    steps,
    triggers,
    intentKey: trigger.when === 'error' ? `${name} fails` : name,
    text: {
      summary,
      mistake,
      remediation: advice,
      tags: [`tool:${program?.name ?? failing.rawTool}`],
      example: {
        mistake: toShortChars(maskObjects(failing.message ?? mistake), SAID_CHARS),
        fix: fixing === failing ? '' : toShortChars(fixing.command ?? fixing.rawTool, FIX_CHARS),
      },
    },
    signals: fixing === failing ? [] : ['error-fix-success'],
  });
  if (made === undefined) return undefined;
  // A model does not correct calls: what it proposes is advice.
  const { replacement: _, isSuggested: __, ...advising } = made;
  const isGeneral = !isRepositoryCause(advising, failing);
  const finding: Finding = {
    ...advising,
    type,
    origin: 'model',
    proposedBy: origin,
    tags: isGeneral ? [...advising.tags, 'topic:cli-form'] : advising.tags,
  };
  return { finding, conversation };
}

function makeGuard({ hasRun }: ProposalRules): (proposed: ProposedFinding) => ProposedFinding {
  return ({ finding, conversation }) => {
    const at = Math.max(
      0,
      conversation.calls.findIndex(({ callId }) => callId === finding.failingCallId),
    );
    return { finding: guardProposal(finding, toGuardWindow(conversation, at), hasRun), conversation };
  };
}

function isAfter(call: LiveCall, failing: LiveCall): boolean {
  return call.occurredAt >= failing.occurredAt && call !== failing;
}

/** Farther away, texts have nothing to do with the failure. */
const BEFORE = 60;
const AFTER = 30;

function toGuardWindow({ calls, spoken }: Conversation, at: number) {
  const around = calls.slice(Math.max(0, at - BEFORE), at + AFTER);
  return { calls: around, spoken, shown: undefined };
}

/** More evidence of a lesson that exists, in its own words. */
function addEvidence(
  lesson: Lesson,
  ids: readonly string[],
  pack: AnsweredPack,
  { holds }: ProposalRules,
): readonly ProposedFinding[] | string {
  const evidence = findCalls(ids, pack);
  if (typeof evidence === 'string') return evidence;
  const isSame = ({ call }: PlacedCall): boolean =>
    lesson.triggers.failure === true ? call.signature?.id === lesson.signatureId : holds(lesson.triggers, call);
  const failures = evidence.filter(isFailure);
  const own = failures.filter(isSame);
  if (failures.length === 0) return evidence.length === 0 ? GONE : NO_FAILURE;
  if (own.length === 0) return 'the lesson that exists does not fire on it';
  const { summary, mistake, remediation: advice, triggers, tags } = lesson;
  const words = { summary, mistake, advice, type: 'warning', evidence: [], fixes: [], trigger: NO_TRIGGER } as const;
  const findings = own.flatMap((failure) => {
    const made = toFinding({ ...words, evidence: [], fixes: [] }, triggers, failure, [], pack);
    const window = toGuardWindow(failure.conversation, failure.conversation.calls.indexOf(failure.call));
    return made === undefined ? [] : [{ ...made, finding: guardFinding({ ...made.finding, tags }, window) }];
  });
  return findings.length === 0 ? NO_MESSAGE : findings;
}

const NO_TRIGGER: AnswerTrigger = {
  when: 'call',
  tool: 'shell',
  program: '',
  subcommand: [],
  with: [],
  withAny: [],
  without: [],
  paths: [],
  inFolder: '',
  outsideFolder: '',
  matches: '',
  unlessMatches: '',
  unlessRan: [],
};

/** The trigger of a lesson, or why it cannot be one. `failing`: a failure that it is about. */
function toTriggers(
  given: AnswerTrigger,
  failing: LiveCall | undefined,
  { isLinear }: ProposalRules,
): Triggers | string {
  const { matches, unlessMatches } = given;
  if (given.when === 'error') return failing === undefined ? NO_FAILURE : { tools: [failing.tool], failure: true };
  if ([matches, unlessMatches].some((regex) => regex !== '' && !isLinear(regex)))
    return 'its regular expression is not linear';
  const triggers = given.tool === 'shell' ? toShellTriggers(given) : toToolTriggers(given);
  if (typeof triggers === 'string' || hasTarget(triggers)) return triggers;
  return 'its trigger would fire on every call of a tool';
}

function toShellTriggers(given: AnswerTrigger): Triggers | string {
  const { program, matches, unlessMatches, inFolder, outsideFolder, unlessRan } = given;
  const words = [...given.subcommand, ...given.with, ...given.withAny, ...given.without];
  if (program === '' && words.length > 0) return 'its trigger has words without a program';
  const text = {
    ...(matches === '' ? {} : { match: [matches] }),
    ...(unlessMatches === '' ? {} : { unless: [unlessMatches] }),
  };
  const isPlaced = inFolder !== '' || outsideFolder !== '';
  const hasText = Object.keys(text).length > 0;
  return {
    tools: ['shell'],
    ...(program === '' ? {} : { programs: [toProgram(given)] }),
    // With a program the text is that of its command; alone it may be of a line that no shell can split.
    ...(!hasText ? {} : program === '' && !isPlaced ? { line: text } : { command: text }),
    ...(isPlaced
      ? { directory: inFolder === '' ? { outside: toFolder(outsideFolder) } : { in: toFolder(inFolder) } }
      : {}),
    ...(unlessRan.length === 0 ? {} : { session: { unless: unlessRan.map((ran) => ({ ran: toRan(ran) })) } }),
  };
}

function toProgram({ program, subcommand, with: all, withAny: any, without: none }: AnswerTrigger): ProgramTrigger {
  const args = {
    ...(all.length === 0 ? {} : { all }),
    ...(any.length === 0 ? {} : { any }),
    ...(none.length === 0 ? {} : { none }),
  };
  return {
    name: program,
    ...(subcommand.length === 0 ? {} : { sub: subcommand }),
    ...(Object.keys(args).length === 0 ? {} : { args }),
  };
}

function toToolTriggers({ tool, paths, matches, unlessMatches }: AnswerTrigger): Triggers {
  const text = {
    ...(matches === '' ? {} : { match: [matches] }),
    ...(unlessMatches === '' ? {} : { unless: [unlessMatches] }),
  };
  return {
    tools: [tool as NonNullable<Triggers['tools']>[number]],
    ...(paths.length === 0 ? {} : { paths }),
    ...(Object.keys(text).length === 0 ? {} : { input: text }),
  };
}

function toFolder(given: string): string {
  return given.replace(/^\.?\/+|\/+$/g, '');
}

function toRan(given: string): string {
  return given.trim().replace(/\s+/g, ' ');
}
