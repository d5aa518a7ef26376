/**
 * What the agent wrote down itself. Where a failing call and its fix stand behind the report, the calls alone make
 * the lesson. Its words are somebody's, perhaps a web page's: they stand in a draft at most.
 */

import { type Finding, toReportCallId } from '../../../base/model/finding.ts';
import { type Evidence, EXCERPT_CHARS } from '../../../base/model/lesson.ts';
import { dropAbsent } from '../../../base/records.ts';
import { toCommandName, toOptionTrigger } from '../../../base/shell/command-words.ts';
import type { SimpleCommand } from '../../../base/shell/simple-command.ts';
import { toShortChars } from '../../../base/text/short-text.ts';
import { toLineSignature } from '../../../base/text/signature.ts';
import type { Triggers } from '../../../base/triggers/trigger.ts';
import type { Detector, SessionMessage, SessionWindow } from '../../detector.ts';
import { makeFinding } from '../../episodes/make-finding.ts';
import { FIXED_BY } from '../../text/retell-lesson.ts';
import { type Behind, findBehind } from './find-behind.ts';
import { findReportedFix, type ReportedFix } from './find-reported-fix.ts';
import { findSaid } from './find-said.ts';
import { isMalformed, type SelfReport } from './self-report.ts';
import { toNamedCommands } from './to-named-commands.ts';
import { toToolNames } from './to-tool-names.ts';

const NAME = 'distill/self-report@1';
const SUMMARY_CHARS = 120;

export const selfReport: Detector = {
  name: NAME,
  detect(window) {
    return findSaid(window).flatMap(({ spoken, report, isNew }) => {
      if (isMalformed(report)) return [];
      const behind = findBehind(report, spoken, window.calls);
      const proof = findProof(report, behind, window);
      if (proof === undefined) return isNew ? (makeDraft(report, spoken, behind[0], window) ?? []) : [];
      return isNew || proof.fix.index >= window.from ? (makeProven(spoken, proof) ?? []) : [];
    });
  },
};

interface Proof {
  readonly behind: Behind;
  readonly fix: ReportedFix;
}

function findProof(report: SelfReport, all: readonly Behind[], { calls }: SessionWindow): Proof | undefined {
  for (const behind of all) {
    const fix = findReportedFix(report, behind, calls);
    if (fix !== undefined) return { behind, fix };
  }
  return undefined;
}

/** Everything that is said comes from the calls: no word of the report, not even the why or a tag. */
function makeProven(spoken: SessionMessage, { behind, fix }: Proof): Finding | undefined {
  const finding = makeFinding({
    detector: NAME,
    kind: 'self-reported',
    failing: behind.call,
    fixing: fix.call,
    steps: fix.index - behind.index,
    text: { ...fix.text, tags: [...new Set([...fix.text.tags, 'topic:self-report'])] },
    triggers: fix.triggers,
    intentKey: toCommandName(behind.command),
    signals: ['error-fix-success', 'self-reported', ...fix.signals],
  });
  if (finding === undefined) return undefined;
  return {
    ...finding,
    origin: 'self-report',
    // Without the words: whoever saw the same calls has the same evidence, and it counts once.
    evidence: withWords(finding.evidence, spoken),
  };
}

/** Words that nothing stands behind. */
function makeDraft(
  report: SelfReport,
  spoken: SessionMessage,
  behind: Behind | undefined,
  { calls }: SessionWindow,
): Finding | undefined {
  const triggers = toStatedTriggers(report, behind?.command);
  if (triggers === undefined) return undefined;
  const last = calls.find(({ callId }) => callId === spoken.afterCallId);
  // A `#lesson` is about a call, so before any call it reports nothing. Process knowledge need not be about one.
  if (last === undefined && report.form !== 'process-knowledge') return undefined;
  const { mistake, fix, tags, type, body, label, priority } = report;
  const [[word = 'report'] = []] = Object.values(report.narrowing ?? {});
  const subject = triggers.programs?.[0]?.name ?? triggers.tools?.[0] ?? word;
  const { agent, sessionId, projectId, model, agentVersion } = last ?? spoken;
  const reportCallId = toReportCallId(report.id);
  return {
    detector: NAME,
    kind: 'self-reported',
    origin: 'self-report',
    trust: 'foreign',
    agent,
    sessionId,
    projectId,
    steps: 0,
    triggers,
    signals: ['self-reported'],
    // No call failed, so the report stands in for the failing call, and the call before the report for the fixing one.
    failingCallId: reportCallId,
    fixingCallId: last?.callId ?? reportCallId,
    intentKey: [subject, ...(triggers.programs?.[0]?.sub ?? [])].join(' '),
    signature: toLineSignature(subject, mistake || fix),
    summary: toShortChars(label ?? `The agent reports of \`${subject}\`: ${mistake || fix}`, SUMMARY_CHARS),
    mistake: mistake || fix,
    remediation: fix || mistake,
    tags: [...new Set([...tags, 'topic:self-report'])],
    evidence: toEvidence(report, spoken),
    ...dropAbsent({ type, priority, body, model, agentVersion }),
  };
}

function toEvidence({ mistake, fix }: SelfReport, { agent, sessionId, at, evidence }: SessionMessage): Evidence {
  const place = evidence === undefined ? {} : { file: evidence.file, lines: [evidence.line, evidence.line] as const };
  return { agent, sessionId, ...place, at, excerpt: toShortChars(`${mistake}${FIXED_BY}${fix}`, EXCERPT_CHARS) };
}

/** The message is part of what proves it. */
function withWords(evidence: Evidence, { evidence: place }: SessionMessage): Evidence {
  if (place === undefined || evidence.lines === undefined || evidence.file !== place.file) return evidence;
  const [from, to] = evidence.lines;
  return { ...evidence, lines: [Math.min(from, place.line), Math.max(to, place.line)] };
}

const MAX_PATHS = 5;
const PATH = /^(?!\/?\**\/?\**$)[\w.*?@+/-]{2,120}$/;
const FILE = /^[\w.*@+/-]*(?:\/|\.\w{1,8}$)[\w.*@+/-]*$/;
const FILE_TOOLS = ['read', 'edit', 'write'] as const;

/**
 * When a lesson would fire that rests on the words of a report alone: on a command, on files, or when certain words are
 * said. `behind`: the command that failed, where there is one.
 */
function toStatedTriggers(report: SelfReport, behind: SimpleCommand | undefined): Triggers | undefined {
  const target = toTarget(report, behind);
  if (target !== undefined) return { ...target, ...report.narrowing };
  const { tools, trigger, paths, narrowing } = report;
  const named = toToolNames(tools);
  // What it names and we cannot use would be missing: it would fire more often than it was meant to.
  if (narrowing === undefined || trigger !== '' || paths.length > 0 || (tools.length > 0 && named.length === 0))
    return undefined;
  return { ...(named.length === 0 ? {} : { tools: named }), ...narrowing };
}

function toTarget(report: SelfReport, behind: SimpleCommand | undefined): Triggers | undefined {
  const tools = toToolNames(report.tools);
  const files = FILE_TOOLS.filter((tool) => tools.length === 0 || tools.includes(tool));
  const isFile = FILE.test(report.trigger) && tools.some((tool) => tool !== 'shell');
  const paths = [...report.paths, ...(isFile ? [report.trigger] : [])].filter((path) => PATH.test(path));
  if (paths.length > 0 && files.length > 0) return { tools: files, paths: paths.slice(0, MAX_PATHS) };
  if (tools.length > 0 && !tools.includes('shell')) return undefined;
  const command = behind ?? toNamedCommands(report.trigger)[0]?.[0];
  return command === undefined ? undefined : { tools: ['shell'], programs: [toOptionTrigger(command)] };
}
